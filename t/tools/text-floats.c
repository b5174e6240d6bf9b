/* text-floats.c - floats as text: what is printed reads back the same and is the shortest; what is read is rounded
 * correctly, which libc decides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/text/float_read.h"
#include "../../tools/text/float_write.h"
#include "../../tools/text/number.h"
#include "support/tap.h"

#define ROUNDS 300000
#define TEXT_BYTES 2000

static uint64_t state = 88172645463325252;

/* Marsaglia, "Xorshift RNGs", 2003. */
static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static double value_of(const struct float_format *format, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return format == &f64_format   ? value
           : format == &f32_format ? (double)single
                                   : (double)scankit_f16_to_f32((scankit_f16){(uint16_t)bits});
}

/* Bytes past the text may be read. */
static const char *pad(const char *text)
{
    static char padded[TEXT_BYTES + 16];
    snprintf(padded, TEXT_BYTES, "%s", text);
    return padded;
}

/* The bits as they are read, by the fast way if it decides. */
static uint64_t read_bits(const struct float_format *format, const char *given)
{
    uint64_t fast, any = 1;
    const char *text = pad(given), *end = float_read(format, text, &fast);
    if (!float_read_any(format, text, strlen(text), &any))
        tap_fail("%s is refused", text);
    if (end != NULL && *end == '\0' && fast != any)
        tap_fail("%s: %llx instead of libc's %llx", text, (unsigned long long)fast, (unsigned long long)any);
    return any;
}

static const scankit_field fields[] = {
    {.name = "x", .type = SCANKIT_F16, .size = 2},
    {.name = "x", .type = SCANKIT_F32, .size = 4},
    {.name = "x", .type = SCANKIT_F64, .size = 8},
};
static const struct float_format *const formats[] = {&f16_format, &f32_format, &f64_format};

/* ---- printing ---- */

/* True if no text of fewer digits is read back as the value. */
static bool is_shortest(const struct float_format *format, const char *text, uint64_t bits)
{
    char shorter[TEXT_BYTES];
    int digits = 0;
    bool leading = true;
    for (const char *c = text; *c != '\0' && *c != 'e'; c++) {
        leading = leading && (*c < '1' || *c > '9');
        digits += !leading && *c >= '0' && *c <= '9';
    }
    snprintf(shorter, sizeof shorter, "%.*e", digits < 3 ? 0 : digits - 2, value_of(format, bits));
    return digits < 2 || strchr(text, 'e') == NULL || read_bits(format, shorter) != bits;
}

static void check_print(int which, uint64_t bits)
{
    char text[64];
    *put_field(text, &fields[which], (const char *)&bits) = '\0';
    tap_case("%s", text);
    double value = value_of(formats[which], bits);
    if (value != value)
        TAP_CHECK(strstr(text, "nan") != NULL);
    else if (read_bits(formats[which], text) != bits)
        tap_fail("it is not read back as %llx", (unsigned long long)bits);
    else if (!is_shortest(formats[which], text, bits))
        tap_fail("fewer digits would do");
}

static void check_prints(void)
{
    tap_begin("all halves are read back");
    for (uint64_t bits = 0; bits < 65536; bits++)
        check_print(0, bits);
    tap_end();
    for (int which = 1; which < 3; which++) {
        unsigned all = 8 * formats[which]->size, fraction = formats[which]->precision - 1;
        tap_begin("random floats of %u bits are read back, and are the shortest", all);
        for (int i = 0; i < ROUNDS; i++)
            check_print(which, next_random() >> (64 - all));
        tap_end();
        tap_begin("powers of two, and their neighbours");
        for (uint64_t exponent = 0; exponent < (uint64_t)1 << (all - 1 - fraction); exponent++)
            for (uint64_t i = 0; i < 5; i++)
                check_print(which, ((exponent << fraction) + i - 2) & (float_sign(formats[which]) - 1));
        tap_end();
    }
}

/* ---- reading ---- */

static void random_decimal(char *to)
{
    int digits = 1 + (int)(next_random() % 22), point = (int)(next_random() % 24), exponent = 0;
    if (next_random() % 2)
        *to++ = "+-"[next_random() % 2];
    for (int i = 0; i < digits; i++) {
        if (i == point)
            *to++ = '.';
        *to++ = (char)('0' + (next_random() % 4 == 0 ? 0 : next_random() % 10));
    }
    if (next_random() % 3)
        exponent = (int)(next_random() % (next_random() % 2 ? 700 : 50)) - (int)(next_random() % 2 ? 370 : 25);
    to += exponent == 0 ? 0 : sprintf(to, "e%d", exponent);
    *to = '\0';
}

static void check_decimals(void)
{
    char text[128];
    tap_begin("random decimals are read as libc reads them");
    for (int i = 0; i < ROUNDS; i++) {
        random_decimal(text);
        tap_case("%s", text);
        for (int which = 1; which < 3; which++)
            read_bits(formats[which], text);
    }
    tap_end();
}

/* Reads a number just below, at, or just above the middle between two floats of the same sign. */
static void check_middle(int which, uint64_t bits, const char *middle)
{
    char text[TEXT_BYTES];
    const char *e = strchr(middle, 'e');
    tap_case("%s", middle);
    if (read_bits(formats[which], middle) != bits + (bits & 1))
        tap_fail("a tie is not rounded to even");
    snprintf(text, sizeof text, "%.*s0000000001%s", (int)(e - middle), middle, e);
    if (read_bits(formats[which], text) != bits + 1)
        tap_fail("a little more is not rounded up");
    snprintf(text, sizeof text, "%.*s", (int)(e - middle), middle);
    char *last = text + strlen(text) - 1;
    while (*last == '0')
        *last-- = '9';
    if (*last == '.')
        return;
    --*last;
    strcat(text, e);
    if (read_bits(formats[which], text) != bits)
        tap_fail("a little less is not rounded down");
}

static void check_middles(void)
{
    char text[TEXT_BYTES];
    tap_begin("halves: the middle between each two");
    for (uint64_t bits = 0; bits < 0x7bff; bits++) {
        snprintf(text, sizeof text, "%.40e", (value_of(&f16_format, bits) + value_of(&f16_format, bits + 1)) / 2);
        check_middle(0, bits, text);
    }
    tap_end();
    tap_begin("f32: the middle between two");
    for (int i = 0; i < ROUNDS / 10; i++) {
        uint64_t bits = next_random() % 0x7f7fffff;
        snprintf(text, sizeof text, "%.120e", (value_of(&f32_format, bits) + value_of(&f32_format, bits + 1)) / 2);
        check_middle(1, bits, text);
    }
    tap_end();
}

/* Integers in the middle between two doubles, and their neighbours, with a point at some place. */
static void check_close_calls(void)
{
    char digits[32], text[64];
    tap_begin("f64: at and beside the middle between two, of up to 19 digits");
    for (int i = 0; i < ROUNDS / 10; i++) {
        uint64_t odd = (next_random() >> 10) | 1 | (uint64_t)1 << 53, middle = odd << next_random() % 10;
        int count = sprintf(digits, "%llu", (unsigned long long)(middle + next_random() % 3 - 1));
        int point = i % 2 ? count : 1 + (int)(next_random() % (uint64_t)count),
            exponent = i % 4 < 3 ? count - point : 0;
        snprintf(text, sizeof text, "%.*s.%se%d", point, digits, digits + point, exponent);
        tap_case("%s", text);
        for (int which = 1; which < 3; which++)
            read_bits(formats[which], text);
    }
    tap_end();
}

/* ---- lines ---- */

#define LINES 37

/* Lines have the bytes that put_field() prints, and are read back up to the first infinity or NaN. */
static void check_lines(int which, size_t n)
{
    char text[(LINES + 1) * NUMBER_BYTES] = "", each[sizeof text] = "", values[LINES * 8], back[LINES * 8];
    char *at = each, *value = back;
    size_t size = formats[which]->size, plain = n;
    tap_case("%zu numbers of %zu bytes", n, size);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = next_random() | (next_random() % 32 == 0 ? float_infinity(formats[which]) : 0);
        memcpy(values + i * size, &bits, size);
        at = put_field(at, &fields[which], values + i * size);
        *at++ = '\n';
        if (plain == n && (bits & float_infinity(formats[which])) == float_infinity(formats[which]))
            plain = i;
    }
    char *end = put_float_lines(text, values, n, formats[which]);
    TAP_CHECK(end - text == at - each && memcmp(text, each, (size_t)(at - each)) == 0);
    memset(end, 0, NUMBER_BYTES);
    const char *stop = float_read_lines(formats[which], text, end, &value), *line = text;
    for (size_t i = 0; i < plain; i++)
        line = strchr(line, '\n') + 1;
    TAP_CHECK(stop == line);
    TAP_CHECK((size_t)(value - back) == plain * size && memcmp(back, values, plain * size) == 0);
}

static void check_all_lines(void)
{
    tap_begin("lines of floats");
    for (int which = 0; which < 3; which++)
        for (size_t i = 0; i < 1000; i++)
            check_lines(which, i % (LINES + 1));
    tap_end();
    static const char *const others[] = {"",  " 1", "1 ", "1\r", "1,2",
                                         "x", "1e", "-",  ".",   "12345678901234567890123.5"};
    tap_begin("a line that is no plain number ends them");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[TEXT_BYTES] = "", back[24], *value = back;
        int bytes = snprintf(text, sizeof text, "1.5\n-2e3\n%s\n4\n", others[i]);
        tap_case("'%s'", others[i]);
        TAP_CHECK(float_read_lines(&f64_format, text, text + bytes, &value) == text + 9 && value == back + 16);
    }
    tap_end();
}

/* ---- single texts ---- */

static void check_texts(void)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "1",
                                       ".5",
                                       "5.",
                                       "1e5",
                                       "1E+5",
                                       "inf",
                                       "-inf",
                                       "infinity",
                                       "nan",
                                       "INF",
                                       "0x1.8p-3",
                                       "0X10",
                                       "1e-999",
                                       "1e999",
                                       "1e99999999999",
                                       "00000000000000000000000001.5",
                                       "1e0000001"};
    static const char *const bad[] = {"",      "-",  "+",  ".",   "e5",  "1e", "1e+",
                                      "1.5.2", "1f", "0x", "--1", "+-1", " 1", "1 "};
    tap_begin("numbers that strtod() takes");
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        for (int which = 0; which < 3; which++)
            read_bits(formats[which], good[i]);
    tap_end();
    tap_begin("texts that it does not take");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t bits;
        const char *end = float_read(&f64_format, pad(bad[i]), &bits);
        tap_case("'%s'", bad[i]);
        TAP_CHECK((end == NULL || *end != '\0') && !float_read_any(&f64_format, bad[i], strlen(bad[i]), &bits));
    }
    tap_end();
}

int main(void)
{
    check_prints();
    check_decimals();
    check_middles();
    check_close_calls();
    check_all_lines();
    check_texts();
    return tap_finish();
}
