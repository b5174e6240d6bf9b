/* placed.c - see placed.h. */
#include "placed.h"

#include "common/device.h"

struct placed placed_room(scankit_context *context, const struct picture *picture)
{
    struct placed placed = {.image = {.type = picture->type,
                                      .channels = picture->channels,
                                      .width = picture->width,
                                      .height = picture->height,
                                      .data = picture->pixels}};
    if (!scankit_is_host(context))
        placed.image.data = buffer_room(&placed.memory, context, picture_bytes(picture));
    return placed;
}

struct placed placed_from(scankit_context *context, const struct picture *picture)
{
    struct placed placed = placed_room(context, picture);
    if (!scankit_is_host(context))
        check_call(context, scankit_upload(context, placed.image.data, picture->pixels, picture_bytes(picture)));
    return placed;
}

void placed_fetch(struct placed *placed, scankit_context *context, struct picture *picture)
{
    if (scankit_is_host(context))
        check_call(context, scankit_synchronize(context));
    else
        buffer_download(&placed->memory, picture->pixels, picture_bytes(picture));
    placed_free(placed);
}

void placed_free(struct placed *placed)
{
    buffer_free(&placed->memory);
}
