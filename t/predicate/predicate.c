/* predicate.c - the meaning of predicates' texts, one fact a line: numbers, integers at the ends of their range,
 * floats, sets, fields of records, positions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check-predicate.h"
#include "support/oracle.h"
#include "support/tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static device *dev;

/* ---- integers ---- */

static const struct {
    scankit_type type;
    int64_t x;
    const char *text;
    bool expected;
} integers[] = {
    /* how numbers are written */
    {SCANKIT_U8, 255, "x == 0xff && x == 0XFF && x == 0xFf", true},
    {SCANKIT_U8, 5, "x == 0b101 && x == 0B101 && x == 0b0101", true},
    {SCANKIT_U8, 5, "x == 5u && x == 5U && x == 5l && x == 5L && x == 5ul && x == 5lu && x == 5UL", true},
    {SCANKIT_U8, 5, "x == 5ll && x == 5LL && x == 5ull && x == 5LLU && x == 0x5u && x == 0b101ul", true},
    {SCANKIT_U8, 0, "x == 0 && x == 0u && x == 0x0 && x == 0b0 && x == 0.0", true},
    {SCANKIT_U64, -1, "x == 18446744073709551615 && x == 0xffffffffffffffff", true},
    {SCANKIT_U64, -1, "x == 0b1111111111111111111111111111111111111111111111111111111111111111", true},
    {SCANKIT_I64, INT64_MAX, "x == 9223372036854775807 && x == 0x7fffffffffffffff", true},
    {SCANKIT_U8, 7, "\n\tx ==\n 7 ", true},
    {SCANKIT_U8, 7, "x==7&&x>6||0", true},
    /* sets */
    {SCANKIT_U8, 3, "x in {3, 5, 8..13}", true},
    {SCANKIT_U8, 4, "x in {3, 5, 8..13}", false},
    {SCANKIT_U8, 5, "x in{3,5,8..13}", true},
    {SCANKIT_U8, 7, "x in {3, 5, 8 .. 13}", false},
    {SCANKIT_U8, 8, "x in {8..13}", true},
    {SCANKIT_U8, 10, "x in{8..13}", true},
    {SCANKIT_U8, 13, "x in { 8 ..13 }", true},
    {SCANKIT_U8, 14, "x in {8.. 13}", false},
    {SCANKIT_U8, 3, "!x in {0}", true},
    {SCANKIT_U8, 3, "!(x in {0})", true},
    {SCANKIT_U8, 3, "!(x in {3})", false},
    {SCANKIT_U8, 3, "x + 2 in {5} == 1", true},
    {SCANKIT_U8, 3, "x in {3} in {1}", true},
    {SCANKIT_U8, 3, "x < 9 in {1}", true},
    {SCANKIT_U8, 3, "x in {3} < 2 & 1", true},
    {SCANKIT_U8, 3, "x in {5, 1..2, 2, 1..4, 300, -1}", true},
    {SCANKIT_U8, 44, "x in {300, -212}", false},
    {SCANKIT_I8, -5, "x in {-6..-4}", true},
    {SCANKIT_I8, -5, "x in {-5}", true},
    {SCANKIT_I8, -5, "x in {-4..4, 251, 18446744073709551611}", false},
    {SCANKIT_I8, -1, "x in {0..18446744073709551615}", false},
    {SCANKIT_I8, -1, "x in {-9223372036854775808..18446744073709551615}", true},
    {SCANKIT_U64, -1, "x in {18446744073709551615}", true},
    {SCANKIT_U64, -1, "x in {-1, -5..3}", false},
    {SCANKIT_U64, -1, "x in {9223372036854775807..18446744073709551615}", true},
    {SCANKIT_I64, INT64_MIN, "x in {-9223372036854775808}", true},
    {SCANKIT_I64, INT64_MIN, "x in {-9223372036854775807..-1}", false},
    {SCANKIT_I32, 7, "x in {6.5..7.5} && x in {7.0} && !(x in {6.5, 7.5})", true},
    /* widths and signs */
    {SCANKIT_I8, -1, "x < 1u && -1 < 1u && x != 255 && x != 18446744073709551615", true},
    {SCANKIT_I8, -1, "x > 0u || x == 4294967295 || x >= 18446744073709551615", false},
    {SCANKIT_U8, 255, "x + 1 == 256 && ~x == -256 && -x == -255 && x * x == 65025", true},
    {SCANKIT_U32, -1, "x == 4294967295 && x > 0 && x + 1 == 4294967296 && x != -1", true},
    {SCANKIT_I32, INT32_MIN, "x == -2147483648 && -x == 2147483648 && abs(x) == 2147483648", true},
    {SCANKIT_U64, -1, "x > 0 && x > -1 && x + 1 == 0 && -x == 1 && ~x == 0 && x * x == 1", true},
    {SCANKIT_U64, -1, "x / 2 == 9223372036854775807 && x % 10 == 5 && x >> 63 == 1", true},
    {SCANKIT_U64, -1, "x == -1 || x < 0 || x <= -1", false},
    {SCANKIT_U64, -1, "(x & -1) == x && (0 ? x : -1) > 0 && abs(x) == x", true},
    {SCANKIT_U64, -1, "min(x, -1) == -1 && min(x, -1) < 0 && min(-1, x) < 0 && max(x, -1) == x && max(-1, x) > 0",
     true},
    {SCANKIT_U64, 3, "x - 4 > 0 && -4 + x > 0 && x / -1 == 0 && x * -1 > 0", true},
    {SCANKIT_I8, -1, "x * 9223372036854775808 > 0 && x * 9223372036854775807 < 0", true},
    {SCANKIT_I64, INT64_MIN, "x == -9223372036854775807 - 1 && x < -9223372036854775807", true},
    {SCANKIT_I64, INT64_MIN, "x == -9223372036854775808 && -9223372036854775808 < 0 && x <= -0x8000000000000000", true},
    {SCANKIT_I64, INT64_MIN, "-x == x && abs(x) == x && abs(x) < 0 && x * -1 == x && x - 1 == 9223372036854775807",
     true},
    {SCANKIT_I64, INT64_MIN, "x / -1 == x && x % -1 == 0 && x < 0u && min(x, 18446744073709551615) == x", true},
    {SCANKIT_I64, INT64_MAX, "x + 1 < 0 && x * 2 == -2 && x < 9223372036854775808", true},
    /* division and shifts */
    {SCANKIT_I32, 7, "x / 0 == 0 && x % 0 == 7 && -x / 2 == -3 && -x % 2 == -1 && x / (x - x) == 0", true},
    {SCANKIT_I32, 7, "x % (x - x) == x && 0 % x == 0 && x / -2 == -3 && x % -2 == 1", true},
    {SCANKIT_U64, -1, "x / 0 == 0 && x % 0 == x && x / x == 1 && x % x == 0 && 1 % x == 1", true},
    {SCANKIT_U64, -1, "x / (i - i) == 0 && x % (i - i) == x && i / (x + 1) == 0 && i % (x + 1) == i", true},
    {SCANKIT_I64, INT64_MIN, "x / (i - i) == 0 && x % (i - i) == x && x / (i * 0 - 1) == x && x % (i * 0 - 1) == 0",
     true},
    {SCANKIT_I32, INT32_MIN, "x / (i * 0 - 1) == 2147483648 && x / (x - x - 1) == -x && x % (x - x - 1) == 0", true},
    {SCANKIT_U8, 255, "x << 60 == -1152921504606846976 && x << 64 == 0 && x << -1 == 0 && x << 63 < 0", true},
    {SCANKIT_U8, 255, "x >> 4 == 15 && x >> 64 == 0 && x >> -1 == 0 && x >> 0 == x && x >> 1000000000000 == 0", true},
    {SCANKIT_U8, 255, "x << 18446744073709551615 == 0 && x >> 18446744073709551615 == 0", true},
    {SCANKIT_I8, -8, "x >> 1 == -4 && x >> 63 == -1 && x << 1 == -16 && x << 64 == 0", true},
    {SCANKIT_U64, -1, "x >> 63 == 1 && x >> 64 == 0 && x << 63 == 9223372036854775808 && x >> -1 == 0", true},
    /* truth */
    {SCANKIT_I32, 7, "x", true},
    {SCANKIT_I32, 0, "x", false},
    {SCANKIT_I64, INT64_MIN, "x", true},
    {SCANKIT_U64, INT64_MIN, "x && !!x", true},
    {SCANKIT_I32, 7, "(x > 3) + (x > 5) + (x > 9) == 2 && !x == 0 && !!x == 1 && (x && 5) == 1", true},
    {SCANKIT_I32, 7, "x ? x < 3 : 1", false},
    {SCANKIT_I32, 256, "x && 1", true},
    /* beside floats */
    {SCANKIT_I32, 7, "x / 2 == 3 && x / 2 != 3.5 && x / 2.0 == 3.5 && x * 0.5 == 3.5 && x == 7.0", true},
    {SCANKIT_I32, 7, "min(x, 2.5) == 2.5 && max(2.5, x) == 7 && (x > 3 ? 1 : 0.5) / 2 == 0.5", true},
    {SCANKIT_I64, INT64_MAX, "x == 9223372036854775807.0 && !(x < 9223372036854775808.0) && x + 0.0 == x", true},
    {SCANKIT_U64, -1, "x * 1.0 == 18446744073709551616.0 && x > 1.8e19 && -x == 1", true},
    /* integers of 8 bytes beside floats: 2^53 + 1 is rounded to 2^53, 2^53 + 3 to 2^53 + 4 */
    {SCANKIT_I64, 9007199254740993, "x == 9007199254740992.0", true},
    {SCANKIT_I64, 9007199254740993, "x > 9007199254740992.0", false},
    {SCANKIT_I64, 9007199254740994, "x > 9007199254740992.0", true},
    {SCANKIT_U64, 9007199254740995, "x >= 9007199254740996.0", true},
    {SCANKIT_U64, 9007199254740995, "x == 9007199254740994.0", false},
    {SCANKIT_I64, -9007199254740993, "x < -9007199254740992.0", false},
    {SCANKIT_I64, -9007199254740995, "x <= -9007199254740996.0", true},
    {SCANKIT_I64, INT64_MAX, "x >= 9223372036854775808.0", true},
    {SCANKIT_I64, INT64_MAX - 512, "x >= 9223372036854775808.0", false},
    {SCANKIT_I64, INT64_MIN, "x < -9223372036854775808.0", false},
    {SCANKIT_I64, INT64_MIN, "x <= -9223372036854775808.0", true},
    {SCANKIT_U64, -1, "x < 1.9e19", true},
    {SCANKIT_U64, -1, "x >= 1.9e19", false},
    {SCANKIT_U64, 0, "x > -1e300", true},
    {SCANKIT_U64, 0, "x < -0.0", false},
    {SCANKIT_U64, 0, "x <= -0.0", true},
    {SCANKIT_U64, 0, "x == -0.0", true},
    {SCANKIT_I64, 0, "x < 0.5 && x > -0.5", true},
    {SCANKIT_I64, 1, "x < 0.5 || x == 2.5", false},
    {SCANKIT_I64, 3, "x != 2.5", true},
    {SCANKIT_I64, 3, "x < 0.0 / 0 || x > 0.0 / 0 || x == 0.0 / 0", false},
    {SCANKIT_I64, 3, "x != 0.0 / 0", true},
    {SCANKIT_I64, 3, "x < 1.0 / 0 && x > -1.0 / 0", true},
    {SCANKIT_I64, 3, "x in {0.5, 2.5..3.5, 1e300}", true},
    {SCANKIT_I64, 4, "x in {0.5, 2.5..3.5, 1e300}", false},
    /* places in a word of 32 or 64 bits */
    {SCANKIT_U32, 0, "x in {0, 2, 4..6}", true},
    {SCANKIT_U32, 1, "!(x in {0, 2, 4..6})", true},
    {SCANKIT_U32, 31, "x in {3, 5, 31}", true},
    {SCANKIT_U32, 32, "x in {3, 5, 31}", false},
    {SCANKIT_U32, 35, "x in {3, 5, 31}", false},
    {SCANKIT_I32, -1, "x in {-3, -1, 1, 28}", true},
    {SCANKIT_I32, 29, "x in {-3, -1, 1, 28}", false},
    {SCANKIT_I32, INT32_MIN, "x in {-3, -1, 1, 28}", false},
    {SCANKIT_U64, 63, "x in {0, 2, 63}", true},
    {SCANKIT_U64, 64, "x in {0, 2, 63}", false},
    {SCANKIT_U64, -1, "x in {18446744073709551610, 18446744073709551612, 18446744073709551615}", true},
    {SCANKIT_U64, 0, "x in {18446744073709551610, 18446744073709551612, 18446744073709551615}", false},
};

static void integer_facts(void)
{
    tap_begin("%s: numbers, sets, integers", dev->name);
    for (size_t k = 0; k < COUNT(integers); k++) {
        subject s = subject_of_type(integers[k].type);
        char element[8];
        oracle_store(integers[k].type, element, 0, (uint64_t)integers[k].x);
        check_fact(dev, &s, element, integers[k].text, integers[k].expected);
    }
    tap_end();
}

/* ---- long sets: every end, and what is next to it ---- */

/* Bits of a u64 past the greatest i64. */
static int64_t nth(int k, int64_t step, int64_t begin)
{
    return (int64_t)((uint64_t)begin + (uint64_t)k * (uint64_t)step);
}

static void long_set(scankit_type type, int64_t step, int64_t begin, const char *format)
{
    enum { RANGES = 30, WIDTH = 2 };
    char text[2000], *end = text + sprintf(text, "x in {");
    subject s = subject_of_type(type);
    for (int k = 0; k < RANGES; k++) {
        end += sprintf(end, "%s", k > 0 ? ", " : "");
        end += sprintf(end, format, (long long)nth(k, step, begin));
        end += sprintf(end, "..");
        end += sprintf(end, format, (long long)(nth(k, step, begin) + WIDTH));
    }
    strcpy(end, "}");
    for (int k = 0; k < RANGES; k++)
        for (int64_t at = -1; at <= WIDTH + 1; at++) {
            char element[8];
            int64_t x = nth(k, step, begin) + at;
            bool real = oracle_kind(type) == ORACLE_FLOAT;
            oracle_store(type, element, 0, real ? oracle_float_bits(type, (double)x) : (uint64_t)x);
            check_fact(dev, &s, element, text, at >= 0 && at <= WIDTH);
        }
}

static void long_sets(void)
{
    tap_begin("%s: long sets", dev->name);
    long_set(SCANKIT_U8, 7, 3, "%lld");
    long_set(SCANKIT_I8, 8, -120, "%lld");
    long_set(SCANKIT_U16, 2000, 5, "%lld");
    long_set(SCANKIT_I32, 100000007, -1500000000, "%lld");
    long_set(SCANKIT_U32, 140000000, 17, "%lld");
    long_set(SCANKIT_I64, INT64_MAX / 16, INT64_MIN / 2 - 1000, "%lld");
    long_set(SCANKIT_U64, INT64_MAX / 16, 1000, "%llu");
    long_set(SCANKIT_F64, 1000003, -15000000, "%lld.0");
    tap_end();
}

/* ---- floats ---- */

static const struct {
    double x; /* of an f64, and of an f32 where it holds it */
    const char *text;
    bool expected;
} floats[] = {
    {NAN, "x == x || x < 1 || x >= 1 || x <= x || x in {-1e308..1e308} || isinf(x) || !x", false},
    {NAN, "x != x && !(x < 1) && isnan(x) && isnan(-x) && isnan(abs(x)) && isnan(x * 0) && x", true},
    {NAN, "min(x, 1) == 1 && min(1, x) == 1 && max(2, x) == 2 && max(x, 2) == 2 && isnan(min(x, x))", true},
    {NAN, "(x || 0) && (x && 1) && (x ? 1 : 0)", true},
    {INFINITY, "isinf(x) && isinf(-x) && x > 1e308 && isnan(x - x) && isnan(x * 0) && x == x && 1 / x == 0", true},
    {INFINITY, "x in {1..2, 1e308} || isnan(x) || -x > 0 || x != x", false},
    {-INFINITY, "x < -1e308 && isinf(abs(x)) && abs(x) > 0 && min(x, 0) == x && max(x, 0) == 0", true},
    {-0.0, "x == 0 && x == -0.0 && 1 / x < 0 && isinf(1 / x) && !x && x in {0} && x in {-1..0}", true},
    {-0.0, "1 / abs(x) > 0 && 1 / -x > 0 && 1 / (x + 0) > 0 && 1 / (x + x) < 0 && 1 / (0 - x) > 0", true},
    {-0.0, "1 / min(x, 0.0) > 0 && 1 / min(0.0, x) < 0 && 1 / max(x, 0.0) > 0 && 1 / max(0.0, x) < 0", true},
    {-0.0, "x || x < 0 || x != 0", false},
    {0.0, "1 / x > 0 && 1 / -x < 0 && isnan(x / x) && x / 0 != x / 0 && isinf(1.0 / 0)", true},
    {2.5, "x == 2.5 && x == 2.5e0 && x == 0.25E1 && x == 250.0e-2 && x == 25e-1 && x == 2.5f && x == 2.5F", true},
    {2.5, "x == 2.5l && x == 2.5L && x == 2500e-3 && x == 0.25e+1 && x == 2.50", true},
    {2.5, "x in {2.5} && x in {2.5..2.5} && x in {1.5..2.5} && x in {2..3} && x in {-1, 2.25..1e3}", true},
    {2.5, "x in {2, 3} || x in {2.6..3} || x in {-2.5}", false},
    {2.5, "x + x * x - x / 2 == 7.5 && -x == -2.5 && +x == 2.5 && abs(-x) == x && x / 0 > 1e308", true},
    {2.5, "x > 2 && x >= 2.5 && x < 3 && x <= 5 / 2.0 && 5 / 2 == 2 && x && x != 2", true},
    {2.5, "min(x, 2) == 2 && max(x, 2) == x && min(2, 3.5) == 2 && max(-1, -x) == -1", true},
    {2.5, "(x > 2 ? x : 0) == 2.5 && (x > 3 ? 7 : x) == 2.5", true},
    {0x1p-149, "x > 0 && x * 1e45 > 1 && x * 1e45 < 2 && x != 0", true},
    {0x1p-149, "!x", false},
    {0x1.fffffep127, "!isinf(x * x) && x * x > 1e76 && !isinf(x + x) && x < 3.5e38", true},
};

static const struct {
    scankit_type type;
    double x;
    const char *text;
    bool expected;
} rounded[] = {
    {SCANKIT_F64, 0.1, "x == 0.1 && x == 1e-1 && x == 0.1l && x != 0.1f && x * 3 != 0.3 && x + 0.2 != 0.3", true},
    {SCANKIT_F32, 0.1, "x == 0.1f && x == 0.1F && x != 0.1 && x in {0.1f} && x > 0.1 && x * 10 != 1", true},
    {SCANKIT_F32, 0.1, "x in {0.1}", false},
    {SCANKIT_F16, 0.1, "x == 0.0999755859375 && x < 0.1 && x in {0.0999..0.1} && x * 4 > 0.3999", true},
    {SCANKIT_F16, 65504, "x == 65504 && x + x == 131008 && !isinf(x) && -x < -65503", true},
    {SCANKIT_F16, 65520, "isinf(x) && x > 1e300", true}, /* rounds up to infinity */
    {SCANKIT_F16, 0x1p-24, "x > 0 && x == 5.9604644775390625e-08 && x / 2 > 0", true},
    {SCANKIT_F16, 2049, "x == 2048", true},                                               /* ties to even */
    {SCANKIT_F64, 0.1, "x * 10 - 1 == 0 && x * x - x * x == 0 && 1 - x * 10 == 0", true}, /* no fused multiply-add */
    {SCANKIT_F64, 1e308, "isinf(x * 10) && isinf(-x - x) && !isinf(x) && x * 10 / 10 > x", true},
    {SCANKIT_F64, 0x1p-1074, "x > 0 && x == 4.9406564584124654e-324 && x / 2 == 0 && x * 2 / 2 == x", true},
    {SCANKIT_F64, 9007199254740992.0, "x + 1 == x && x == 9007199254740992 && x - 1 != x", true},
    {SCANKIT_F64, 1.7976931348623157e308, "x == 1.7976931348623157e308 && x == 1.7976931348623157e+308", true},
    {SCANKIT_F64, 0.3, "x == 0.299999999999999988897769753748434595763683319091796875", true},
};

static void ask_float(scankit_type type, double x, const char *text, bool expected)
{
    subject s = subject_of_type(type);
    uint64_t bits = oracle_float_bits(type, x);
    check_fact(dev, &s, &bits, text, expected);
}

static void float_facts(void)
{
    tap_begin("%s: floats", dev->name);
    for (size_t k = 0; k < COUNT(floats); k++) {
        ask_float(SCANKIT_F64, floats[k].x, floats[k].text, floats[k].expected);
        ask_float(SCANKIT_F32, floats[k].x, floats[k].text, floats[k].expected);
    }
    for (size_t k = 0; k < COUNT(rounded); k++)
        ask_float(rounded[k].type, rounded[k].x, rounded[k].text, rounded[k].expected);
    tap_end();
}

/* ---- records ---- */

static void ask_record(const char *layout_text, int big_endian, const char *bytes, const char *text, bool expected)
{
    scankit_layout *layout = NULL;
    if (scankit_layout_parse(&layout, layout_text, big_endian, NULL) != SCANKIT_OK)
        tap_bail_out("the layout %s", layout_text);
    subject s = subject_of_layout(layout);
    check_fact(dev, &s, bytes, text, expected);
    subject_release(&s);
}

static void record_facts(void)
{
    static const char big_layout[] = "a:u16,b:i32,c:f64,d:u64,e:f32,g:i8,s:bytes3";
    static const char big[] = "\1\2\377\377\377\376\77\370\0\0\0\0\0\0\1\0\0\0\0\0\0\0\300\0\0\0\375ab";
    static const char mixed_layout[] = "a:i64,b:u64,c:u64,d:i64";
    static const char mixed[] = "\377\377\377\377\377\377\377\377\1\0\0\0\0\0\0\0"
                                "\377\377\377\377\377\377\377\377\2\0\0\0\0\0\0"; /* -1, 1, 2^64 - 1, 2 */
    static const char named[] = "x-1:u8,a.b:u8,-:u8,in:u8,i:u8,abs:u8,_:u8,x:u8,isnan:u8,xx:u8";
    static const char numbers[] = "\1\2\3\4\5\6\7\10\11\12";
    tap_begin("%s: fields by name and in back quotes, big endian", dev->name);
    ask_record(big_layout, 1, big, "a == 258 && b == -2 && c == 1.5", true);
    ask_record(big_layout, 1, big, "d == 72057594037927936 && e == -2 && g == -3 && s == \"ab\"", true);
    ask_record(big_layout, 1, big, "a + b + g == 253 && e * c == -3 && d >> 56 == 1", true);
    ask_record(big_layout, 0, big, "a == 513 && b == -16777217 && d == 1 && g == -3 && s == \"ab\"", true);
    ask_record(mixed_layout, 0, mixed, "a < b && a <= b && a < c && a <= c && b > a && b >= a && c > a && c >= a",
               true);
    ask_record(mixed_layout, 0, mixed, "a > b || a >= b || a > c || a >= c || b < a || b <= a || c < a || c <= a",
               false);
    ask_record(mixed_layout, 0, mixed, "a != b && a != c && c != a && !(a == c) && !(c == a) && b < d && d > b", true);
    ask_record(mixed_layout, 0, mixed, "d < c && d <= c && c > d && c >= d && d >= b && !(d < b) && d - b == 1", true);
    ask_record(mixed_layout, 0, mixed, "min(a, c) == a && min(c, a) == -1 && max(a, c) == c && max(b, a) == b", true);
    ask_record(mixed_layout, 0, mixed, "min(d, c) == 2 && max(c, d) == c && min(a, b) < 0 && max(d, b) == d", true);
    ask_record(named, 0, numbers, "`x-1` == 1 && `a.b` == 2 && `-` == 3 && `in` == 4", true);
    ask_record(named, 0, numbers, "i == 5 && x == 8 && _ == 7 && xx == 10", true);
    ask_record(named, 0, numbers, "abs == 6 && isnan == 9", true);
    ask_record(named, 0, numbers, "in == 4 && `in`in{4} && in in{4} && i in {5} == 1 && `x-1`-1 == 0", true);
    tap_end();
}

static void text_facts(void)
{
    static const char layout[] = "s:bytes4,t:bytes6,h:bytes1,e:bytes3,u:bytes4,n:u8";
    static const char bytes[] = "ABC\0ABCD\0\0\377\0\0\0ABC\0\5";
    static const char *const yes[] = {
        "s == \"ABC\"",
        "s < \"ABCD\"",
        "s != \"ABCD\"",
        "s < t",
        "t > s",
        "t == \"ABCD\"",
        "t > \"ABC\"",
        "t >= \"ABCD\"",
        "s != \"abc\"",
        "s < \"abc\"",
        "h > \"~\"",
        "h > s",
        "e == \"\"",
        "e < \"A\"",
        "\"ABC\" == s",
        "\"ABD\" > s",
        "e <= \"\"",
        "s < \"ABC \"",
        "s == u",
        "s <= u",
        "s >= u",
        "e != s",
        "e < h",
        "s != \"ABCDEFGH\"",
        "s < \"ABCDEFGHIJKLMNOP\"",
        "t <= \"ABCD\"",
        "(s == \"ABC\") + (t == \"ABCD\") == 2 && n == 5",
        "s > \"ABB\"",
        "s > \"AB\"",
        "s > \"\"",
        "t != s && !(t == s)",
        "h > \"\"",
    };
    static const char *const no[] = {"s == \"ABCD\"", "s == t",      "s > t",        "t == \"ABCD      \"",
                                     "s == \"AB\"",   "s < \"ABC\"", "h < \"~\"",    "s != u",
                                     "s < u",         "e > \"\"",    "s == \"abc\"", "s >= \"ABCDEFGH\""};
    tap_begin("%s: opaque bytes and texts", dev->name);
    for (size_t k = 0; k < COUNT(yes); k++)
        ask_record(layout, 0, bytes, yes[k], true);
    for (size_t k = 0; k < COUNT(no); k++)
        ask_record(layout, 0, bytes, no[k], false);
    tap_end();
}

/* ---- positions ---- */

static void expect_positions(const char *text, uint64_t first, int invert, const uint64_t *expected, size_t count)
{
    enum { N = 10 };
    static const uint8_t elements[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    scankit_predicate *predicate = NULL;
    scankit_compact_options options = {.first = first, .invert = invert};
    size_t got = 0;
    tap_case("%s from %llu", text, (unsigned long long)first);
    if (scankit_predicate_compile(&predicate, SCANKIT_U8, text, NULL, NULL) != SCANKIT_OK) {
        tap_fail("does not compile");
        return;
    }
    const void *in = device_put(dev, 0, elements, N, 0);
    uint64_t *positions = device_put(dev, 1, NULL, N * sizeof *positions, 0);
    if (DEVICE_DID(dev, scankit_compact_positions(dev->context, predicate, in, positions, N, &options, &got))) {
        device_expect(dev, 1, expected, count, sizeof *expected, "positions");
        TAP_CHECK(got == count);
    }
    scankit_predicate_destroy(predicate);
}

static void positions(void)
{
    const uint64_t past = (uint64_t)1 << 32;
    tap_begin("%s: i is the position, counted from first", dev->name);
    expect_positions("i % 4 == 1", 0, 0, (uint64_t[]){1, 5, 9}, 3);
    expect_positions("i >= 7", 0, 0, (uint64_t[]){7, 8, 9}, 3);
    expect_positions("i == x", 0, 1, NULL, 0);
    expect_positions("i - 100 == x && x < 2", 100, 0, (uint64_t[]){100, 101}, 2);
    expect_positions("x < 2 || x == 9", 1000, 0, (uint64_t[]){1000, 1001, 1009}, 3);
    expect_positions("i in {4294967294..4294967297}", past - 5, 0, (uint64_t[]){past - 2, past - 1, past, past + 1}, 4);
    expect_positions("i > 4294967298", past - 5, 0, (uint64_t[]){past + 3, past + 4}, 2);
    expect_positions("i & 3", past * 5, 1, (uint64_t[]){past * 5, past * 5 + 4, past * 5 + 8}, 3);
    expect_positions("i < 9 == x < 9", 0, 1, NULL, 0);
    tap_end();
}

static void test(device *d)
{
    dev = d;
    integer_facts();
    long_sets();
    float_facts();
    record_facts();
    text_facts();
    positions();
}

int main(void)
{
    return device_each("predicates", test);
}
