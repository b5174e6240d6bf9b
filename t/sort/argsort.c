/* argsort.c - positions give the stable order, and the keys are not changed. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void every_shape(device *d, scankit_type type)
{
    static const size_t sizes[] = {0, 1, 2, 257, 4097};
    tap_begin("%s: %s: positions of the stable sort", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int descending = 0; descending < 2; descending++) {
                sort_case c = {.type = type, .shape = (data_shape)shape, .n = sizes[s], .seed = (uint64_t)shape};
                c.options.descending = descending;
                c.lead[KEYS_IN] = s % 3;
                c.lead[VALUES_OUT] = s % 2;
                for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
                    c.options.algorithm = (scankit_algorithm)algorithm;
                    check_argsort(d, &c);
                }
            }
    tap_end();
}

/* Sizes of several buckets, for several threads. */
static void large(device *d, scankit_type type)
{
    tap_begin("%s: %s: large arrays", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        sort_case c = {.type = type, .shape = (data_shape)shape, .n = 200009, .seed = 1};
        c.options.descending = shape % 2;
        check_argsort(d, &c);
    }
    tap_end();
}

/* Keys that differ in other bits alone are equal. */
static void some_bits(device *d, scankit_type type)
{
    const unsigned bits = (unsigned)(8 * oracle_size(type));
    tap_begin("%s: %s: some bits of the keys", d->name, scankit_type_name(type));
    for (unsigned begin = 0; begin < bits; begin += 3)
        for (unsigned end = begin + 1; end <= bits; end += 5) {
            sort_case c = {.type = type, .shape = (data_shape)(begin % DATA_SHAPE_COUNT), .n = 3000, .seed = begin};
            c.options = (scankit_sort_options){.descending = end % 2, .begin_bit = begin, .end_bit = end};
            check_argsort(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++)
        every_shape(d, (scankit_type)type);
    large(d, SCANKIT_U32);
    large(d, SCANKIT_F32);
    large(d, SCANKIT_U64);
    some_bits(d, SCANKIT_I32);
    some_bits(d, SCANKIT_U64);
}

int main(void)
{
    return device_each("argsort", test);
}
