/* table-mean.c - summed-area tables of value - mean: the means, the tables, and sums over areas; they lose fewer bits
 * than tables of values. */
#include <math.h>
#include <stdlib.h>

#include "image/table-case.h"
#include "support/oracle.h"
#include "support/tap.h"

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
        double bound = 8 * (double)((in->width + in->height) * in->width * in->height) * table_unit(table->type);
        if (!(fabs(sum - should) <= bound))
            tap_fail("the area (%zu, %zu) to (%zu, %zu) has %g, not %g", left, top, right, bottom, sum, should);
    }
}

static void check_mean(device *d, table_case *c, random_state *random)
{
    double mean[4] = {NAN, NAN, NAN, NAN};
    if (!device_case_is_due())
        return;
    scankit_image in = table_draw(c, random), table;
    scankit_image before = canvas_new(c->types.out, c->channels, c->width, c->height, random);
    const scankit_image from = canvas_put(d, TABLE_IN, &in, random), to = canvas_put(d, TABLE_OUT, &before, random);
    c->options.mean = mean;
    tap_case("%s, %u channels, %zu x %zu", scankit_table_method_name(c->options.method), c->channels, c->width,
             c->height);
    if (DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &to, &c->options))) {
        expect_means(&in, mean);
        table_expect(d, c, &in, &before);
        table = canvas_copy(&before);
        device_get(d, TABLE_OUT, table.data);
        expect_areas(&in, &table, mean[0], random);
        canvas_free(&table);
        table_run_again(d, c, &from, &to);
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
    from.data = device_put(d, TABLE_IN, in->data, canvas_bytes(in), 0);
    table.data = device_put(d, TABLE_OUT, NULL, canvas_bytes(in), 0);
    options.mean = options.mean != NULL ? &mean : NULL;
    if (!DEVICE_DID(d, scankit_summed_area_table(d->context, &from, &table, &options)))
        return NAN;
    table.data = data_allocate(canvas_bytes(in), 1);
    device_get(d, TABLE_OUT, table.data);
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
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        without_mean(d, (type_pair){types[i], SCANKIT_F32});
        without_mean(d, (type_pair){types[i], SCANKIT_F64});
    }
    mean_saves_bits(d);
}

int main(void)
{
    return device_each("summed-area tables without their mean", test);
}
