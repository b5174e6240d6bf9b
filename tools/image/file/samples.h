/* samples.h - integers as the Netpbm formats store them: most significant byte first, from 0 to a maximum. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "format.h"

/* The type of samples up to maxval; fails if no type is for it. */
scankit_type samples_type(const struct source *source, size_t maxval);

/* Reads the pixels of a begun picture, and scales them from 0 to maxval to the range of their type. */
void samples_read(struct source *source, struct picture *picture, size_t maxval);

/* The same for samples that are in memory already, in the machine's byte order. */
void samples_scale(const struct source *source, struct picture *picture, size_t maxval);

/* Writes all pixels. */
void samples_write(const struct picture *picture, struct output *output);

/* Reverses the bytes of each element. */
void samples_swap(void *elements, size_t size, size_t count);

#endif
