/* picture.h - a picture in the host's memory. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "scankit.h"

#define CHANNELS_MOST 4

/* Rows lie from top to bottom without gaps. Channels are interleaved: gray, gray and alpha, red green blue, or these
 * and alpha. Alpha is not premultiplied. */
struct picture {
    scankit_type type;
    unsigned channels;
    size_t width, height;
    unsigned maxval;       /* the largest value before integers were scaled to the range of their type; 0: not scaled */
    unsigned char *pixels; /* room for `room` bytes, which may be less than all */
    size_t room;
};

size_t picture_elements(const struct picture *picture);
size_t picture_row_bytes(const struct picture *picture);
size_t picture_bytes(const struct picture *picture);
bool picture_has_alpha(const struct picture *picture);

/* Fails if the picture has no pixels, or more than an address space. Its memory is empty then. The name is for
 * messages. */
void picture_begin(struct picture *picture, const char *name);

/* Makes room for the first `bytes` bytes of pixels. The memory doubles, so that it stays in proportion to them. */
void picture_grow(struct picture *picture, size_t bytes);

/* A new picture with memory for all pixels. */
struct picture picture_new(scankit_type type, unsigned channels, size_t width, size_t height);

/* Reverses the order of the rows. */
void picture_flip(struct picture *picture);

/* "640 x 480, 3 channels of u8"; get_memory()'d. */
char *picture_text(const struct picture *picture);

void picture_free(struct picture *picture);

#endif
