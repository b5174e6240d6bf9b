/* transpose.c - transposition moves each element to its place: every element size, at sizes around powers of two, with
 * gaps between rows, at any alignment, in place and not. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

static const size_t element_sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24, 64};
static const size_t sides[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 160, 191, 257};
#define ELEMENT_SIZES (sizeof element_sizes / sizeof *element_sizes)
#define SIDES (sizeof sides / sizeof *sides)

/* Pitches of 0 stand for rows without gaps. */
typedef struct matrix_case {
    size_t element_size, rows, columns, in_pitch, out_pitch, in_lead, out_lead;
    bool in_place;
} matrix_case;

enum { IN, OUT };

static size_t pitch_of(size_t pitch, size_t row)
{
    return pitch != 0 ? pitch : row;
}

/* From the first byte of a matrix to the last. */
static size_t bytes_of(size_t pitch, size_t rows, size_t row)
{
    return (rows - 1) * pitch_of(pitch, row) + row;
}

/* Bytes of gaps stay as they are in out. */
static void transpose_oracle(const matrix_case *c, const char *in, char *out)
{
    size_t size = c->element_size;
    size_t in_pitch = pitch_of(c->in_pitch, c->columns * size), out_pitch = pitch_of(c->out_pitch, c->rows * size);
    for (size_t row = 0; row < c->rows; row++)
        for (size_t column = 0; column < c->columns; column++)
            memcpy(out + column * out_pitch + row * size, in + row * in_pitch + column * size, size);
}

static void transpose(device *d, const matrix_case *c, const char *in, size_t in_bytes, char *out, size_t out_bytes)
{
    const char *from = device_put(d, IN, in, in_bytes, c->in_lead);
    unsigned to = c->in_place ? IN : OUT;
    void *there = c->in_place ? d->area[IN].data : device_put(d, OUT, out, out_bytes, c->out_lead);
    if (!DEVICE_DID(d, scankit_transpose(d->context, c->element_size, from, c->in_pitch, there, c->out_pitch, c->rows,
                                         c->columns)))
        return;
    transpose_oracle(c, in, out);
    device_expect(d, to, out, out_bytes, 1, "result");
    if (!c->in_place)
        device_expect(d, IN, in, in_bytes, 1, "input");
}

static void check(device *d, const matrix_case *c, random_state *random)
{
    if (!device_case_is_due())
        return;
    size_t in_bytes = bytes_of(c->in_pitch, c->rows, c->columns * c->element_size);
    size_t out_bytes = bytes_of(c->out_pitch, c->columns, c->rows * c->element_size);
    char *in = data_allocate(in_bytes, 1), *out = data_allocate(out_bytes, 1);
    data_fill_bytes(in, in_bytes, random_next(random));
    data_fill_bytes(out, out_bytes, random_next(random));
    if (c->in_place)
        memcpy(out, in, in_bytes);
    tap_case("%zu x %zu, pitches %zu and %zu, %zu and %zu bytes off%s", c->rows, c->columns, c->in_pitch, c->out_pitch,
             c->in_lead, c->out_lead, c->in_place ? ", in place" : "");
    transpose(d, c, in, in_bytes, out, out_bytes);
    free(in);
    free(out);
}

/* ---- which cases ---- */

/* One in three has no gaps, one in three whole elements, one in three any bytes. */
static size_t draw_pitch(size_t row, size_t element_size, random_state *random)
{
    uint64_t kind = random_below(random, 3);
    return kind == 0 ? 0 : row + random_below(random, 19) * (kind == 1 ? element_size : 1);
}

static size_t draw_lead(random_state *random)
{
    return random_next(random) & 1 ? random_below(random, 64) : 0;
}

static void check_size(device *d, matrix_case c, size_t rows, size_t columns, random_state *random)
{
    c.rows = rows;
    c.columns = columns;
    c.in_pitch = draw_pitch(columns * c.element_size, c.element_size, random);
    c.out_pitch = draw_pitch(rows * c.element_size, c.element_size, random);
    c.in_lead = draw_lead(random);
    c.out_lead = draw_lead(random);
    check(d, &c, random);
}

static void check_in_place(device *d, matrix_case c, size_t side, random_state *random)
{
    c.rows = c.columns = side;
    c.in_pitch = c.out_pitch = draw_pitch(side * c.element_size, c.element_size, random);
    c.in_lead = draw_lead(random);
    c.in_place = true;
    check(d, &c, random);
}

static void every_size(device *d, size_t element_size)
{
    random_state random = random_seeded(element_size);
    const matrix_case c = {.element_size = element_size};
    tap_begin("%s: %zu bytes: every size", d->name, element_size);
    for (size_t i = 0; i < SIDES; i++)
        for (size_t j = 0; j < SIDES; j++)
            if (i < 12 || j < 12 || (i + j + element_size) % 3 == 0)
                check_size(d, c, sides[i], sides[j], &random);
    tap_end();
}

static void in_place(device *d, size_t element_size)
{
    random_state random = random_seeded(element_size + 100);
    const matrix_case c = {.element_size = element_size};
    tap_begin("%s: %zu bytes: in place", d->name, element_size);
    for (size_t i = 0; i < SIDES; i++)
        check_in_place(d, c, sides[i], &random);
    check_in_place(d, c, 300, &random);
    tap_end();
}

/* Also enough elements for several threads. */
static void tall_and_wide(device *d, size_t element_size)
{
    static const size_t sizes[][2] = {{1, 30011}, {2, 9001}, {17, 4099}, {33, 1500}, {300, 331}};
    random_state random = random_seeded(element_size + 200);
    const matrix_case c = {.element_size = element_size};
    tap_begin("%s: %zu bytes: tall and wide", d->name, element_size);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_size(d, c, sizes[i][0], sizes[i][1], &random);
        check_size(d, c, sizes[i][1], sizes[i][0], &random);
    }
    tap_end();
}

/* More than the caches take, in rows that begin with lines and in others. */
static void around_caches(device *d)
{
    random_state random = random_seeded(300);
    tap_begin("%s: around the caches", d->name);
    for (size_t size = 1; size <= 16; size++) {
        matrix_case c = {.element_size = size, .rows = 1600, .columns = 6400 / size, .out_lead = size};
        c.out_pitch = 1600 * size + (size % 2 == 0 ? 64 : 3);
        check(d, &c, &random);
    }
    for (size_t size = 4; size <= 1020; size += 4 + size / 2)
        check_size(d, (matrix_case){.element_size = size}, 2000, 6000 / size, &random);
    tap_end();
}

static void long_elements(device *d)
{
    random_state random = random_seeded(400);
    tap_begin("%s: 1000 to 1100 bytes: long elements", d->name);
    for (size_t size = 1000; size <= 1100; size += 4) {
        const matrix_case c = {.element_size = size};
        check_size(d, c, 1 + random_below(&random, 9), 1 + random_below(&random, 9), &random);
        check_in_place(d, c, 1 + random_below(&random, 9), &random);
    }
    tap_end();
}

static void test(device *d)
{
    for (size_t i = 0; i < ELEMENT_SIZES; i++) {
        every_size(d, element_sizes[i]);
        in_place(d, element_sizes[i]);
        tall_and_wide(d, element_sizes[i]);
    }
    around_caches(d);
    long_elements(d);
}

static void test_kernels(device *d)
{
    for (size_t size = 1; size <= 16; size++)
        every_size(d, size);
    around_caches(d);
}

int main(void)
{
    if (device_wanted("cpu"))
        device_each_kernels("cpu:2", test_kernels);
    return device_each("transposition", test);
}
