/* split.c - split is a stable partition with the right offsets: by every digit width, of keys, of pairs with values of
 * any size, and by flags. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static const size_t sizes[] = {0,    1,    2,    31,   32,   33,   255,   256,   257,   1000,  2047,
                               2048, 2049, 4095, 4096, 4097, 8191, 65535, 65536, 65537, 140001};
#define SIZES (sizeof sizes / sizeof *sizes)
#define SMALL_SIZES (SIZES - 4)

/* First bit of a digit: the lowest possible, a middle one, the highest possible. */
static unsigned digit_place(unsigned width, unsigned bits, int which)
{
    unsigned last = width - bits;
    return which == 0 ? 0 : which == 1 ? last / 2 : last;
}

static void every_digit(device *d, scankit_type type)
{
    random_state random = random_seeded(type);
    split_case c = {.type = type};
    tap_begin("%s: %s: every digit width", d->name, scankit_type_name(type));
    for (c.bits = 1; c.bits <= 8; c.bits++)
        for (int place = 0; place < 3; place++)
            for (size_t s = 0; s < (c.bits % 3 == (unsigned)place ? SIZES : SMALL_SIZES); s++) {
                c.bit = digit_place(oracle_bits(type), c.bits, place);
                c.n = sizes[s];
                c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
                c.want_offsets = random_next(&random) & 1;
                c.lead[KEYS_IN] = random_next(&random) & 1 ? random_below(&random, 17) : 0;
                c.lead[KEYS_OUT] = random_next(&random) & 1 ? random_below(&random, 17) : 0;
                c.seed++;
                check_split(d, &c);
            }
    tap_end();
}

static void pairs(device *d, scankit_type type)
{
    static const size_t value_sizes[] = {1, 2, 3, 4, 8, 12, 16, 100};
    random_state random = random_seeded(type);
    split_case c = {.type = type, .want_offsets = true};
    tap_begin("%s: %s: pairs, values of any size", d->name, scankit_type_name(type));
    for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++)
        for (size_t s = 0; s < (value_sizes[v] % 4 == 0 && value_sizes[v] < 100 ? SIZES : SMALL_SIZES); s++) {
            c.value_size = value_sizes[v];
            c.n = sizes[s];
            c.bits = 1 + (unsigned)random_below(&random, 8);
            c.bit = (unsigned)random_below(&random, oracle_bits(type) - c.bits + 1);
            c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
            bool aligned = random_next(&random) & 1;
            for (int i = 0; i < LEADS; i++)
                c.lead[i] = random_below(&random, 9) * (i >= VALUES_IN && aligned ? c.value_size : 1);
            c.seed++;
            check_split(d, &c);
        }
    tap_end();
}

/* Large enough for stores that bypass the caches. Outputs begin in the middle of a cache line. */
static void large(device *d, scankit_type type, size_t value_size)
{
    split_case c = {.type = type, .shape = DATA_BITS, .value_size = value_size, .bit = 0, .want_offsets = true};
    tap_begin("%s: %s with %zu bytes: a large array", d->name, scankit_type_name(type), value_size);
    c.n = 8500003 / (oracle_size(type) + value_size);
    static const unsigned widths[] = {1, 2, 8};
    for (unsigned i = 0; i < 3; i++) {
        c.bits = widths[i];
        c.bit = i % 2;
        c.lead[KEYS_OUT] = 2 + c.bits;
        c.lead[VALUES_OUT] = 5 * value_size;
        check_split(d, &c);
    }
    tap_end();
}

/* Large arrays of keys go by blocks of up to 32768: all that have one digit, and that do not, and some that are not
 * whole. */
static void blocks(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_BITS, DATA_SORTED, DATA_SIXTEEN, DATA_EQUAL, DATA_ZIPF, DATA_PADDED};
    random_state random = random_seeded(type + 500);
    tap_begin("%s: %s: blocks of a large array", d->name, scankit_type_name(type));
    for (unsigned i = 0; i < 14; i++) {
        split_case c = {.type = type, .shape = shapes[i % 6], .bits = i < 6 ? 8 : 1 + i % 8, .seed = i};
        c.bit = i < 6 ? 0 : (unsigned)random_below(&random, oracle_bits(type) - c.bits + 1);
        c.n = ((size_t)8 << 20) / oracle_size(type) + (i % 3 == 0 ? 0 : random_below(&random, 70000));
        c.want_offsets = i % 2 == 0;
        c.lead[KEYS_IN] = random_below(&random, 17);
        c.lead[KEYS_OUT] = random_below(&random, 17);
        check_split(d, &c);
    }
    tap_end();
}

/* Blocks of 8, 16 and 32 digits, with the digit at either end of a key and next to these ends, and with blocks that end
 * in the middle of what is counted together. */
static void few_digits(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_BITS, DATA_SIXTEEN};
    static const unsigned rests[] = {0, 1, 7, 15, 17, 263, 1021};
    random_state random = random_seeded(type + 900);
    unsigned i = 0;
    tap_begin("%s: %s: blocks of 8 to 32 digits", d->name, scankit_type_name(type));
    for (unsigned bits = 3; bits <= 5; bits++)
        for (unsigned place = 0; place <= 4; place++, i++) {
            split_case c = {.type = type, .bits = bits, .want_offsets = true, .seed = i};
            c.shape = place < 4 ? shapes[i % 2] : DATA_SORTED; /* which has long runs of a digit */
            c.bit = place < 4 ? place : oracle_bits(type) - bits;
            c.n = ((size_t)8 << 20) / oracle_size(type) + rests[i % 7];
            c.lead[KEYS_IN] = random_below(&random, 17);
            c.lead[KEYS_OUT] = random_below(&random, 17);
            check_split(d, &c);
        }
    tap_end();
}

/* Few elements, which one block of a GPU splits, by up to 4 bits with ballots. Sizes around whole rows of its threads,
 * and around the most that it takes with each size of values. */
static void in_a_block(device *d, scankit_type type)
{
    static const size_t counts[] = {1,    2,    31,   32,   33,   511,  512,  513,  1024, 1025, 1157, 2047, 2048, 2049,
                                    3583, 3584, 3585, 4095, 4096, 4097, 4629, 5119, 5120, 5121, 8191, 8192, 8193};
    static const size_t value_sizes[] = {0, 4, 0, 8, 1, 0, 16, 2};
    random_state random = random_seeded(type + 1300);
    tap_begin("%s: %s: few elements, by few bits", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof counts / sizeof *counts; s++)
        for (unsigned i = 0; i < 10; i++) {
            split_case c = {.type = type, .n = counts[s], .bits = 1 + i % 5, .seed = 10 * (unsigned)s + i};
            c.bit = digit_place(oracle_bits(type), c.bits, (int)random_below(&random, 3));
            c.value_size = value_sizes[random_below(&random, sizeof value_sizes / sizeof *value_sizes)];
            c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
            c.want_offsets = random_below(&random, 3) > 0;
            c.lead[KEYS_IN] = random_below(&random, 5);
            c.lead[KEYS_OUT] = random_below(&random, 5);
            c.lead[VALUES_IN] = c.value_size * random_below(&random, 3);
            c.lead[VALUES_OUT] = c.value_size * random_below(&random, 3);
            check_split(d, &c);
        }
    tap_end();
}

static void flags(device *d, size_t element_size)
{
    static const unsigned ones[] = {0, 1, 128, 255, 256};
    random_state random = random_seeded(element_size);
    flags_case c = {.element_size = element_size};
    tap_begin("%s: by flags, elements of %zu bytes", d->name, element_size);
    for (size_t o = 0; o < sizeof ones / sizeof *ones; o++)
        for (size_t s = 0; s < SIZES; s++) {
            c.ones = ones[o];
            c.n = sizes[s] > 20000 && element_size > 16 ? sizes[s] / 8 : sizes[s];
            c.want_zeros = random_below(&random, 4) != 0;
            bool aligned = random_next(&random) & 1;
            c.in_lead = random_below(&random, 9) * (aligned ? element_size : 1);
            c.out_lead = random_below(&random, 9) * (aligned ? element_size : 1);
            c.flags_lead = random_below(&random, 17);
            c.seed++;
            check_split_flags(d, &c);
        }
    tap_end();
}

static void large_flags(device *d, size_t element_size, size_t bytes)
{
    flags_case c = {.element_size = element_size, .n = bytes / element_size, .ones = 100, .want_zeros = true};
    tap_begin("%s: by flags, elements of %zu bytes: a large array of %zu", d->name, element_size, c.n);
    c.in_lead = 3, c.flags_lead = 5, c.out_lead = 7;
    check_split_flags(d, &c);
    tap_end();
}

static void test(device *d)
{
    static const size_t element_sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 64, 65, 100};
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_digit(d, (scankit_type)type);
        pairs(d, (scankit_type)type);
        in_a_block(d, (scankit_type)type);
    }
    large(d, SCANKIT_U8, 0);
    large(d, SCANKIT_I16, 0);
    large(d, SCANKIT_F16, 0);
    large(d, SCANKIT_F32, 0);
    large(d, SCANKIT_U64, 0);
    large(d, SCANKIT_U32, 4);
    large(d, SCANKIT_U64, 4);
    large(d, SCANKIT_I32, 8);
    blocks(d, SCANKIT_U8);
    blocks(d, SCANKIT_I16);
    blocks(d, SCANKIT_U32);
    blocks(d, SCANKIT_F64);
    few_digits(d, SCANKIT_I8);
    few_digits(d, SCANKIT_U16);
    few_digits(d, SCANKIT_F32);
    few_digits(d, SCANKIT_I64);
    for (size_t i = 0; i < sizeof element_sizes / sizeof *element_sizes; i++)
        flags(d, element_sizes[i]);
    for (size_t size = 1; size <= 128; size *= 4)
        large_flags(d, size, 9000001);
    if (strncmp(d->name, "cuda", 4) == 0) {
        large_flags(d, 2, 20000001); /* one launch, whose first blocks also count for later ones */
        large_flags(d, 12, 30000001);
        large_flags(d, 3, 30000001); /* a count, and another launch */
        large_flags(d, 8, 70000003);
    }
}

/* What kernels of other instruction sets do otherwise: blocks, and moves of the elements of a mask. */
static void test_kernels(device *d)
{
    few_digits(d, SCANKIT_U32);
    blocks(d, SCANKIT_U8);
    blocks(d, SCANKIT_F64);
    for (size_t size = 1; size <= 8; size *= 2)
        flags(d, size);
}

int main(void)
{
    device_each_kernels("cpu:2", test_kernels);
    return device_each("split", test);
}
