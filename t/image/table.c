/* table.c - summed-area tables equal sums over rows of running sums: each pair of types, every method, one to four
 * channels, with gaps between rows and without. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/canvas.h"
#include "support/oracle.h"
#include "support/tap.h"

typedef struct type_pair {
    scankit_type in, out;
} type_pair;

static const type_pair pairs[] = {{SCANKIT_U8, SCANKIT_U32},  {SCANKIT_U8, SCANKIT_U64},  {SCANKIT_U8, SCANKIT_F32},
                                  {SCANKIT_U8, SCANKIT_F64},  {SCANKIT_U16, SCANKIT_U32}, {SCANKIT_U16, SCANKIT_U64},
                                  {SCANKIT_U16, SCANKIT_F32}, {SCANKIT_U16, SCANKIT_F64}, {SCANKIT_F16, SCANKIT_F32},
                                  {SCANKIT_F16, SCANKIT_F64}, {SCANKIT_F32, SCANKIT_F32}, {SCANKIT_F32, SCANKIT_F64}};
static const size_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257};
#define PAIRS (sizeof pairs / sizeof *pairs)
#define SIZES (sizeof sizes / sizeof *sizes)
#define METHODS 3

/* Exact: any integers for tables of integers, small integers for tables of floats. Otherwise floats from 0 to 1. */
typedef struct table_case {
    type_pair types;
    unsigned channels;
    size_t width, height;
    scankit_table_options options;
    bool exact;
} table_case;

enum { IN, OUT };

static bool is_float(scankit_type type)
{
    return oracle_kind(type) == ORACLE_FLOAT;
}

static double unit_of(scankit_type type)
{
    return type == SCANKIT_F32 ? ldexp(1, -24) : ldexp(1, -53);
}

static void fill_small(const scankit_image *image, random_state *random)
{
    for (size_t y = 0; y < image->height; y++)
        for (size_t x = 0; x < image->width; x++)
            for (unsigned c = 0; c < image->channels; c++) {
                double value = (double)random_below(random, 16);
                canvas_set(image, x, y, c, is_float(image->type) ? value - 7 : value);
            }
}

static scankit_image draw_image(const table_case *c, random_state *random)
{
    scankit_image in = canvas_new(c->types.in, c->channels, c->width, c->height, random);
    if (c->exact && is_float(c->types.out))
        fill_small(&in, random);
    else
        canvas_fill(&in, c->exact ? (canvas_content)random_below(random, 2) : CANVAS_LIGHT, random);
    return in;
}

/* The table of value - mean: row by row, the sums of the row so far and of all above. */
static double *table_oracle(const scankit_image *in, const double *mean)
{
    double *table = canvas_values(in);
    size_t row = in->width * in->channels;
    for (size_t i = 0; i < in->height * row; i++) {
        double left = i % row >= in->channels ? table[i - in->channels] : 0, above = i >= row ? table[i - row] : 0;
        double corner = i >= row && i % row >= in->channels ? table[i - row - in->channels] : 0;
        table[i] += left - corner + above - (mean != NULL ? mean[i % in->channels] : 0);
    }
    return table;
}

static void wrap_to(scankit_type type, double *table, size_t n)
{
    for (size_t i = 0; type == SCANKIT_U32 && i < n; i++)
        table[i] = fmod(table[i], ldexp(1, 32));
}

/* Each element takes part in at most width + height additions. */
static canvas_bound bound_of(const table_case *c)
{
    double error = 2 * (double)(c->width + c->height) * unit_of(c->types.out);
    if (c->options.mean != NULL)
        return (canvas_bound){error * (double)(c->width * c->height), 0};
    return (canvas_bound){0, c->exact ? 0 : error};
}

static void expect_table(device *d, const table_case *c, const scankit_image *in, const scankit_image *before)
{
    double *table = table_oracle(in, c->options.mean);
    wrap_to(c->types.out, table, canvas_elements(in));
    canvas_expect(d, OUT, before, table, bound_of(c));
    free(table);
}

/* The second run has the bits of the first. */
static void run_again(device *d, const table_case *c, const scankit_image *from, const scankit_image *to)
{
    size_t bytes = canvas_bytes(to);
    char *first = data_allocate(bytes, 1);
    device_get(d, OUT, first);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, from, to, &c->options)))
        device_expect(d, OUT, first, bytes, 1, "second run");
    free(first);
}

static void check(device *d, const table_case *c, random_state *random)
{
    if (!device_case_is_due())
        return;
    scankit_image in = draw_image(c, random);
    scankit_image before = canvas_new(c->types.out, c->channels, c->width, c->height, random);
    const scankit_image from = canvas_put(d, IN, &in, random), to = canvas_put(d, OUT, &before, random);
    tap_case("%s, %u channels, %zu x %zu, pitches %zu and %zu, wrap %d", scankit_table_method_name(c->options.method),
             c->channels, c->width, c->height, in.pitch, before.pitch, c->options.wrap);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &to, &c->options))) {
        expect_table(d, c, &in, &before);
        if (!c->exact)
            run_again(d, c, &from, &to);
    }
    device_expect(d, IN, in.data, canvas_bytes(&in), 1, "input");
    canvas_free(&in);
    canvas_free(&before);
}

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
    check(d, &c, random);
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

/* ---- tables without their mean ---- */

static void expect_means(const scankit_image *in, const double *mean)
{
    double *values = canvas_values(in), sums[4] = {0}, pixels = (double)(in->width * in->height);
    for (size_t i = 0; i < canvas_elements(in); i++)
        sums[i % in->channels] += values[i];
    for (unsigned c = 0; c < in->channels; c++)
        if (!(fabs(mean[c] - sums[c] / pixels) <= 1e-10 * (1 + fabs(mean[c]))))
            tap_fail("the mean of channel %u is %.17g, should be %.17g", c, mean[c], sums[c] / pixels);
    free(values);
}

static double table_at(const scankit_image *table, size_t x, size_t y)
{
    return x > 0 && y > 0 ? canvas_get(table, x - 1, y - 1, 0) : 0;
}

static double direct_sum(const scankit_image *in, size_t left, size_t top, size_t right, size_t bottom)
{
    double sum = 0;
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++)
            sum += canvas_get(in, x, y, 0);
    return sum;
}

/* Sums over areas of the first channel, from differences of the table. */
static void expect_areas(const scankit_image *in, const scankit_image *table, double mean, random_state *random)
{
    for (unsigned i = 0; i < 20; i++) {
        size_t right = 1 + random_below(random, in->width), left = random_below(random, right);
        size_t bottom = 1 + random_below(random, in->height), top = random_below(random, bottom);
        double sum = table_at(table, right, bottom) - table_at(table, left, bottom) - table_at(table, right, top) +
                     table_at(table, left, top) + (double)((right - left) * (bottom - top)) * mean;
        double should = direct_sum(in, left, top, right, bottom);
        double bound = 8 * (double)((in->width + in->height) * in->width * in->height) * unit_of(table->type);
        if (!(fabs(sum - should) <= bound))
            tap_fail("the area (%zu, %zu) to (%zu, %zu) has %g, not %g", left, top, right, bottom, sum, should);
    }
}

static void check_mean(device *d, table_case *c, random_state *random)
{
    double mean[4] = {NAN, NAN, NAN, NAN};
    if (!device_case_is_due())
        return;
    scankit_image in = draw_image(c, random), table;
    scankit_image before = canvas_new(c->types.out, c->channels, c->width, c->height, random);
    const scankit_image from = canvas_put(d, IN, &in, random), to = canvas_put(d, OUT, &before, random);
    c->options.mean = mean;
    tap_case("%s, %u channels, %zu x %zu", scankit_table_method_name(c->options.method), c->channels, c->width,
             c->height);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &to, &c->options))) {
        expect_means(&in, mean);
        expect_table(d, c, &in, &before);
        table = canvas_copy(&before);
        device_get(d, OUT, table.data);
        expect_areas(&in, &table, mean[0], random);
        canvas_free(&table);
        run_again(d, c, &from, &to);
    }
    canvas_free(&in);
    canvas_free(&before);
}

static void without_mean(device *d, type_pair types)
{
    random_state random = random_seeded((uint64_t)types.in * 64 + (uint64_t)types.out + 16);
    tap_begin("%s: %s to %s: without the mean", d->name, scankit_type_name(types.in), scankit_type_name(types.out));
    for (size_t i = 0; i < 15; i++) {
        table_case c = {.types = types, .channels = 1 + (unsigned)(i % 4), .exact = canvas_most(types.in) > 0};
        c.width = 1 + random_size(&random, 90);
        c.height = 1 + random_size(&random, 90);
        c.options.method = (scankit_table_method)(i % METHODS);
        check_mean(d, &c, &random);
    }
    tap_end();
}

/* The largest error of a sum from (0, 0) on; NaN if the call fails. */
static double largest_error(device *d, const scankit_image *in, const double *sums, scankit_table_options options)
{
    double mean = 0, most = 0;
    scankit_image from = *in, table = *in;
    from.data = device_put(d, IN, in->data, canvas_bytes(in), 0);
    table.data = device_put(d, OUT, NULL, canvas_bytes(in), 0);
    options.mean = options.mean != NULL ? &mean : NULL;
    if (!DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &table, &options)))
        return NAN;
    table.data = data_allocate(canvas_bytes(in), 1);
    device_get(d, OUT, table.data);
    for (size_t y = 0; y < in->height; y++)
        for (size_t x = 0; x < in->width; x++) {
            double sum = canvas_get(&table, x, y, 0) + (double)((x + 1) * (y + 1)) * mean;
            most = fmax(most, fabs(sum - sums[y * in->width + x]));
        }
    canvas_free(&table);
    return most;
}

static void mean_saves_bits(device *d)
{
    enum { SIDE = 700 };
    random_state random = random_seeded(700);
    scankit_image in = canvas_new(SCANKIT_F32, 1, SIDE, SIDE, &random);
    canvas_fill(&in, CANVAS_LIGHT, &random);
    double *sums = table_oracle(&in, NULL), mean;
    tap_begin("%s: without the mean, sums lose fewer bits", d->name);
    double with = largest_error(d, &in, sums, (scankit_table_options){.mean = NULL});
    double without = largest_error(d, &in, sums, (scankit_table_options){.mean = &mean});
    if (!(without < with))
        tap_fail("the error is %g, and %g with the mean", without, with);
    tap_end();
    tap_diag("%s: largest error of a sum over %d x %d: %g, without the mean %g", d->name, SIDE, SIDE, with, without);
    free(sums);
    canvas_free(&in);
}

static void test(device *d)
{
    for (unsigned i = 0; i < PAIRS; i++) {
        every_size(d, pairs[i], true);
        if (is_float(pairs[i].in))
            every_size(d, pairs[i], false);
        larger_images(d, pairs[i], i);
        if (is_float(pairs[i].out))
            without_mean(d, pairs[i]);
    }
    long_sides(d);
    mean_saves_bits(d);
}

int main(void)
{
    return device_each("summed-area tables", test);
}
