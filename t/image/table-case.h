/* table-case.h - what the tests of summed-area tables share: images, expected tables, and the errors they may have. */
#ifndef TABLE_CASE_H
#define TABLE_CASE_H

#include <stdbool.h>

#include "image/canvas.h"

#define METHODS 3

/* Areas of a device. */
enum { TABLE_IN, TABLE_OUT };

typedef struct type_pair {
    scankit_type in, out;
} type_pair;

/* Exact: any integers for tables of integers, small integers for tables of floats. Otherwise floats from 0 to 1. */
typedef struct table_case {
    type_pair types;
    unsigned channels;
    size_t width, height;
    scankit_table_options options;
    bool exact, dense; /* dense: no gaps between rows, and aligned */
} table_case;

bool table_is_float(scankit_type type);

/* Half the distance from 1 to the next float. */
double table_unit(scankit_type type);

scankit_image table_draw(const table_case *c, random_state *random);

/* The table of value - mean; mean may be NULL. To be freed. */
double *table_oracle(const scankit_image *in, const double *mean);

/* Fails the current case unless the area of the output holds the table. */
void table_expect(device *d, const table_case *c, const scankit_image *in, const scankit_image *before);

/* The second run has the bits of the first. */
void table_run_again(device *d, const table_case *c, const scankit_image *from, const scankit_image *to);

/* A case of its own: draws an image and its table, makes the table, and compares. */
void table_check(device *d, const table_case *c, random_state *random);

#endif
