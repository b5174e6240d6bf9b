/* tokens.c - a predicate's text as tokens. */
#include <stdlib.h>
#include <string.h>

#include "predicate.h"

void sk_fail(sk_compiler *c, scankit_error error, size_t at, const char *reason)
{
    if (c->error == SCANKIT_OK) {
        c->error = error;
        c->where = at;
        c->reason = reason;
    }
    c->token = (sk_token){.kind = SK_TOKEN_END, .at = c->length};
    c->next = c->length;
}

/* ---- characters, whatever the locale is ---- */

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

/* The value of a digit, or 16 where it is none. */
static unsigned digit_value(char ch)
{
    if (is_digit(ch))
        return (unsigned)(ch - '0');
    ch = (char)(ch | 0x20);
    return ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10 : 16;
}

/* ---- numbers ---- */

/* Passes over the suffixes of an integer: u, l or ll, in any order. */
static const char *pass_suffixes(const char *at, bool *is_unsigned)
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

static void lex_integer(sk_compiler *c, const char *at, unsigned base)
{
    const char *digits = at;
    uint64_t value = 0;
    for (unsigned digit; (digit = digit_value(*at)) < base; at++)
        if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value)) {
            sk_wrong(c, c->token.at, "the integer is greater than 2^64 - 1");
            return;
        }
    if (at == digits) {
        sk_wrong(c, c->token.at, "a number without digits");
        return;
    }
    if (base == 10 && digits[0] == '0' && at - digits > 1) {
        sk_wrong(c, c->token.at, "there are no octal numbers: leave out the leading 0");
        return;
    }
    c->token.kind = SK_TOKEN_INTEGER;
    c->token.integer = value;
    at = pass_suffixes(at, &c->token.is_unsigned);
    c->next = (size_t)(at - c->text);
}

/* Copies the digits without the point, so that the locale's does not matter; answers how many stood behind it. */
static long copy_digits(const char **at, char **to)
{
    long behind = 0;
    bool point = false;
    for (; is_digit(**at) || (**at == '.' && !point && (*at)[1] != '.'); ++*at) {
        if (**at == '.') {
            point = true;
        } else {
            *(*to)++ = **at;
            behind += point;
        }
    }
    return behind;
}

/* Passes over an exponent; false where it has no digits. Beyond a million it makes no difference. */
static bool pass_exponent(const char **at, long *exponent)
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

static void lex_float(sk_compiler *c, const char *at)
{
    char *to = c->scratch;
    long exponent = 0, behind = copy_digits(&at, &to);
    if (!pass_exponent(&at, &exponent)) {
        sk_wrong(c, c->token.at, "an exponent without digits");
        return;
    }
    exponent -= behind;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    unsigned long size = (unsigned long)labs(exponent);
    for (unsigned long unit = 1000000000; unit > 0; unit /= 10)
        *to++ = (char)('0' + size / unit % 10);
    *to = '\0';
    bool is_f32 = *at == 'f' || *at == 'F';
    double number = is_f32 ? (double)strtof(c->scratch, NULL) : strtod(c->scratch, NULL);
    if (number - number != 0) {
        sk_wrong(c, c->token.at, "the number is too great");
        return;
    }
    c->token.kind = SK_TOKEN_FLOAT;
    c->token.number = number;
    c->next = (size_t)(at - c->text) + (is_f32 || *at == 'l' || *at == 'L');
}

/* A float has a point (two are a range's) or an exponent behind its digits. */
static bool begins_float(const char *at)
{
    while (is_digit(*at))
        at++;
    return (at[0] == '.' && at[1] != '.') || (*at | 0x20) == 'e';
}

static void lex_number(sk_compiler *c, const char *at)
{
    if (at[0] == '0' && (at[1] | 0x20) == 'x')
        lex_integer(c, at + 2, 16);
    else if (at[0] == '0' && (at[1] | 0x20) == 'b')
        lex_integer(c, at + 2, 2);
    else if (begins_float(at))
        lex_float(c, at);
    else
        lex_integer(c, at, 10);
    if (c->error == SCANKIT_OK && is_name(c->text[c->next]))
        sk_wrong(c, c->next, "a number goes wrong here");
}

/* ---- names and texts ---- */

static void lex_name(sk_compiler *c, const char *at)
{
    size_t size = 0;
    while (is_name(at[size]))
        size++;
    c->token.kind = SK_TOKEN_NAME;
    c->token.text = at;
    c->token.size = size;
    c->next += size;
}

static void lex_quoted(sk_compiler *c, const char *at)
{
    const char *end = strchr(at + 1, '`');
    if (end == NULL) {
        sk_wrong(c, c->token.at, "a ` without its end");
        return;
    }
    c->token.kind = SK_TOKEN_QUOTED;
    c->token.text = at + 1;
    c->token.size = (size_t)(end - at - 1);
    c->next += c->token.size + 2;
}

/* The character that *at begins with, behind the \; moves *at behind it. */
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

static void lex_text(sk_compiler *c, const char *at)
{
    char *text = c->bytes + c->byte_count;
    size_t size = 0;
    for (at++; *at != '"'; size++) {
        const char *escape = at;
        if (*at == '\0') {
            sk_wrong(c, c->token.at, "a text without its end");
            return;
        }
        text[size] = *at++;
        if (text[size] == '\\' && !lex_escape(&at, &text[size])) {
            sk_wrong(c, (size_t)(escape - c->text), "the escapes are \\\\ \\\" \\n \\t \\0 \\xHH");
            return;
        }
    }
    c->byte_count += size;
    c->token.kind = SK_TOKEN_TEXT;
    c->token.text = text;
    c->token.size = size;
    c->next = (size_t)(at + 1 - c->text);
}

/* ---- all of them ---- */

static void lex_operator(sk_compiler *c, const char *at)
{
    static const struct {
        char spelling[3];
        uint8_t kind;
    } operators[] = {
#define X(name, spelling, precedence) {spelling, SK_TOKEN_##name},
        SK_TOKEN_OPERATORS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t size = strlen(operators[i].spelling);
        if (strncmp(at, operators[i].spelling, size) == 0) {
            c->token.kind = (sk_token_kind)operators[i].kind;
            c->next += size;
            return;
        }
    }
    sk_wrong(c, c->token.at, *at == '=' ? "a comparison is ==" : "a character without a meaning here");
}

void sk_next_token(sk_compiler *c)
{
    while (is_space(c->text[c->next]))
        c->next++;
    const char *at = c->text + c->next;
    c->token = (sk_token){.kind = SK_TOKEN_END, .at = c->next};
    if (is_digit(at[0]) || (at[0] == '.' && is_digit(at[1])))
        lex_number(c, at);
    else if (is_name(at[0]))
        lex_name(c, at);
    else if (at[0] == '`')
        lex_quoted(c, at);
    else if (at[0] == '"')
        lex_text(c, at);
    else if (at[0] != '\0')
        lex_operator(c, at);
}
