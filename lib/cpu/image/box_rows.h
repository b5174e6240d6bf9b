/* box_rows.h - the means of rows of pixels, from the sums of the columns under the rows' windows. */
#ifndef SK_BOX_ROWS_H
#define SK_BOX_ROWS_H

#include "box_line.h"

/* What moves the sums of columns to a row: the rows of the input that enter the windows, and leave them. */
typedef struct sk_box_move {
    const char *next, *last; /* or NULL: the sums are the row's already */
} sk_box_move;

/* How many rows a pass makes at a time. */
unsigned sk_box_rows_of_pass(const sk_box_line *line, const sk_box_divisor *by);

/* Writes rows y to y + count - 1 of the output: one, or as many as a pass makes if columns move to each. There is a
 * line for each row. The first line holds the sums of columns of the row above, and afterwards of the last row. by:
 * divides sums of windows of the usual width, over `length` units of rows. */
void sk_box_rows_write(const sk_box_line *line, char *lines, const sk_box_move *moves, unsigned count, size_t y,
                       const sk_box_divisor *by, uint64_t length);

#endif
