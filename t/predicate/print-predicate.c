/* print-predicate.c - expressions as texts: see oracle-predicate.h */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle-predicate.h"
#include "support/tap.h"

struct printer {
    FILE *out;
    random_state *random;
    bool all_parentheses;
    char last; /* what was written last */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Two tokens that would read as another one without a space between them. */
static bool would_merge(char last, const char *token)
{
    if (strcmp(token, "..") == 0)
        return false;
    return (is_word(last) && last != '.' && is_word(*token)) || ((last == '-' || last == '+') && *token == last);
}

static void put(struct printer *p, const char *token)
{
    static const char spaces[] = " \t\n ";
    if (would_merge(p->last, token))
        fputc(' ', p->out);
    while (random_below(p->random, 4) == 0)
        fputc(spaces[random_below(p->random, 4)], p->out);
    fputs(token, p->out);
    p->last = token[strlen(token) - 1];
}

static const char *binary_token(unsigned op)
{
    static const char *const tokens[] = {
#define X(name, token, level) token,
        BINARY_OPERATORS(X)
#undef X
    };
    return tokens[op];
}

static const char *unary_token(unsigned op)
{
    static const char *const tokens[] = {
#define X(name, token) token,
        UNARY_OPERATORS(X)
#undef X
    };
    return tokens[op];
}

static const char *function_name(unsigned op)
{
    static const char *const names[] = {
#define X(name, token) token,
        FUNCTIONS(X)
#undef X
    };
    return names[op];
}

static int level_of(const expression *e)
{
    static const int levels[] = {
#define X(name, token, level) level,
        BINARY_OPERATORS(X)
#undef X
    };
    switch (e->form) {
    case FORM_BINARY: return levels[e->op];
    case FORM_UNARY: return LEVEL_UNARY;
    case FORM_CHOICE: return LEVEL_CHOICE;
    case FORM_IN: return LEVEL_IN;
    default: return LEVEL_PRIMARY;
    }
}

static void print(struct printer *p, const expression *e, int level);

static void print_set(struct printer *p, const expression *e)
{
    put(p, "in");
    put(p, "{");
    for (size_t m = 0; m < e->member_count; m++) {
        const set_member *member = &e->members[m];
        if (m > 0)
            put(p, ",");
        put(p, member->low_spelling);
        if (strcmp(member->low_spelling, member->high_spelling) != 0) {
            put(p, "..");
            put(p, member->high_spelling);
        }
    }
    put(p, "}");
}

static void print_name(struct printer *p, const char *name)
{
    char quoted[64];
    bool plain = strcmp(name, "in") != 0;
    for (const char *c = name; *c != '\0'; c++)
        plain = plain && is_word(*c) && *c != '.';
    snprintf(quoted, sizeof quoted, plain ? "%s" : "`%s`", name);
    put(p, quoted);
}

static void print_call(struct printer *p, const expression *e)
{
    put(p, function_name(e->op));
    put(p, "(");
    print(p, e->part[0], 0);
    if (e->part[1] != NULL) {
        put(p, ",");
        print(p, e->part[1], 0);
    }
    put(p, ")");
}

static void print_bare(struct printer *p, const expression *e)
{
    char text[64];
    int level = level_of(e);
    switch (e->form) {
    case FORM_NUMBER: put(p, e->spelling); break;
    case FORM_TEXT:
        snprintf(text, sizeof text, "\"%s\"", e->spelling);
        put(p, text);
        break;
    case FORM_FIELD: print_name(p, e->field->name); break;
    case FORM_POSITION: put(p, "i"); break;
    case FORM_CALL: print_call(p, e); break;
    case FORM_UNARY:
        put(p, unary_token(e->op));
        print(p, e->part[0], level);
        break;
    case FORM_BINARY:
        print(p, e->part[0], level);
        put(p, binary_token(e->op));
        print(p, e->part[1], level + 1);
        break;
    case FORM_CHOICE:
        print(p, e->part[0], level + 1);
        put(p, "?");
        print(p, e->part[1], 0);
        put(p, ":");
        print(p, e->part[2], level);
        break;
    case FORM_IN: print(p, e->part[0], level); print_set(p, e);
    }
}

/* Where operators that bind less tightly than `level` need parentheses. */
static void print(struct printer *p, const expression *e, int level)
{
    bool parentheses = level_of(e) < level || (p->all_parentheses && e->form != FORM_TEXT);
    if (parentheses)
        put(p, "(");
    print_bare(p, e);
    if (parentheses)
        put(p, ")");
}

char *expression_print(const expression *e, bool all_parentheses, random_state *random)
{
    char *text = NULL;
    size_t length = 0;
    struct printer p = {.random = random, .all_parentheses = all_parentheses};
    p.out = open_memstream(&text, &length);
    if (p.out == NULL)
        tap_bail_out("no memory for a text");
    print(&p, e, 0);
    if (fclose(p.out) != 0)
        tap_bail_out("no memory for a text");
    return text;
}
