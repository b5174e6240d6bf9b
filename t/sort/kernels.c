/* kernels.c - every instruction set's kernels sort alike: all lengths of a sort in registers, and past it; every shape
 * of data, also within one thread's sort. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_I32, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static void every_length(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type);
    tap_begin("%s: %s: every length to 600", d->name, scankit_type_name(type));
    for (size_t n = 0; n <= 600; n++) {
        sort_case c = {.type = type, .n = n, .seed = random_next(&random)};
        c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
        c.keys_in_place = random_next(&random) & 1;
        c.lead[KEYS_IN] = random_below(&random, 17);
        c.lead[KEYS_OUT] = random_below(&random, 17);
        check_sort(d, &c);
    }
    tap_end();
}

static void every_shape(device *d, scankit_type type)
{
    static const size_t sizes[] = {1000, 4096, 20000, 150000};
    random_state random = random_seeded((uint64_t)type + 100);
    tap_begin("%s: %s: every shape", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            sort_case c = {.type = type, .shape = (data_shape)shape, .n = sizes[s], .seed = random_next(&random)};
            c.options.descending = random_next(&random) & 1;
            c.keys_in_place = random_next(&random) & 1;
            check_sort(d, &c);
        }
    tap_end();
}

/* One thread sorts pairs by words of a key's leading bits and its position. Keys with more bits than that are equal
 * there, or nearly. */
static void pairs(device *d, scankit_type type, size_t value_size)
{
    random_state random = random_seeded((uint64_t)type + 300);
    tap_begin("%s: %s with %zu bytes: every shape, some bits", d->name, scankit_type_name(type), value_size);
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t n = 2; n < 50000; n = 2 * n + random_below(&random, n)) {
            sort_case c = {.type = type, .shape = (data_shape)shape, .n = n, .value_size = value_size};
            c.seed = random_next(&random);
            c.options.descending = random_next(&random) & 1;
            c.keys_in_place = random_next(&random) & 1;
            c.values_in_place = random_next(&random) & 1;
            c.lead[KEYS_IN] = random_below(&random, 17);
            c.lead[VALUES_OUT] = value_size * random_below(&random, 17);
            check_sort_pairs(d, &c);
            c.options.begin_bit = (unsigned)random_below(&random, 4 * oracle_size(type));
            c.options.end_bit = (unsigned)(8 * oracle_size(type) - random_below(&random, 3 * oracle_size(type)));
            check_sort_pairs(d, &c);
        }
    tap_end();
}

/* Pairs side by side between a partition and sorts by words, and positions: all shapes in buckets of one thread, and
 * larger arrays, which go around the caches. */
static void records(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF, DATA_SIXTEEN, DATA_OUTLIERS, DATA_WIKI};
    random_state random = random_seeded((uint64_t)type + 400);
    tap_begin("%s: %s: pairs side by side", d->name, scankit_type_name(type));
    for (size_t i = 0; i < DATA_SHAPE_COUNT + sizeof shapes / sizeof *shapes; i++) {
        bool large = i >= DATA_SHAPE_COUNT;
        sort_case c = {.type = type, .value_size = oracle_size(type), .seed = random_next(&random)};
        c.shape = large ? shapes[i - DATA_SHAPE_COUNT] : (data_shape)i;
        c.n = (large ? 1200007 : 60000 + random_below(&random, 300000));
        c.options.descending = random_next(&random) & 1;
        c.keys_in_place = random_next(&random) & 1;
        c.values_in_place = random_next(&random) & 1;
        c.lead[KEYS_IN] = random_below(&random, 17);
        c.lead[VALUES_OUT] = oracle_size(type) * random_below(&random, 17);
        check_sort_pairs(d, &c);
        check_argsort(d, &c);
    }
    tap_end();
}

/* Values that most keys have are counted. In padded data, other keys are first taken to be too many. */
static void heavy_values(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_SIXTEEN, DATA_HEAVY, DATA_OUTLIERS, DATA_PADDED};
    const scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    tap_begin("%s: %s: heavy values", d->name, scankit_type_name(type));
    for (size_t s = 0; s < 4; s++)
        for (size_t n = 4096; n < 700000; n = 3 * n + 77) {
            sort_case c = {.type = type, .shape = shapes[s], .n = n, .seed = n + s, .lead = {n % 5, n % 3}};
            c.keys_in_place = n % 2 == 0;
            if (check_sort_alike(d, &c, &radix))
                TAP_CHECK(strcmp(scankit_last_algorithm(d->context), "heavy") == 0);
        }
    tap_end();
}

/* Narrow counters count some blocks of keys at a time: here one thread takes them more than once. */
static void heavy_values_of_many(device *d, scankit_type type)
{
    const scankit_sort_options radix = {.algorithm = SCANKIT_RADIX};
    sort_case c = {.type = type, .shape = DATA_SIXTEEN, .n = ((size_t)5 << 20) + 321, .seed = 7};
    tap_begin("%s: %s: heavy values of millions", d->name, scankit_type_name(type));
    check_sort_alike(d, &c, &radix);
    tap_end();
}

/* Around the lengths at which blocks of a merge are more or fuller, and at which a sort takes another way. */
static void around_blocks(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 200);
    tap_begin("%s: %s: around powers of two", d->name, scankit_type_name(type));
    for (size_t power = 512; power <= 131072; power *= 2)
        for (size_t length = power; length < 2 * power; length += power / 4)
            for (size_t n = length - 1; n <= length + 1; n++) {
                sort_case c = {.type = type, .n = n, .seed = random_next(&random)};
                c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
                c.keys_in_place = random_next(&random) & 1;
                c.lead[KEYS_IN] = random_below(&random, 17);
                check_sort(d, &c);
            }
    tap_end();
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++) {
        every_length(d, types[t]);
        every_shape(d, types[t]);
        around_blocks(d, types[t]);
        heavy_values(d, types[t]);
        records(d, types[t]);
    }
    for (size_t value_size = 4; value_size <= 8; value_size += 4) {
        pairs(d, SCANKIT_U32, value_size);
        pairs(d, SCANKIT_I64, value_size);
    }
}

static void test_many(device *d)
{
    heavy_values_of_many(d, SCANKIT_U32);
    heavy_values_of_many(d, SCANKIT_F64);
}

int main(void)
{
    device_each_kernels("cpu:1", test);
    device_each_kernels("cpu:3", test);
    device_each_kernels("cpu:1", test_many);
    return tap_finish();
}
