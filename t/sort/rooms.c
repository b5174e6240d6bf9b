/* rooms.c - many keys, out of place. A GPU scatters evenly spread keys to buckets with slack regions, without counting
 * them first. It counts them after all if a bucket overflows, because of a frequent value or a dense part of the range
 * that the sample missed. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* One pass and two; the most keys for a number of buckets, and one more. A CPU, which has no such buckets, gets fewer.
 */
static const size_t sizes[] = {4194305, 4300007, 8400007, 8499200, 8499201, ((size_t)1 << 24) + 5};

enum { TYPES = 6 };
static const scankit_type types[TYPES] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};

/* Cases that ran, and how many of them counted after all. */
typedef struct ways {
    unsigned all, counted_again;
} ways;

/* The result of a radix sort, which sort.c compares with the oracle. */
static void sort(device *d, scankit_type type, data_shape shape, size_t s, ways *seen)
{
    sort_case c = {.type = type, .shape = shape, .seed = s, .lead = {s % 3, s / 2 % 3}};
    c.n = sizes[s] / (scankit_is_host(d->context) ? 32 : 1);
    c.options.descending = (int)(s + shape) % 2;
    scankit_sort_options by_digits = c.options;
    by_digits.algorithm = SCANKIT_RADIX;
    if (!check_sort_alike(d, &c, &by_digits))
        return;
    seen->all++;
    seen->counted_again += strcmp(scankit_last_algorithm(d->context), "hybrid-recounted") == 0;
}

/* Checks that a GPU took the path that the shape is for. */
static void check_ways(device *d, data_shape shape, const ways *seen)
{
    bool has_no_room = shape == DATA_CROWD || shape == DATA_DENSE;
    tap_case("%s: %u of %u counted again", data_shape_name(shape), seen->counted_again, seen->all);
    if (shape == DATA_UNIFORM && seen->counted_again > 0)
        tap_fail("there was room");
    if (has_no_room && seen->counted_again == 0 && seen->all > TYPES && !scankit_is_host(d->context))
        tap_fail("there was room for all");
}

static void test(device *d)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_CROWD, DATA_DENSE, DATA_BITS, DATA_FB};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        tap_begin("%s: many keys, %s", d->name, data_shape_name(shapes[i]));
        ways seen = {0, 0};
        for (size_t t = 0; t < TYPES; t++)
            sort(d, types[t], shapes[i], (t + 2 * i) % count, &seen);
        sort(d, types[i % 2], shapes[i], 2, &seen);
        check_ways(d, shapes[i], &seen);
        tap_end();
    }
}

int main(void)
{
    return device_each("sort without counting", test);
}
