/* parse.c - the grammar: C's expressions by precedence climbing. There is no syntax tree: each operator computes its
 * value as soon as its operands are read.
 *
 * The grammar is recursive, and this file holds the whole recursion: operands may be expressions in parentheses,
 * arguments of functions, and the members of sets. */
#include "parse.h"
#include "compare.h"
#include "number.h"
#include "set.h"

/* Open calls of parse_unary(), parse_binary() and parse_conditional(). A parenthesis takes two. The limit keeps the
 * stack below half a megabyte. */
#define DEPTH_LIMIT 400

typedef struct sk_parser {
    sk_reader *reader;
    sk_graph *graph;
    const sk_scope *scope;
    unsigned depth;
} sk_parser;

static sk_value parse_conditional(sk_parser *p);

/* The value after an error. */
static sk_value no_value(sk_parser *p)
{
    return sk_integer_value(p->graph, 0, SK_SIGNED, p->reader->length);
}

static bool is_at(const sk_parser *p, sk_token_kind kind)
{
    return p->reader->token.kind == kind;
}

static void wrong_here(sk_parser *p, const char *reason)
{
    sk_wrong(p->reader->fault, p->reader->token.at, reason);
}

/* Counts a call; it is left with `p->depth--` even if this returns false. */
static bool enter(sk_parser *p)
{
    if (++p->depth <= DEPTH_LIMIT)
        return true;
    wrong_here(p, "nested too deeply");
    return false;
}

/* ---- names ---- */

/* From the ( on. */
static sk_value parse_call(sk_parser *p, const sk_function *function, size_t at)
{
    bool is_one = function->arguments == 1;
    sk_next_token(p->reader);
    sk_value a = parse_conditional(p), b = a;
    if (!is_one) {
        sk_expect(p->reader, SK_TOKEN_COMMA, "the function takes two arguments");
        b = parse_conditional(p);
    }
    if (is_at(p, SK_TOKEN_COMMA))
        wrong_here(p, is_one ? "the function takes one argument" : "the function takes two arguments");
    sk_expect(p->reader, SK_TOKEN_CLOSE, "expected )");
    return is_one ? function->one(p->graph, a, at) : function->two(p->graph, function->op, a, b, at);
}

/* A field may have a function's name: a name before a parenthesis is the function. */
static sk_value parse_name(sk_parser *p)
{
    sk_token name = p->reader->token;
    sk_next_token(p->reader);
    if (name.kind == SK_TOKEN_QUOTED)
        return sk_named_value(p->graph, p->scope, &name);
    const sk_function *function = sk_find_function(&name);
    if (function != NULL && is_at(p, SK_TOKEN_OPEN))
        return parse_call(p, function, name.at);
    scankit_field field;
    if (!sk_find_field(p->scope, &name, &field)) {
        if (function != NULL)
            wrong_here(p, "a function's arguments stand in parentheses");
        else if (is_at(p, SK_TOKEN_OPEN))
            sk_wrong(p->reader->fault, name.at, "there is no function of that name");
    }
    return sk_named_value(p->graph, p->scope, &name);
}

/* ---- operands ---- */

static sk_value parse_parentheses(sk_parser *p)
{
    sk_next_token(p->reader);
    sk_value value = parse_conditional(p);
    sk_expect(p->reader, SK_TOKEN_CLOSE, "expected )");
    return value;
}

static sk_value integer_literal(sk_parser *p, const sk_token *token)
{
    bool is_unsigned = token->is_unsigned || token->integer > INT64_MAX;
    return sk_integer_value(p->graph, token->integer, is_unsigned ? SK_UNSIGNED : SK_SIGNED, token->at);
}

/* Zero bytes at the end make no difference in a comparison. */
static sk_value text_literal(const sk_token *token)
{
    size_t size = token->size;
    while (size > 0 && token->text[size - 1] == '\0')
        size--;
    return (sk_value){.kind = SK_OPAQUE, .at = token->at, .text = token->text, .size = size};
}

static sk_value parse_operand(sk_parser *p)
{
    sk_token token = p->reader->token;
    sk_value value;
    switch (token.kind) {
    case SK_TOKEN_NAME:
    case SK_TOKEN_QUOTED: return parse_name(p);
    case SK_TOKEN_OPEN: return parse_parentheses(p);
    case SK_TOKEN_INTEGER: value = integer_literal(p, &token); break;
    case SK_TOKEN_FLOAT: value = sk_float_value(sk_emit_f64(p->graph, token.number), token.at); break;
    case SK_TOKEN_TEXT: value = text_literal(&token); break;
    default: wrong_here(p, "expected an operand"); return no_value(p);
    }
    sk_next_token(p->reader);
    return value;
}

/* ---- operators before an operand ---- */

static sk_value parse_unary(sk_parser *p);

/* The operand of a minus. 9223372036854775808 without a suffix is unsigned, but signed after a minus. */
static sk_value parse_negated(sk_parser *p, size_t at)
{
    const sk_token *token = &p->reader->token;
    if (token->kind == SK_TOKEN_INTEGER && token->integer == (uint64_t)1 << 63 && !token->is_unsigned) {
        sk_next_token(p->reader);
        return sk_integer_value(p->graph, INT64_MIN, SK_SIGNED, at);
    }
    return sk_negate(p->graph, parse_unary(p), at);
}

static sk_value logical_not(sk_graph *g, sk_value value, size_t at)
{
    return sk_truth_value(g, sk_emit(g, SK_STEP_NOT_B8, sk_as_truth(g, value), 0), at);
}

static sk_value parse_after_sign(sk_parser *p, const sk_token *sign)
{
    sk_next_token(p->reader);
    switch (sign->kind) {
    case SK_TOKEN_SUB: return parse_negated(p, sign->at);
    case SK_TOKEN_ADD: return sk_as_number(p->graph, parse_unary(p));
    case SK_TOKEN_INVERT: return sk_invert(p->graph, parse_unary(p), sign->at);
    default: return logical_not(p->graph, parse_unary(p), sign->at);
    }
}

static sk_value parse_unary(sk_parser *p)
{
    sk_token token = p->reader->token;
    if (token.kind != SK_TOKEN_NOT && token.kind != SK_TOKEN_INVERT && token.kind != SK_TOKEN_SUB &&
        token.kind != SK_TOKEN_ADD)
        return parse_operand(p);
    sk_value value = enter(p) ? parse_after_sign(p, &token) : no_value(p);
    p->depth--;
    return value;
}

/* ---- sets ---- */

static sk_value parse_constant(sk_parser *p)
{
    size_t at = p->reader->token.at;
    sk_value value = parse_conditional(p);
    if (value.kind == SK_OPAQUE ? value.text == NULL : !sk_is_constant(p->graph, &value))
        sk_wrong(p->reader->fault, at, "a set holds constants only");
    return value;
}

/* A number or a range. Its nodes are not needed any more, and sets may be long. */
static void parse_numbers(sk_parser *p, sk_set *set)
{
    unsigned nodes = p->graph->node_count;
    sk_value low = sk_as_number(p->graph, parse_constant(p)), high = low;
    size_t at = p->reader->token.at;
    if (is_at(p, SK_TOKEN_RANGE)) {
        sk_next_token(p->reader);
        high = sk_as_number(p->graph, parse_constant(p));
    }
    sk_set_add_numbers(p->graph, set, low, high, at);
    sk_forget_nodes(p->graph, nodes);
}

static void parse_text(sk_parser *p, sk_set *set, const sk_value *element)
{
    static const char reason[] = "a set for bytes holds texts, without ranges";
    size_t at = p->reader->token.at;
    sk_value text = parse_constant(p);
    if (text.kind != SK_OPAQUE)
        sk_wrong(p->reader->fault, at, reason);
    if (is_at(p, SK_TOKEN_RANGE))
        wrong_here(p, reason);
    if (!sk_failed(p->reader->fault))
        sk_set_add_text(p->graph, set, element, &text);
}

/* From the token after `in` on. */
static sk_value parse_set(sk_parser *p, sk_value element)
{
    sk_set set;
    sk_set_open(p->graph, &set);
    sk_expect(p->reader, SK_TOKEN_OPEN_SET, "expected the { of a set");
    for (;;) {
        if (element.kind == SK_OPAQUE)
            parse_text(p, &set, &element);
        else
            parse_numbers(p, &set);
        if (!is_at(p, SK_TOKEN_COMMA))
            break;
        sk_next_token(p->reader);
    }
    sk_expect(p->reader, SK_TOKEN_CLOSE_SET, "expected , or the } of a set");
    sk_value value = sk_set_holds(p->graph, &set, element);
    sk_set_close(&set);
    return value;
}

/* ---- operators between two operands ---- */

/* code: of a step */
static sk_value apply_logic(sk_graph *g, unsigned code, sk_value a, sk_value b, size_t at)
{
    unsigned truth = sk_as_truth(g, a);
    return sk_truth_value(g, sk_emit(g, code, truth, sk_as_truth(g, b)), at);
}

/* code: an sk_operation, here and below */
static sk_value apply_comparison(sk_graph *g, unsigned code, sk_value a, sk_value b, size_t at)
{
    return sk_truth_value(g, sk_compare(g, (sk_operation)code, a, b, at), at);
}

static sk_value apply_swapped(sk_graph *g, unsigned code, sk_value a, sk_value b, size_t at)
{
    return apply_comparison(g, code, b, a, at);
}

static sk_value apply_arithmetic(sk_graph *g, unsigned code, sk_value a, sk_value b, size_t at)
{
    return sk_arithmetic(g, (sk_operation)code, a, b, at);
}

typedef struct sk_binary {
    unsigned precedence; /* 0: not such an operator */
    sk_value (*apply)(sk_graph *g, unsigned code, sk_value a, sk_value b, size_t at);
    unsigned code;
} sk_binary;

static const sk_binary binaries[SK_TOKEN_KINDS] = {
    [SK_TOKEN_OR_ELSE] = {1, apply_logic, SK_STEP_OR_B8}, [SK_TOKEN_AND_ALSO] = {2, apply_logic, SK_STEP_AND_B8},
    [SK_TOKEN_OR] = {3, apply_arithmetic, SK_OP_OR},      [SK_TOKEN_XOR] = {4, apply_arithmetic, SK_OP_XOR},
    [SK_TOKEN_AND] = {5, apply_arithmetic, SK_OP_AND},    [SK_TOKEN_EQ] = {6, apply_comparison, SK_OP_EQ},
    [SK_TOKEN_NE] = {6, apply_comparison, SK_OP_NE},      [SK_TOKEN_LT] = {7, apply_comparison, SK_OP_LT},
    [SK_TOKEN_LE] = {7, apply_comparison, SK_OP_LE},      [SK_TOKEN_GT] = {7, apply_swapped, SK_OP_LT},
    [SK_TOKEN_GE] = {7, apply_swapped, SK_OP_LE},         [SK_TOKEN_SHL] = {8, apply_arithmetic, SK_OP_SHL},
    [SK_TOKEN_SHR] = {8, apply_arithmetic, SK_OP_SHR},    [SK_TOKEN_ADD] = {9, apply_arithmetic, SK_OP_ADD},
    [SK_TOKEN_SUB] = {9, apply_arithmetic, SK_OP_SUB},    [SK_TOKEN_MUL] = {10, apply_arithmetic, SK_OP_MUL},
    [SK_TOKEN_DIV] = {10, apply_arithmetic, SK_OP_DIV},   [SK_TOKEN_REM] = {10, apply_arithmetic, SK_OP_REM},
};

#define IN_PRECEDENCE 7 /* that of < */

static unsigned precedence_of(const sk_token *token)
{
    if (token->kind == SK_TOKEN_NAME)
        return sk_is_named(token, "in") ? IN_PRECEDENCE : 0;
    return binaries[token->kind].precedence;
}

static sk_value parse_binary(sk_parser *p, unsigned least);

/* Operators of the precedence `least` and above, from left to right. */
static sk_value parse_operators(sk_parser *p, unsigned least)
{
    sk_value value = parse_unary(p);
    for (;;) {
        sk_token token = p->reader->token;
        unsigned precedence = precedence_of(&token);
        if (precedence < least || precedence == 0)
            return value;
        sk_next_token(p->reader);
        if (token.kind == SK_TOKEN_NAME) {
            value = parse_set(p, value);
        } else {
            const sk_binary *binary = &binaries[token.kind];
            value = binary->apply(p->graph, binary->code, value, parse_binary(p, precedence + 1), token.at);
        }
    }
}

static sk_value parse_binary(sk_parser *p, unsigned least)
{
    sk_value value = enter(p) ? parse_operators(p, least) : no_value(p);
    p->depth--;
    return value;
}

static sk_value parse_choice(sk_parser *p)
{
    sk_value condition = parse_binary(p, 1);
    sk_token token = p->reader->token;
    if (token.kind != SK_TOKEN_ASK)
        return condition;
    sk_next_token(p->reader);
    sk_value yes = parse_conditional(p);
    sk_expect(p->reader, SK_TOKEN_ELSE, "expected the : of a ?");
    sk_value no = parse_conditional(p);
    return sk_choose(p->graph, sk_as_truth(p->graph, condition), yes, no, token.at);
}

static sk_value parse_conditional(sk_parser *p)
{
    sk_value value = no_value(p);
    if (enter(p))
        value = parse_choice(p);
    p->depth--;
    return value;
}

sk_value sk_parse(sk_reader *reader, sk_graph *graph, const sk_scope *scope)
{
    sk_parser parser = {.reader = reader, .graph = graph, .scope = scope};
    sk_next_token(reader);
    sk_value value = parse_conditional(&parser);
    if (reader->token.kind != SK_TOKEN_END)
        sk_wrong(reader->fault, reader->token.at, "expected an operator");
    return value;
}
