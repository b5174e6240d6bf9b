/* box-large.c - box filters of pictures that are larger than the caches, by the kernels of each instruction set: rows
 * that begin anywhere in a line of the caches, any number of channels, all edges. The same floats result at another
 * place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/canvas.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LARGE (((size_t)8 << 20) + 4096) /* bytes of a picture */

enum { IN, OUT };

typedef struct large_case {
    scankit_type type;
    unsigned channels;
    size_t width, radius;
    scankit_edge edge;
} large_case;

/* ---- the expected means, by sums from the beginning of each line ---- */

/* Elements that lie one behind the other in a line. */
typedef struct line {
    double *first;
    size_t length, step;
} line;

static int64_t shown(int64_t place, int64_t length, scankit_edge edge)
{
    while (edge == SCANKIT_EDGE_MIRROR && (place < 0 || place >= length))
        place = place < 0 ? -1 - place : 2 * length - 1 - place;
    if (place >= 0 && place < length)
        return place;
    return edge == SCANKIT_EDGE_OMIT ? -1 : place < 0 ? 0 : length - 1;
}

/* Each element becomes the sum of its window. sums: length + 2 radius + 1 elements. */
static void sum_windows(line l, const large_case *c, double *sums)
{
    const size_t places = l.length + 2 * c->radius;
    sums[0] = 0;
    for (size_t i = 0; i < places; i++) {
        int64_t at = shown((int64_t)i - (int64_t)c->radius, (int64_t)l.length, c->edge);
        sums[i + 1] = sums[i] + (at < 0 ? 0 : l.first[(size_t)at * l.step]);
    }
    for (size_t i = 0; i < l.length; i++)
        l.first[i * l.step] = sums[i + 2 * c->radius + 1] - sums[i];
}

static size_t pixels_of_window(size_t place, size_t length, const large_case *c)
{
    if (c->edge != SCANKIT_EDGE_OMIT)
        return 2 * c->radius + 1;
    size_t begin = place > c->radius ? place - c->radius : 0, end = place + c->radius + 1;
    return (end < length ? end : length) - begin;
}

static double mean_of(double sum, size_t area, scankit_type type)
{
    if (canvas_most(type) == 0)
        return sum / (double)area;
    return (double)((2 * (uint64_t)sum + area) / (2 * area));
}

/* To be freed. */
static double *means_of(const scankit_image *in, const large_case *c)
{
    double *values = canvas_values(in), *sums = data_allocate(in->width + in->height + 2 * c->radius + 1, sizeof *sums);
    const size_t row = in->width * in->channels;
    for (size_t y = 0; y < in->height; y++)
        for (unsigned k = 0; k < in->channels; k++)
            sum_windows((line){values + y * row + k, in->width, in->channels}, c, sums);
    for (size_t i = 0; i < row; i++)
        sum_windows((line){values + i, in->height, row}, c, sums);
    for (size_t y = 0; y < in->height; y++)
        for (size_t i = 0; i < row; i++)
            values[y * row + i] = mean_of(
                values[y * row + i],
                pixels_of_window(y, in->height, c) * pixels_of_window(i / in->channels, in->width, c), in->type);
    free(sums);
    return values;
}

/* ---- cases ---- */

static canvas_bound bound_of(scankit_type type)
{
    if (canvas_most(type) > 0)
        return (canvas_bound){0, 0};
    return (canvas_bound){ldexp(1.001, type == SCANKIT_F16 ? -11 : -24), 0};
}

static void filter(device *d, const large_case *c, const scankit_image *from, const scankit_image *to)
{
    const scankit_box_options options = {.radius = (double)c->radius, .edge = c->edge, .passes = 1};
    (void)DEVICE_DID(d, scankit_box_filter(d->context, from, to, &options));
}

/* All bytes of the area, gaps included, are those that a filter to another place gives. */
static void expect_at_other_place(device *d, const large_case *c, const scankit_image *from,
                                  const scankit_image *before)
{
    char *first = data_allocate(canvas_bytes(before), 1);
    scankit_image to = *before;
    device_get(d, OUT, first);
    to.data = device_put(d, OUT, before->data, canvas_bytes(before), 28 * oracle_size(c->type));
    filter(d, c, from, &to);
    device_expect(d, OUT, first, canvas_bytes(before), 1, "result at another place");
    free(first);
}

static void check(device *d, const large_case *c, random_state *random)
{
    if (!device_case_is_due())
        return;
    const size_t height = LARGE / (c->width * c->channels * oracle_size(c->type)) + 1;
    scankit_image in = canvas_new(c->type, c->channels, c->width, height, random);
    scankit_image before = canvas_new(c->type, c->channels, c->width, height, random);
    canvas_fill(&in, CANVAS_LIGHT, random);
    const scankit_image from = canvas_put(d, IN, &in, random), to = canvas_put(d, OUT, &before, random);
    double *means = means_of(&in, c);
    tap_case("%u channels, %zu x %zu, %s, radius %zu", c->channels, c->width, height, scankit_edge_name(c->edge),
             c->radius);
    filter(d, c, &from, &to);
    canvas_expect(d, OUT, &before, means, bound_of(c->type));
    expect_at_other_place(d, c, &from, &before);
    free(means);
    canvas_free(&in);
    canvas_free(&before);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
    static const size_t widths[] = {1280, 2311, 1000, 3107};
    for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
        random_state random = random_seeded(types[t] + 500);
        tap_begin("%s: %s: large pictures", d->name, scankit_type_name(types[t]));
        for (unsigned i = 0; i < 4; i++) {
            const large_case c = {types[t], 1 + (i + t) % 4, widths[i], i % 2 == 0 ? 66 : 33 + i,
                                  (scankit_edge)(i % 3)};
            check(d, &c, &random);
        }
        tap_end();
    }
}

int main(void)
{
    if (device_wanted("cpu"))
        device_each_kernels("cpu:2", test);
    return tap_finish();
}
