/* draw-predicate.c - random predicates: see draw-predicate.h
 *
 * Not drawn is what the header leaves open: 2^63 after a minus, and sets that mix floats with integers that an f64
 * cannot hold. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawer.h"

/* ---- trees ---- */

static expression *draw_number(drawer *d, unsigned depth);
static expression *draw_truth(drawer *d, unsigned depth);

static expression *integer_leaf(drawer *d)
{
    const scankit_field *field = some_field(d, WANT_INTEGER);
    if (field != NULL && !once_in(d, 3))
        return expression_field(field);
    if (d->position && once_in(d, 4))
        return expression_position();
    return unsigned_literal(d, some_integer(d));
}

static expression *draw_integer(drawer *d, unsigned depth)
{
    static const binary_operator binary[] = {OP_BIT_OR, OP_BIT_XOR, OP_BIT_AND, OP_SHIFT_LEFT, OP_SHIFT_RIGHT, OP_PLUS,
                                             OP_MINUS,  OP_TIMES,   OP_DIVIDE,  OP_DIVIDE,     OP_REMAINDER};
    static const unary_operator unary[] = {OP_COMPLEMENT, OP_NEGATE, OP_NEGATE, OP_KEEP};
    if (depth == 0 || once_in(d, 8))
        return integer_leaf(d);
    depth--;
    switch (below(d, 12)) {
    case 0: return draw_truth(d, depth);
    case 1:
    case 2: return expression_unary(unary[below(d, 4)], draw_integer(d, depth));
    case 3: return expression_choice(draw_truth(d, depth), draw_integer(d, depth), draw_integer(d, depth));
    case 4: return expression_call(CALL_ABS, draw_integer(d, depth), NULL);
    case 5: return expression_call(once_in(d, 2) ? CALL_MIN : CALL_MAX, draw_integer(d, depth), draw_integer(d, depth));
    case 6: /* counts that do not shift everything out */
        return expression_binary(once_in(d, 2) ? OP_SHIFT_LEFT : OP_SHIFT_RIGHT, draw_integer(d, depth),
                                 unsigned_literal(d, below(d, 66)));
    default:
        return expression_binary(binary[below(d, sizeof binary / sizeof *binary)], draw_integer(d, depth),
                                 draw_integer(d, depth));
    }
}

static expression *draw_float(drawer *d, unsigned depth)
{
    static const binary_operator binary[] = {OP_PLUS, OP_MINUS, OP_TIMES, OP_DIVIDE};
    const scankit_field *field = some_field(d, WANT_FLOAT);
    if (depth == 0 || once_in(d, 8))
        return field != NULL && !once_in(d, 3) ? expression_field(field) : float_literal(d, some_float(d));
    depth--;
    expression *a = draw_float(d, depth), *b;
    switch (below(d, 8)) {
    case 0: return expression_unary(once_in(d, 4) ? OP_KEEP : OP_NEGATE, a);
    case 1: return expression_choice(draw_truth(d, depth), a, draw_number(d, depth));
    case 2: return expression_call(CALL_ABS, a, NULL);
    case 3: return expression_call(once_in(d, 2) ? CALL_MIN : CALL_MAX, a, draw_number(d, depth));
    default:
        b = draw_number(d, depth);
        return once_in(d, 2) ? expression_binary(binary[below(d, 4)], a, b)
                             : expression_binary(binary[below(d, 4)], b, a);
    }
}

static expression *draw_number(drawer *d, unsigned depth)
{
    bool real = some_field(d, WANT_FLOAT) != NULL, whole = some_field(d, WANT_INTEGER) != NULL;
    size_t floats_of_8 = real ? (whole ? 4 : 6) : 1;
    return below(d, 8) < floats_of_8 ? draw_float(d, depth) : draw_integer(d, depth);
}

/* ---- conditions ---- */

static binary_operator some_comparison(drawer *d)
{
    return (binary_operator)(OP_EQUAL + below(d, 6));
}

/* A text from a sample, or close to one. */
static expression *draw_text(drawer *d, const scankit_field *field)
{
    char text[40] = "";
    uint64_t position;
    value v = oracle_field(field, some_sample(d, &position));
    size_t length = 0;
    while (length < v.bytes.size && isprint(v.bytes.data[length]) && strchr("\"\\", v.bytes.data[length]) == NULL)
        length++;
    memcpy(text, v.bytes.data, length);
    text[length] = '\0';
    if (length > 0 && once_in(d, 4))
        text[length - 1] = '\0';
    if (once_in(d, 4))
        strcat(text, once_in(d, 2) ? "a" : " ");
    return expression_text(text);
}

static expression *compare_texts(drawer *d)
{
    const scankit_field *field = some_field(d, WANT_BYTES);
    expression *a = expression_field(field);
    expression *b = once_in(d, 3) ? expression_field(some_field(d, WANT_BYTES)) : draw_text(d, field);
    return once_in(d, 3) ? expression_binary(some_comparison(d), b, a) : expression_binary(some_comparison(d), a, b);
}

/* Compares a tree with the value that it has for one of the samples. */
static expression *observe(drawer *d, expression *tree)
{
    uint64_t position;
    const unsigned char *sample = some_sample(d, &position);
    value v = oracle_evaluate(tree, sample, position);
    expression *literal = literal_of(d, v);
    if (literal != NULL)
        return expression_binary(once_in(d, 2) ? OP_EQUAL : some_comparison(d), tree, literal);
    if (v.kind == VALUE_F64)
        return expression_call(isnan(v.f) ? CALL_ISNAN : CALL_ISINF, tree, NULL);
    return expression_binary(OP_LESS, tree, expression_number((value){.kind = VALUE_I64, .i = 0}, "0"));
}

/* ---- sets ---- */

/* An end of a range, and how it is spelt. */
static value integer_end(drawer *d, value around, char *spelling)
{
    value v = {.kind = VALUE_I64, .u = around.u + below(d, 8) - 4};
    if (once_in(d, 12)) /* rarely, because a range from there may contain all others */
        v.u = some_integer(d);
    bool negative = around.kind == VALUE_I64 ? (v.i < 0) : once_in(d, 8);
    if (negative && v.i >= 0)
        v.u = -v.u;
    v.kind = negative || v.i >= 0 ? VALUE_I64 : VALUE_U64;
    if (negative && v.i < 0)
        *spelling++ = '-';
    spell_unsigned(d, spelling, negative ? -v.u : v.u);
    return v;
}

static value float_end(drawer *d, value around, char *spelling)
{
    double f = around.kind == VALUE_F64 && isfinite(around.f) ? around.f : 1;
    if (once_in(d, 2))
        f += (double)below(d, 100) - 50;
    else if (once_in(d, 3))
        f = -f;
    if (once_in(d, 3)) {
        f = (double)below(d, 40);
        sprintf(spelling, "%.0f", f);
        return (value){.kind = VALUE_I64, .i = (int64_t)f};
    }
    if (signbit(f))
        *spelling++ = '-';
    spell_float(d, spelling, fabs(f));
    return (value){.kind = VALUE_F64, .f = f};
}

static bool above(value a, value b)
{
    expression low = {.form = FORM_NUMBER, .kind = a.kind, .literal = a};
    expression high = {.form = FORM_NUMBER, .kind = b.kind, .literal = b};
    expression greater = {.form = FORM_BINARY, .op = OP_GREATER, .kind = VALUE_I64, .part = {&low, &high}};
    return oracle_matches(&greater, NULL, 0);
}

static void draw_member(drawer *d, set_member *member, value around, bool real)
{
    if (real && around.kind != VALUE_F64)
        around = (value){.kind = VALUE_F64, .f = (double)around.i + 0.5};
    value (*end)(drawer *, value, char *) = real ? float_end : integer_end;
    member->low = end(d, around, member->low_spelling);
    member->high = member->low;
    strcpy(member->high_spelling, member->low_spelling);
    if (once_in(d, 2))
        return;
    member->high = end(d, around, member->high_spelling);
    if (above(member->low, member->high)) {
        set_member swapped = {.low = member->high, .high = member->low};
        strcpy(swapped.low_spelling, member->high_spelling);
        strcpy(swapped.high_spelling, member->low_spelling);
        *member = swapped;
    }
}

/* Around values that the tree has for samples. */
static expression *draw_in(drawer *d, expression *tree)
{
    size_t count = once_in(d, 8) ? 40 : 1 + below(d, 5);
    set_member *members = data_allocate(count, sizeof *members);
    bool real = tree->kind == VALUE_F64 || once_in(d, 10);
    for (size_t m = 0; m < count; m++) {
        uint64_t position;
        const unsigned char *sample = some_sample(d, &position);
        draw_member(d, &members[m], oracle_evaluate(tree, sample, position), real);
    }
    return expression_in(tree, members, count);
}

/* Tests of one field, which the library joins. */
static expression *draw_tests(drawer *d, const scankit_field *field, unsigned depth)
{
    if (depth == 0)
        return once_in(d, 4) ? draw_in(d, expression_field(field)) : observe(d, expression_field(field));
    expression *a = draw_tests(d, field, depth - 1);
    if (once_in(d, 4))
        return expression_unary(OP_NOT, a);
    return expression_binary(once_in(d, 2) ? OP_LOGICAL_AND : OP_LOGICAL_OR, a, draw_tests(d, field, depth - 1));
}

static expression *draw_joined(drawer *d, unsigned depth)
{
    const scankit_field *whole = some_field(d, WANT_INTEGER), *real = some_field(d, WANT_FLOAT);
    const scankit_field *field = whole == NULL || (real != NULL && once_in(d, 2)) ? real : whole;
    return field != NULL ? draw_tests(d, field, 1 + depth) : draw_truth(d, depth);
}

static expression *draw_truth(drawer *d, unsigned depth)
{
    bool bytes = some_field(d, WANT_BYTES) != NULL;
    if (depth == 0)
        return bytes && once_in(d, 2) ? compare_texts(d) : observe(d, draw_number(d, 0));
    depth--;
    expression *a;
    switch (below(d, bytes ? 13 : 11)) {
    case 0: return expression_unary(OP_NOT, once_in(d, 3) ? draw_number(d, depth) : draw_truth(d, depth));
    case 1:
        a = draw_truth(d, depth);
        return expression_binary(OP_LOGICAL_AND, a, once_in(d, 4) ? draw_number(d, depth) : draw_truth(d, depth));
    case 2:
        a = draw_truth(d, depth);
        return expression_binary(OP_LOGICAL_OR, a, once_in(d, 4) ? draw_number(d, depth) : draw_truth(d, depth));
    case 3: return expression_call(once_in(d, 2) ? CALL_ISNAN : CALL_ISINF, draw_float(d, depth), NULL);
    case 4: return draw_in(d, draw_number(d, depth));
    case 5: a = draw_truth(d, depth); return expression_choice(a, draw_truth(d, depth), draw_truth(d, depth));
    case 6:
    case 7: a = draw_number(d, depth); return expression_binary(some_comparison(d), a, draw_number(d, depth));
    case 8:
    case 9: return observe(d, draw_number(d, depth));
    case 10: return bytes && once_in(d, 2) ? compare_texts(d) : draw_joined(d, depth);
    default: return compare_texts(d);
    }
}

expression *draw_predicate(const subject *s, const void *samples, size_t n, uint64_t first, unsigned depth,
                           random_state *random)
{
    drawer d = {.random = random, .subject = s, .samples = samples, .n = n, .first = first, .position = true};
    for (size_t f = 0; f < subject_count(s); f++)
        d.position = d.position && strcmp(subject_field(s, f)->name, "i") != 0;
    switch (below(&d, 10)) {
    case 8:
    case 9: return draw_joined(&d, depth);
    case 0: return draw_number(&d, depth);
    case 1: return draw_in(&d, draw_number(&d, depth));
    case 2:
    case 3:
    case 4: return observe(&d, draw_number(&d, depth));
    default: return draw_truth(&d, depth);
    }
}
