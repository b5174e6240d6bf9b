/* canvas.h - images in host memory with random bytes between their rows, and their copies on a device. */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdint.h>

#include "support/data.h"
#include "support/device.h"

/* What the pixels hold. Floats lie between -1 and 1, or between 0 and 1. */
typedef enum canvas_content {
    CANVAS_ANY,
    CANVAS_EXTREMES, /* the least and the largest value */
    CANVAS_LIGHT,    /* as any; floats are not negative */
    CANVAS_CONSTANT, /* one value in all pixels and channels */
    CANVAS_CONTENTS
} canvas_content;

/* The error that a result may have. */
typedef struct canvas_bound {
    double absolute, relative;
} canvas_bound;

/* Draws the gap between rows. All bytes are random. */
scankit_image canvas_new(scankit_type type, unsigned channels, size_t width, size_t height, random_state *random);
scankit_image canvas_copy(const scankit_image *image);
void canvas_free(scankit_image *image);

/* Bytes from the first pixel to the end of the last one; elements of all pixels. */
size_t canvas_bytes(const scankit_image *image);
size_t canvas_elements(const scankit_image *image);

double canvas_get(const scankit_image *image, size_t x, size_t y, unsigned channel);
void canvas_set(const scankit_image *image, size_t x, size_t y, unsigned channel, double value);
void canvas_fill(const scankit_image *image, canvas_content content, random_state *random);

/* The values of all elements, without gaps. To be freed. */
double *canvas_values(const scankit_image *image);

/* A draw between 0 and 1. */
double random_unit(random_state *random);

/* The largest value of a type of integers; 0 for floats. */
uint32_t canvas_most(scankit_type type);

/* Copies the image to an area, at a random alignment. */
scankit_image canvas_put(device *d, unsigned area, const scankit_image *image, random_state *random);

/* Fails the current case unless the area holds these values, the gaps have the bytes that they have in `before`, and
 * the guards are whole. */
void canvas_expect(device *d, unsigned area, const scankit_image *before, const double *values, canvas_bound bound);

#endif
