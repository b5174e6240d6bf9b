/* tokens.h - from text to tokens: the reader gives the parser one token after another. */
#ifndef SK_PREDICATE_TOKENS_H
#define SK_PREDICATE_TOKENS_H

#include <stdint.h>

#include "graph/fault.h"

/* X(enumerator, spelling). Of two spellings with a common beginning, the longer comes first. */
#define SK_TOKEN_OPERATORS(X) \
    X(OR_ELSE, "||")          \
    X(AND_ALSO, "&&")         \
    X(EQ, "==")               \
    X(NE, "!=")               \
    X(LE, "<=")               \
    X(GE, ">=")               \
    X(SHL, "<<")              \
    X(SHR, ">>")              \
    X(RANGE, "..")            \
    X(OR, "|")                \
    X(XOR, "^")               \
    X(AND, "&")               \
    X(LT, "<")                \
    X(GT, ">")                \
    X(ADD, "+")               \
    X(SUB, "-")               \
    X(MUL, "*")               \
    X(DIV, "/")               \
    X(REM, "%")               \
    X(NOT, "!")               \
    X(INVERT, "~")            \
    X(ASK, "?")               \
    X(ELSE, ":")              \
    X(COMMA, ",")             \
    X(OPEN, "(")              \
    X(CLOSE, ")")             \
    X(OPEN_SET, "{")          \
    X(CLOSE_SET, "}")

typedef enum sk_token_kind {
    SK_TOKEN_END,
    SK_TOKEN_INTEGER,
    SK_TOKEN_FLOAT,
    SK_TOKEN_NAME,
    SK_TOKEN_QUOTED, /* a name in back quotes */
    SK_TOKEN_TEXT,
#define X(name, spelling) SK_TOKEN_##name,
    SK_TOKEN_OPERATORS(X)
#undef X
        SK_TOKEN_KINDS
} sk_token_kind;

typedef struct sk_token {
    sk_token_kind kind;
    size_t at; /* offset in the text */
    uint64_t integer;
    bool is_unsigned; /* the integer has the suffix u */
    double number;
    const char *text; /* a name, or a text with its escapes resolved; without a final '\0' */
    size_t size;
} sk_token;

typedef struct sk_reader {
    sk_fault *fault;
    const char *text;
    size_t length;
    sk_token token; /* the current token */
    size_t next;    /* offset of the rest */
    char *bytes;    /* the texts, escapes resolved */
    size_t byte_count;
    char *scratch; /* one number, rewritten for strtod() */
} sk_reader;

/* Starts before the first token. The reader needs sk_reader_close() even after an error. */
void sk_reader_open(sk_reader *reader, const char *text, sk_fault *fault);

void sk_reader_close(sk_reader *reader);

/* Moves on to the next token: SK_TOKEN_END at the end of the text and after any error. */
void sk_next_token(sk_reader *reader);

/* Passes over a token of that kind; another kind is an error, with that reason. */
void sk_expect(sk_reader *reader, sk_token_kind kind, const char *reason);

/* True if the token's text is `name`. */
bool sk_is_named(const sk_token *token, const char *name);

#endif
