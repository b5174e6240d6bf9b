/* expression.c - trees, and the kinds of their values: see oracle-predicate.h */
#include <stdio.h>
#include <stdlib.h>

#include "oracle-predicate.h"
#include "support/oracle.h"

static value_kind common_kind(value_kind a, value_kind b)
{
    if (a == VALUE_F64 || b == VALUE_F64)
        return VALUE_F64;
    return a == VALUE_U64 || b == VALUE_U64 ? VALUE_U64 : VALUE_I64;
}

static expression *make(expression_form form, unsigned op, value_kind kind, expression *a, expression *b)
{
    expression *e = data_allocate(1, sizeof *e);
    *e = (expression){.form = form, .op = op, .kind = kind, .part = {a, b}};
    return e;
}

expression *expression_number(value literal, const char *spelling)
{
    expression *e = make(FORM_NUMBER, 0, literal.kind, NULL, NULL);
    e->literal = literal;
    snprintf(e->spelling, sizeof e->spelling, "%s", spelling);
    return e;
}

expression *expression_text(const char *text)
{
    expression *e = make(FORM_TEXT, 0, VALUE_BYTES, NULL, NULL);
    snprintf(e->spelling, sizeof e->spelling, "%s", text);
    return e;
}

expression *expression_field(const scankit_field *field)
{
    value_kind kind = VALUE_I64;
    if (field->type == SCANKIT_BYTES)
        kind = VALUE_BYTES;
    else if (field->type == SCANKIT_U64)
        kind = VALUE_U64;
    else if (oracle_kind(field->type) == ORACLE_FLOAT)
        kind = VALUE_F64;
    expression *e = make(FORM_FIELD, 0, kind, NULL, NULL);
    e->field = field;
    return e;
}

expression *expression_position(void)
{
    return make(FORM_POSITION, 0, VALUE_I64, NULL, NULL);
}

expression *expression_unary(unary_operator op, expression *a)
{
    return make(FORM_UNARY, op, op == OP_NOT ? VALUE_I64 : a->kind, a, NULL);
}

expression *expression_binary(binary_operator op, expression *a, expression *b)
{
    value_kind kind = common_kind(a->kind, b->kind);
    if (op <= OP_LOGICAL_AND || (op >= OP_EQUAL && op <= OP_GREATER_OR_EQUAL))
        kind = VALUE_I64;
    if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT)
        kind = a->kind;
    return make(FORM_BINARY, op, kind, a, b);
}

expression *expression_choice(expression *a, expression *b, expression *c)
{
    expression *e = make(FORM_CHOICE, 0, common_kind(b->kind, c->kind), a, b);
    e->part[2] = c;
    return e;
}

/* The lesser of an i64 and a u64 is always an i64, and the greater a u64. */
expression *expression_call(function f, expression *a, expression *b)
{
    value_kind kind = b != NULL ? common_kind(a->kind, b->kind) : f == CALL_ABS ? a->kind : VALUE_I64;
    if (f == CALL_MIN && kind == VALUE_U64 && a->kind != b->kind)
        kind = VALUE_I64;
    return make(FORM_CALL, f, kind, a, b);
}

expression *expression_in(expression *a, set_member *members, size_t count)
{
    expression *e = make(FORM_IN, 0, VALUE_I64, a, NULL);
    e->members = members;
    e->member_count = count;
    return e;
}

void expression_free(expression *e)
{
    if (e == NULL)
        return;
    for (int part = 0; part < 3; part++)
        expression_free(e->part[part]);
    free(e->members);
    free(e);
}
