/* alpha.c - see alpha.h. */
#include "alpha.h"

#include <math.h>
#include <stdlib.h>

#include "common/cli.h"
#include "elements.h"

/* The curve of sRGB, IEC 61966-2-1. */
static double linear_of(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* The curve between integers and light as tables, since pow() would take most of the time. The light of value v ends at
 * limits[v]. firsts: for each part of the light, of `full` parts, the first value that may lie in it. */
struct curve {
    size_t full;
    double *light, *limits;
    size_t *firsts;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        fail(NULL, "out of memory");
    return memory;
}

static struct curve curve_of(scankit_type type, bool curved)
{
    struct curve curve = {.full = curved ? (size_t)elements_full(type) : 0};
    const size_t full = curve.full;
    if (full == 0)
        return curve;
    curve.light = allocate(full + 1, sizeof *curve.light);
    curve.limits = allocate(full + 1, sizeof *curve.limits);
    curve.firsts = allocate(full + 1, sizeof *curve.firsts);
    for (size_t v = 0; v <= full; v++) {
        curve.light[v] = linear_of((double)v / (double)full);
        curve.limits[v] = v < full ? linear_of(((double)v + 0.5) / (double)full) : INFINITY;
    }
    for (size_t part = 0, v = 0; part <= full; part++) {
        while (curve.limits[v] <= (double)part / (double)full)
            v++;
        curve.firsts[part] = v;
    }
    return curve;
}

static void curve_free(struct curve *curve)
{
    free(curve->light);
    free(curve->limits);
    free(curve->firsts);
}

static double value_of_light(const struct curve *curve, double light)
{
    if (!(light > 0))
        return 0;
    size_t value = curve->firsts[(size_t)(fmin(light, 1) * (double)curve->full)];
    while (light >= curve->limits[value])
        value++;
    return (double)value;
}

struct picture alpha_premultiplied(const struct picture *picture, bool srgb)
{
    struct picture made = picture_new(SCANKIT_F32, picture->channels, picture->width, picture->height);
    size_t pixels = picture->width * picture->height, channels = picture->channels;
    double full = elements_full(picture->type);
    struct curve curve = curve_of(picture->type, srgb && full > 1);
    float *to = (float *)(void *)made.pixels;
    for (size_t i = 0; i < pixels; i++) {
        size_t last = i * channels + channels - 1;
        double alpha = element_load(picture, last) / full;
        for (size_t c = i * channels; c < last; c++) {
            double value = element_load(picture, c);
            to[c] = (float)((curve.full > 0 ? curve.light[(size_t)value] : value / full) * alpha);
        }
        to[last] = (float)alpha;
    }
    curve_free(&curve);
    return made;
}

struct picture alpha_straight(const struct picture *premultiplied, scankit_type type, bool srgb)
{
    struct picture made = picture_new(type, premultiplied->channels, premultiplied->width, premultiplied->height);
    size_t pixels = made.width * made.height, channels = made.channels;
    double full = elements_full(type);
    struct curve curve = curve_of(type, srgb && full > 1);
    const float *from = (const float *)(const void *)premultiplied->pixels;
    for (size_t i = 0; i < pixels; i++) {
        size_t last = i * channels + channels - 1;
        double alpha = (double)from[last];
        for (size_t c = i * channels; c < last; c++) {
            double value = alpha == 0 ? 0 : (double)from[c] / alpha;
            element_store(&made, c, curve.full > 0 ? value_of_light(&curve, value) : value * full);
        }
        element_store(&made, last, alpha * full);
    }
    curve_free(&curve);
    return made;
}
