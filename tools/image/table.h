/* table.h - verifies summed-area tables. */
#ifndef TABLE_H
#define TABLE_H

#include "file/picture.h"

/* True if sums over the table's first and last rows and columns, and over random rectangles, are what direct sums give;
 * of floats, up to their rounding. mean: what was subtracted from each channel, or NULL. */
bool table_is_right(const struct picture *table, const struct picture *picture, const double *mean);

#endif
