/* elements.c - see elements.h. */
#include "elements.h"

#include <string.h>

bool elements_are_pixels(scankit_type type)
{
    return type == SCANKIT_U8 || type == SCANKIT_U16 || type == SCANKIT_F16 || type == SCANKIT_F32;
}

double elements_full(scankit_type type)
{
    return type == SCANKIT_U8 ? 255 : type == SCANKIT_U16 ? 65535 : 1;
}

double element_load(const struct picture *picture, size_t i)
{
    const unsigned char *at = picture->pixels + i * scankit_type_size(picture->type);
    uint16_t wide;
    scankit_f16 half;
    float single;
    switch (picture->type) {
    case SCANKIT_U8: return *at;
    case SCANKIT_U16: memcpy(&wide, at, sizeof wide); return wide;
    case SCANKIT_F16: memcpy(&half, at, sizeof half); return scankit_f16_to_f32(half);
    default: memcpy(&single, at, sizeof single); return single;
    }
}

static double nearest(double value, double most)
{
    return value >= most ? most : value > 0 ? value + 0.5 : 0; /* a NaN becomes 0 */
}

void element_store(struct picture *picture, size_t i, double value)
{
    unsigned char *at = picture->pixels + i * scankit_type_size(picture->type);
    uint16_t wide;
    scankit_f16 half;
    float single = (float)value;
    switch (picture->type) {
    case SCANKIT_U8: *at = (unsigned char)nearest(value, 255); break;
    case SCANKIT_U16:
        wide = (uint16_t)nearest(value, 65535);
        memcpy(at, &wide, sizeof wide);
        break;
    case SCANKIT_F16:
        half = scankit_f16_from_f32(single);
        memcpy(at, &half, sizeof half);
        break;
    default: memcpy(at, &single, sizeof single);
    }
}
