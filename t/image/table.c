/* table.c - summed-area tables equal sums over rows of running sums: each pair of types, every method, one to four
 * channels, with gaps between rows and without. */
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
static void tall_images(device *d)
{
    static const size_t sides[][2] = {{3, 8257}, {129, 8192}, {127, 4097}, {64, 4096}, {260, 8191}, {66, 8320}};
    random_state random = random_seeded(4002);
    tap_begin("%s: tall images of f32", d->name);
    for (unsigned i = 0; i < 2 * sizeof sides / sizeof *sides; i++) {
        table_case c = {.types = {SCANKIT_F32, i % 2 == 0 ? SCANKIT_F32 : SCANKIT_F64}, .channels = 1, .exact = true};
        c.options.method = SCANKIT_TABLE_SINGLE_PASS;
        check_size(d, c, sides[i / 2][0], sides[i / 2][1], &random);
    }
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
}

int main(void)
{
    return device_each("summed-area tables", test);
}
