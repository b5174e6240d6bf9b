/* bits.c - a sort by a range of bits ignores all other bits and is stable, for keys, pairs and positions. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void every_way(device *d, sort_case c)
{
    for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
        c.options.algorithm = (scankit_algorithm)algorithm;
        c.keys_in_place = c.values_in_place = algorithm % 2;
        check_sort(d, &c);
        check_sort_pairs(d, &c);
        check_argsort(d, &c);
    }
}

static void ranges(device *d, scankit_type type)
{
    static const size_t sizes[] = {1, 2, 100, 4097, 20011};
    unsigned width = oracle_bits(type);
    const struct {
        unsigned begin, end;
    } range[] = {{0, 1},         {0, width},         {0, width / 2}, {width / 2, width}, {width - 1, width},
                 {1, width - 1}, {3, width / 2 + 1}, {0, 3},         {width - 5, width}};
    tap_begin("%s: %s: ranges of bits", d->name, scankit_type_name(type));
    for (size_t r = 0; r < sizeof range / sizeof *range; r++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            sort_case c = {.type = type, .shape = s % 2 ? DATA_BITS : DATA_SPECIAL, .n = sizes[s], .seed = r};
            c.value_size = r % 2 == 0 ? 8 : 4;
            c.options.begin_bit = range[r].begin;
            c.options.end_bit = range[r].end;
            c.options.descending = (int)((r + s) % 2);
            every_way(d, c);
        }
    tap_end();
}

static void large(device *d, scankit_type type)
{
    sort_case c = {.type = type, .shape = DATA_BITS, .n = 300011, .value_size = 4, .options = {.begin_bit = 2}};
    c.options.end_bit = oracle_bits(type) - 1;
    tap_begin("%s: %s: a range of bits of a large array", d->name, scankit_type_name(type));
    every_way(d, c);
    tap_end();
}

static void few(device *d, scankit_type type)
{
    random_state random = random_seeded(type);
    unsigned width = oracle_bits(type);
    tap_begin("%s: %s: few elements by some bits", d->name, scankit_type_name(type));
    for (size_t s = 0; s < FEW_SORT_SIZES; s++)
        for (size_t i = 0; i < 3; i++) {
            sort_case c = few_sort_case(type, s, i % 2 == 0 ? 8 : 4, &random);
            unsigned bits = 1 + (unsigned)random_below(&random, width - 1);
            c.options.begin_bit = (unsigned)random_below(&random, width - bits + 1);
            c.options.end_bit = c.options.begin_bit + bits;
            c.keys_in_place = random_below(&random, 4) == 0;
            check_sort(d, &c);
            check_sort_pairs(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++)
        if (oracle_kind((scankit_type)type) != ORACLE_FLOAT) {
            ranges(d, (scankit_type)type);
            if (!scankit_is_host(d->context))
                few(d, (scankit_type)type);
        }
    large(d, SCANKIT_U32);
    large(d, SCANKIT_I64);
}

int main(void)
{
    return device_each("sort by bits", test);
}
