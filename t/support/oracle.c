/* oracle.c - values, operators, scan, reduce, split: see oracle.h. The order of values is in oracle-order.c. */
#include "oracle.h"

#include <string.h>

uint64_t oracle_load(scankit_type type, const void *array, size_t index)
{
    const char *element = (const char *)array + index * oracle_size(type);
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
    } bits;
    switch (oracle_size(type)) {
    case 1: memcpy(&bits.u8, element, 1); return bits.u8;
    case 2: memcpy(&bits.u16, element, 2); return bits.u16;
    case 4: memcpy(&bits.u32, element, 4); return bits.u32;
    default: memcpy(&bits.u64, element, 8); return bits.u64;
    }
}

void oracle_store(scankit_type type, void *array, size_t index, uint64_t bits)
{
    char *element = (char *)array + index * oracle_size(type); /* little-endian machines only, as the library */
    switch (oracle_size(type)) {
    case 1: memcpy(element, &bits, 1); break;
    case 2: memcpy(element, &bits, 2); break;
    case 4: memcpy(element, &bits, 4); break;
    default: memcpy(element, &bits, 8);
    }
}

bool oracle_applies(scankit_operator op, scankit_type type)
{
    switch (op) {
    case SCANKIT_SUM:
    case SCANKIT_PROD:
    case SCANKIT_MIN:
    case SCANKIT_MAX: return true;
    case SCANKIT_AFFINE: return oracle_kind(type) == ORACLE_UNSIGNED;
    default: return oracle_kind(type) != ORACLE_FLOAT;
    }
}

static uint64_t all_ones(scankit_type type)
{
    return UINT64_MAX >> (64 - oracle_bits(type));
}

/* The value that no other comes before (or after). */
static uint64_t extreme(scankit_type type, bool last)
{
    uint64_t all = all_ones(type);
    if (oracle_kind(type) == ORACLE_SIGNED)
        return last ? all >> 1 : (all >> 1) + 1;
    if (oracle_kind(type) == ORACLE_UNSIGNED)
        return last ? all : 0;
    uint64_t infinity = oracle_float_bits(type, 1e300 * 1e300), sign = (all >> 1) + 1;
    return sign | (last ? infinity + 1 : infinity); /* the last NaN is negative, of payload 1 */
}

uint64_t oracle_identity(scankit_operator op, scankit_type type)
{
    switch (op) {
    case SCANKIT_PROD: return oracle_kind(type) == ORACLE_FLOAT ? oracle_float_bits(type, 1) : 1;
    case SCANKIT_MIN: return extreme(type, true);
    case SCANKIT_MAX: return extreme(type, false);
    case SCANKIT_AND: return all_ones(type);
    case SCANKIT_AFFINE: return UINT64_C(1) << (oracle_bits(type) / 2);
    default: return 0;
    }
}

static uint64_t combine_floats(scankit_operator op, scankit_type type, uint64_t a, uint64_t b)
{
    if (oracle_size(type) == 8) {
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        return oracle_float_bits(type, op == SCANKIT_SUM ? x + y : x * y);
    }
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    volatile float result = op == SCANKIT_SUM ? x + y : x * y;
    return oracle_float_bits(type, (double)result);
}

/* x -> la x + lb, then x -> ra x + rb. */
static uint64_t combine_maps(scankit_type type, uint64_t l, uint64_t r)
{
    unsigned half = oracle_bits(type) / 2;
    uint64_t low = (UINT64_C(1) << half) - 1, la = l >> half, lb = l & low, ra = r >> half, rb = r & low;
    return ((ra * la) & low) << half | ((ra * lb + rb) & low);
}

uint64_t oracle_combine(scankit_operator op, scankit_type type, uint64_t a, uint64_t b)
{
    bool is_float = oracle_kind(type) == ORACLE_FLOAT;
    switch (op) {
    case SCANKIT_SUM: return is_float ? combine_floats(op, type, a, b) : (a + b) & all_ones(type);
    case SCANKIT_PROD: return is_float ? combine_floats(op, type, a, b) : (a * b) & all_ones(type);
    case SCANKIT_MIN: return oracle_compare(type, NULL, a, b) <= 0 ? a : b;
    case SCANKIT_MAX: return oracle_compare(type, NULL, a, b) >= 0 ? a : b;
    case SCANKIT_AND: return a & b;
    case SCANKIT_OR: return a | b;
    case SCANKIT_XOR: return a ^ b;
    default: return combine_maps(type, a, b);
    }
}

/* Sums and products of halves are computed as f32, and rounded when they are stored. */
static scankit_type partial_type(scankit_operator op, scankit_type type)
{
    return type == SCANKIT_F16 && (op == SCANKIT_SUM || op == SCANKIT_PROD) ? SCANKIT_F32 : type;
}

static uint64_t load_partial(scankit_operator op, scankit_type type, const void *array, size_t i)
{
    scankit_type partial = partial_type(op, type);
    uint64_t bits = oracle_load(type, array, i);
    return partial == type ? bits : oracle_float_bits(partial, oracle_double(type, bits));
}

static uint64_t round_partial(scankit_operator op, scankit_type type, uint64_t bits)
{
    scankit_type partial = partial_type(op, type);
    return partial == type ? bits : oracle_float_bits(type, oracle_double(partial, bits));
}

void oracle_scan(scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial, const void *in,
                 void *out, size_t n)
{
    scankit_type partial = partial_type(op, type);
    bool begun = initial != NULL;
    uint64_t sum = begun ? load_partial(op, type, initial, 0) : oracle_identity(op, partial);
    for (size_t i = 0; i < n; i++) {
        uint64_t before = sum, value = load_partial(op, type, in, i);
        sum = begun ? oracle_combine(op, partial, sum, value) : value;
        begun = true;
        oracle_store(type, out, i, round_partial(op, type, kind == SCANKIT_INCLUSIVE ? sum : before));
    }
}

uint64_t oracle_reduce(scankit_type type, scankit_operator op, const void *in, size_t n)
{
    scankit_type partial = partial_type(op, type);
    if (n == 0)
        return oracle_identity(op, type);
    uint64_t sum = load_partial(op, type, in, 0);
    for (size_t i = 1; i < n; i++)
        sum = oracle_combine(op, partial, sum, load_partial(op, type, in, i));
    return round_partial(op, type, sum);
}

void oracle_split(scankit_type type, const void *in, size_t n, unsigned bit, unsigned bits, uint64_t *positions,
                  size_t *offsets)
{
    size_t filled = 0, digits = (size_t)1 << bits, *next = offsets + 1;
    for (size_t digit = 0; digit <= digits; digit++)
        offsets[digit] = 0;
    for (size_t i = 0; i < n; i++)
        next[(oracle_load(type, in, i) >> bit) & (digits - 1)]++;
    for (size_t digit = 0; digit < digits; digit++) {
        size_t count = next[digit];
        next[digit] = filled; /* for now, where it begins; counted up to where it ends */
        filled += count;
    }
    for (size_t i = 0; i < n; i++)
        positions[next[(oracle_load(type, in, i) >> bit) & (digits - 1)]++] = i;
}

void oracle_gather(size_t size, const void *in, const uint64_t *positions, void *out, size_t n)
{
    const char *from = in;
    char *to = out;
    for (size_t i = 0; i < n; i++) { /* the usual sizes by themselves: copying a constant number of bytes is quick */
        if (size == 4)
            memcpy(to + i * 4, from + positions[i] * 4, 4);
        else if (size == 8)
            memcpy(to + i * 8, from + positions[i] * 8, 8);
        else
            memcpy(to + i * size, from + positions[i] * size, size);
    }
}
