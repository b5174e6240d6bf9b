/* light-oracle.c - see light-oracle.h */
#include "image/light-oracle.h"

#include <math.h>
#include <stdbool.h>

#include "image/canvas.h"

static bool is_curved(const scankit_image *image, unsigned channel, int linear)
{
    bool alpha = (image->channels == 2 || image->channels == 4) && channel + 1 == image->channels;
    return !linear && !alpha;
}

double light_decode(const scankit_image *image, unsigned channel, int linear, double value)
{
    uint32_t most = canvas_most(image->type);
    if (most == 0)
        return value;
    value /= most;
    if (!is_curved(image, channel, linear))
        return value;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double light_encode(const scankit_image *image, unsigned channel, int linear, double light)
{
    uint32_t most = canvas_most(image->type);
    if (most == 0)
        return light;
    if (!is_curved(image, channel, linear))
        return light * most;
    return most * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055);
}
