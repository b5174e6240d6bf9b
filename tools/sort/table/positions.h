/* positions.h - the order of rows, as positions in host memory. */
#ifndef POSITIONS_H
#define POSITIONS_H

#include "common/device.h"

/* The stable order of n rows by columns in host memory. */
void sort_positions(scankit_context *context, const scankit_column *columns, size_t count, size_t n,
                    uint64_t *positions);

#endif
