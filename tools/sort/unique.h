/* unique.h - removing the positions of equal elements. */
#ifndef UNIQUE_H
#define UNIQUE_H

#include "common/schema.h"

/* Of sorted positions whose elements have equal keys, keeps the first. Returns how many are left. */
size_t unique_positions(const struct schema *schema, const char *data, uint64_t *positions, size_t n);

#endif
