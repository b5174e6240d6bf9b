/* alpha.c - see alpha.h. */
#include "alpha.h"

#include <math.h>

#include "elements.h"

/* The curves of sRGB, IEC 61966-2-1. */
static double linear_of(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double srgb_of(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

struct picture alpha_premultiplied(const struct picture *picture, bool srgb)
{
    struct picture made = picture_new(SCANKIT_F32, picture->channels, picture->width, picture->height);
    size_t pixels = picture->width * picture->height, channels = picture->channels;
    double full = elements_full(picture->type);
    bool curved = srgb && full > 1;
    for (size_t i = 0; i < pixels; i++) {
        size_t last = i * channels + channels - 1;
        double alpha = element_load(picture, last) / full;
        for (size_t c = i * channels; c < last; c++) {
            double value = element_load(picture, c) / full;
            element_store(&made, c, (curved ? linear_of(value) : value) * alpha);
        }
        element_store(&made, last, alpha);
    }
    return made;
}

struct picture alpha_straight(const struct picture *premultiplied, scankit_type type, bool srgb)
{
    struct picture made = picture_new(type, premultiplied->channels, premultiplied->width, premultiplied->height);
    size_t pixels = made.width * made.height, channels = made.channels;
    double full = elements_full(type);
    bool curved = srgb && full > 1;
    for (size_t i = 0; i < pixels; i++) {
        size_t last = i * channels + channels - 1;
        double alpha = element_load(premultiplied, last);
        for (size_t c = i * channels; c < last; c++) {
            double value = alpha == 0 ? 0 : element_load(premultiplied, c) / alpha;
            element_store(&made, c, (curved ? srgb_of(value) : value) * full);
        }
        element_store(&made, last, alpha * full);
    }
    return made;
}
