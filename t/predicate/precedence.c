/* precedence.c - operators bind as in C: the C compiler's result for the same text is the expected one. */
#include "check-predicate.h"
#include "support/tap.h"

static device *dev;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"                /* gcc: warnings that it does not know */
#pragma GCC diagnostic ignored "-Wunknown-warning-option" /* clang: the same */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wduplicated-branches"

/* clang-format off */
/* These expressions are strange on purpose, so static checkers skip them. */
#ifdef __GNUC__
#define C(expression) {#expression, (expression) != 0}
#else
#define C(expression) {#expression, false}
#endif

static void as_c_reads(long long x)
{
    const struct {
        const char *text;
        bool expected;
    } facts[] = {
        /* ?: || && */
        C(x || 1 ? 0 : 1), C(x ? 0 : x ? 1 : 0), C(x ? x > 10 ? 0 : 1 : x < 0 ? 1 : 0), C(x ? 1 : 0 || 0),
        C(0 ? x : 1 ? 0 : 1), C(x && 0 || 1), C(1 || x && 0), C(x || 0 && 0), C(x > 2 || x < 1 && x < 0),
        C(x ? 0 : x - 1 ? 2 : 0), C(x < 3 ? x : x || 1 ? 0 : 1),
        /* && | ^ & */
        C(x | 0 && 0), C(x && 1 | 0), C(x & 1 && x & 2), C(x | 4 ^ 4), C(x ^ 4 | 4), C(x ^ 3 & 1), C(x & 3 ^ 1),
        C(x & 4 ^ 12 | 1), C(x & 3 | 4), C(4 | x & 3), C((x | 4) & 3), C((x ^ 3) & 1), C(x ^ 1 ^ 1), C(x & 12 & 4),
        /* & == < << + */
        C(x & 8 != 0), C((x & 8) != 0), C(x | 1 == 1), C(x ^ 1 == 13), C(x == 1 & 1), C(x != 0 ^ 1), C(x < 3 & x > 0),
        C(x == 1 == 1), C(x != 1 == 1), C(x < 5 == 1), C(1 == x < 5), C(x == 5 < 1), C(5 > x > 0), C(x < 3 < 1),
        C(x <= 3 >= 1), C(x < 3 << 2), C(3 << 2 > x), C(1 < 2 << x - x), C(x >> 1 + 1), C(x + 1 >> 1),
        C(64 >> 2 >> 1 == x), C(64 >> (2 >> 1) == x), C(1 << 2 << 1 == x), C(x & 1 << 1), C(x & 7 + 1),
        C(x + 1 < x * 2),
        /* + * and unary */
        C(x - 1 - 1), C(x - (1 - 1)), C(x - 10 - 2 == 0), C(x - 1 + 1 == x), C(100 / 5 / 2 == x), C(100 / (5 / 2) == x),
        C(100 / 5 * 2 > x), C(100 % 7 * 2 == x), C(x * 3 % 2), C(x % 5 * 2 == 4), C(2 * x + 1 == 25),
        C(1 + 2 * x == 25), C((1 + 2) * x == 24), C(8 - x * 2), C(8 - x / 2 == 2), C(-x + 1), C(-x * -2 > 0), C(!x + 1),
        C(!x == 0), C(!(x == 0)), C(~x & 1), C(~(x & 1)), C(~x + 1 == -x), C(- -x == x), C(!!x), C(!~x), C(-!x), C(~-x),
        C(+-+x < 0), C(-x % 5), C(-7 / 2 == -3), C(-7 % 3 == -1), C(7 % -3 == 1), C(-x >> 1 == -4), C(!x < 1),
        C(-x < 0 == 1), C(x >> 1 == 4), C(((x)) == (((8))))};
    subject s = subject_of_type(SCANKIT_I64);
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        check_fact(dev, &s, &x, facts[k].text, facts[k].expected);
}
/* clang-format on */
#pragma GCC diagnostic pop

static void precedence(void)
{
    static const long long values[] = {-7, -1, 0, 1, 2, 3, 8, 10, 12, 13, 50};
    tap_begin("%s: precedence, as C reads it", dev->name);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        as_c_reads(values[k]);
    tap_end();
}

static void test(device *d)
{
    dev = d;
    precedence();
}

int main(void)
{
    return device_each("precedence", test);
}
