/* lean.c - a sort that may overwrite its input gives the same order: every type, shape of data and algorithm, in
 * both directions, by all bits and by some, with either array at every alignment. workspace.c measures the memory it
 * saves. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void every_way(device *d, sort_case c)
{
    c.options.overwrite_input = 1;
    for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
        c.options.algorithm = (scankit_algorithm)algorithm;
        check_sort(d, &c);
    }
}

static void every_shape(device *d, scankit_type type)
{
    static const size_t sizes[] = {1, 2, 257, 4097, 20011};
    random_state random = random_seeded((uint64_t)type);
    tap_begin("%s: %s: every shape and algorithm", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            sort_case c = {.type = type, .shape = (data_shape)shape, .n = sizes[s], .seed = random_next(&random)};
            c.lead[KEYS_IN] = random_next(&random) & 1 ? random_below(&random, 40) : 0;
            c.lead[KEYS_OUT] = random_next(&random) & 1 ? random_below(&random, 40) : 0;
            c.options.descending = (int)(random_next(&random) & 1);
            every_way(d, c);
        }
    tap_end();
}

/* Odd and even numbers of digits, some of them constant. */
static void bits(device *d, scankit_type type)
{
    unsigned width = oracle_bits(type);
    tap_begin("%s: %s: ranges of bits", d->name, scankit_type_name(type));
    for (unsigned end = 1; end <= width; end += width / 8 > 3 ? width / 8 - 1 : 2)
        for (unsigned begin = 0; begin < end; begin += 1 + width / 3) {
            sort_case c = {.type = type, .shape = end % 3 == 0 ? DATA_WIKI : DATA_BITS, .n = 9001, .seed = end};
            c.options.begin_bit = begin;
            c.options.end_bit = end;
            c.options.descending = (int)(end / 2 % 2);
            c.lead[KEYS_IN] = begin % 5;
            c.lead[KEYS_OUT] = end % 3;
            every_way(d, c);
        }
    tap_end();
}

/* Buckets in one pass, buckets of buckets, more than one level of merges. */
static void large(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF, DATA_OUTLIERS, DATA_STEPS, DATA_WIKI};
    tap_begin("%s: %s: large arrays", d->name, scankit_type_name(type));
    for (size_t s = 0; s < 2; s++) {
        sort_case c = {.type = type, .shape = shapes[(type + 2 * s) % 5], .seed = s, .lead = {type % 4, s}};
        c.n = (2600003 + 700000 * s) / oracle_size(type);
        c.options.descending = (int)(s % 2);
        every_way(d, c);
    }
    tap_end();
}

/* Many keys, compared with the usual sort, which sort.c and rooms.c test. */
static void heavy(device *d, scankit_type type, data_shape shape, int descending, size_t n)
{
    const scankit_sort_options usual = {.descending = descending};
    sort_case lean = {.type = type, .shape = shape, .n = n, .seed = shape, .lead = {shape % 3, shape % 7}};
    lean.options = (scankit_sort_options){.descending = descending, .overwrite_input = 1};
    check_sort_alike(d, &lean, &usual);
}

/* On a GPU, sizes on both sides of each choice of algorithm, up to buckets by two passes, rounds for oversized buckets,
 * and counted values. */
static void many(device *d)
{
    static const size_t sizes[] = {150001, 1100003, 3000017};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
    for (int s = 0; s < DATA_SHAPE_COUNT; s++) {
        data_shape shape = (data_shape)s;
        tap_begin("%s: %s: many keys", d->name, data_shape_name(shape));
        for (size_t i = 0; i < 12; i++)
            heavy(d, types[i % 4], shape, (s + (int)i) % 2, sizes[i / 4]);
        heavy(d, s % 3 == 0 ? SCANKIT_F32 : SCANKIT_U32, shape, s % 2, (size_t)17 << 20);
        if (s % 2 == 0)
            heavy(d, s % 3 == 1 ? SCANKIT_F64 : SCANKIT_U64, shape, s / 4 % 2, (size_t)17 << 19);
        tap_end();
    }
}

/* Calls that ignore the option leave their input as it was. */
static void others(device *d)
{
    tap_begin("%s: pairs and positions overwrite no input", d->name);
    for (size_t n = 1; n < 300000; n = 7 * n + 3) {
        sort_case c = {.type = SCANKIT_U32, .n = n, .seed = n, .value_size = 4, .options = {.overwrite_input = 1}};
        check_sort_pairs(d, &c);
        check_argsort(d, &c);
        c.keys_in_place = true;
        check_sort(d, &c);
    }
    tap_end();
}

static void test(device *d)
{
    for (int t = 0; t < ORACLE_TYPES; t++) {
        scankit_type type = (scankit_type)t;
        every_shape(d, type);
        large(d, type);
        if (oracle_kind(type) != ORACLE_FLOAT)
            bits(d, type);
    }
    others(d);
    if (strncmp(d->name, "cuda", 4) == 0)
        many(d);
}

int main(void)
{
    return device_each("sort that overwrites its input", test);
}
