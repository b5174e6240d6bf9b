/* predicate.h - what the files of lib/predicate/ share: from a predicate's text to its program.
 *
 *     tokens.c     the text's words
 *     parse.c      its grammar; each operator becomes a value at once, operands before their operators
 *     value.c      values and their conversions      } each choosing the narrowest steps that give the right answer,
 *     integer.c    arithmetic of integers            } by what is known of the range of values
 *     number.c     arithmetic of any numbers, ?:     }
 *     compare.c    comparisons of numbers            }
 *     bytes.c      comparisons of opaque bytes       }
 *     set.c        in {...}                          }
 *     node.c       the steps as a graph without duplicates, simplified as it grows
 *     fold.c       steps on constants
 *     registers.c  the steps that the result needs, in registers, as an sk_program
 *
 * An error is kept in the compiler, the first one; from then on the text is at its end, and what is still computed does
 * not count. */
#ifndef SK_PREDICATE_H
#define SK_PREDICATE_H

#include "internal.h"

struct scankit_predicate {
    sk_program program;
};

__extension__ typedef __int128 sk_wide;

/* ---- tokens ---- */

/* X(enumerator, spelling, precedence as a binary operator or 0); of two that begin alike, the longer comes first. */
#define SK_TOKEN_OPERATORS(X) \
    X(OR_ELSE, "||", 1)       \
    X(AND_ALSO, "&&", 2)      \
    X(EQ, "==", 6)            \
    X(NE, "!=", 6)            \
    X(LE, "<=", 7)            \
    X(GE, ">=", 7)            \
    X(SHL, "<<", 8)           \
    X(SHR, ">>", 8)           \
    X(RANGE, "..", 0)         \
    X(OR, "|", 3)             \
    X(XOR, "^", 4)            \
    X(AND, "&", 5)            \
    X(LT, "<", 7)             \
    X(GT, ">", 7)             \
    X(ADD, "+", 9)            \
    X(SUB, "-", 9)            \
    X(MUL, "*", 10)           \
    X(DIV, "/", 10)           \
    X(REM, "%", 10)           \
    X(NOT, "!", 0)            \
    X(INVERT, "~", 0)         \
    X(ASK, "?", 0)            \
    X(ELSE, ":", 0)           \
    X(COMMA, ",", 0)          \
    X(OPEN, "(", 0)           \
    X(CLOSE, ")", 0)          \
    X(OPEN_SET, "{", 0)       \
    X(CLOSE_SET, "}", 0)

typedef enum sk_token_kind {
    SK_TOKEN_END,
    SK_TOKEN_INTEGER,
    SK_TOKEN_FLOAT,
    SK_TOKEN_NAME,
    SK_TOKEN_QUOTED, /* a name in back quotes */
    SK_TOKEN_TEXT,
#define X(name, spelling, precedence) SK_TOKEN_##name,
    SK_TOKEN_OPERATORS(X)
#undef X
} sk_token_kind;

typedef struct sk_token {
    sk_token_kind kind;
    size_t at; /* of the text */
    uint64_t integer;
    bool is_unsigned; /* the integer has the suffix u */
    double number;
    const char *text; /* names and texts, escapes resolved; not ended by '\0' */
    size_t size;
} sk_token;

/* ---- nodes: steps before they have registers ---- */

#define SK_NODE_CONSTANT UINT16_MAX
#define SK_NODES 4096

typedef struct sk_node {
    uint16_t code;      /* sk_step_code or SK_NODE_CONSTANT */
    uint8_t type;       /* sk_value_type of the value */
    uint8_t load, swap; /* LOAD: the scankit_type, and whether it is big-endian */
    uint16_t a, b, c;   /* the nodes it works on; 0 for none */
    uint64_t bits;      /* constant: its bits; LOAD: the offset; IN: first_range << 32 | ranges */
} sk_node;

/* ---- values ---- */

typedef enum sk_kind { SK_TRUTH, SK_SIGNED, SK_UNSIGNED, SK_FLOAT, SK_OPAQUE } sk_kind;

typedef struct sk_interval {
    sk_wide low, high;
} sk_interval;

/* What an expression is worth. An integer (and a truth, as a number) is somewhere in `range`; its node has 32 bits,
 * as U32 where the range begins at 0 or above, else as I32, or 64 bits likewise. A float's node is an F32 where the
 * value is one. Opaque bytes have no node: they are `size` bytes at `text`, or at `offset` of the element. */
typedef struct sk_value {
    sk_kind kind;
    unsigned node;
    sk_interval range;
    size_t at; /* of the text */
    const char *text;
    size_t offset, size;
} sk_value;

typedef struct sk_compiler {
    const char *text;
    size_t length;
    const scankit_layout *layout; /* NULL: elements of the type */
    scankit_type type;

    scankit_error error;
    size_t where;
    const char *reason;

    sk_token token; /* the current one */
    size_t next;    /* where the one after it begins */
    char *bytes;    /* of texts, escapes resolved */
    size_t byte_count;
    char *scratch; /* room for any number of the text */
    unsigned depth;

    sk_node nodes[SK_NODES]; /* the first is none */
    unsigned node_count;
    uint16_t table[2 * SK_NODES]; /* hashed nodes */
    sk_set_range *ranges;
    size_t range_count;
} sk_compiler;

/* Keeps the first error. */
void sk_fail(sk_compiler *c, scankit_error error, size_t at, const char *reason);

static inline void sk_wrong(sk_compiler *c, size_t at, const char *reason)
{
    sk_fail(c, SCANKIT_E_SYNTAX, at, reason);
}

/* ---- tokens.c, parse.c ---- */

/* Moves on to the next token. */
void sk_next_token(sk_compiler *c);

/* The whole text's value. */
sk_value sk_parse(sk_compiler *c);

/* A constant expression, at the current token. */
sk_value sk_parse_constant(sk_compiler *c);

/* The current token is of that kind, and is passed over; or `reason` is the error. */
bool sk_expect(sk_compiler *c, sk_token_kind kind, const char *reason);

/* ---- node.c, fold.c: each answers a node ---- */

unsigned sk_emit(sk_compiler *c, unsigned code, unsigned a, unsigned b);
unsigned sk_emit_select(sk_compiler *c, sk_value_type type, unsigned condition, unsigned yes, unsigned no);
unsigned sk_emit_load(sk_compiler *c, scankit_type type, size_t offset, bool swap);
unsigned sk_emit_position(sk_compiler *c);
unsigned sk_emit_in(sk_compiler *c, unsigned code, unsigned a, size_t first_range, size_t ranges);
unsigned sk_emit_constant(sk_compiler *c, sk_value_type type, uint64_t bits);
unsigned sk_emit_f64(sk_compiler *c, double number);

/* Unmakes nodes until there are so many, the last first, so that whatever made way for them in the table is found. */
void sk_forget_nodes(sk_compiler *c, unsigned count);

static inline unsigned sk_emit_truth(sk_compiler *c, bool truth)
{
    return sk_emit_constant(c, SK_B8, truth);
}

static inline bool sk_is_constant_node(const sk_compiler *c, unsigned node)
{
    return c->nodes[node].code == SK_NODE_CONSTANT;
}

/* The type of a regular step's result, and its result on constants. */
sk_value_type sk_result_type(unsigned code);
uint64_t sk_fold(unsigned code, uint64_t a, uint64_t b);

/* ---- value.c ---- */

#define SK_RANGE_SIGNED ((sk_interval){INT64_MIN, INT64_MAX})
#define SK_RANGE_UNSIGNED ((sk_interval){0, UINT64_MAX})

static inline bool sk_is_constant(const sk_compiler *c, const sk_value *v)
{
    return sk_is_constant_node(c, v->node);
}

static inline bool sk_is_integer(const sk_value *v)
{
    return v->kind == SK_SIGNED || v->kind == SK_UNSIGNED;
}

/* Whether the value's node has 32 bits. */
bool sk_is_narrow(const sk_compiler *c, unsigned node);

/* Whether that machine type holds the range. */
bool sk_fits(sk_value_type type, sk_interval range);

/* Values of a number, of a node that computes an integer of that range (which may prove to be a constant), of a node
 * that computes a float, and of a B8. */
sk_value sk_integer_value(sk_compiler *c, sk_wide number, sk_kind kind, size_t at);
sk_value sk_computed_value(sk_compiler *c, unsigned node, sk_kind kind, sk_interval range, size_t at);
sk_value sk_float_value(unsigned node, size_t at);
sk_value sk_truth_value(const sk_compiler *c, unsigned node, size_t at);

/* A field's value, and the position's. */
sk_value sk_field_value(sk_compiler *c, const scankit_field *field, size_t at);
sk_value sk_position_value(sk_compiler *c, size_t at);

/* The value of a constant F32 or F64. */
double sk_constant_float(const sk_compiler *c, unsigned node);

/* Truths become numbers; bytes are an error. */
sk_value sk_as_number(sk_compiler *c, sk_value v);

/* The integer modulo 2^64. */
sk_value sk_as_unsigned(sk_compiler *c, sk_value v);

/* Nodes: an integer in so many bits; any number as an F64; anything as a B8. */
unsigned sk_as_bits(sk_compiler *c, sk_value v, unsigned bits);
unsigned sk_as_f64(sk_compiler *c, sk_value v);
unsigned sk_as_truth(sk_compiler *c, sk_value v);

/* ---- operations ---- */

typedef enum sk_operation {
    SK_OP_ADD,
    SK_OP_SUB,
    SK_OP_MUL,
    SK_OP_DIV,
    SK_OP_REM,
    SK_OP_AND,
    SK_OP_OR,
    SK_OP_XOR,
    SK_OP_SHL,
    SK_OP_SHR,
    SK_OP_MIN,
    SK_OP_MAX,
    SK_OP_LT,
    SK_OP_LE,
    SK_OP_EQ,
    SK_OP_NE,
} sk_operation;

/* integer.c: ADD to SHR; the other operators; and the step of any operation on the narrowest machine type that holds
 * operands and result, false where none does. */
sk_value sk_integer_arithmetic(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at);
sk_value sk_integer_negate(sk_compiler *c, sk_value a, size_t at);
sk_value sk_integer_invert(sk_compiler *c, sk_value a, size_t at);
sk_value sk_integer_abs(sk_compiler *c, sk_value a, size_t at);
bool sk_emit_integer(sk_compiler *c, sk_operation op, sk_value a, sk_value b, sk_interval result, unsigned *node);

/* number.c */
sk_value sk_arithmetic(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at);
sk_value sk_extreme(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at); /* MIN, MAX */
sk_value sk_negate(sk_compiler *c, sk_value a, size_t at);
sk_value sk_invert(sk_compiler *c, sk_value a, size_t at);
sk_value sk_abs(sk_compiler *c, sk_value a, size_t at);
sk_value sk_is_nan(sk_compiler *c, sk_value a, size_t at);
sk_value sk_is_infinite(sk_compiler *c, sk_value a, size_t at);
sk_value sk_choose(sk_compiler *c, sk_value condition, sk_value yes, sk_value no, size_t at);

/* Both as F32 nodes, where both are F32 by value and one is not constant. */
bool sk_as_f32(sk_compiler *c, sk_value a, sk_value b, unsigned *node_a, unsigned *node_b);

/* compare.c, bytes.c: LT to NE, as a node */
unsigned sk_compare(sk_compiler *c, sk_operation op, sk_value a, sk_value b, size_t at);
unsigned sk_compare_bytes(sk_compiler *c, sk_operation op, const sk_value *a, const sk_value *b);

/* bytes.c: the field as one big-endian number, where it is one word. */
bool sk_bytes_word(sk_compiler *c, const sk_value *field, sk_value *word);

/* The text as such a number, where it fits into so many bytes. */
bool sk_text_word(const sk_value *text, size_t size, uint64_t *word);

/* set.c: the current token is the one after `in`. */
sk_value sk_parse_set(sk_compiler *c, sk_value element);

/* ---- registers.c ---- */

/* The program that computes the node `result`, in one allocation; its ids are the caller's. */
scankit_error sk_assemble(sk_compiler *c, unsigned result, size_t element_size, scankit_predicate **predicate);

#endif
