/* box-filter.c - box filters equal a loop over the pixels of each box: every type, edge, number of channels and passes;
 * radii of 0 to several images, also a map of them. */
#include <math.h>
#include <stdlib.h>

#include "image/box-oracle.h"
#include "image/canvas.h"
#include "support/oracle.h"
#include "support/tap.h"

static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
static const double radii[] = {0, 0.25, 1, 2.5, 7, 0.001, 0.5, 1.998, 33.3, 99};
#define RADII (sizeof radii / sizeof *radii)

typedef struct box_case {
    scankit_type type;
    unsigned channels, passes;
    size_t width, height;
    scankit_edge edge;
    double radius;
    bool mapped;
    canvas_content content;
    unsigned raised; /* pixels of a window that are higher by one; 0: `content` fills the picture */
} box_case;

enum { IN, OUT, MAP };

/* Floats of at most 1 are rounded once a pass. f16 has 11 bits, f32 24. */
static canvas_bound bound_of(const box_case *c)
{
    if (canvas_most(c->type) > 0 || c->content == CANVAS_CONSTANT)
        return (canvas_bound){0, 0};
    double last = c->type == SCANKIT_F16 ? ldexp(1, -11) : 0;
    return (canvas_bound){(c->passes > 0 ? c->passes : 1) * ldexp(1.001, -24) + last, 0};
}

/* One radius in eight is special. */
static double draw_radius(random_state *random)
{
    static const double special[] = {NAN, -1, -INFINITY, INFINITY, 1e30, SCANKIT_RADIUS_MAX, 16383.9, 700};
    switch (random_below(random, 16)) {
    case 0: return special[random_below(random, sizeof special / sizeof *special)];
    case 1: return 0;
    case 2: return 100 * random_unit(random);
    default: return 6 * random_unit(random);
    }
}

/* Returns the map of a case; parts gets the radii that it stands for. */
static scankit_image draw_map(const box_case *c, uint32_t *parts, random_state *random)
{
    scankit_image map = canvas_new(SCANKIT_F32, 1, c->width, c->height, random);
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++) {
            canvas_set(&map, x, y, 0, c->mapped ? draw_radius(random) : c->radius);
            *parts++ = box_radius(c->mapped ? canvas_get(&map, x, y, 0) : c->radius);
        }
    return map;
}

static void expect_filtered(device *d, const box_case *c, const scankit_image *in, const scankit_image *before,
                            const uint32_t *parts)
{
    double *values =
        c->content == CANVAS_CONSTANT ? canvas_values(in) : data_allocate(canvas_elements(in), sizeof *values);
    if (c->content != CANVAS_CONSTANT)
        box_oracle(in, parts, c->edge, c->passes, values);
    canvas_expect(d, OUT, before, values, bound_of(c));
    free(values);
}

/* Tiles of a window's size, so each window inside the picture has the same sum. The step, a prime, spreads what is
 * raised over a tile. */
static void fill_by_tiles(const box_case *c, const scankit_image *image, random_state *random)
{
    size_t side = 2 * (size_t)c->radius + 1, area = side * side, step = 7919;
    double least = (double)random_below(random, (uint64_t)canvas_most(c->type));
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++)
            for (unsigned channel = 0; channel < c->channels; channel++) {
                size_t place = (y % side * side + x % side) * step % area;
                canvas_set(image, x, y, channel, least + (place < c->raised));
            }
}

static void check(device *d, const box_case *c, random_state *random)
{
    if (!device_case_is_due())
        return;
    uint32_t *parts = data_allocate(c->width * c->height, sizeof *parts);
    scankit_image map = draw_map(c, parts, random), in = canvas_new(c->type, c->channels, c->width, c->height, random);
    scankit_image before = canvas_new(c->type, c->channels, c->width, c->height, random);
    if (c->raised > 0)
        fill_by_tiles(c, &in, random);
    else
        canvas_fill(&in, c->content, random);
    const scankit_image from = canvas_put(d, IN, &in, random), to = canvas_put(d, OUT, &before, random);
    const scankit_image map_there = canvas_put(d, MAP, &map, random);
    scankit_box_options options = {.radius = c->radius, .edge = c->edge, .passes = c->passes};
    options.radii = c->mapped ? &map_there : NULL;
    tap_case("%s, %u channels, %zu x %zu, %s, %s %g, %u passes, content %d", scankit_type_name(c->type), c->channels,
             c->width, c->height, scankit_edge_name(c->edge), c->mapped ? "mapped" : "radius", c->radius, c->passes,
             (int)c->content);
    if (DEVICE_DID(d, scankit_box_filter(d->context, &from, &to, &options)))
        expect_filtered(d, c, &in, &before, parts);
    device_expect(d, IN, in.data, canvas_bytes(&in), 1, "input");
    canvas_free(&map);
    canvas_free(&in);
    canvas_free(&before);
    free(parts);
}

/* ---- which cases ---- */

static box_case draw_case(scankit_type type, random_state *random)
{
    box_case c = {.type = type, .channels = 1 + (unsigned)random_below(random, 4)};
    c.passes = (unsigned)random_below(random, 4); /* 0: once */
    c.width = 1 + random_size(random, 70);
    c.height = 1 + random_size(random, 40);
    c.edge = (scankit_edge)random_below(random, 3);
    c.content = (canvas_content)random_below(random, CANVAS_CONTENTS);
    return c;
}

static void single_radii(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type);
    tap_begin("%s: %s: one radius", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 12 * RADII; i++) {
        box_case c = draw_case(type, &random);
        c.radius = radii[i % RADII];
        check(d, &c, &random);
    }
    tap_end();
}

/* Radii of many images, up to the largest. */
static void tiny_images(device *d, scankit_type type)
{
    static const double large[] = {16, 100.7, 3000, 16383.7, SCANKIT_RADIUS_MAX};
    random_state random = random_seeded((uint64_t)type + 100);
    tap_begin("%s: %s: tiny images", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 40; i++) {
        box_case c = draw_case(type, &random);
        c.width = 1 + random_below(&random, i % 3 == 0 ? 1 : 5);
        c.height = 1 + random_below(&random, i % 3 == 1 ? 1 : 5);
        c.radius = large[i % 5];
        check(d, &c, &random);
    }
    tap_end();
}

/* Whole radii, one after the other: means are divided in another way as windows grow, and windows are many pictures. */
static void every_radius(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 400);
    tap_begin("%s: %s: every radius", d->name, scankit_type_name(type));
    for (size_t radius = 0; radius < 280; radius++) {
        box_case c = draw_case(type, &random);
        c.width = 1 + random_below(&random, 70);
        c.height = 1 + random_below(&random, 4);
        c.radius = (double)radius;
        c.channels = radius % 2 == 0 ? 1 : c.channels;
        c.passes = radius % 8 == 7 ? 3 : 1;
        check(d, &c, &random);
    }
    tap_end();
}

/* Sums next to a half of the area, where a mean is rounded up or down. */
static void near_halves(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 500);
    tap_begin("%s: %s: means near halves", d->name, scankit_type_name(type));
    for (unsigned i = 0; i < 80; i++) {
        unsigned radius = 1 + i / 2 % 20, side = 2 * radius + 1;
        box_case c = {.type = type, .passes = 1, .raised = side * side / 2 + i % 2, .radius = radius};
        c.edge = (scankit_edge)(i % 3);
        c.channels = i < 40 ? 1 : 1 + i % 4;
        c.width = side + 40;
        c.height = side + 3;
        check(d, &c, &random);
    }
    tap_end();
}

/* Rows of several parts, which begin anywhere in lines of the cache. */
static void wide_images(device *d, scankit_type type)
{
    static const size_t widths[] = {959, 960, 961, 1920, 1921, 3000};
    random_state random = random_seeded((uint64_t)type + 500);
    tap_begin("%s: %s: wide images", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 24; i++) {
        box_case c = draw_case(type, &random);
        c.width = widths[i % 6];
        c.height = 1 + random_below(&random, 3);
        c.passes = 1;
        c.radius = radii[random_below(&random, RADII)];
        check(d, &c, &random);
    }
    tap_end();
}

/* Windows of many pixels, along rows or columns that are as long, a little longer, or several times as long. */
static void wide_windows(device *d, scankit_type type)
{
    static const double wide[] = {254, 255, 255.5, 256, 511, 512.25, 600, 1000, 1260, 1290, 2000};
    random_state random = random_seeded((uint64_t)type + 600);
    tap_begin("%s: %s: wide windows", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 22; i++) {
        box_case c = draw_case(type, &random);
        c.radius = wide[i % 11];
        size_t lengths[] = {(size_t)c.radius, (size_t)c.radius + 1, 2 * (size_t)c.radius + 2, 2600};
        size_t length = lengths[random_below(&random, 4)], other = 1 + random_below(&random, 2);
        c.width = i < 11 ? length : other;
        c.height = i < 11 ? other : length;
        c.channels = 1 + (unsigned)random_below(&random, 2);
        c.passes = 1;
        check(d, &c, &random);
    }
    tap_end();
}

/* More rows, or columns, than a GPU filters at the same time. Their lengths are a little more than the radius, or next
 * to a whole number of chunks of 512 pixels. */
static void many_rows(device *d, scankit_type type)
{
    static const size_t lengths[] = {13, 511, 512, 513, 1030};
    random_state random = random_seeded((uint64_t)type + 700);
    tap_begin("%s: %s: many rows", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 20; i++) {
        box_case c = draw_case(type, &random);
        const size_t length = lengths[i % 5], many = (scankit_is_host(d->context) ? 300 : 5000) / c.channels;
        const double reach[] = {0.5, 2, fmin((double)length / 2, 60), fmin((double)length - 1, 260)};
        c.radius = reach[i / 5];
        c.width = i % 2 == 0 ? length : many;
        c.height = i % 2 == 0 ? many : length;
        c.edge = (scankit_edge)(i % 3);
        c.passes = 1;
        check(d, &c, &random);
    }
    tap_end();
}

static void maps(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 200);
    tap_begin("%s: %s: a map of radii", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 40; i++) {
        box_case c = draw_case(type, &random);
        c.mapped = true;
        c.width = i % 8 == 0 ? 1 : c.width;
        c.height = i % 8 == 1 ? 1 : c.height;
        check(d, &c, &random);
    }
    tap_end();
}

/* Enough pixels for several threads. */
static void larger_images(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type + 300);
    tap_begin("%s: %s: larger images", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 4; i++) {
        box_case c = draw_case(type, &random);
        c.width = 300 - i;
        c.height = 200 + i;
        c.passes = i == 3 ? 2 : 1;
        c.channels = i < 3 ? 1 : c.channels;
        c.radius = radii[1 + i % 3];
        check(d, &c, &random);
    }
    tap_end();
}

/* Rows of several parts, and windows that are wide enough for all steps in one: some rows and columns lie away from the
 * edges. Passes over two rows leave a row, or none. The last twelve windows are narrower than a register. */
static void windows_of_kernels(device *d, scankit_type type)
{
    static const double wide[] = {66, 35, 24, 20};
    random_state random = random_seeded((uint64_t)type + 400);
    tap_begin("%s: %s: windows of several registers", d->name, scankit_type_name(type));
    for (unsigned i = 0; i < 36; i++) {
        box_case c = {.type = type, .channels = 1 + i % 4, .passes = 1, .edge = (scankit_edge)(i / 4 % 3)};
        c.radius = i >= 24 ? 1 + i % 3 : type == SCANKIT_U8 ? wide[i % 4] : 16 + i % 3;
        c.width = 2 * (size_t)c.radius + 200 + 161 * (i % 3);
        c.height = (c.edge == SCANKIT_EDGE_OMIT && c.radius < 40 ? 2 * (size_t)c.radius + 6 : 5) + i / 12;
        c.content = i % 2 == 0 ? CANVAS_EXTREMES : CANVAS_ANY;
        check(d, &c, &random);
    }
    tap_end();
}

static void test(device *d)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        single_radii(d, types[t]);
        tiny_images(d, types[t]);
        every_radius(d, types[t]);
        wide_images(d, types[t]);
        wide_windows(d, types[t]);
        many_rows(d, types[t]);
        if (canvas_most(types[t]) > 0)
            near_halves(d, types[t]);
        maps(d, types[t]);
        larger_images(d, types[t]);
    }
}

static void test_kernels(device *d)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        windows_of_kernels(d, types[t]);
}

int main(void)
{
    if (device_wanted("cpu"))
        device_each_kernels("cpu:2", test_kernels);
    return device_each("box filters", test);
}
