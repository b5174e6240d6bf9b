/* box-oracle.h - box filters by a loop over all pixels of each box; over its rows, and then its columns, where all
 * have the same radius. */
#ifndef BOX_ORACLE_H
#define BOX_ORACLE_H

#include <stdint.h>

#include "scankit.h"

/* The parts of a pixel that radii are rounded to. */
#define BOX_PARTS 256

/* A radius in such parts, as scankit_box_filter() takes it from a map. */
uint32_t box_radius(double radius);

/* values: the filtered image, without gaps. radii: in parts, one a pixel. Integers are exact. */
void box_oracle(const scankit_image *in, const uint32_t *radii, scankit_edge edge, unsigned passes, double *values);

#endif
