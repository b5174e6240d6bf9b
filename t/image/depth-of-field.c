/* depth-of-field.c - depth of field is a box filter by the circles of confusion of a thin lens: pixels in focus stay,
 * depths that are no distances stay, infinity has the aperture, and radius_max limits. */
#include <math.h>
#include <stdlib.h>

#include "image/canvas.h"
#include "support/oracle.h"
#include "support/tap.h"

static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

enum { IN, DEPTH, OUT, RADII, FILTERED };

typedef struct blur_case {
    scankit_type type;
    unsigned channels;
    size_t width, height;
    scankit_lens lens;
} blur_case;

/* A third of the pixels are in focus or have no distance. */
static float draw_depth(const scankit_lens *lens, random_state *random)
{
    static const float special[] = {NAN, 0, -0.0f, -3, -INFINITY, INFINITY, 1e-30f, 3e38f, 1e-45f};
    float focus = (float)lens->focus;
    switch (random_below(random, 6)) {
    case 0: return focus;
    case 1: return special[random_below(random, sizeof special / sizeof *special)];
    case 2: return focus * (float)(1000 * random_unit(random));
    default: return focus * (float)(0.5 + random_unit(random));
    }
}

static bool is_sharp(float depth, const scankit_lens *lens)
{
    return !(depth > 0) || depth == (float)lens->focus;
}

static float radius_of(float depth, const scankit_lens *lens)
{
    float most = lens->radius_max > 0 ? (float)lens->radius_max : (float)SCANKIT_RADIUS_MAX;
    float away = fabsf(depth - (float)lens->focus), blurred = (float)lens->aperture * away;
    if (!(depth > 0))
        return 0;
    return fminf(isinf(depth) ? (float)lens->aperture : blurred / depth, most);
}

static scankit_image draw_depths(const blur_case *c, const scankit_image *radii, random_state *random)
{
    scankit_image depths = canvas_new(SCANKIT_F32, 1, c->width, c->height, random);
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++) {
            float depth = draw_depth(&c->lens, random);
            canvas_set(&depths, x, y, 0, (double)depth);
            canvas_set(radii, x, y, 0, (double)radius_of(depth, &c->lens));
        }
    return depths;
}

static void expect_sharp(const blur_case *c, const scankit_image *in, const scankit_image *depths,
                         const scankit_image *got)
{
    for (size_t y = 0; y < c->height; y++)
        for (size_t x = 0; x < c->width; x++)
            for (unsigned k = 0; k < c->channels; k++)
                if (is_sharp((float)canvas_get(depths, x, y, 0), &c->lens) &&
                    canvas_get(in, x, y, k) != canvas_get(got, x, y, k)) {
                    tap_fail("pixel (%zu, %zu) at depth %g is not sharp", x, y, canvas_get(depths, x, y, 0));
                    return;
                }
}

/* before: what both outputs held. */
static void compare(device *d, const blur_case *c, const scankit_image *in, const scankit_image *depths,
                    const scankit_image *before)
{
    scankit_image got = canvas_copy(before);
    device_get(d, FILTERED, got.data);
    device_expect(d, OUT, got.data, canvas_bytes(&got), 1, "the image by a map");
    device_get(d, OUT, got.data);
    expect_sharp(c, in, depths, &got);
    canvas_free(&got);
}

static void check(device *d, const blur_case *c, random_state *random)
{
    scankit_image radii = canvas_new(SCANKIT_F32, 1, c->width, c->height, random);
    scankit_image depths = draw_depths(c, &radii, random);
    scankit_image in = canvas_new(c->type, c->channels, c->width, c->height, random);
    scankit_image before = canvas_new(c->type, c->channels, c->width, c->height, random);
    canvas_fill(&in, CANVAS_ANY, random);
    const scankit_image from = canvas_put(d, IN, &in, random), depth = canvas_put(d, DEPTH, &depths, random);
    const scankit_image to = canvas_put(d, OUT, &before, random), map = canvas_put(d, RADII, &radii, random);
    const scankit_image filtered = canvas_put(d, FILTERED, &before, random);
    const scankit_box_options options = {.radii = &map, .edge = SCANKIT_EDGE_CLAMP};
    tap_case("%s, %u channels, %zu x %zu, focus %g, aperture %g, most %g", scankit_type_name(c->type), c->channels,
             c->width, c->height, c->lens.focus, c->lens.aperture, c->lens.radius_max);
    if (DEVICE_DID(d, scankit_depth_of_field(d->context, &from, &depth, &to, &c->lens)) &&
        DEVICE_DID(d, scankit_box_filter(d->context, &from, &filtered, &options)))
        compare(d, c, &in, &depths, &before);
    device_expect(d, DEPTH, depths.data, canvas_bytes(&depths), 1, "depths");
    canvas_free(&radii);
    canvas_free(&depths);
    canvas_free(&in);
    canvas_free(&before);
}

static void random_pictures(device *d, scankit_type type)
{
    static const double apertures[] = {0, 0.3, 3, 25.5, 1e6}, limits[] = {0, 4, 0.5, 1e9, INFINITY};
    random_state random = random_seeded((uint64_t)type + 500);
    tap_begin("%s: %s: a map of circles of confusion", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 100; i++) {
        blur_case c = {.type = type, .channels = 1 + (unsigned)random_below(&random, 4)};
        c.width = 1 + random_size(&random, 120);
        c.height = 1 + random_size(&random, 90);
        c.lens.focus = i % 7 == 0 ? 0.1 : 10 * random_unit(&random) + 0.001;
        c.lens.aperture = apertures[i % 5];
        c.lens.radius_max = limits[random_below(&random, 5)];
        if (device_case_is_due())
            check(d, &c, &random);
    }
    tap_end();
}

/* A step from the least to the largest value, all of it at infinity: a ramp of the aperture's width. */
static void infinity(device *d)
{
    static const uint8_t in[8] = {0, 0, 0, 0, 255, 255, 255, 255}, ramp[8] = {0, 0, 51, 102, 153, 204, 255, 255};
    const float depths[8] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    const scankit_lens open = {.focus = 2, .aperture = 2}, limited = {.focus = 2, .aperture = 5, .radius_max = 2};
    const scankit_image from = {SCANKIT_U8, 1, 8, 1, 0, device_put(d, IN, in, 8, 0)};
    const scankit_image to = {SCANKIT_U8, 1, 8, 1, 0, device_put(d, OUT, NULL, 8, 0)};
    const scankit_image depth = {SCANKIT_F32, 1, 8, 1, 0, device_put(d, DEPTH, depths, sizeof depths, 0)};
    tap_begin("%s: infinity has the aperture", d->name);
    tap_case("no limit");
    if (DEVICE_DID(d, scankit_depth_of_field(d->context, &from, &depth, &to, &open)))
        device_expect(d, OUT, ramp, 8, 1, "a ramp");
    tap_case("a limit");
    if (DEVICE_DID(d, scankit_depth_of_field(d->context, &from, &depth, &to, &limited)))
        device_expect(d, OUT, ramp, 8, 1, "a ramp");
    tap_end();
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++)
        random_pictures(d, types[t]);
    infinity(d);
}

int main(void)
{
    return device_each("depth of field", test);
}
