/* table.c - summed-area tables equal sums over rows of running sums: each pair of types, every method, one to four
 * channels, with gaps between rows and without. */
#include <math.h>
#include <string.h>

#include "image/table-case.h"
#include "support/tap.h"

static const type_pair pairs[] = {{SCANKIT_U8, SCANKIT_U32},  {SCANKIT_U8, SCANKIT_U64},  {SCANKIT_U8, SCANKIT_F32},
                                  {SCANKIT_U8, SCANKIT_F64},  {SCANKIT_U16, SCANKIT_U32}, {SCANKIT_U16, SCANKIT_U64},
                                  {SCANKIT_U16, SCANKIT_F32}, {SCANKIT_U16, SCANKIT_F64}, {SCANKIT_F16, SCANKIT_F32},
                                  {SCANKIT_F16, SCANKIT_F64}, {SCANKIT_F32, SCANKIT_F32}, {SCANKIT_F32, SCANKIT_F64}};
static const size_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257};
#define PAIRS (sizeof pairs / sizeof *pairs)
#define SIZES (sizeof sizes / sizeof *sizes)

/* ---- which cases ---- */

static bool may_wrap(const table_case *c)
{
    double most = (double)canvas_most(c->types.in) * (double)c->width * (double)c->height;
    return c->types.out == SCANKIT_U32 && most > UINT32_MAX;
}

static void check_size(device *d, table_case c, size_t width, size_t height, random_state *random)
{
    c.width = width;
    c.height = height;
    c.options.wrap = may_wrap(&c) || random_below(random, 2) == 1;
    table_check(d, &c, random);
}

static void every_size(device *d, type_pair types, bool exact)
{
    random_state random = random_seeded((uint64_t)types.in * 64 + (uint64_t)types.out);
    tap_begin("%s: %s to %s: every size, %s sums", d->name, scankit_type_name(types.in), scankit_type_name(types.out),
              exact ? "exact" : "rounded");
    for (size_t i = 0; i < METHODS * SIZES; i++) {
        table_case c = {.types = types, .channels = 1 + (unsigned)(i % 4), .exact = exact};
        c.options.method = (scankit_table_method)(i % METHODS);
        size_t size = sizes[i / METHODS];
        check_size(d, c, size, 1 + random_size(&random, 70), &random);
        check_size(d, c, 1 + random_size(&random, 70), size, &random);
        check_size(d, c, size, size < 100 ? size : 1, &random);
        check_size(d, c, 1, size, &random);
    }
    tap_end();
}

/* Rows and columns of several chunks, with any number of channels. */
static void long_sides(device *d)
{
    random_state random = random_seeded(4001);
    tap_begin("%s: long rows and columns", d->name);
    for (unsigned i = 0; i < 4 * METHODS * 4; i++) {
        table_case c = {.types = pairs[7 * i % PAIRS], .channels = 1 + i % 4, .exact = true};
        c.options.method = (scankit_table_method)(i / 4 % METHODS);
        check_size(d, c, i % 8 < 4 ? 6001 : 5, i % 8 < 4 ? 5 : 6001, &random);
    }
    /* More than the caches take. */
    const table_case large = {.types = {SCANKIT_U8, SCANKIT_F64}, .channels = 3, .exact = true};
    check_size(d, large, 701, 603, &random);
    tap_end();
}

/* Enough pixels for several threads. */
static void larger_images(device *d, type_pair types, unsigned turn)
{
    static const size_t sides[][2] = {{300, 600}, {600, 300}, {40, 3000}, {256, 257}};
    random_state random = random_seeded((uint64_t)types.in * 64 + (uint64_t)types.out + 32);
    tap_begin("%s: %s to %s: larger images", d->name, scankit_type_name(types.in), scankit_type_name(types.out));
    for (unsigned i = 0; i < 4; i++) {
        table_case c = {.types = types, .channels = i == 3 ? 1 + turn % 4 : 1, .exact = true};
        c.options.method = (scankit_table_method)((i + turn) % METHODS);
        check_size(d, c, sides[i][0], sides[i][1], &random);
    }
    tap_end();
}

/* Heights for which bands have 32 and 64 rows on a GPU, and widths around its vectors and chunks. */
static const size_t tall[][2] = {{3, 8257}, {129, 8192}, {127, 4097}, {64, 4096}, {260, 8191}, {66, 8320}};
#define TALL (sizeof tall / sizeof *tall)

static void tall_images(device *d)
{
    random_state random = random_seeded(4002);
    tap_begin("%s: tall images of f32", d->name);
    for (unsigned i = 0; i < 4 * TALL; i++) {
        table_case c = {.types = {SCANKIT_F32, i % 2 == 0 ? SCANKIT_F32 : SCANKIT_F64}, .channels = 1, .exact = true};
        c.dense = i % 4 < 2;
        c.options.method = SCANKIT_TABLE_SINGLE_PASS;
        check_size(d, c, tall[i / 4][0], tall[i / 4][1], &random);
    }
    tap_end();
}

/* A GPU moves aligned rows of integers by vectors too. */
static void dense_integers(device *d)
{
    static const size_t widths[] = {16, 112, 128, 144, 384, 400}, heights[] = {1, 16, 17, 63, 130, 1025};
    random_state random = random_seeded(4003);
    tap_begin("%s: integers without gaps", d->name);
    for (unsigned i = 0; i < 72; i++) {
        table_case c = {.types = {i % 2 == 0 ? SCANKIT_U8 : SCANKIT_U16, SCANKIT_U32}, .channels = 1, .exact = true};
        c.dense = true;
        c.options.method = SCANKIT_TABLE_SINGLE_PASS;
        check_size(d, c, widths[i / 2 % 6], heights[i / 12], &random);
        if (i < 2 * TALL)
            check_size(d, c, (tall[i / 2][0] + 3) / 4 * 4, tall[i / 2][1], &random);
    }
    tap_end();
}

/* A NaN of any bits reaches all pixels to the right of it and below, and no others. */
static void nans(device *d, scankit_type to)
{
    enum { WIDTH = 300, HEIGHT = 200, X = 130, Y = 20 };
    random_state random = random_seeded(4004);
    table_case c = {.types = {SCANKIT_F32, to}, .channels = 1, .width = WIDTH, .height = HEIGHT, .exact = true};
    tap_begin("%s: f32 to %s: a NaN", d->name, scankit_type_name(to));
    scankit_image in = table_draw(&c, &random), out = canvas_new(to, 1, WIDTH, HEIGHT, &random);
    memset((char *)in.data + Y * (in.pitch != 0 ? in.pitch : WIDTH * sizeof(float)) + X * sizeof(float), 0xff, 4);
    const scankit_image from = canvas_put(d, TABLE_IN, &in, &random), there = canvas_put(d, TABLE_OUT, &out, &random);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &there, NULL))) {
        device_get(d, TABLE_OUT, out.data);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++)
            if (isnan(canvas_get(&out, i % WIDTH, i / WIDTH, 0)) != (i % WIDTH >= X && i / WIDTH >= Y))
                tap_fail("pixel (%zu, %zu) is %g", i % WIDTH, i / WIDTH, canvas_get(&out, i % WIDTH, i / WIDTH, 0));
    }
    canvas_free(&in);
    canvas_free(&out);
    tap_end();
}

static void test(device *d)
{
    for (unsigned i = 0; i < PAIRS; i++) {
        every_size(d, pairs[i], true);
        if (table_is_float(pairs[i].in))
            every_size(d, pairs[i], false);
        larger_images(d, pairs[i], i);
    }
    long_sides(d);
    tall_images(d);
    dense_integers(d);
    nans(d, SCANKIT_F32);
    nans(d, SCANKIT_F64);
}

int main(void)
{
    return device_each("summed-area tables", test);
}
