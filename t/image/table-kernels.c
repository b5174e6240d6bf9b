/* table-kernels.c - summed-area tables that are larger than the caches, by the kernels of each instruction set: rows
 * that begin anywhere in a line of the caches, and rows that are shorter than a register. Sums of floats do not depend
 * on where the table lies. */
#include <stdlib.h>
#include <string.h>

#include "image/table-case.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LARGE (((size_t)8 << 20) + 4096) /* bytes of a table: sums of small numbers are exact as floats */

static const type_pair pairs[] = {{SCANKIT_U8, SCANKIT_U32},  {SCANKIT_U16, SCANKIT_U32}, {SCANKIT_U8, SCANKIT_U64},
                                  {SCANKIT_U8, SCANKIT_F32},  {SCANKIT_F16, SCANKIT_F32}, {SCANKIT_F32, SCANKIT_F32},
                                  {SCANKIT_F32, SCANKIT_F64}, {SCANKIT_U16, SCANKIT_F64}};
#define PAIRS (sizeof pairs / sizeof *pairs)

static table_case large_case(type_pair types, unsigned channels, size_t width)
{
    table_case c = {.types = types, .channels = channels, .width = width, .exact = true};
    c.height = LARGE / (width * channels * oracle_size(types.out)) + 1;
    c.options.wrap = 1;
    return c;
}

static void large_tables(device *d, type_pair types, unsigned turn)
{
    static const size_t widths[] = {1024, 1013, 3, 17};
    random_state random = random_seeded((uint64_t)types.in * 64 + (uint64_t)types.out);
    tap_begin("%s: %s to %s: large tables", d->name, scankit_type_name(types.in), scankit_type_name(types.out));
    for (unsigned i = 0; i < 4; i++) {
        const table_case c = large_case(types, 1 + (i + turn) % 4, widths[i]);
        table_check(d, &c, &random);
    }
    tap_end();
}

/* ---- the same floats at another place ---- */

/* The elements without their gaps. To be freed. */
static char *table_at(device *d, const table_case *c, const scankit_image *from, size_t gap, size_t lead)
{
    const size_t size = oracle_size(c->types.out), row = c->width * c->channels * size;
    scankit_image to = {c->types.out, c->channels, c->width, c->height, row + gap * size, NULL};
    const size_t bytes = (c->height - 1) * to.pitch + row;
    char *all = data_allocate(bytes, 1), *elements = data_allocate(c->height * row, 1);
    to.data = device_put(d, TABLE_OUT, NULL, bytes, lead * size);
    (void)DEVICE_DID(d, scankit_summed_area_table(d->context, from, &to, &c->options));
    device_get(d, TABLE_OUT, all);
    for (size_t y = 0; y < c->height; y++)
        memcpy(elements + y * row, all + y * to.pitch, row);
    free(all);
    return elements;
}

static void compare_places(device *d, const table_case *c, random_state *random)
{
    const size_t bytes = c->width * c->height * c->channels * oracle_size(c->types.out);
    scankit_image in = table_draw(c, random);
    const scankit_image from = canvas_put(d, TABLE_IN, &in, random);
    char *expected = table_at(d, c, &from, 0, 0);
    for (size_t lead = 1; lead < 16; lead += 6) {
        tap_case("%u channels, lead %zu", c->channels, lead);
        char *other = table_at(d, c, &from, lead % 4, lead);
        TAP_CHECK(memcmp(expected, other, bytes) == 0);
        free(other);
    }
    free(expected);
    canvas_free(&in);
}

static void any_place(device *d)
{
    random_state random = random_seeded(6001);
    tap_begin("%s: floats at other addresses", d->name);
    for (unsigned i = 0; i < 4; i++) {
        table_case c = large_case((type_pair){SCANKIT_F32, i % 2 == 0 ? SCANKIT_F32 : SCANKIT_F64}, 1 + i, 1024);
        c.exact = false;
        compare_places(d, &c, &random);
    }
    tap_end();
}

static void test(device *d)
{
    for (unsigned i = 0; i < PAIRS; i++)
        large_tables(d, pairs[i], i);
    any_place(d);
}

int main(void)
{
    device_each_kernels("cpu:2", test);
    return tap_finish();
}
