/* light-oracle.h - the light of pixels, from the formulas of sRGB (IEC 61966-2-1). */
#ifndef LIGHT_ORACLE_H
#define LIGHT_ORACLE_H

#include "scankit.h"

/* Values of integers to light from 0 to 1, and back without rounding. Floats are light already. */
double light_decode(const scankit_image *image, unsigned channel, int linear, double value);
double light_encode(const scankit_image *image, unsigned channel, int linear, double light);

#endif
