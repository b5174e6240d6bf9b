/* floats-order.c - floats sort by value, -0.0 before +0.0, every NaN last, and every bit pattern comes out as it went
 * in. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* In the library's order, written by hand from scankit.h, not from the oracle. */
static const uint32_t order32[] = {
    0xff800000,                         /* -infinity */
    0xff7fffff,                         /* the most negative number */
    0xbf800000,                         /* -1 */
    0x80800000,                         /* the normal number closest to 0 from below, then denormals */
    0x807fffff, 0x80000001, 0x80000000, /* -0 */
    0x00000000,                         /* +0 */
    0x00000001, 0x007fffff, 0x00800000, 0x3f800000, 0x7f7fffff, 0x7f800000, /* infinity */
};
static const uint16_t order16[] = {0xfc00, 0xfbff, 0xbc00, 0x8400, 0x83ff, 0x8001, 0x8000,
                                   0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x7bff, 0x7c00};
static const uint64_t order64[] = {
    0xfff0000000000000, 0xffefffffffffffff, 0xbff0000000000000, 0x8010000000000000, 0x800fffffffffffff,
    0x8000000000000001, 0x8000000000000000, 0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x3ff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
};
/* Quiet and signalling, of both signs, with the least and the greatest payload. */
static const uint32_t nans32[] = {0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff, 0xffffffff, 0xffc00000, 0xff800001};
static const uint16_t nans16[] = {0x7c01, 0x7dff, 0x7e00, 0x7fff, 0xffff, 0xfe00, 0xfc01};
static const uint64_t nans64[] = {0x7ff0000000000001, 0x7ff7ffffffffffff, 0x7ff8000000000000, 0x7fffffffffffffff,
                                  0xffffffffffffffff, 0xfff8000000000000, 0xfff0000000000001};

#define NUMBERS (sizeof order32 / sizeof *order32)
#define NANS (sizeof nans32 / sizeof *nans32)
#define ALL (NUMBERS + NANS)

/* Pattern i: the numbers first, then the NaNs. */
static uint64_t pattern(scankit_type type, size_t i)
{
    if (type == SCANKIT_F16)
        return i < NUMBERS ? order16[i] : nans16[i - NUMBERS];
    if (type == SCANKIT_F32)
        return i < NUMBERS ? order32[i] : nans32[i - NUMBERS];
    return i < NUMBERS ? order64[i] : nans64[i - NUMBERS];
}

/* Pattern p occurs `each` + p times, so that the test sees any two that change places. */
static size_t copies_before(size_t p, size_t each)
{
    return p * each + p * (p - (p > 0)) / 2;
}

static char *shuffled_patterns(scankit_type type, size_t each)
{
    size_t n = copies_before(ALL, each);
    char *keys = data_allocate(n, oracle_size(type));
    random_state random = random_seeded(each);
    for (size_t p = 0; p < ALL; p++)
        for (size_t i = copies_before(p, each); i < copies_before(p + 1, each); i++) {
            size_t other = random_below(&random, i + 1);
            oracle_store(type, keys, i, oracle_load(type, keys, other));
            oracle_store(type, keys, other, pattern(type, p));
        }
    return keys;
}

/* The numbers must come out in the order of the list; of the NaNs, all that went in must come out, in some order. */
static void check(device *d, scankit_type type, size_t each, scankit_algorithm algorithm, bool descending)
{
    size_t n = copies_before(ALL, each), size = oracle_size(type), seen[NANS] = {0};
    char *keys = shuffled_patterns(type, each);
    scankit_sort_options options = {.algorithm = algorithm, .descending = descending};
    tap_case("%zu of each, %s%s", each, scankit_algorithm_name(algorithm), descending ? " descending" : "");
    void *array = device_put(d, 0, keys, n * size, 0);
    if (DEVICE_DID(d, scankit_sort(d->context, type, array, array, n, &options)))
        device_get(d, 0, keys);
    for (size_t i = 0, p = 0; i < copies_before(NUMBERS, each); i++) {
        p += i == copies_before(p + 1, each);
        uint64_t is = oracle_load(type, keys, descending ? n - 1 - i : i), should = pattern(type, p);
        if (is != should)
            tap_fail("number %zu is 0x%llx, should be 0x%llx", i, (unsigned long long)is, (unsigned long long)should);
    }
    for (size_t i = copies_before(NUMBERS, each); i < n; i++)
        for (size_t k = 0; k < NANS; k++)
            seen[k] += oracle_load(type, keys, descending ? n - 1 - i : i) == pattern(type, NUMBERS + k);
    for (size_t k = 0; k < NANS; k++)
        if (seen[k] != each + NUMBERS + k)
            tap_fail("NaN 0x%llx came out %zu times", (unsigned long long)pattern(type, NUMBERS + k), seen[k]);
    free(keys);
}

static void patterns(device *d, scankit_type type)
{
    static const size_t copies[] = {1, 3, 200, 5000, 20000};
    tap_begin("%s: %s: every class of bit pattern has its place", d->name, scankit_type_name(type));
    for (size_t c = 0; c < sizeof copies / sizeof *copies; c++)
        for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++)
            for (int descending = 0; descending < 2; descending++)
                if (copies[c] < 1000 || device_case_is_due())
                    check(d, type, copies[c], (scankit_algorithm)algorithm, descending);
    tap_end();
}

/* Floats of different bits never count as equal, so pairs of all NaNs come out in one order, the same everywhere. */
static void nans_are_ordered(device *d, scankit_type type)
{
    tap_begin("%s: %s: NaNs have one order", d->name, scankit_type_name(type));
    for (size_t i = 0; i < NANS; i++)
        for (size_t j = 0; j < NANS; j++) {
            char pair[16];
            size_t size = oracle_size(type), first = 0;
            uint64_t a = pattern(type, NUMBERS + i), b = pattern(type, NUMBERS + j);
            oracle_store(type, pair, 0, a);
            oracle_store(type, pair, 1, b);
            tap_case("0x%llx, 0x%llx", (unsigned long long)a, (unsigned long long)b);
            const void *in = device_put(d, 0, pair, 2 * size, 0);
            if (DEVICE_DID(d, scankit_is_sorted(d->context, type, in, 2, NULL, &first)) && (first == 2) != (i <= j))
                tap_fail("is_sorted says %zu", first);
        }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
    for (int i = 0; i < 3; i++) {
        patterns(d, types[i]);
        nans_are_ordered(d, types[i]);
    }
}

int main(void)
{
    return device_each("order of floats", test);
}
