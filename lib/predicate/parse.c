/* parse.c - the grammar: C's expressions by precedence climbing, each operator computed as soon as it is read. */
#include <string.h>

#include "predicate.h"

/* So many calls of the functions below may be open at once, two a parenthesis: half a megabyte of stack. */
#define DEPTH_LIMIT 400

static sk_value parse_conditional(sk_compiler *c);

static sk_value nothing(sk_compiler *c)
{
    return sk_integer_value(c, 0, SK_SIGNED, c->length);
}

static bool enter(sk_compiler *c)
{
    if (++c->depth <= DEPTH_LIMIT)
        return true;
    sk_wrong(c, c->token.at, "nested too deeply");
    return false;
}

bool sk_expect(sk_compiler *c, sk_token_kind kind, const char *reason)
{
    if (c->token.kind != kind) {
        sk_wrong(c, c->token.at, reason);
        return false;
    }
    sk_next_token(c);
    return true;
}

static bool is_named(const sk_token *token, const char *name)
{
    return token->size == strlen(name) && memcmp(token->text, name, token->size) == 0;
}

/* ---- names ---- */

static bool find_field(const sk_compiler *c, const sk_token *token, scankit_field *field)
{
    if (c->layout == NULL) {
        *field = (scankit_field){.type = c->type, .size = scankit_type_size(c->type)};
        return is_named(token, "x");
    }
    for (size_t i = 0; i < scankit_layout_count(c->layout) && token->size > 0; i++) {
        *field = *scankit_layout_field(c->layout, i);
        if (is_named(token, field->name))
            return true;
    }
    return false;
}

/* An operand's name, which is passed over. */
static sk_value parse_field(sk_compiler *c, const sk_token *token)
{
    scankit_field field;
    if (find_field(c, token, &field))
        return sk_field_value(c, &field, token->at);
    if (token->kind == SK_TOKEN_NAME && is_named(token, "i"))
        return sk_position_value(c, token->at);
    sk_wrong(c, token->at, c->layout == NULL ? "only x and i have a value here" : "there is no field of that name");
    return nothing(c);
}

typedef enum sk_function { ABS, ISNAN, ISINF, MIN, MAX, FUNCTIONS } sk_function;

static sk_function find_function(const sk_token *token)
{
    static const char *const names[] = {
        [ABS] = "abs", [ISNAN] = "isnan", [ISINF] = "isinf", [MIN] = "min", [MAX] = "max",
    };
    sk_function function = ABS;
    while (function < FUNCTIONS && !is_named(token, names[function]))
        function++;
    return function;
}

static sk_value apply_function(sk_compiler *c, sk_function function, sk_value a, sk_value b, size_t at)
{
    switch (function) {
    case ABS: return sk_abs(c, a, at);
    case ISNAN: return sk_is_nan(c, a, at);
    case ISINF: return sk_is_infinite(c, a, at);
    case MIN: return sk_extreme(c, SK_OP_MIN, a, b, at);
    default: return sk_extreme(c, SK_OP_MAX, a, b, at);
    }
}

/* From its ( on. */
static sk_value parse_call(sk_compiler *c, const sk_token *name)
{
    sk_function function = find_function(name);
    sk_next_token(c);
    sk_value a = parse_conditional(c), b = a;
    if (function == MIN || function == MAX) {
        sk_expect(c, SK_TOKEN_COMMA, "the function takes two arguments");
        b = parse_conditional(c);
        if (c->token.kind == SK_TOKEN_COMMA)
            sk_wrong(c, c->token.at, "the function takes two arguments");
    } else if (c->token.kind == SK_TOKEN_COMMA) {
        sk_wrong(c, c->token.at, "the function takes one argument");
    }
    sk_expect(c, SK_TOKEN_CLOSE, "expected )");
    return apply_function(c, function, a, b, name->at);
}

/* A field stands never before a parenthesis, so there a function is meant even where a field has its name. */
static sk_value parse_name(sk_compiler *c)
{
    sk_token name = c->token;
    sk_next_token(c);
    if (name.kind == SK_TOKEN_QUOTED)
        return parse_field(c, &name);
    bool is_function = find_function(&name) != FUNCTIONS;
    if (c->token.kind == SK_TOKEN_OPEN && is_function)
        return parse_call(c, &name);
    scankit_field field;
    if (c->error == SCANKIT_OK && !find_field(c, &name, &field)) {
        if (is_function)
            sk_wrong(c, c->token.at, "a function's arguments stand in parentheses");
        else if (c->token.kind == SK_TOKEN_OPEN)
            sk_wrong(c, name.at, "there is no function of that name");
    }
    return parse_field(c, &name);
}

/* ---- operands ---- */

/* Zero bytes at the end make no difference in a comparison. */
static sk_value text_value(const sk_token *token)
{
    size_t size = token->size;
    while (size > 0 && token->text[size - 1] == '\0')
        size--;
    return (sk_value){.kind = SK_OPAQUE, .at = token->at, .text = token->text, .size = size};
}

static sk_value parse_operand(sk_compiler *c)
{
    sk_token token = c->token;
    sk_value value = nothing(c);
    switch (token.kind) {
    case SK_TOKEN_NAME:
    case SK_TOKEN_QUOTED: return parse_name(c);
    case SK_TOKEN_OPEN:
        sk_next_token(c);
        value = parse_conditional(c);
        sk_expect(c, SK_TOKEN_CLOSE, "expected )");
        return value;
    case SK_TOKEN_INTEGER: {
        bool is_unsigned = token.is_unsigned || token.integer > INT64_MAX;
        value = sk_integer_value(c, token.integer, is_unsigned ? SK_UNSIGNED : SK_SIGNED, token.at);
        break;
    }
    case SK_TOKEN_FLOAT: value = sk_float_value(sk_emit_f64(c, token.number), token.at); break;
    case SK_TOKEN_TEXT: value = text_value(&token); break;
    default: sk_wrong(c, token.at, "expected an operand"); return value;
    }
    sk_next_token(c);
    return value;
}

static sk_value parse_unary(sk_compiler *c);

/* The operand of a minus; 2^63 is there the number that it makes. */
static sk_value parse_negated(sk_compiler *c, size_t at)
{
    if (c->token.kind == SK_TOKEN_INTEGER && c->token.integer == (uint64_t)1 << 63 && !c->token.is_unsigned) {
        sk_next_token(c);
        return sk_integer_value(c, INT64_MIN, SK_SIGNED, at);
    }
    return sk_negate(c, parse_unary(c), at);
}

static sk_value parse_unary(sk_compiler *c)
{
    sk_token token = c->token;
    if (token.kind != SK_TOKEN_NOT && token.kind != SK_TOKEN_INVERT && token.kind != SK_TOKEN_SUB &&
        token.kind != SK_TOKEN_ADD)
        return parse_operand(c);
    sk_value value = nothing(c);
    if (enter(c)) {
        sk_next_token(c);
        switch (token.kind) {
        case SK_TOKEN_SUB: value = parse_negated(c, token.at); break;
        case SK_TOKEN_ADD: value = sk_as_number(c, parse_unary(c)); break;
        case SK_TOKEN_INVERT: value = sk_invert(c, parse_unary(c), token.at); break;
        default:
            value = parse_unary(c);
            value = sk_truth_value(c, sk_emit(c, SK_STEP_NOT_B8, sk_as_truth(c, value), 0), token.at);
        }
    }
    c->depth--;
    return value;
}

/* ---- operators between two ---- */

static unsigned precedence_of(const sk_token *token)
{
    switch (token->kind) {
    case SK_TOKEN_NAME: return is_named(token, "in") ? 7 : 0;
#define X(name, spelling, precedence) \
    case SK_TOKEN_##name: return precedence;
        SK_TOKEN_OPERATORS(X)
#undef X
    default: return 0;
    }
}

static sk_value apply_logic(sk_compiler *c, unsigned code, sk_value a, sk_value b, size_t at)
{
    unsigned truth = sk_as_truth(c, a);
    return sk_truth_value(c, sk_emit(c, code, truth, sk_as_truth(c, b)), at);
}

static sk_value apply_binary(sk_compiler *c, const sk_token *token, sk_value a, sk_value b)
{
    size_t at = token->at;
    switch (token->kind) {
    case SK_TOKEN_OR_ELSE: return apply_logic(c, SK_STEP_OR_B8, a, b, at);
    case SK_TOKEN_AND_ALSO: return apply_logic(c, SK_STEP_AND_B8, a, b, at);
    case SK_TOKEN_EQ: return sk_truth_value(c, sk_compare(c, SK_OP_EQ, a, b, at), at);
    case SK_TOKEN_NE: return sk_truth_value(c, sk_compare(c, SK_OP_NE, a, b, at), at);
    case SK_TOKEN_LT: return sk_truth_value(c, sk_compare(c, SK_OP_LT, a, b, at), at);
    case SK_TOKEN_LE: return sk_truth_value(c, sk_compare(c, SK_OP_LE, a, b, at), at);
    case SK_TOKEN_GT: return sk_truth_value(c, sk_compare(c, SK_OP_LT, b, a, at), at);
    case SK_TOKEN_GE: return sk_truth_value(c, sk_compare(c, SK_OP_LE, b, a, at), at);
    case SK_TOKEN_OR: return sk_arithmetic(c, SK_OP_OR, a, b, at);
    case SK_TOKEN_XOR: return sk_arithmetic(c, SK_OP_XOR, a, b, at);
    case SK_TOKEN_AND: return sk_arithmetic(c, SK_OP_AND, a, b, at);
    case SK_TOKEN_SHL: return sk_arithmetic(c, SK_OP_SHL, a, b, at);
    case SK_TOKEN_SHR: return sk_arithmetic(c, SK_OP_SHR, a, b, at);
    case SK_TOKEN_ADD: return sk_arithmetic(c, SK_OP_ADD, a, b, at);
    case SK_TOKEN_SUB: return sk_arithmetic(c, SK_OP_SUB, a, b, at);
    case SK_TOKEN_MUL: return sk_arithmetic(c, SK_OP_MUL, a, b, at);
    case SK_TOKEN_DIV: return sk_arithmetic(c, SK_OP_DIV, a, b, at);
    default: return sk_arithmetic(c, SK_OP_REM, a, b, at);
    }
}

/* Operators of that precedence and above, from left to right. */
static sk_value parse_binary(sk_compiler *c, unsigned least)
{
    if (!enter(c)) {
        c->depth--;
        return nothing(c);
    }
    sk_value value = parse_unary(c);
    for (;;) {
        sk_token token = c->token;
        unsigned precedence = precedence_of(&token);
        if (precedence < least || precedence == 0)
            break;
        sk_next_token(c);
        if (token.kind == SK_TOKEN_NAME)
            value = sk_parse_set(c, value);
        else
            value = apply_binary(c, &token, value, parse_binary(c, precedence + 1));
    }
    c->depth--;
    return value;
}

static sk_value parse_conditional(sk_compiler *c)
{
    sk_value value = nothing(c);
    if (enter(c)) {
        value = parse_binary(c, 1);
        sk_token token = c->token;
        if (token.kind == SK_TOKEN_ASK) {
            sk_next_token(c);
            sk_value yes = parse_conditional(c);
            sk_expect(c, SK_TOKEN_ELSE, "expected the : of a ?");
            value = sk_choose(c, value, yes, parse_conditional(c), token.at);
        }
    }
    c->depth--;
    return value;
}

sk_value sk_parse_constant(sk_compiler *c)
{
    size_t at = c->token.at;
    sk_value value = parse_conditional(c);
    if (value.kind == SK_OPAQUE ? value.text == NULL : !sk_is_constant(c, &value))
        sk_wrong(c, at, "a set holds constants only");
    return value;
}

sk_value sk_parse(sk_compiler *c)
{
    sk_next_token(c);
    sk_value value = parse_conditional(c);
    if (c->token.kind != SK_TOKEN_END)
        sk_wrong(c, c->token.at, "expected an operator");
    return value;
}
