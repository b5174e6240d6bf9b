/* picture.c - see picture.h. */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"

#define LEAST_ROOM ((size_t)64 << 10)

size_t picture_elements(const struct picture *picture)
{
    return picture->width * picture->height * picture->channels;
}

size_t picture_row_bytes(const struct picture *picture)
{
    return picture->width * picture->channels * scankit_type_size(picture->type);
}

size_t picture_bytes(const struct picture *picture)
{
    return picture->height * picture_row_bytes(picture);
}

bool picture_has_alpha(const struct picture *picture)
{
    return picture->channels % 2 == 0;
}

void picture_begin(struct picture *picture, const char *name)
{
    size_t bytes = picture->channels * scankit_type_size(picture->type);
    if (picture->width == 0 || picture->height == 0)
        fail(name, "has no pixels: it is %zu x %zu", picture->width, picture->height);
    if (__builtin_mul_overflow(bytes, picture->width, &bytes) ||
        __builtin_mul_overflow(bytes, picture->height, &bytes) || bytes > SIZE_MAX / 4)
        fail(name, "claims %zu x %zu pixels, which is more than there can be", picture->width, picture->height);
    picture->pixels = NULL;
    picture->room = 0;
}

void picture_grow(struct picture *picture, size_t bytes)
{
    if (bytes <= picture->room)
        return;
    size_t all = picture_bytes(picture), room = 2 * picture->room;
    room = room < LEAST_ROOM ? LEAST_ROOM : room;
    room = room < bytes ? bytes : room;
    room = room < all ? room : all;
    unsigned char *grown = realloc(picture->pixels, room);
    if (grown == NULL)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text(room));
    picture->pixels = grown;
    picture->room = room;
}

struct picture picture_new(scankit_type type, unsigned channels, size_t width, size_t height)
{
    struct picture picture = {.type = type, .channels = channels, .width = width, .height = height};
    picture.room = picture_bytes(&picture);
    picture.pixels = get_memory(picture.room);
    return picture;
}

void picture_flip(struct picture *picture)
{
    size_t row = picture_row_bytes(picture);
    unsigned char *top = picture->pixels, *bottom = top + picture_bytes(picture) - row, *spare = get_memory(row);
    for (; top < bottom; top += row, bottom -= row) {
        memcpy(spare, top, row);
        memcpy(top, bottom, row);
        memcpy(bottom, spare, row);
    }
    free(spare);
}

char *picture_text(const struct picture *picture)
{
    char text[96];
    snprintf(text, sizeof text, "%zu x %zu, %u channel%s of %s", picture->width, picture->height, picture->channels,
             picture->channels == 1 ? "" : "s", scankit_type_name(picture->type));
    return copy_text(text);
}

void picture_free(struct picture *picture)
{
    free(picture->pixels);
    *picture = (struct picture){.pixels = NULL};
}
