/* tokens.c - from a predicate's text to tokens. */
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

#define TEXT_LIMIT ((size_t)1 << 16)

void sk_reader_open(sk_reader *reader, const char *text, sk_fault *fault)
{
    size_t length = strnlen(text, TEXT_LIMIT + 1);
    *reader = (sk_reader){.fault = fault, .text = text, .length = length};
    if (length > TEXT_LIMIT) {
        sk_wrong(fault, TEXT_LIMIT, "the text is longer than 64 KiB");
        return;
    }
    reader->bytes = malloc(length + 1);
    reader->scratch = malloc(length + 16); /* the digits, 'e', a sign, 10 digits of the exponent, '\0' */
    if (reader->bytes == NULL || reader->scratch == NULL)
        sk_out_of_memory(fault);
}

void sk_reader_close(sk_reader *reader)
{
    free(reader->bytes);
    free(reader->scratch);
}

/* ---- characters, independent of the locale ---- */

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

static bool is_name(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' || is_digit(ch);
}

static bool is_space(char ch)
{
    return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

/* The value of a hexadecimal digit; 16 for any other character. */
static unsigned digit_value(char ch)
{
    if (is_digit(ch))
        return (unsigned)(ch - '0');
    ch = (char)(ch | 0x20);
    return ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10 : 16;
}

/* ---- numbers ---- */

/* Skips the suffixes of an integer: u, and l or ll, in any order. */
static const char *skip_suffixes(const char *at, bool *is_unsigned)
{
    bool u = false, l = false;
    for (;;) {
        if (!u && (*at == 'u' || *at == 'U')) {
            u = true;
            at += 1;
        } else if (!l && (*at == 'l' || *at == 'L')) {
            l = true;
            at += at[1] == at[0] ? 2 : 1;
        } else {
            break;
        }
    }
    *is_unsigned = u;
    return at;
}

static void lex_integer(sk_reader *r, const char *at, unsigned base)
{
    const char *digits = at;
    uint64_t value = 0;
    for (unsigned digit; (digit = digit_value(*at)) < base; at++)
        if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value)) {
            sk_wrong(r->fault, r->token.at, "the integer is greater than 2^64 - 1");
            return;
        }
    if (at == digits) {
        sk_wrong(r->fault, r->token.at, "a number without digits");
        return;
    }
    if (base == 10 && digits[0] == '0' && at - digits > 1) {
        sk_wrong(r->fault, r->token.at, "there are no octal numbers: leave out the leading 0");
        return;
    }
    r->token.kind = SK_TOKEN_INTEGER;
    r->token.integer = value;
    at = skip_suffixes(at, &r->token.is_unsigned);
    r->next = (size_t)(at - r->text);
}

/* Copies the digits without the point: strtod() expects the locale's point. Returns the number of digits after it. */
static long copy_digits(const char **at, char **to)
{
    long decimals = 0;
    bool point = false;
    for (; is_digit(**at) || (**at == '.' && !point && (*at)[1] != '.'); ++*at) {
        if (**at == '.') {
            point = true;
        } else {
            *(*to)++ = **at;
            decimals += point;
        }
    }
    return decimals;
}

/* Skips an exponent, if there is one; returns false if it has no digits. Values above a million are cut: they overflow
 * or underflow in any case. */
static bool skip_exponent(const char **at, long *exponent)
{
    if ((**at | 0x20) != 'e')
        return true;
    ++*at;
    bool negative = **at == '-';
    if (**at == '-' || **at == '+')
        ++*at;
    if (!is_digit(**at))
        return false;
    long value = 0;
    for (; is_digit(**at); ++*at)
        value = value < 1000000 ? 10 * value + (**at - '0') : value;
    *exponent = negative ? -value : value;
    return true;
}

/* Writes 'e', the sign and ten digits. */
static void write_exponent(char *to, long exponent)
{
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    unsigned long size = (unsigned long)labs(exponent);
    for (unsigned long unit = 1000000000; unit > 0; unit /= 10)
        *to++ = (char)('0' + size / unit % 10);
    *to = '\0';
}

static void lex_float(sk_reader *r, const char *at)
{
    char *to = r->scratch;
    long exponent = 0, decimals = copy_digits(&at, &to);
    if (!skip_exponent(&at, &exponent)) {
        sk_wrong(r->fault, r->token.at, "an exponent without digits");
        return;
    }
    write_exponent(to, exponent - decimals);
    bool is_f32 = *at == 'f' || *at == 'F';
    double number = is_f32 ? (double)strtof(r->scratch, NULL) : strtod(r->scratch, NULL);
    if (number - number != 0) {
        sk_wrong(r->fault, r->token.at, "the number is too great");
        return;
    }
    r->token.kind = SK_TOKEN_FLOAT;
    r->token.number = number;
    r->next = (size_t)(at - r->text) + (is_f32 || *at == 'l' || *at == 'L');
}

/* A float has a point or an exponent after its digits; two points are the operator of a range. */
static bool begins_float(const char *at)
{
    while (is_digit(*at))
        at++;
    return (at[0] == '.' && at[1] != '.') || (*at | 0x20) == 'e';
}

static void lex_number(sk_reader *r, const char *at)
{
    if (at[0] == '0' && (at[1] | 0x20) == 'x')
        lex_integer(r, at + 2, 16);
    else if (at[0] == '0' && (at[1] | 0x20) == 'b')
        lex_integer(r, at + 2, 2);
    else if (begins_float(at))
        lex_float(r, at);
    else
        lex_integer(r, at, 10);
    if (!sk_failed(r->fault) && is_name(r->text[r->next]))
        sk_wrong(r->fault, r->next, "a number goes wrong here");
}

/* ---- names and texts ---- */

static void lex_name(sk_reader *r, const char *at)
{
    size_t size = 0;
    while (is_name(at[size]))
        size++;
    r->token.kind = SK_TOKEN_NAME;
    r->token.text = at;
    r->token.size = size;
    r->next += size;
}

static void lex_quoted(sk_reader *r, const char *at)
{
    const char *end = strchr(at + 1, '`');
    if (end == NULL) {
        sk_wrong(r->fault, r->token.at, "a ` without its end");
        return;
    }
    r->token.kind = SK_TOKEN_QUOTED;
    r->token.text = at + 1;
    r->token.size = (size_t)(end - at - 1);
    r->next += r->token.size + 2;
}

/* Reads the rest of an escape, after its \. Returns false if there is no such escape. */
static bool lex_escape(const char **at, char *ch)
{
    switch (*(*at)++) {
    case '\\': *ch = '\\'; return true;
    case '"': *ch = '"'; return true;
    case 'n': *ch = '\n'; return true;
    case 't': *ch = '\t'; return true;
    case '0': *ch = '\0'; return !is_digit(**at);
    case 'x': break;
    default: return false;
    }
    unsigned high = digit_value((*at)[0]);
    if (high > 15 || digit_value((*at)[1]) > 15)
        return false;
    *ch = (char)(high << 4 | digit_value((*at)[1]));
    *at += 2;
    return true;
}

static void lex_text(sk_reader *r, const char *at)
{
    char *text = r->bytes + r->byte_count;
    size_t size = 0;
    for (at++; *at != '"'; size++) {
        const char *escape = at;
        if (*at == '\0') {
            sk_wrong(r->fault, r->token.at, "a text without its end");
            return;
        }
        text[size] = *at++;
        if (text[size] == '\\' && !lex_escape(&at, &text[size])) {
            sk_wrong(r->fault, (size_t)(escape - r->text), "the escapes are \\\\ \\\" \\n \\t \\0 \\xHH");
            return;
        }
    }
    r->byte_count += size;
    r->token.kind = SK_TOKEN_TEXT;
    r->token.text = text;
    r->token.size = size;
    r->next = (size_t)(at + 1 - r->text);
}

/* ---- tokens ---- */

static void lex_operator(sk_reader *r, const char *at)
{
    static const struct {
        char spelling[3];
        uint8_t kind;
    } operators[] = {
#define X(name, spelling) {spelling, SK_TOKEN_##name},
        SK_TOKEN_OPERATORS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t size = strlen(operators[i].spelling);
        if (strncmp(at, operators[i].spelling, size) == 0) {
            r->token.kind = (sk_token_kind)operators[i].kind;
            r->next += size;
            return;
        }
    }
    sk_wrong(r->fault, r->token.at, *at == '=' ? "a comparison is ==" : "a character without a meaning here");
}

static void lex(sk_reader *r, const char *at)
{
    if (is_digit(at[0]) || (at[0] == '.' && is_digit(at[1])))
        lex_number(r, at);
    else if (is_name(at[0]))
        lex_name(r, at);
    else if (at[0] == '`')
        lex_quoted(r, at);
    else if (at[0] == '"')
        lex_text(r, at);
    else if (at[0] != '\0')
        lex_operator(r, at);
}

void sk_next_token(sk_reader *reader)
{
    while (is_space(reader->text[reader->next]))
        reader->next++;
    reader->token = (sk_token){.kind = SK_TOKEN_END, .at = reader->next};
    if (!sk_failed(reader->fault))
        lex(reader, reader->text + reader->next);
    if (sk_failed(reader->fault))
        reader->token = (sk_token){.kind = SK_TOKEN_END, .at = reader->length};
    reader->fault->here = reader->token.at;
}

void sk_expect(sk_reader *reader, sk_token_kind kind, const char *reason)
{
    if (reader->token.kind != kind)
        sk_wrong(reader->fault, reader->token.at, reason);
    sk_next_token(reader);
}

bool sk_is_named(const sk_token *token, const char *name)
{
    return token->size == strlen(name) && memcmp(token->text, name, token->size) == 0;
}
