/* test_shapes.h - the shapes of data of the tests (t/support/data.h), some of which are made to be slow. */
#ifndef BENCH_TEST_SHAPES_H
#define BENCH_TEST_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

unsigned test_shapes(void); /* how many there are */
const char *test_shape_name(unsigned shape);

/* Fills host memory. */
void test_shape_fill(void *out, scankit_type type, unsigned shape, size_t n, uint64_t seed);

#endif
