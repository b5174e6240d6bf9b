/* oracle-predicate.c - the values of expressions: see oracle-predicate.h */
#include "oracle-predicate.h"

#include <math.h>
#include <string.h>

#include "support/oracle.h"

/* ---- values ---- */

static value of_i64(int64_t i)
{
    return (value){.kind = VALUE_I64, .i = i};
}

static value of_f64(double f)
{
    return (value){.kind = VALUE_F64, .f = f};
}

/* The mathematical value of an integer. */
static __int128 exact(value v)
{
    return v.kind == VALUE_U64 ? (__int128)v.u : (__int128)v.i;
}

static double as_f64(value v)
{
    return v.kind == VALUE_F64 ? v.f : v.kind == VALUE_U64 ? (double)v.u : (double)v.i;
}

/* The low 64 bits of an integer, as an integer of that kind. */
static value wrapped(unsigned __int128 bits, value_kind kind)
{
    uint64_t low = (uint64_t)bits;
    value v = {.kind = kind};
    memcpy(&v.u, &low, sizeof low); /* i lies there too */
    return v;
}

static value converted(value v, value_kind kind)
{
    if (kind == VALUE_BYTES || v.kind == kind)
        return v;
    return kind == VALUE_F64 ? of_f64(as_f64(v)) : wrapped((unsigned __int128)exact(v), kind);
}

static bool truth(value v)
{
    return v.kind == VALUE_F64 ? v.f != 0 : v.u != 0;
}

value oracle_field(const scankit_field *field, const void *element)
{
    const unsigned char *bytes = (const unsigned char *)element + field->offset;
    unsigned char little[8] = {0};
    size_t size = field->size;
    if (field->type == SCANKIT_BYTES)
        return (value){.kind = VALUE_BYTES, .bytes = {bytes, size}};
    for (size_t b = 0; b < size; b++)
        little[b] = bytes[field->big_endian ? size - 1 - b : b];
    uint64_t bits = oracle_load(field->type, little, 0), sign = UINT64_C(1) << (8 * size - 1);
    switch (oracle_kind(field->type)) {
    case ORACLE_UNSIGNED: return wrapped(bits, size == 8 ? VALUE_U64 : VALUE_I64);
    case ORACLE_SIGNED: return wrapped((bits ^ sign) - sign, VALUE_I64);
    default: return size == 8 ? wrapped(bits, VALUE_F64) : of_f64(oracle_double(field->type, bits));
    }
}

/* ---- comparing ---- */

enum { UNORDERED = 2 };

static int compare_numbers(value a, value b)
{
    if (a.kind == VALUE_F64 || b.kind == VALUE_F64) {
        double x = as_f64(a), y = as_f64(b);
        return isnan(x) || isnan(y) ? UNORDERED : (x > y) - (x < y);
    }
    return (exact(a) > exact(b)) - (exact(a) < exact(b));
}

static int compare_bytes(value a, value b)
{
    for (size_t k = 0; k < a.bytes.size || k < b.bytes.size; k++) {
        int x = k < a.bytes.size ? a.bytes.data[k] : 0, y = k < b.bytes.size ? b.bytes.data[k] : 0;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static bool compares(binary_operator op, value a, value b)
{
    int order = a.kind == VALUE_BYTES ? compare_bytes(a, b) : compare_numbers(a, b);
    switch (op) {
    case OP_EQUAL: return order == 0;
    case OP_UNEQUAL: return order != 0;
    case OP_LESS: return order == -1;
    case OP_LESS_OR_EQUAL: return order == -1 || order == 0;
    case OP_GREATER: return order == 1;
    default: return order == 1 || order == 0;
    }
}

/* ---- computing ---- */

static double compute_floats(binary_operator op, double a, double b)
{
    volatile double result; /* rounded, and not contracted with the next operation */
    switch (op) {
    case OP_PLUS: result = a + b; break;
    case OP_MINUS: result = a - b; break;
    case OP_TIMES: result = a * b; break;
    default: result = a / b;
    }
    return result;
}

static value shift(binary_operator op, value a, value by)
{
    bool out = exact(by) < 0 || exact(by) > 63;
    if (op == OP_SHIFT_LEFT)
        return wrapped(out ? 0 : (unsigned __int128)exact(a) << exact(by), a.kind);
    return wrapped((unsigned __int128)(exact(a) >> (out ? 64 : exact(by))), a.kind);
}

static value compute(binary_operator op, value_kind kind, value a, value b)
{
    if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT)
        return shift(op, a, b);
    if (kind == VALUE_F64)
        return of_f64(compute_floats(op, as_f64(a), as_f64(b)));
    __int128 x = exact(converted(a, kind)), y = exact(converted(b, kind));
    switch (op) {
    case OP_BIT_OR: return wrapped((unsigned __int128)(x | y), kind);
    case OP_BIT_XOR: return wrapped((unsigned __int128)(x ^ y), kind);
    case OP_BIT_AND: return wrapped((unsigned __int128)(x & y), kind);
    case OP_PLUS: return wrapped((unsigned __int128)(x + y), kind);
    case OP_MINUS: return wrapped((unsigned __int128)(x - y), kind);
    case OP_TIMES: return wrapped((unsigned __int128)x * (unsigned __int128)y, kind);
    case OP_DIVIDE: return wrapped(y == 0 ? 0 : (unsigned __int128)(x / y), kind);
    default: return wrapped((unsigned __int128)(y == 0 ? x : x % y), kind);
    }
}

static value evaluate_unary(unary_operator op, value a)
{
    switch (op) {
    case OP_NOT: return of_i64(!truth(a));
    case OP_COMPLEMENT: return wrapped((unsigned __int128)~exact(a), a.kind);
    case OP_NEGATE: return a.kind == VALUE_F64 ? of_f64(-a.f) : wrapped((unsigned __int128)-exact(a), a.kind);
    default: return a;
    }
}

/* Of equals the second: zeros may differ in sign. */
static value least_or_greatest(bool least, value a, value b, value_kind kind)
{
    int order = compare_numbers(a, b);
    if (order == UNORDERED)
        return of_f64(isnan(as_f64(a)) ? as_f64(b) : as_f64(a));
    return converted(order == (least ? -1 : 1) ? a : b, kind);
}

static value evaluate_call(const expression *e, value a, value b)
{
    switch ((function)e->op) {
    case CALL_ABS:
        if (a.kind == VALUE_F64)
            return of_f64(fabs(a.f));
        return wrapped((unsigned __int128)(exact(a) < 0 ? -exact(a) : exact(a)), a.kind);
    case CALL_ISNAN: return of_i64(isnan(as_f64(a)) != 0);
    case CALL_ISINF: return of_i64(isinf(as_f64(a)) != 0);
    default: return least_or_greatest(e->op == CALL_MIN, a, b, e->kind);
    }
}

static bool is_member(const expression *e, value a)
{
    for (size_t m = 0; m < e->member_count; m++)
        if (compares(OP_LESS_OR_EQUAL, e->members[m].low, a) && compares(OP_LESS_OR_EQUAL, a, e->members[m].high))
            return true;
    return false;
}

static value evaluate_binary(const expression *e, const void *element, uint64_t position)
{
    binary_operator op = (binary_operator)e->op;
    value a = oracle_evaluate(e->part[0], element, position), b = oracle_evaluate(e->part[1], element, position);
    if (op == OP_LOGICAL_OR)
        return of_i64(truth(a) || truth(b));
    if (op == OP_LOGICAL_AND)
        return of_i64(truth(a) && truth(b));
    if (op >= OP_EQUAL && op <= OP_GREATER_OR_EQUAL)
        return of_i64(compares(op, a, b));
    return compute(op, e->kind, a, b);
}

value oracle_evaluate(const expression *e, const void *element, uint64_t position)
{
    value a;
    switch (e->form) {
    case FORM_NUMBER: return e->literal;
    case FORM_TEXT:
        return (value){.kind = VALUE_BYTES, .bytes = {(const unsigned char *)e->spelling, strlen(e->spelling)}};
    case FORM_FIELD: return oracle_field(e->field, element);
    case FORM_POSITION: return of_i64((int64_t)position);
    case FORM_BINARY: return evaluate_binary(e, element, position);
    default: a = oracle_evaluate(e->part[0], element, position);
    }
    switch (e->form) {
    case FORM_UNARY: return evaluate_unary((unary_operator)e->op, a);
    case FORM_CHOICE: return converted(oracle_evaluate(e->part[truth(a) ? 1 : 2], element, position), e->kind);
    case FORM_CALL: return evaluate_call(e, a, e->part[1] != NULL ? oracle_evaluate(e->part[1], element, position) : a);
    default: return of_i64(is_member(e, a));
    }
}

bool oracle_matches(const expression *e, const void *element, uint64_t position)
{
    return truth(oracle_evaluate(e, element, position));
}
