/* test_shapes.c - see test_shapes.h. The names in data.h are also in bench/data/random.h, so no file includes both. */
#include "test_shapes.h"

#include "support/data.h"

unsigned test_shapes(void)
{
    return DATA_SHAPE_COUNT;
}

const char *test_shape_name(unsigned shape)
{
    return data_shape_name((data_shape)shape);
}

void test_shape_fill(void *out, scankit_type type, unsigned shape, size_t n, uint64_t seed)
{
    data_fill(out, type, (data_shape)shape, n, seed);
}
