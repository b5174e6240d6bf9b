/* elements.h - single elements of pictures as numbers. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "file/picture.h"

/* True for the types that the library filters. */
bool elements_are_pixels(scankit_type type);

/* The value of full brightness, and of an opaque alpha: 1 for floats. */
double elements_full(scankit_type type);

/* Element i of u8, u16, f16 or f32. A store rounds integers to the nearest, and keeps them within their range. */
double element_load(const struct picture *picture, size_t i);
void element_store(struct picture *picture, size_t i, double value);

#endif
