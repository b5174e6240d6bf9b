/* spread.c - large arrays of keys alone, sorted by way of blocks: by more threads than processors, for every shape of
 * data and each set of kernels, with buckets that several threads share; and by one thread. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LEAST_BYTES ((size_t)8 << 20) /* of arrays that are sorted so */

static void check_shape(device *d, scankit_type type, data_shape shape, size_t n, random_state *random)
{
    scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    sort_case c = {.type = type, .shape = shape, .n = n, .seed = random_next(random)};
    c.options.descending = random_next(random) & 1;
    c.keys_in_place = random_next(random) & 1;
    c.options.overwrite_input = random_below(random, 3) == 0;
    c.lead[KEYS_IN] = random_below(random, 17);
    c.lead[KEYS_OUT] = random_below(random, 17);
    radix.descending = c.options.descending;
    check_sort_alike(d, &c, &radix);
}

static void every_shape(device *d, scankit_type type, size_t n, uint64_t seed)
{
    random_state random = random_seeded(seed);
    tap_begin("%s: %s, %zu: every shape", d->name, scankit_type_name(type), n);
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        check_shape(d, type, (data_shape)shape, n, &random);
    tap_end();
}

/* Around whole blocks and chunks. */
static void every_rest(device *d)
{
    const scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    tap_begin("%s: u64: lengths", d->name);
    for (size_t more = 0; more < 64; more += more < 4 || more > 30 ? 1 : 9) {
        sort_case c = {.type = SCANKIT_U64, .n = LEAST_BYTES / 8 + more, .seed = more, .keys_in_place = more & 1};
        check_sort_alike(d, &c, &radix);
    }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I64, SCANKIT_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        every_shape(d, types[t], LEAST_BYTES / oracle_size(types[t]) + 1000 * t + 7, t);
    every_rest(d);
}

/* Enough keys for the greatest number of digits. */
static void test_larger(void)
{
    device d;
    if (device_open(&d, "cpu:17", "cpu:17")) {
        every_shape(&d, SCANKIT_U32, ((size_t)1 << 23) + 12345, 8);
        device_close(&d);
    }
}

/* One thread sorts these and more values so. Some shapes crowd a bucket: they go by pivots after all. */
static void test_alone(void)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF, DATA_WIKI, DATA_LOGARITHMIC};
    static const scankit_type types[] = {SCANKIT_I64, SCANKIT_F64};
    device d;
    if (!device_open(&d, "cpu:1", "cpu:1"))
        return;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        random_state random = random_seeded(t);
        tap_begin("cpu:1: %s: some shapes", scankit_type_name(types[t]));
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            check_shape(&d, types[t], shapes[s], ((size_t)1 << 24) + 7, &random);
        tap_end();
    }
    device_close(&d);
}

int main(void)
{
    device_each_kernels("cpu:6", test);
    if (device_wanted("cpu")) {
        test_larger();
        test_alone();
    }
    return tap_finish();
}
