/* draw-literal.c - random numbers of predicates, and how they are written: see drawer.h */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawer.h"
#include "support/oracle.h"

const scankit_field *some_field(drawer *d, wanted_field wanted)
{
    const scankit_field *found = NULL;
    size_t seen = 0;
    for (size_t f = 0; f < subject_count(d->subject); f++) {
        const scankit_field *field = subject_field(d->subject, f);
        bool bytes = field->type == SCANKIT_BYTES, real = !bytes && oracle_kind(field->type) == ORACLE_FLOAT;
        if (*field->name != '\0' && bytes == (wanted == WANT_BYTES) && real == (wanted == WANT_FLOAT))
            found = once_in(d, ++seen) ? field : found;
    }
    return found;
}

const unsigned char *some_sample(drawer *d, uint64_t *position)
{
    size_t at = below(d, d->n);
    *position = d->first + at;
    return d->samples + at * d->subject->element_size;
}

/* ---- numbers ---- */

void spell_unsigned(drawer *d, char *text, uint64_t v)
{
    char *digit = text;
    switch (below(d, 6)) {
    case 0: sprintf(text, "0x%llx", (unsigned long long)v); break;
    case 1: sprintf(text, "0X%llX", (unsigned long long)v); break;
    case 2:
        if (v >> 30 == 0) {
            digit += sprintf(text, once_in(d, 2) ? "0b" : "0B");
            for (unsigned bit = 30; bit-- > 0;)
                if (v >> bit != 0 || bit == 0)
                    *digit++ = (char)('0' + (v >> bit & 1));
            *digit = '\0';
            break;
        } /* fall through */
    default: sprintf(text, "%llu", (unsigned long long)v);
    }
}

/* With C's suffixes; u makes it a u64. */
expression *unsigned_literal(drawer *d, uint64_t v)
{
    static const char *const suffixes[] = {"l", "L", "ll", "LL", "u", "U", "ul", "LU", "ull", "Ull"};
    char text[96];
    v -= v == (uint64_t)1 << 63;
    value literal = {.kind = v > INT64_MAX ? VALUE_U64 : VALUE_I64, .u = v};
    spell_unsigned(d, text, v);
    if (once_in(d, 8)) {
        const char *suffix = suffixes[below(d, sizeof suffixes / sizeof *suffixes)];
        if (strpbrk(suffix, "uU") != NULL)
            literal.kind = VALUE_U64;
        strcat(text, suffix);
    }
    return expression_number(literal, text);
}

void spell_float(drawer *d, char *text, double v)
{
    if (once_in(d, 3))
        sprintf(text, "%.16e", v);
    else
        sprintf(text, "%.17g", v);
    if (strpbrk(text, ".e") == NULL)
        strcat(text, once_in(d, 2) ? ".0" : "e0");
}

/* Of a finite v without a sign. The suffix f rounds as C does. */
expression *float_literal(drawer *d, double v)
{
    char text[64];
    if (once_in(d, 6) && v < 1e38 && (v > 1e-37 || v == 0)) {
        v = (double)(float)v;
        spell_float(d, text, v);
        strcat(text, once_in(d, 2) ? "f" : "F");
    } else {
        spell_float(d, text, v);
        if (once_in(d, 12))
            strcat(text, "l");
    }
    return expression_number((value){.kind = VALUE_F64, .f = v}, text);
}

expression *literal_of(drawer *d, value v)
{
    if (v.kind == VALUE_F64) {
        if (!isfinite(v.f))
            return NULL;
        expression *e = float_literal(d, fabs(v.f));
        return signbit(v.f) ? expression_unary(OP_NEGATE, e) : e;
    }
    if (v.kind == VALUE_U64 || v.i >= 0)
        return unsigned_literal(d, v.u);
    if (v.i == INT64_MIN)
        return NULL;
    expression *e = unsigned_literal(d, (uint64_t)-v.i);
    return e->kind == VALUE_U64 ? (expression_free(e), NULL) : expression_unary(OP_NEGATE, e);
}

uint64_t some_integer(drawer *d)
{
    uint64_t position, one = 1;
    const scankit_field *field = some_field(d, WANT_INTEGER);
    switch (below(d, 6)) {
    case 0: return (one << below(d, 64)) + below(d, 3) - 1;
    case 1: return random_next(d->random) >> below(d, 64);
    case 2:
    case 3:
        if (field != NULL) {
            value v = oracle_field(field, some_sample(d, &position));
            return v.kind == VALUE_I64 && v.i < 0 ? -v.u : v.u;
        } /* fall through */
    default: return below(d, 20);
    }
}

double some_float(drawer *d)
{
    uint64_t position;
    const scankit_field *field = some_field(d, WANT_FLOAT);
    switch (below(d, 6)) {
    case 0: return (double)below(d, 20);
    case 1: return ldexp(1 + (double)below(d, 1000) / 1000, (int)below(d, 2098) - 1074);
    case 2: return (double)some_integer(d);
    case 3:
    case 4:
        if (field != NULL) {
            value v = oracle_field(field, some_sample(d, &position));
            return isfinite(v.f) ? fabs(v.f) : 1.5;
        } /* fall through */
    default: return (double)below(d, 2000) / 8;
    }
}
