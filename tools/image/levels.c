/* levels.c - see levels.h. */
#include "levels.h"

#include "alpha.h"
#include "placed.h"

static void compute(struct levels *levels, scankit_context *context, int linear)
{
    struct placed placed[LEVELS_MOST];
    scankit_image images[LEVELS_MOST];
    const struct picture *first = &levels->level[0];
    placed[0] = placed_from(context, first);
    for (unsigned l = 1; l < levels->count; l++) {
        levels->level[l] = picture_new(first->type, first->channels, scankit_mipmap_extent(first->width, l),
                                       scankit_mipmap_extent(first->height, l));
        placed[l] = placed_room(context, &levels->level[l]);
        images[l - 1] = placed[l].image;
    }
    check_call(context, scankit_mipmap(context, &placed[0].image, images, levels->count - 1, linear));
    for (unsigned l = 1; l < levels->count; l++)
        placed_fetch(&placed[l], context, &levels->level[l]);
    placed_free(&placed[0]);
}

/* The level 0 keeps its own pixels: the way back would lose the colors of transparent ones. */
static void compute_with_alpha(struct levels *levels, scankit_context *context, bool linear)
{
    struct picture own = levels->level[0];
    levels->level[0] = alpha_premultiplied(&own, !linear);
    compute(levels, context, 1);
    picture_free(&levels->level[0]);
    levels->level[0] = own;
    for (unsigned l = 1; l < levels->count; l++) {
        struct picture premultiplied = levels->level[l];
        levels->level[l] = alpha_straight(&premultiplied, own.type, !linear);
        picture_free(&premultiplied);
    }
}

void levels_compute(struct levels *levels, struct session *session, struct picture *picture, unsigned last)
{
    levels->level[0] = *picture;
    levels->count = last + 1;
    if (last == 0)
        return;
    if (picture_has_alpha(picture))
        compute_with_alpha(levels, session->context, session->request->linear);
    else
        compute(levels, session->context, session->request->linear);
}

void levels_free(struct levels *levels)
{
    for (unsigned l = 0; l < levels->count; l++)
        picture_free(&levels->level[l]);
}
