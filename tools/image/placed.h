/* placed.h - pictures where the device works on them: on a CPU they stay where they are. */
#ifndef PLACED_H
#define PLACED_H

#include "common/buffer.h"
#include "file/picture.h"

struct placed {
    scankit_image image;
    struct buffer memory; /* of a GPU */
};

/* The first uploads the picture; the second only makes room for one. */
struct placed placed_from(scankit_context *context, const struct picture *picture);
struct placed placed_room(scankit_context *context, const struct picture *picture);

/* Brings the pixels to the picture that it was made with, once the device has computed them, and frees the memory. */
void placed_fetch(struct placed *placed, scankit_context *context, struct picture *picture);

void placed_free(struct placed *placed);

#endif
