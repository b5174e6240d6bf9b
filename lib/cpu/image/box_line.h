/* box_line.h - what all rows of a pass of a box filter have in common, and the line of sums of columns that follows the
 * windows from row to row. */
#ifndef SK_BOX_LINE_H
#define SK_BOX_LINE_H

#include "box_pixel.h"

#define SK_BOX_ROOM ((size_t)64) /* behind arrays of sums, for a whole register */

/* A line is the sums of columns, with places before and after them: what lies beyond the edges, as far as windows reach
 * it. */
typedef struct sk_box_line {
    const scankit_image *in, *out;
    const sk_box *box;
    const sk_kernels *kernels;
    sk_box_steps steps;
    scankit_type type;     /* of sums of columns */
    scankit_type sum_type; /* of sums of windows */
    int64_t unit;          /* columns are summed in units of 1 / unit of a row: 1 or SK_BOX_UNIT */
    size_t pixel;          /* bytes of a pixel of sums of columns */
    size_t whole, part;    /* the radius: pixels, and units */
    size_t before, after;  /* places */
    size_t pad;            /* bytes before them: the first column that enters begins a line of the caches */
    size_t bytes;          /* of a line */
    int64_t *shown;        /* by place: the column that it shows, or -1 */
    uint32_t *counts;      /* by column, `counted` ones: how often it is in the window before the first */
    size_t counted;
    uint64_t *lengths; /* by pixel: of its window along the row, in units */
    bool by_steps;     /* steps.means() takes all sums */
    bool stream;       /* results go around the caches; the end is still to come */
} sk_box_line;

/* The pixel of an axis that an image shows at a place, which may lie beyond its edges; -1: none. */
static inline int64_t sk_box_shown(int64_t place, size_t length, scankit_edge edge)
{
    const int64_t last = (int64_t)length - 1, period = 2 * (int64_t)length;
    if (place >= 0 && place <= last)
        return place;
    if (edge == SCANKIT_EDGE_OMIT)
        return -1;
    if (edge == SCANKIT_EDGE_CLAMP)
        return place < 0 ? 0 : last;
    place = place % period + (place % period < 0 ? period : 0);
    return place <= last ? place : period - 1 - place;
}

/* Takes its memory from the workspace; false: there is none left. */
bool sk_box_line_open(sk_device *device, sk_box_line *line, const scankit_image *in, const scankit_image *out,
                      const sk_box *box);

/* The sums of columns of a line that begins with a line of the caches. */
static inline char *sk_box_columns(const sk_box_line *line, char *at)
{
    return at + line->pad + line->before * line->pixel;
}

#endif
