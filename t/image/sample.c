/* sample.c - samples of a pyramid equal direct code in double: each kind of sampling, places beyond the edges, NaNs,
 * and levels before the first and past the last. */
#include <math.h>
#include <stdlib.h>

#include "image/canvas.h"
#include "image/light-oracle.h"
#include "support/oracle.h"
#include "support/tap.h"

#define PLACES (DEVICE_AREAS - 2)
#define OUT (DEVICE_AREAS - 1)
#define LEVELS 6

static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

typedef struct pyramid {
    scankit_image level[LEVELS];
    unsigned count;
    int linear;
    scankit_sampling sampling;
} pyramid;

/* ---- direct sampling ---- */

static double pixel(const pyramid *of, unsigned k, double x, double y, unsigned c)
{
    const scankit_image *level = &of->level[k];
    double width = (double)level->width, height = (double)level->height;
    size_t column = (size_t)(x - floor(x / width) * width), row = (size_t)(y - floor(y / height) * height);
    return light_decode(level, c, of->linear, canvas_get(level, column, row, c));
}

static double nearest(const pyramid *of, unsigned k, double u, double v, unsigned c)
{
    return pixel(of, k, floor(u * (double)of->level[k].width), floor(v * (double)of->level[k].height), c);
}

/* Pixels stand in their centres. */
static double bilinear(const pyramid *of, unsigned k, double u, double v, unsigned c)
{
    double x = u * (double)of->level[k].width - 0.5, y = v * (double)of->level[k].height - 0.5, sum = 0;
    double column = floor(x), row = floor(y), right = x - column, below = y - row;
    for (int i = 0; i < 4; i++) {
        double weight = (i % 2 ? right : 1 - right) * (i / 2 ? below : 1 - below);
        sum += weight * pixel(of, k, column + i % 2, row + i / 2, c);
    }
    return sum;
}

static double trilinear(const pyramid *of, double level, double u, double v, unsigned c)
{
    double whole = floor(level), part = level - whole, sum = bilinear(of, (unsigned)whole, u, v, c);
    return part > 0 ? (1 - part) * sum + part * bilinear(of, (unsigned)whole + 1, u, v, c) : sum;
}

static double sample(const pyramid *of, scankit_place place, unsigned c)
{
    double u = isfinite(place.u) ? place.u : 0, v = isfinite(place.v) ? place.v : 0;
    double level = isnan(place.level) ? 0 : fmin(fmax(place.level, 0), of->count - 1);
    if (of->sampling == SCANKIT_SAMPLE_TRILINEAR)
        return trilinear(of, level, u, v, c);
    unsigned k = (unsigned)floor(level + 0.5);
    return of->sampling == SCANKIT_SAMPLE_NEAREST ? nearest(of, k, u, v, c) : bilinear(of, k, u, v, c);
}

/* ---- places ---- */

/* In the middle of one of 2^12 equal parts, which no border of pixels crosses. Places near borders would make the
 * nearest pixel depend on rounding. */
static float draw_coordinate(random_state *random)
{
    static const float special[] = {NAN, 0, -0.0f, 1, -1, 0.5f, 2, INFINITY, -INFINITY};
    float part = ((float)random_below(random, 1 << 12) + 0.5f) / (1 << 12);
    switch (random_below(random, 8)) {
    case 0: return special[random_below(random, sizeof special / sizeof *special)];
    case 1: return part - 3;
    case 2: return part + 2;
    default: return part;
    }
}

static float draw_level(unsigned count, random_state *random)
{
    static const float special[] = {NAN, -1, 0, 1000, 1e30f, INFINITY, -INFINITY, -0.25f};
    if (random_below(random, 6) == 0)
        return special[random_below(random, sizeof special / sizeof *special)];
    /* Never half way between two levels, unless in 64ths. */
    return (float)random_below(random, 64 * (uint64_t)count) / 64;
}

/* ---- the comparison ---- */

static double *expected(const pyramid *of, const scankit_place *places, size_t n)
{
    unsigned channels = of->level[0].channels;
    double *values = data_allocate(n * channels, sizeof *values);
    for (size_t i = 0; i < n * channels; i++)
        values[i] = sample(of, places[i / channels], (unsigned)(i % channels));
    return values;
}

/* A rounded place moves between two pixels by up to a unit of their position. */
static canvas_bound bound_of(const pyramid *of)
{
    double across = (double)(of->level[0].width + of->level[0].height);
    return (canvas_bound){of->sampling == SCANKIT_SAMPLE_NEAREST ? 0 : (8 + 2 * across) * ldexp(1, -23), ldexp(1, -23)};
}

static void check_places(device *d, const pyramid *of, const scankit_image *there, size_t n, random_state *random)
{
    scankit_place *places = data_allocate(n, sizeof *places);
    scankit_image out = {.type = SCANKIT_F32, .channels = of->level[0].channels, .width = n, .height = 1};
    out.data = data_allocate(n * out.channels, sizeof(float));
    for (size_t i = 0; i < n; i++)
        places[i] = (scankit_place){draw_coordinate(random), draw_coordinate(random), draw_level(of->count, random)};
    double *values = expected(of, places, n);
    const scankit_place *from = device_put(d, PLACES, places, n * sizeof *places, 4 * random_below(random, 9));
    float *to = device_put(d, OUT, NULL, canvas_bytes(&out), 4 * random_below(random, 9));
    if (DEVICE_DID(d, scankit_sample(d->context, there, of->count, of->sampling, of->linear, from, to, n)))
        canvas_expect(d, OUT, &out, values, bound_of(of));
    free(values);
    free(places);
    canvas_free(&out);
}

/* The levels need not be a pyramid's means. */
static void check(device *d, scankit_type type, scankit_sampling sampling, random_state *random)
{
    size_t width = 1 + random_size(random, 60), height = 1 + random_size(random, 60), n = 1 + random_size(random, 3000);
    unsigned channels = 1 + (unsigned)random_below(random, 4), levels = scankit_mipmap_levels(width, height);
    pyramid of = {.linear = random_next(random) & 1, .sampling = sampling};
    of.count = 1 + (unsigned)random_below(random, levels < LEVELS ? levels : LEVELS);
    scankit_image there[LEVELS];
    for (unsigned k = 0; k < of.count; k++) {
        of.level[k] =
            canvas_new(type, channels, scankit_mipmap_extent(width, k), scankit_mipmap_extent(height, k), random);
        canvas_fill(&of.level[k], CANVAS_ANY, random);
        there[k] = canvas_put(d, k, &of.level[k], random);
    }
    tap_case("%u channels, %zu x %zu, %u levels, %s, %zu places", channels, width, height, of.count,
             of.linear ? "linear" : "sRGB", n);
    check_places(d, &of, there, n, random);
    for (unsigned k = 0; k < of.count; k++)
        canvas_free(&of.level[k]);
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++)
        for (int sampling = 0; scankit_sampling_name((scankit_sampling)sampling) != NULL; sampling++) {
            random_state random = random_seeded((uint64_t)types[t] * 8 + (uint64_t)sampling);
            tap_begin("%s: %s: %s", d->name, scankit_type_name(types[t]),
                      scankit_sampling_name((scankit_sampling)sampling));
            for (int i = 0; i < 40; i++)
                if (device_case_is_due())
                    check(d, types[t], (scankit_sampling)sampling, &random);
            tap_end();
        }
}

int main(void)
{
    return device_each("samples", test);
}
