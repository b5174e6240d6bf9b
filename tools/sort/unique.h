/* unique.h - of positions that sort, those of the first of elements whose keys are equal. */
#ifndef UNIQUE_H
#define UNIQUE_H

#include "common/schema.h"

/* Moves them to the front, in their order; answers how many. */
size_t unique_positions(const struct schema *schema, const char *data, uint64_t *positions, size_t n);

#endif
