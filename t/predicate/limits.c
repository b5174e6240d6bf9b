/* limits.c - texts of any length and depth compile correctly, or are refused as too long or too deep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scankit.h"
#include "support/data.h"
#include "support/tap.h"

#define LONGEST_TEXT 65536

static scankit_context *ctx;

/* Compiles a text, which the library may refuse with a reason. If it compiles, checks its result for 7. */
static void answers(const char *text, bool must_compile, bool expected)
{
    const uint32_t elements[5] = {7, 7, 7, 7, 7};
    scankit_predicate *predicate = NULL;
    size_t where = ~(size_t)0, count = 0;
    const char *reason = NULL;
    scankit_error error = scankit_predicate_compile(&predicate, SCANKIT_U32, text, &where, &reason);
    if (error == SCANKIT_OK) {
        TAP_CHECK(scankit_split_predicate(ctx, predicate, elements, NULL, NULL, 5, NULL, &count) == SCANKIT_OK);
        TAP_CHECK(count == (expected ? 5 : 0));
        scankit_predicate_destroy(predicate);
    } else if (must_compile || error != SCANKIT_E_SYNTAX) {
        tap_fail("%s: %s", scankit_error_string(error), reason != NULL ? reason : "");
    } else {
        TAP_CHECK(where <= strlen(text) && reason != NULL && *reason != '\0');
    }
}

/* `before` repeated `times` times, then the middle, then `after` as often. Cut to the longest text that is allowed. */
static void nested(const char *before, const char *middle, const char *after, size_t times, bool must_compile,
                   bool expected)
{
    size_t each = strlen(before) + strlen(after), most = (LONGEST_TEXT - strlen(middle)) / each;
    char *text = data_allocate(LONGEST_TEXT + 1, 1), *end = text;
    times = times < most ? times : most;
    tap_case("%zu times \"%s\" %s \"%s\"", times, before, middle, after);
    for (size_t k = 0; k < times; k++)
        end = stpcpy(end, before);
    end = stpcpy(end, middle);
    for (size_t k = 0; k < times; k++)
        end = stpcpy(end, after);
    answers(text, must_compile, expected);
    free(text);
}

static void deep(void)
{
    static const size_t times[] = {2, 20, 200, 2000, 20000, 65536};
    tap_begin("deep nesting");
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        size_t n = times[k];
        bool modest = n <= 20;
        nested("(", "x", ")", n, modest, true);
        nested("(", "x", "", n, false, true);
        nested("!", "x", "", n, modest, true); /* an even number of them */
        nested("~", "x", "", n, modest, true);
        nested("- ", "x", "", n, modest, true);
        nested("-(", "x", ")", n, modest, true);
        nested("x+(", "x", ")", n, modest, true);
        nested("x==7&&(", "x", ")", n, modest, true);
        nested("(x==8||", "x", ")", n, modest, true);
        nested("abs(", "x", ")", n, modest, true);
        nested("min(x,", "x", ")", n, modest, true);
        nested("x?", "x", ":x", n, modest, true);
        nested("x<0?8:", "x", "", n, modest, true);
        nested("(x-", "1", ")", n, modest, true);
        nested("(", "x", " in{7})+6", n, modest, true);
    }
    nested("x ", "x", "", 30000, false, true);
    nested("", "x", "+x", 20, true, true);
    nested("", "x", "+x", 32767, false, true);
    nested("", "x==1", "||x==7", 10000, false, true);
    nested("", "x==7", "&&x!=1", 10000, false, true);
    nested("", "x", " in{7}", 9000, false, false);
    nested("", "x in {7", ",1}", 1, true, true);
    tap_end();
}

static void refuses(const char *text)
{
    scankit_predicate *predicate = NULL;
    size_t where = ~(size_t)0;
    const char *reason = NULL;
    TAP_CHECK(scankit_predicate_compile(&predicate, SCANKIT_U32, text, &where, &reason) == SCANKIT_E_SYNTAX);
    TAP_CHECK(where <= strlen(text) && reason != NULL && *reason != '\0');
}

static void long_texts(void)
{
    char *text = data_allocate(3 * LONGEST_TEXT, 1), *end;
    tap_begin("long texts");
    tap_case("64 KiB of blanks around it");
    memset(text, ' ', LONGEST_TEXT);
    text[777] = 'x';
    answers(text, true, true);
    tap_case("a byte more");
    text[LONGEST_TEXT] = ' ';
    refuses(text);
    tap_case("a name, a number, a text without an end");
    for (const char *c = "a0\"` ("; *c != '\0'; c++) {
        memset(text, *c, LONGEST_TEXT);
        text[LONGEST_TEXT] = '\0';
        refuses(text);
    }
    tap_case("a set of forty");
    end = text + sprintf(text, "x in {7");
    for (int k = 0; k < 40; k++)
        end += sprintf(end, ",%d..%d", 100 + 3 * k, 101 + 3 * k);
    strcpy(end, "} && !(x in {1})");
    answers(text, true, true);
    tap_case("a set of thousands");
    end = text + sprintf(text, "x in {100");
    for (int k = 9000; k > 0; k--)
        end += sprintf(end, ",%d", 7 * k);
    strcpy(end, "}");
    answers(text, false, true);
    free(text);
    tap_end();
}

/* Equal values are computed once, and each keeps a register until its last use. */
static void many_values(void)
{
    char *text = data_allocate(LONGEST_TEXT, 1), *end = text;
    tap_begin("values that return after many others");
    end += sprintf(end, "0");
    for (int k = 2; k <= 200; k++)
        end += sprintf(end, " + x %% %d", k);
    end += sprintf(end, " == 0");
    for (int k = 200; k >= 2; k--)
        end += sprintf(end, " + x %% %d", k);
    answers(text, true, true);
    end = text + sprintf(text, "x > 7");
    for (int k = 8; k <= 300; k++)
        end += sprintf(end, " || x * %d == %d", k, k);
    end += sprintf(end, " || !(x * 300 == 300");
    for (int k = 299; k >= 8; k--)
        end += sprintf(end, " && x * %d == %d", k, k);
    strcpy(end, ")");
    answers(text, true, true);
    free(text);
    tap_end();
}

static void many(void)
{
    enum { MANY = 20000 };
    scankit_predicate **all = data_allocate(MANY, sizeof *all);
    char text[80];
    tap_begin("%d predicates at once", (int)MANY);
    for (int k = 0; k < MANY; k++) {
        sprintf(text, "x in {%d, %d..%d} || x == %d", k, k + 5, k + 9, k / 2);
        if (scankit_predicate_compile(&all[k], SCANKIT_U32, text, NULL, NULL) != SCANKIT_OK) {
            tap_fail("number %d", k);
            all[k] = NULL;
        }
    }
    for (int k = 0; k < MANY; k++)
        scankit_predicate_destroy(all[(k * 7919) % MANY]);
    free(all);
    tap_end();
}

int main(void)
{
    if (scankit_open(&ctx, "cpu:1") != SCANKIT_OK)
        tap_bail_out("no CPU");
    deep();
    long_texts();
    many_values();
    many();
    scankit_close(ctx);
    return tap_finish();
}
