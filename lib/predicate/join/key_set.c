/* key_set.c - see key_set.h. */
#include "key_set.h"

/* ---- keys ---- */

static uint64_t sign_of(sk_value_type type)
{
    return (uint64_t)1 << (8 * sk_value_size(type) - 1);
}

uint64_t sk_last_key(sk_value_type type)
{
    return sign_of(type) | (sign_of(type) - 1);
}

uint64_t sk_key_of(sk_value_type type, uint64_t bits)
{
    uint64_t sign = sign_of(type);
    bits &= sk_last_key(type);
    switch (type) {
    case SK_U32:
    case SK_U64: return bits;
    case SK_I32:
    case SK_I64: return bits ^ sign;
    default: return (bits & sign) != 0 ? bits ^ sk_last_key(type) : bits ^ sign;
    }
}

uint64_t sk_key_bits(sk_value_type type, uint64_t key)
{
    return type == SK_U32 || type == SK_U64 ? key : key ^ sign_of(type);
}

/* The keys of numbers. NaNs are below and above. */
static sk_set_range numbers_of(sk_value_type type)
{
    switch (type) {
    case SK_F32: return (sk_set_range){sk_key_of(type, 0xff800000), sk_key_of(type, 0x7f800000)};
    case SK_F64: return (sk_set_range){sk_key_of(type, UINT64_C(0xfff) << 52), sk_key_of(type, UINT64_C(0x7ff) << 52)};
    default: return (sk_set_range){0, sk_last_key(type)};
    }
}

/* The keys that equal a constant: two of a float that is zero. */
static sk_set_range equals_of(sk_value_type type, uint64_t bits)
{
    bool is_float = type == SK_F32 || type == SK_F64;
    uint64_t key = sk_key_of(type, bits);
    if (is_float && (bits & ~sign_of(type)) == 0)
        return (sk_set_range){sk_key_of(type, sign_of(type)), sk_key_of(type, 0)};
    return (sk_set_range){key, key};
}

/* ---- sets ---- */

static void add_edge(sk_key_set *s, uint64_t key)
{
    s->edge[s->count++] = key;
}

sk_key_set sk_key_range(sk_value_type type, uint64_t low, uint64_t high)
{
    sk_key_set s = {.type = (uint8_t)type, .tests = 1};
    if (low > high)
        return s;
    add_edge(&s, low);
    if (high < sk_last_key(type))
        add_edge(&s, high + 1);
    return s;
}

sk_key_set sk_combined(const sk_key_set *a, const sk_key_set *b, sk_connective how)
{
    sk_key_set s = {.type = a->type,
                    .tests = (uint8_t)(a->tests + b->tests < UINT8_MAX ? a->tests + b->tests : UINT8_MAX)};
    bool inside = false;
    for (unsigned i = 0, j = 0; i < a->count || j < b->count;) {
        bool in_a = i < a->count, in_b = j < b->count;
        uint64_t key = in_a && (!in_b || a->edge[i] <= b->edge[j]) ? a->edge[i] : b->edge[j];
        i += in_a && a->edge[i] == key;
        j += in_b && b->edge[j] == key;
        bool now = how == SK_BOTH ? (i & j & 1) : how == SK_EITHER ? ((i | j) & 1) : ((i ^ j) & 1);
        if (now == inside)
            continue;
        if (s.count - sk_begins_inside(&s) == 2 * SK_WITHIN_RANGES)
            return s;
        inside = now;
        add_edge(&s, key);
    }
    s.of = a->of;
    return s;
}

sk_key_set sk_all_but(const sk_key_set *a)
{
    const sk_key_set all = {.count = 1};
    return sk_combined(a, &all, SK_ONE_OF_TWO);
}

static bool is_number(sk_value_type type, sk_set_range equal)
{
    const sk_set_range all = numbers_of(type);
    return equal.low >= all.low && equal.high <= all.high;
}

sk_key_set sk_keys_compared(sk_value_type type, bool before, bool with_equal, uint64_t constant)
{
    const sk_set_range all = numbers_of(type), equal = equals_of(type, constant);
    bool none = !is_number(type, equal) || (!with_equal && (before ? equal.low == all.low : equal.high == all.high));
    sk_set_range within = all;
    if (before)
        within.high = with_equal ? equal.high : equal.low - 1;
    else
        within.low = with_equal ? equal.low : equal.high + 1;
    return none ? sk_key_range(type, 1, 0) : sk_key_range(type, within.low, within.high);
}

sk_key_set sk_keys_equal_to(sk_value_type type, uint64_t constant)
{
    const sk_set_range equal = equals_of(type, constant);
    return is_number(type, equal) ? sk_key_range(type, equal.low, equal.high) : sk_key_range(type, 1, 0);
}

sk_key_set sk_no_number(sk_value_type type)
{
    const sk_key_set numbers = sk_key_range(type, numbers_of(type).low, numbers_of(type).high);
    return sk_all_but(&numbers);
}

sk_key_set sk_keys_moved(const sk_key_set *s, sk_value_type type, uint64_t by)
{
    sk_key_set result = {.type = (uint8_t)type};
    for (unsigned e = 0; e < s->count; e += 2) {
        uint64_t low = (s->edge[e] + by) & sk_last_key(type);
        uint64_t high = (e + 1 < s->count ? s->edge[e + 1] - 1 + by : sk_last_key(type) + by) & sk_last_key(type);
        sk_key_set piece = low <= high ? sk_key_range(type, low, high) : sk_key_range(type, high + 1, low - 1);
        if (low > high)
            piece = sk_all_but(&piece);
        result = sk_combined(&result, &piece, SK_EITHER);
    }
    return result;
}
