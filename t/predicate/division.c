/* division.c - quotients and remainders of integers are exact with every instruction set's kernels: by numbers and by
 * fields, of every type that steps have, at the ends of their ranges, around multiples, by 0 and by -1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check-predicate.h"
#include "support/oracle.h"
#include "support/tap.h"

__extension__ typedef __int128 wide;

#define PAIRS 1500 /* not whole words of 64 */

typedef struct pair {
    wide a, b;
} pair;

/* Small, large, near powers of two, and near multiples of the other. */
static wide draw(scankit_type type, wide other, random_state *random)
{
    unsigned bits = (unsigned)(8 * oracle_size(type)), shift = (unsigned)random_below(random, bits);
    bool is_signed = oracle_kind(type) == ORACLE_SIGNED;
    uint64_t x = random_next(random);
    switch (random_below(random, 5)) {
    case 0: x = random_below(random, 5) - 2; break;
    case 1: x = (UINT64_C(1) << shift) + random_below(random, 5) - 2; break;
    case 2: x = (uint64_t)other * (x >> shift) + random_below(random, 3) - 1; break;
    case 3: x = UINT64_MAX - random_below(random, 5); break;
    default: x >>= shift;
    }
    x <<= 64 - bits;
    return is_signed ? (wide)((int64_t)x >> (64 - bits)) : (wide)(x >> (64 - bits));
}

static void put(char **to, wide number, size_t size)
{
    uint64_t bits = (uint64_t)number;
    memcpy(*to, &bits, size);
    *to += size;
}

/* Each pair, its quotient and its remainder, as the text has them. */
static void check_pairs(device *d, scankit_type type, const pair *pairs, const char *text)
{
    char layout_text[64], *elements, *to;
    const char *name = scankit_type_name(type), *result = type == SCANKIT_U64 ? "u64" : "i64";
    size_t size = oracle_size(type), record = 2 * size + 16, count = 0;
    scankit_layout *layout = NULL;
    scankit_predicate *predicate = NULL;
    snprintf(layout_text, sizeof layout_text, "a:%s,b:%s,q:%s,r:%s", name, name, result, result);
    if (scankit_layout_parse(&layout, layout_text, 0, NULL) != SCANKIT_OK)
        tap_bail_out("the layout %s", layout_text);
    tap_case("%s: %s", name, text);
    elements = to = data_allocate(PAIRS, record);
    for (size_t k = 0; k < PAIRS; k++) {
        wide a = pairs[k].a, b = pairs[k].b;
        put(&to, a, size);
        put(&to, b, size);
        put(&to, b == 0 ? 0 : a / b, 8);
        put(&to, b == 0 ? a : a % b, 8);
    }
    if (DEVICE_DID(d, scankit_predicate_compile_records(&predicate, layout, text, NULL, NULL))) {
        const void *in = device_put(d, 0, elements, PAIRS * record, 0);
        if (DEVICE_DID(d, scankit_split_predicate(d->context, predicate, in, NULL, NULL, PAIRS, NULL, &count)) &&
            count != PAIRS)
            tap_fail("%zu of %d are right", count, PAIRS);
    }
    scankit_predicate_destroy(predicate);
    scankit_layout_destroy(layout);
    free(elements);
}

static void by_fields(device *d, scankit_type type, random_state *random)
{
    pair pairs[PAIRS];
    for (size_t k = 0; k < PAIRS; k++) {
        pairs[k].b = draw(type, 3, random);
        pairs[k].a = draw(type, pairs[k].b, random);
    }
    check_pairs(d, type, pairs, "a / b == q && a % b == r");
}

/* By a number, and of a number. */
static void by_number(device *d, scankit_type type, wide number, random_state *random)
{
    pair pairs[PAIRS];
    char text[120], literal[40];
    snprintf(literal, sizeof literal, "%s%" PRIu64, number < 0 ? "-" : "", (uint64_t)(number < 0 ? -number : number));
    for (size_t k = 0; k < PAIRS; k++)
        pairs[k] = (pair){draw(type, number, random), number};
    snprintf(text, sizeof text, "a / %s == q && a %% %s == r", literal, literal);
    check_pairs(d, type, pairs, text);
    for (size_t k = 0; k < PAIRS; k++)
        pairs[k] = (pair){number, draw(type, 3, random)};
    snprintf(text, sizeof text, "%s / b == q && %s %% b == r", literal, literal);
    check_pairs(d, type, pairs, text);
}

static void divide(device *d, scankit_type type)
{
    static const uint64_t numbers[] = {0,           1,
                                       2,           3,
                                       5,           6,
                                       7,           10,
                                       11,          12,
                                       25,          100,
                                       125,         641,
                                       1000,        65535,
                                       65537,       1000000007,
                                       6700417,     1 << 30,
                                       INT32_MAX,   1u << 31,
                                       UINT32_MAX,  1000000000,
                                       10000000019, UINT64_C(1) << 32,
                                       INT64_MAX};
    random_state random = random_seeded((uint64_t)type);
    tap_begin("%s: %s", d->name, scankit_type_name(type));
    for (int round = 0; round < 20; round++)
        by_fields(d, type, &random);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        by_number(d, type, (wide)numbers[k], &random);
        if (type == SCANKIT_U64)
            by_number(d, type, (wide)UINT64_MAX - (wide)numbers[k], &random);
        else
            by_number(d, type, -(wide)numbers[k], &random);
    }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_I16, SCANKIT_U32, SCANKIT_I32, SCANKIT_U64, SCANKIT_I64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        divide(d, types[t]);
}

int main(void)
{
    device_each_kernels("cpu:1", test);
    return tap_finish();
}
