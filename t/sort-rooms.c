/* sort-rooms.c - many keys, out of place: a GPU brings those that are spread evenly to buckets that it has not counted,
 * and counts them after all where one has no room: for a value that is frequent, or a part of the range, which no
 * sample tells of. */
#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* Of one pass and of two, of the most keys for so many buckets and of more. A CPU, which does it otherwise, gets fewer.
 */
static const size_t sizes[] = {4194305, 4300007, 8400007, 8499200, 8499201, ((size_t)1 << 24) + 5};

/* What a sort by digits gives, which sort.c compares with the oracle. */
static void sort(device *d, scankit_type type, data_shape shape, size_t s)
{
    sort_case c = {.type = type, .shape = shape, .seed = s, .lead = {s % 3, s / 2 % 3}};
    c.n = sizes[s] / (scankit_is_host(d->context) ? 32 : 1);
    c.options.descending = (int)(s + shape) % 2;
    scankit_sort_options by_digits = c.options;
    by_digits.algorithm = SCANKIT_RADIX;
    check_sort_alike(d, &c, &by_digits);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_CROWD, DATA_DENSE, DATA_BITS, DATA_FB};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        tap_begin("%s: many keys, %s", d->name, data_shape_name(shapes[i]));
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            sort(d, types[t], shapes[i], (t + 2 * i) % count);
        sort(d, types[i % 2], shapes[i], 2);
        tap_end();
    }
}

int main(void)
{
    return device_each("sort without counting", test);
}
