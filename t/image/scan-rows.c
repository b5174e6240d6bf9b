/* scan-rows.c - a scan of rows is a sequential scan of each row: every type, operator and kind, with gaps between rows,
 * in place and not, with few long rows and with many short ones. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Pitches in elements; 0 stands for rows without gaps. */
typedef struct rows_case {
    scan_case scan; /* n: columns */
    size_t rows, in_pitch, out_pitch;
    bool twice; /* random floats, whose sums round: only the bits of two runs are compared */
} rows_case;

enum { IN, OUT };

static size_t pitch_of(const rows_case *c, size_t pitch)
{
    return (pitch != 0 ? pitch : c->scan.n) * oracle_size(c->scan.type);
}

static size_t bytes_of(const rows_case *c, size_t pitch)
{
    return (c->rows - 1) * pitch_of(c, pitch) + c->scan.n * oracle_size(c->scan.type);
}

/* Gaps get random bytes. */
static void *draw_matrix(const rows_case *c, size_t pitch)
{
    char *matrix = data_allocate(bytes_of(c, pitch), 1);
    scan_case row = c->scan;
    data_fill_bytes(matrix, bytes_of(c, pitch), c->scan.seed + pitch);
    for (size_t y = 0; y < c->rows; y++, row.seed++) {
        if (c->twice)
            data_fill(matrix + y * pitch_of(c, pitch), row.type, DATA_UNIFORM, row.n, row.seed);
        else
            fill_operands(&row, matrix + y * pitch_of(c, pitch));
    }
    return matrix;
}

static void scan_rows_oracle(const rows_case *c, const char *in, char *out)
{
    for (size_t y = 0; y < c->rows; y++)
        oracle_scan(c->scan.type, c->scan.op, c->scan.kind, NULL, in + y * pitch_of(c, c->in_pitch),
                    out + y * pitch_of(c, c->out_pitch), c->scan.n);
}

static bool scan_rows(device *d, const rows_case *c, const void *in, const void *before)
{
    size_t size = oracle_size(c->scan.type);
    void *from = device_put(d, IN, in, bytes_of(c, c->in_pitch), c->scan.in_lead * size), *to = from;
    if (!c->scan.in_place)
        to = device_put(d, OUT, before, bytes_of(c, c->out_pitch), c->scan.out_lead * size);
    return DEVICE_DID(d, scankit_scan_rows(d->context, c->scan.type, c->scan.op, c->scan.kind, from, c->in_pitch * size,
                                           to, c->out_pitch * size, c->rows, c->scan.n));
}

/* In place, gaps of the output are gaps of the input. */
static void compare(device *d, const rows_case *c, const char *in, char *out)
{
    const unsigned result = c->scan.in_place ? IN : OUT;
    if (c->scan.in_place)
        memcpy(out, in, bytes_of(c, c->in_pitch));
    if (!scan_rows(d, c, in, out))
        return;
    if (c->twice) {
        char *first = data_allocate(bytes_of(c, c->out_pitch), 1);
        device_get(d, result, first);
        if (scan_rows(d, c, in, out))
            device_expect(d, result, first, bytes_of(c, c->out_pitch), 1, "second run");
        free(first);
        return;
    }
    scan_rows_oracle(c, in, out);
    device_expect(d, result, out, bytes_of(c, c->out_pitch), 1, "result");
    if (!c->scan.in_place)
        device_expect(d, IN, in, bytes_of(c, c->in_pitch), 1, "input");
}

static void check(device *d, const rows_case *c)
{
    if (!device_case_is_due())
        return;
    char *in = draw_matrix(c, c->in_pitch), *out = draw_matrix(c, c->out_pitch);
    tap_case("%s, %zu x %zu, pitches %zu and %zu, leads %zu and %zu%s",
             c->scan.kind == SCANKIT_INCLUSIVE ? "inclusive" : "exclusive", c->rows, c->scan.n, c->in_pitch,
             c->out_pitch, c->scan.in_lead, c->scan.out_lead, c->scan.in_place ? ", in place" : "");
    compare(d, c, in, out);
    free(in);
    free(out);
}

/* ---- which cases ---- */

static size_t draw_pitch(size_t columns, random_state *random)
{
    return random_below(random, 3) == 0 ? 0 : columns + random_below(random, 20);
}

static void check_size(device *d, rows_case c, size_t rows, size_t columns, random_state *random)
{
    c.rows = rows;
    c.scan.n = columns;
    c.scan.shape = random_next(random) & 1 ? DATA_BITS : DATA_SPECIAL;
    c.scan.seed = random_next(random);
    c.scan.in_place = random_below(random, 3) == 0;
    c.scan.in_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    c.scan.out_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    c.in_pitch = draw_pitch(columns, random);
    c.out_pitch = c.scan.in_place ? c.in_pitch : draw_pitch(columns, random);
    check(d, &c);
}

static const size_t sizes[][2] = {{1, 1},   {300, 1}, {1, 5000}, {2, 2},   {3, 4097}, {299, 17}, {100, 33}, {7, 255},
                                  {8, 256}, {9, 257}, {31, 64},  {33, 65}, {5, 1023}, {2, 1025}, {64, 128}};

static void every_size(device *d, scankit_type type, scankit_operator op, scankit_scan_kind kind)
{
    random_state random = random_seeded((uint64_t)type * 64 + (uint64_t)op * 2 + (uint64_t)kind);
    const rows_case c = {.scan = {.type = type, .op = op, .kind = kind}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_size(d, c, sizes[i][0], sizes[i][1], &random);
    for (unsigned i = 0; i < 10; i++)
        check_size(d, c, 1 + random_size(&random, 60), 1 + random_size(&random, 300), &random);
}

static void every_operator(device *d, scankit_type type)
{
    for (int op = 0; op < ORACLE_OPERATORS; op++) {
        if (!scankit_operator_applies((scankit_operator)op, type))
            continue;
        tap_begin("%s: %s %s: every size", d->name, scankit_type_name(type),
                  scankit_operator_name((scankit_operator)op));
        every_size(d, type, (scankit_operator)op, SCANKIT_INCLUSIVE);
        every_size(d, type, (scankit_operator)op, SCANKIT_EXCLUSIVE);
        tap_end();
    }
}

/* The last one has enough elements for several threads. */
static void long_rows(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 1000);
    rows_case c = {.scan = {.type = type, .op = SCANKIT_SUM, .kind = SCANKIT_INCLUSIVE}};
    tap_begin("%s: %s: long rows, many rows", d->name, scankit_type_name(type));
    if (oracle_applies(SCANKIT_AFFINE, type))
        c.scan.op = SCANKIT_AFFINE;
    check_size(d, c, 1, 300000, &random);
    c.scan.kind = SCANKIT_EXCLUSIVE;
    check_size(d, c, 2, 100003, &random);
    check_size(d, c, 300, 500, &random);
    tap_end();
}

static void same_bits(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 2000);
    rows_case c = {.scan = {.type = type, .op = SCANKIT_SUM, .kind = SCANKIT_INCLUSIVE}, .twice = true};
    tap_begin("%s: %s: two runs have the same bits", d->name, scankit_type_name(type));
    check_size(d, c, 1, 300000, &random);
    check_size(d, c, 3, 50001, &random);
    check_size(d, c, 300, 500, &random);
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_operator(d, (scankit_type)type);
        long_rows(d, (scankit_type)type);
        if (oracle_kind((scankit_type)type) == ORACLE_FLOAT)
            same_bits(d, (scankit_type)type);
    }
}

int main(void)
{
    return device_each("scans of rows", test);
}
