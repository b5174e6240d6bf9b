/* integer.c - arithmetic of integers: the range of each result by interval arithmetic, then the narrowest step. */
#include "integer.h"

/* ---- ranges of results, before they wrap ---- */

/* A range that no type holds. */
static const sk_interval everything = {-((sk_wide)1 << 100), (sk_wide)1 << 100};

static sk_wide least(sk_wide a, sk_wide b)
{
    return a < b ? a : b;
}

static sk_wide greatest(sk_wide a, sk_wide b)
{
    return a < b ? b : a;
}

/* The greatest absolute value. */
static sk_wide size_of(sk_interval range)
{
    return greatest(greatest(range.high, -range.high), greatest(range.low, -range.low));
}

static sk_interval product(sk_interval a, sk_interval b)
{
    sk_wide p, q, r, s;
    if (__builtin_mul_overflow(a.low, b.low, &p) || __builtin_mul_overflow(a.low, b.high, &q) ||
        __builtin_mul_overflow(a.high, b.low, &r) || __builtin_mul_overflow(a.high, b.high, &s))
        return everything;
    return (sk_interval){least(least(p, q), least(r, s)), greatest(greatest(p, q), greatest(r, s))};
}

static sk_interval quotient(sk_interval a, sk_interval b)
{
    if (b.low == b.high) {
        if (b.low == 0)
            return (sk_interval){0, 0};
        sk_wide p = a.low / b.low, q = a.high / b.low;
        return (sk_interval){least(p, q), greatest(p, q)};
    }
    if (b.low >= 0)
        return (sk_interval){least(a.low, 0), greatest(a.high, 0)};
    return (sk_interval){-size_of(a), size_of(a)};
}

/* The remainder has the dividend's sign and is smaller than the divisor; for a divisor 0 it is the dividend. */
static sk_interval remainder_of(sk_interval a, sk_interval b)
{
    bool maybe_zero = b.low <= 0 && b.high >= 0;
    sk_wide most = maybe_zero ? size_of(a) : size_of(b) - 1;
    return (sk_interval){a.low < 0 ? greatest(a.low, -most) : 0, a.high > 0 ? least(a.high, most) : 0};
}

/* The least 2^k - 1 such that both ranges are in [-2^k, 2^k). */
static sk_wide bits_of(sk_interval a, sk_interval b)
{
    const sk_wide ends[] = {a.low, a.high, b.low, b.high};
    sk_wide most = 0;
    for (int i = 0; i < 4; i++)
        while (most < (ends[i] < 0 ? ~ends[i] : ends[i]))
            most = 2 * most + 1;
    return most;
}

static sk_interval bitwise(sk_operation op, sk_interval a, sk_interval b)
{
    if (op == SK_OP_AND && (a.low >= 0 || b.low >= 0))
        return (sk_interval){0, a.low < 0 ? b.high : b.low < 0 ? a.high : least(a.high, b.high)};
    sk_wide most = bits_of(a, b);
    return (sk_interval){a.low >= 0 && b.low >= 0 ? 0 : -most - 1, most};
}

static sk_interval shifted_left(sk_interval a, sk_interval count)
{
    sk_wide from = greatest(count.low, 0), to = least(count.high, 63);
    sk_interval range = {0, 0};
    if (from <= to)
        range = product(a, (sk_interval){(sk_wide)1 << from, (sk_wide)1 << to});
    if (count.low < 0 || count.high > 63)
        range = (sk_interval){least(range.low, 0), greatest(range.high, 0)};
    return range;
}

static sk_interval shifted_right(sk_interval a, sk_interval count)
{
    if (count.low == count.high && count.low >= 0 && count.low < 64)
        return (sk_interval){a.low >> count.low, a.high >> count.low};
    return (sk_interval){least(a.low, 0), greatest(a.high, -1)};
}

static sk_interval result_range(sk_operation op, sk_interval a, sk_interval b)
{
    switch (op) {
    case SK_OP_ADD: return (sk_interval){a.low + b.low, a.high + b.high};
    case SK_OP_SUB: return (sk_interval){a.low - b.high, a.high - b.low};
    case SK_OP_MUL: return product(a, b);
    case SK_OP_DIV: return quotient(a, b);
    case SK_OP_REM: return remainder_of(a, b);
    case SK_OP_SHL: return shifted_left(a, b);
    case SK_OP_SHR: return shifted_right(a, b);
    default: return bitwise(op, a, b);
    }
}

/* A range that leaves its type wraps, and may be anything afterwards. */
static sk_interval wrapped(sk_kind kind, sk_interval range)
{
    if (kind == SK_SIGNED)
        return sk_fits(SK_I64, range) ? range : SK_RANGE_SIGNED;
    return sk_fits(SK_U64, range) ? range : SK_RANGE_UNSIGNED;
}

/* ---- steps ---- */

static const sk_value_type types[] = {SK_U32, SK_I32, SK_U64, SK_I64};

/* Which numbers the step's type must hold. */
typedef enum sk_strictness {
    SK_ANY,            /* none: the low bits of the result depend on the low bits of the operands alone */
    SK_SAME,           /* operands and result */
    SK_SAME_BUT_COUNT, /* the same without the second operand, the count of a shift */
} sk_strictness;

/* The steps of an operation, by the index of their type in `types`. */
typedef struct sk_operation_steps {
    sk_strictness strictness;
    uint16_t code[4];
} sk_operation_steps;

#define UNSIGNED_STEPS(name)                                                                   \
    {                                                                                          \
        SK_STEP_##name##_U32, SK_STEP_##name##_U32, SK_STEP_##name##_U64, SK_STEP_##name##_U64 \
    }
#define SIGNED_STEPS(name)                                                                     \
    {                                                                                          \
        SK_STEP_##name##_U32, SK_STEP_##name##_I32, SK_STEP_##name##_U64, SK_STEP_##name##_I64 \
    }

static const sk_operation_steps operations[] = {
    [SK_OP_ADD] = {SK_ANY, UNSIGNED_STEPS(ADD)},   [SK_OP_SUB] = {SK_ANY, UNSIGNED_STEPS(SUB)},
    [SK_OP_MUL] = {SK_ANY, UNSIGNED_STEPS(MUL)},   [SK_OP_DIV] = {SK_SAME, SIGNED_STEPS(DIV)},
    [SK_OP_REM] = {SK_SAME, SIGNED_STEPS(REM)},    [SK_OP_AND] = {SK_ANY, UNSIGNED_STEPS(BIT_AND)},
    [SK_OP_OR] = {SK_ANY, UNSIGNED_STEPS(BIT_OR)}, [SK_OP_XOR] = {SK_ANY, UNSIGNED_STEPS(BIT_XOR)},
    [SK_OP_SHL] = {SK_ANY, UNSIGNED_STEPS(SHL)},   [SK_OP_SHR] = {SK_SAME_BUT_COUNT, SIGNED_STEPS(SHR)},
    [SK_OP_MIN] = {SK_SAME, SIGNED_STEPS(MIN)},    [SK_OP_MAX] = {SK_SAME, SIGNED_STEPS(MAX)},
    [SK_OP_LT] = {SK_SAME, SIGNED_STEPS(LT)},      [SK_OP_LE] = {SK_SAME, SIGNED_STEPS(LE)},
    [SK_OP_EQ] = {SK_SAME, UNSIGNED_STEPS(EQ)},    [SK_OP_NE] = {SK_SAME, UNSIGNED_STEPS(NE)},
};

/* strict: the type must hold the range; else its bits are enough. */
static bool holds(sk_value_type type, bool strict, sk_interval range)
{
    if (strict)
        return sk_fits(type, range);
    if (type == SK_U64 || type == SK_I64)
        return true;
    return sk_fits_32(range);
}

/* 32 bits are tried if a computed operand has 32, or if both operands are constants. */
static bool prefers_32(const sk_graph *g, const sk_value *a, const sk_value *b)
{
    if (sk_is_constant(g, a) && sk_is_constant(g, b))
        return true;
    return (!sk_is_constant(g, a) && sk_is_narrow(g, a->node)) || (!sk_is_constant(g, b) && sk_is_narrow(g, b->node));
}

/* If both types of a width hold the numbers, MIN to NE take the signed one, as SSE and AVX2 compare only signed
 * integers; the other operations take the unsigned one. */
bool sk_emit_integer(sk_graph *g, sk_operation op, sk_value a, sk_value b, sk_interval result, unsigned *node)
{
    const sk_operation_steps *steps = &operations[op];
    bool strict = steps->strictness != SK_ANY, strict_b = steps->strictness == SK_SAME;
    unsigned signed_first = op >= SK_OP_MIN;
    for (unsigned i = prefers_32(g, &a, &b) ? 0 : 2; i < 4; i++) {
        unsigned tried = i ^ signed_first;
        sk_value_type type = types[tried];
        if (holds(type, strict, a.range) && holds(type, strict_b, b.range) && holds(type, strict, result)) {
            unsigned bits = tried < 2 ? 32 : 64;
            *node = sk_emit(g, steps->code[tried], sk_as_bits(g, a, bits), sk_as_bits(g, b, bits));
            return true;
        }
    }
    return false;
}

/* Division of a non-negative number by a power of two becomes a shift, its remainder a mask. */
static void reduce_strength(sk_graph *g, sk_operation *op, const sk_value *a, sk_value *b)
{
    sk_wide divisor = b->range.low;
    if ((*op != SK_OP_DIV && *op != SK_OP_REM) || a->range.low < 0 || !sk_is_constant(g, b) || divisor <= 0 ||
        (divisor & (divisor - 1)) != 0)
        return;
    bool divides = *op == SK_OP_DIV;
    *op = divides ? SK_OP_SHR : SK_OP_AND;
    *b = sk_integer_value(g, divides ? __builtin_ctzll((uint64_t)divisor) : divisor - 1, b->kind, b->at);
}

sk_value sk_integer_arithmetic(sk_graph *g, sk_operation op, sk_value a, sk_value b, size_t at)
{
    bool shifts = op == SK_OP_SHL || op == SK_OP_SHR;
    if (!shifts && a.kind != b.kind) {
        a = sk_as_unsigned(g, a);
        b = sk_as_unsigned(g, b);
    }
    reduce_strength(g, &op, &a, &b);
    sk_interval range = wrapped(a.kind, result_range(op, a.range, b.range));
    unsigned node = 0;
    sk_emit_integer(g, op, a, b, range, &node);
    return sk_computed_value(g, node, a.kind, range, at);
}

sk_value sk_integer_negate(sk_graph *g, sk_value a, size_t at)
{
    sk_interval range = wrapped(a.kind, (sk_interval){-a.range.high, -a.range.low});
    bool narrow = sk_is_narrow(g, a.node) && sk_fits_32(range);
    unsigned node = sk_emit(g, narrow ? SK_STEP_NEGATE_U32 : SK_STEP_NEGATE_U64, sk_as_bits(g, a, narrow ? 32 : 64), 0);
    return sk_computed_value(g, node, a.kind, range, at);
}

sk_value sk_integer_invert(sk_graph *g, sk_value a, size_t at)
{
    sk_wide most = a.kind == SK_SIGNED ? -1 : (sk_wide)UINT64_MAX;
    sk_interval range = {most - a.range.high, most - a.range.low};
    bool narrow = sk_is_narrow(g, a.node) && sk_fits_32(range);
    unsigned node = sk_emit(g, narrow ? SK_STEP_INVERT_U32 : SK_STEP_INVERT_U64, sk_as_bits(g, a, narrow ? 32 : 64), 0);
    return sk_computed_value(g, node, a.kind, range, at);
}

sk_value sk_integer_abs(sk_graph *g, sk_value a, size_t at)
{
    if (a.range.low >= 0)
        return a;
    sk_interval range = {a.range.high < 0 ? -a.range.high : 0, size_of(a.range)};
    bool narrow = sk_is_narrow(g, a.node);
    unsigned node = sk_emit(g, narrow ? SK_STEP_ABS_I32 : SK_STEP_ABS_I64, sk_as_bits(g, a, narrow ? 32 : 64), 0);
    return sk_computed_value(g, node, a.kind, wrapped(a.kind, range), at);
}
