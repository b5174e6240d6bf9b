/* light.c - sRGB (IEC 61966-2-1): tables of the light of each value, and of the bounds between values. */
#include "light.h"

#include <math.h>
#include <pthread.h>

#define VALUES_8 ((size_t)1 << 8)
#define VALUES_16 ((size_t)1 << 16)

static float decode_8[VALUES_8], bounds_8[VALUES_8], decode_16[VALUES_16], bounds_16[VALUES_16];

/* The light of a component, both from 0 to 1. */
static double light_of(double component)
{
    return component <= 0.04045 ? component / 12.92 : pow((component + 0.055) / 1.055, 2.4);
}

/* A bound lies at the component half way to the next value. */
static void fill(float *decode, float *bounds, size_t values)
{
    double most = (double)(values - 1);
    for (size_t v = 0; v < values; v++) {
        decode[v] = (float)light_of((double)v / most);
        bounds[v] = v + 1 < values ? (float)light_of(((double)v + 0.5) / most) : INFINITY;
    }
}

static void fill_all(void)
{
    fill(decode_8, bounds_8, VALUES_8);
    fill(decode_16, bounds_16, VALUES_16);
}

sk_light sk_light_of(scankit_type type, int linear)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sk_light light = {NULL, NULL};
    if (linear || (type != SCANKIT_U8 && type != SCANKIT_U16))
        return light;
    pthread_once(&once, fill_all);
    light.decode = type == SCANKIT_U8 ? decode_8 : decode_16;
    light.bounds = type == SCANKIT_U8 ? bounds_8 : bounds_16;
    return light;
}
