/* mipmap.c - each level of a pyramid is the mean of the level before it by areas, in linear light: even, odd and narrow
 * sizes, every type and number of channels. Levels are not rounded before the next one is made. */
#include <math.h>
#include <stdlib.h>

#include "image/canvas.h"
#include "image/light-oracle.h"
#include "support/oracle.h"
#include "support/tap.h"

#define LEVELS DEVICE_AREAS /* with the image; each has an area */

static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

typedef struct mip_case {
    scankit_type type;
    unsigned channels;
    size_t width, height;
    int linear;
    canvas_content content;
} mip_case;

/* ---- the mean by areas ---- */

typedef struct span {
    double begin, end;
} span;

/* What pixel i of n covers of the `length` pixels before it. */
static span covered(size_t i, size_t n, size_t length)
{
    double scale = (double)length / (double)n;
    return (span){(double)i * scale, (double)(i + 1) * scale};
}

static double shared(span s, size_t pixel)
{
    return fmax(0, fmin(s.end, (double)pixel + 1) - fmax(s.begin, (double)pixel));
}

static double mean(const double *from, const scankit_image *form, span x, span y, unsigned c)
{
    double sum = 0;
    for (size_t j = (size_t)y.begin; j < form->height && (double)j < y.end; j++)
        for (size_t i = (size_t)x.begin; i < form->width && (double)i < x.end; i++)
            sum += shared(x, i) * shared(y, j) * from[(j * form->width + i) * form->channels + c];
    return sum / ((x.end - x.begin) * (y.end - y.begin));
}

/* Light to light. */
static double *shrink(const double *from, const scankit_image *large, const scankit_image *small)
{
    double *to = data_allocate(canvas_elements(small), sizeof *to), *next = to;
    for (size_t y = 0; y < small->height; y++)
        for (size_t x = 0; x < small->width; x++)
            for (unsigned c = 0; c < small->channels; c++)
                *next++ = mean(from, large, covered(x, small->width, large->width),
                               covered(y, small->height, large->height), c);
    return to;
}

/* ---- the library's levels ---- */

/* A float's mean rounds some six times a level, and a level's element once more. */
static canvas_bound bound_of(const mip_case *c, unsigned level)
{
    double light = level * ldexp(6, -24), most = canvas_most(c->type);
    if (c->content == CANVAS_CONSTANT && c->type != SCANKIT_F32)
        return (canvas_bound){0, 0};
    if (most > 0)
        return (canvas_bound){0.5 + most * light, 0};
    return (canvas_bound){light, ldexp(1, c->type == SCANKIT_F16 ? -11 : -24)};
}

static void expect_level(device *d, const mip_case *c, unsigned level, const scankit_image *before, const double *light)
{
    double *values = data_allocate(canvas_elements(before), sizeof *values);
    for (size_t i = 0; i < canvas_elements(before); i++) {
        values[i] = light_encode(before, (unsigned)(i % c->channels), c->linear, light[i]);
        if (c->content == CANVAS_CONSTANT && c->type == SCANKIT_F16)
            values[i] = oracle_double(SCANKIT_F16, oracle_float_bits(SCANKIT_F16, values[i]));
        else if (c->content == CANVAS_CONSTANT && c->type != SCANKIT_F32)
            values[i] = floor(values[i] + 0.5);
    }
    canvas_expect(d, level, before, values, bound_of(c, level));
    free(values);
}

static void expect_levels(device *d, const mip_case *c, const scankit_image *before, unsigned count)
{
    double *light = canvas_values(&before[0]);
    for (size_t i = 0; i < canvas_elements(&before[0]); i++)
        light[i] = light_decode(&before[0], (unsigned)(i % c->channels), c->linear, light[i]);
    for (unsigned k = 1; k <= count; k++) {
        double *next = shrink(light, &before[k - 1], &before[k]);
        free(light);
        light = next;
        expect_level(d, c, k, &before[k], light);
    }
    free(light);
}

static void check(device *d, const mip_case *c, random_state *random)
{
    scankit_image before[LEVELS], there[LEVELS];
    unsigned levels = scankit_mipmap_levels(c->width, c->height), count;
    levels = levels < LEVELS ? levels : LEVELS;
    count = random_below(random, 4) == 0 ? (unsigned)random_below(random, levels) : levels - 1;
    for (unsigned k = 0; k <= count; k++) {
        before[k] = canvas_new(c->type, c->channels, scankit_mipmap_extent(c->width, k),
                               scankit_mipmap_extent(c->height, k), random);
        if (k == 0)
            canvas_fill(&before[0], c->content, random);
        there[k] = canvas_put(d, k, &before[k], random);
    }
    tap_case("%s, %u channels, %zu x %zu, %u levels, %s, content %d", scankit_type_name(c->type), c->channels, c->width,
             c->height, count, c->linear ? "linear" : "sRGB", (int)c->content);
    if (DEVICE_DID(d, scankit_mipmap(d->context, &there[0], there + 1, count, c->linear)))
        expect_levels(d, c, before, count);
    device_expect(d, 0, before[0].data, canvas_bytes(&before[0]), 1, "input");
    for (unsigned k = 0; k <= count; k++)
        canvas_free(&before[k]);
}

/* ---- which cases ---- */

static mip_case draw_case(scankit_type type, random_state *random)
{
    mip_case c = {.type = type, .channels = 1 + (unsigned)random_below(random, 4)};
    c.width = 1 + random_size(random, 130);
    c.height = 1 + random_size(random, 130);
    c.linear = random_next(random) & 1;
    c.content = (canvas_content)random_below(random, CANVAS_CONTENTS);
    return c;
}

static void any_sizes(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 700);
    tap_begin("%s: %s: any size", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 200; i++) {
        mip_case c = draw_case(type, &random);
        if (i % 8 < 2)
            *(i % 8 == 0 ? &c.width : &c.height) = 1;
        if (device_case_is_due())
            check(d, &c, &random);
    }
    tap_end();
}

/* Enough pixels for several threads. */
static void larger_images(device *d, scankit_type type)
{
    static const size_t sizes[][2] = {{512, 256}, {511, 257}, {1, 70000}, {30001, 3}};
    random_state random = random_seeded((uint64_t)type + 800);
    tap_begin("%s: %s: larger images", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        mip_case c = draw_case(type, &random);
        c.width = sizes[i][0];
        c.height = sizes[i][1];
        if (device_case_is_due())
            check(d, &c, &random);
    }
    tap_end();
}

static void counts(void)
{
    tap_ok(scankit_mipmap_levels(0, 5) == 0 && scankit_mipmap_levels(5, 0) == 0, "no pixels, no levels");
    tap_ok(scankit_mipmap_levels(1, 1) == 1 && scankit_mipmap_levels(2, 1) == 2 && scankit_mipmap_levels(3, 3) == 2 &&
               scankit_mipmap_levels(5, 1024) == 11 && scankit_mipmap_levels(1023, 7) == 10,
           "numbers of levels");
    tap_ok(scankit_mipmap_extent(100, 0) == 100 && scankit_mipmap_extent(101, 2) == 25 &&
               scankit_mipmap_extent(3, 2) == 1 && scankit_mipmap_extent(7, 200) == 1,
           "sizes of levels");
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++) {
        any_sizes(d, types[t]);
        larger_images(d, types[t]);
    }
}

int main(void)
{
    counts();
    return device_each("pyramids", test);
}
