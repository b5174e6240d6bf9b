/* errors.c - texts that are no predicates are refused, with the place of the error and a reason. Texts of any length
 * and depth get an answer. */
#include <string.h>

#include "check-predicate.h"
#include "support/tap.h"

struct wrong_text {
    const char *text;
    size_t from, to; /* the error is somewhere in this range */
};

static void expect_wrong(const subject *s, const struct wrong_text *wrong)
{
    scankit_predicate *predicate = NULL;
    size_t where = ~(size_t)0, length = strlen(wrong->text);
    const char *reason = NULL;
    char line[200];
    tap_case("\"%s\"", predicate_one_line(wrong->text, line, sizeof line));
    scankit_error error = subject_compile(s, wrong->text, &predicate, &where, &reason);
    if (error == SCANKIT_OK)
        scankit_predicate_destroy(predicate);
    if (error != SCANKIT_E_SYNTAX) {
        tap_fail("%s", scankit_error_string(error));
        return;
    }
    if (where > length)
        tap_fail("the error is at %zu, past the end, %zu", where, length);
    else if (where < wrong->from || where > wrong->to)
        tap_fail("the error is at %zu, should be at %zu to %zu: %s", where, wrong->from, wrong->to,
                 reason != NULL ? reason : "");
    TAP_CHECK(reason != NULL && *reason != '\0');
    TAP_CHECK(subject_compile(s, wrong->text, &predicate, NULL, NULL) == SCANKIT_E_SYNTAX);
}

/* For elements of type i32. */
static const struct wrong_text wrong_for_i32[] = {
    /* something is missing */
    {"", 0, 0},
    {"  \n ", 0, 4},
    {"x +", 2, 3},
    {"x &&", 2, 4},
    {"(x", 2, 2},
    {"((x)", 4, 4},
    {"x ? 1", 5, 5},
    {"x ? 1 :", 6, 7},
    {"x in", 4, 4},
    {"x in {", 6, 6},
    {"x in {3", 7, 7},
    {"x in {3,", 8, 8},
    {"x in {1..", 9, 9},
    {"abs(x", 5, 5},
    {"min(x,", 6, 6},
    {"abs", 0, 3},
    {"-", 1, 1},
    {"!", 1, 1},
    /* something is too much */
    {"x)", 1, 1},
    {"x x", 2, 2},
    {"x 1", 2, 2},
    {"1 2", 2, 2},
    {"x, 1", 1, 1},
    {"x;", 1, 1},
    {"()", 1, 1},
    {"(x))", 3, 3},
    {"x in {3} {4}", 9, 9},
    {"x === 1", 4, 4},
    {"x <> 1", 3, 3},
    {"&& x", 0, 0},
    {"* x", 0, 0},
    {"x + * x", 4, 4},
    {"x ? : 1", 4, 4},
    {"x !", 2, 2},
    {"x in {3,,4}", 8, 8},
    {"x in {3 4}", 8, 8},
    {"x in {1..}", 9, 9},
    {"x in {..3}", 6, 6},
    {"x in {x}", 6, 6},
    {"x in 3", 5, 5},
    {"in {3}", 0, 0},
    {"{3}", 0, 0},
    {"abs()", 4, 4},
    {"abs(1, 2)", 0, 8},
    {"min(1)", 0, 5},
    {"min(1, 2, 3)", 0, 10},
    {"min(,1)", 4, 4},
    /* names */
    {"y", 0, 0},
    {"x + y", 4, 4},
    {"X", 0, 0},
    {"foo(1)", 0, 0},
    {"x(1)", 0, 1},
    {"x.y", 1, 2},
    {"sizeof x", 0, 0},
    {"(int)x", 1, 1},
    {"`x", 0, 2},
    {"`nothing` == 1", 0, 1},
    {"``", 0, 2},
    {"abs x", 0, 4},
    /* numbers */
    {"010 == x", 0, 1},
    {"x == 007", 5, 6},
    {"x == 00", 5, 6},
    {"x == 0x", 5, 7},
    {"x == 0b", 5, 7},
    {"x == 0b2", 5, 8},
    {"x == 0b102", 5, 10},
    {"x == 0xg", 5, 7},
    {"x == 1.5.2", 5, 10},
    {"x == 1e", 5, 7},
    {"x == 1e+", 5, 8},
    {"x == 5uu", 5, 8},
    {"x == 5f", 5, 6},
    {"x == 1.5u", 5, 9},
    {"x == 5lul", 5, 9},
    {"x == 5z", 5, 6},
    {"x == 5_", 5, 6},
    {"x == 12monkeys", 5, 14},
    {"x == 18446744073709551616", 5, 25},
    {"x == 0x10000000000000000", 5, 24},
    /* types */
    {"x & 1.5", 2, 7},
    {"x % 2.0", 2, 7},
    {"x | 1.0", 2, 7},
    {"1.5 ^ x", 0, 5},
    {"~1.5", 0, 1},
    {"1.5 << 2", 0, 5},
    {"x >> 1.0", 2, 8},
    {"x == \"abc\"", 0, 10},
    {"\"abc\"", 0, 5},
    {"x in {\"a\"}", 0, 9},
    /* characters */
    {"x @ 1", 2, 2},
    {"x $", 2, 2},
    {"#", 0, 0},
    {"x == 'a'", 5, 5},
    {"x\001", 1, 1},
    {"x\377", 1, 1},
    {"\303\244 == 1", 0, 0},
    {"x \\ 1", 2, 2},
    {"\"abc", 0, 4},
    {"x = 1", 2, 2},
    {"x ! = 1", 2, 2},
    {"x < = 1", 4, 4},
    {"x & & 1", 4, 4},
    {"x += 1", 2, 3},
    {"x[0]", 1, 1},
    {"x->y", 1, 2},
    {"x == 1 // one", 7, 8},
};

static void of_a_type(void)
{
    subject s = subject_of_type(SCANKIT_I32);
    tap_begin("wrong texts for a type, and where the error is");
    for (size_t k = 0; k < sizeof wrong_for_i32 / sizeof *wrong_for_i32; k++)
        expect_wrong(&s, &wrong_for_i32[k]);
    tap_end();
}

static void of_records(void)
{
    static const struct wrong_text wrong[] = {
        {"x == 1", 0, 0},   {"n == 1 && m", 10, 10}, {"f & 1", 0, 3},     {"n << f", 2, 6},    {"s", 0, 1},
        {"s + 1", 0, 5},    {"1 + s", 0, 5},         {"!s", 0, 2},        {"-s", 0, 2},        {"~s", 0, 2},
        {"s == 1", 0, 6},   {"n == s", 0, 6},        {"f < \"a\"", 0, 7}, {"s && 1", 0, 6},    {"n || s", 0, 6},
        {"abs(s)", 0, 6},   {"min(s, s)", 0, 9},     {"isnan(s)", 0, 8},  {"s ? 1 : 0", 0, 9}, {"s in {3}", 0, 8},
        {"s == \"a", 0, 7}, {"a-b == 1", 0, 3},      {"s & \"a\"", 0, 7},
    };
    scankit_layout *layout = NULL;
    tap_begin("wrong texts for records");
    if (scankit_layout_parse(&layout, "n:u32,f:f32,s:bytes4,in:u8,a-b:u8,i:u8", 0, NULL) != SCANKIT_OK)
        tap_bail_out("the layout");
    subject s = subject_of_layout(layout);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_wrong(&s, &wrong[k]);
    subject_release(&s);
    tap_end();
}

static void arguments(void)
{
    scankit_predicate *predicate = NULL;
    scankit_layout *layout = NULL;
    size_t where;
    const char *reason;
    tap_begin("wrong arguments");
    TAP_CHECK(scankit_layout_create(&layout) == SCANKIT_OK);
    TAP_CHECK(scankit_predicate_compile(NULL, SCANKIT_U8, "x", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile(&predicate, SCANKIT_U8, NULL, &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile(&predicate, SCANKIT_BYTES, "x", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile(&predicate, (scankit_type)99, "x", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile_records(&predicate, NULL, "1", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile_records(&predicate, layout, "1", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_layout_append(layout, "a", SCANKIT_U16, 0, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_predicate_compile_records(NULL, layout, "1", &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile_records(&predicate, layout, NULL, &where, &reason) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_predicate_compile_records(&predicate, layout, "a == 1", NULL, NULL) == SCANKIT_OK);
    scankit_layout_destroy(layout);
    tap_case("without its layout");
    TAP_CHECK(scankit_predicate_element_size(predicate) == 2);
    scankit_predicate_destroy(predicate);
    scankit_predicate_destroy(NULL);
    tap_end();
}

int main(void)
{
    of_a_type();
    of_records();
    arguments();
    return tap_finish();
}
