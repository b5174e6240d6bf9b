/* oracle-predicate.h - the expected results of predicates: expressions as trees, evaluated for one element after the
 * other in the simplest way, from the text of scankit.h alone. draw-predicate.h makes trees, print-predicate.c prints
 * them. */
#ifndef ORACLE_PREDICATE_H
#define ORACLE_PREDICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"
#include "support/data.h"

typedef enum value_kind { VALUE_I64, VALUE_U64, VALUE_F64, VALUE_BYTES } value_kind;

typedef struct value {
    value_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double f;
        struct {
            const unsigned char *data;
            size_t size;
        } bytes;
    };
} value;

/* Binary operators: X(enumerator, spelling, precedence). */
#define BINARY_OPERATORS(X)      \
    X(LOGICAL_OR, "||", 2)       \
    X(LOGICAL_AND, "&&", 3)      \
    X(BIT_OR, "|", 4)            \
    X(BIT_XOR, "^", 5)           \
    X(BIT_AND, "&", 6)           \
    X(EQUAL, "==", 7)            \
    X(UNEQUAL, "!=", 7)          \
    X(LESS, "<", 8)              \
    X(LESS_OR_EQUAL, "<=", 8)    \
    X(GREATER, ">", 8)           \
    X(GREATER_OR_EQUAL, ">=", 8) \
    X(SHIFT_LEFT, "<<", 9)       \
    X(SHIFT_RIGHT, ">>", 9)      \
    X(PLUS, "+", 10)             \
    X(MINUS, "-", 10)            \
    X(TIMES, "*", 11)            \
    X(DIVIDE, "/", 11)           \
    X(REMAINDER, "%", 11)

typedef enum binary_operator {
#define X(name, token, level) OP_##name,
    BINARY_OPERATORS(X)
#undef X
        BINARY_COUNT
} binary_operator;

#define UNARY_OPERATORS(X) \
    X(NOT, "!")            \
    X(COMPLEMENT, "~")     \
    X(NEGATE, "-")         \
    X(KEEP, "+")

typedef enum unary_operator {
#define X(name, token) OP_##name,
    UNARY_OPERATORS(X)
#undef X
        UNARY_COUNT
} unary_operator;

#define FUNCTIONS(X)  \
    X(ABS, "abs")     \
    X(MIN, "min")     \
    X(MAX, "max")     \
    X(ISNAN, "isnan") \
    X(ISINF, "isinf")

typedef enum function {
#define X(name, token) CALL_##name,
    FUNCTIONS(X)
#undef X
        FUNCTION_COUNT
} function;

enum { LEVEL_CHOICE = 1, LEVEL_IN = 8, LEVEL_UNARY = 12, LEVEL_PRIMARY = 13 };

typedef enum expression_form {
    FORM_NUMBER,
    FORM_TEXT,
    FORM_FIELD,
    FORM_POSITION,
    FORM_UNARY,
    FORM_BINARY,
    FORM_CHOICE,
    FORM_CALL,
    FORM_IN
} expression_form;

/* One value, where low and high are the same, or a range. */
typedef struct set_member {
    value low, high;
    char low_spelling[40], high_spelling[40];
} set_member;

typedef struct expression expression;
struct expression {
    expression_form form;
    unsigned op;     /* of the form's list */
    value_kind kind; /* of its value, for all elements */
    expression *part[3];
    const scankit_field *field;
    value literal;     /* number or text; of a text, the bytes lie in spelling */
    char spelling[48]; /* in the text; a text's has no quotes */
    set_member *members;
    size_t member_count;
};

/* These own their parts; expression_free() frees all. */
expression *expression_number(value literal, const char *spelling);
expression *expression_text(const char *text);
expression *expression_field(const scankit_field *field);
expression *expression_position(void);
expression *expression_unary(unary_operator op, expression *a);
expression *expression_binary(binary_operator op, expression *a, expression *b);
expression *expression_choice(expression *a, expression *b, expression *c);
expression *expression_call(function f, expression *a, expression *b);
expression *expression_in(expression *a, set_member *members, size_t count);
void expression_free(expression *e);

value oracle_evaluate(const expression *e, const void *element, uint64_t position);
bool oracle_matches(const expression *e, const void *element, uint64_t position);

/* The value of a field, which is no opaque bytes; the same widened to I64, U64 or F64. */
value oracle_field(const scankit_field *field, const void *element);

/* The expression's text, to be freed: with all possible parentheses, or only with those that C's precedence needs.
 * White space is random. */
char *expression_print(const expression *e, bool all_parentheses, random_state *random);

#endif
