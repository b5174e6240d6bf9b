/* light_codec.c - rows of an image as light, and back. */
#include "light_codec.h"

void sk_light_codec_open(sk_light_codec *codec, const sk_light_kernels *kernels, scankit_type type, unsigned channels,
                         const sk_light *light)
{
    codec->kernels = kernels;
    codec->type = type;
    codec->channels = channels;
    codec->light = *light;
    for (uint32_t i = 0; light->bounds != NULL && i <= SK_LIGHT_STEPS; i++)
        codec->first[i] =
            (uint16_t)sk_bounds_encode(light->bounds, (float)i / SK_LIGHT_STEPS, sk_picture_most(codec->type));
    codec->by_step = light->bounds != NULL;
    for (uint32_t i = 0; codec->by_step && i < SK_LIGHT_STEPS; i++)
        codec->by_step = codec->first[i + 1] - codec->first[i] <= 1;
}

static bool is_linear(const sk_light_codec *codec, unsigned channel)
{
    return codec->light.decode == NULL || sk_is_alpha(channel, codec->channels);
}

float sk_decode_one(const sk_light_codec *codec, const void *row, size_t i, unsigned channel)
{
    uint32_t value;
    switch (codec->type) {
    case SCANKIT_F32: return ((const float *)row)[i];
    case SCANKIT_F16: return sk_f32_from_f16(((const scankit_f16 *)row)[i]);
    case SCANKIT_U8: value = ((const uint8_t *)row)[i]; break;
    default: value = ((const uint16_t *)row)[i];
    }
    return is_linear(codec, channel) ? sk_linear_decode(value, sk_picture_most(codec->type))
                                     : codec->light.decode[value];
}

/* sk_bounds_encode(), with a search among the values of a step alone. */
static uint32_t encode_by_bounds(const sk_light_codec *codec, float light)
{
    const float *bounds = codec->light.bounds;
    if (!(light > 0))
        return 0;
    if (light >= 1)
        return sk_bounds_encode(bounds, light, sk_picture_most(codec->type));
    uint32_t step = (uint32_t)(light * SK_LIGHT_STEPS), low = codec->first[step], high = codec->first[step + 1];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (light >= bounds[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A channel of bytes, where steps are so small that each has one bound at most: no branch depends on the pixels. */
static void encode_bytes(const sk_light_codec *codec, const float *light, unsigned channel, size_t n, uint8_t *row)
{
    const float *const bounds = codec->light.bounds;
    const unsigned channels = codec->channels;
    for (size_t i = channel; i < n; i += channels) {
        const float cut = light[i] > 0 ? light[i] < 1 ? light[i] : 1 : 0;
        const uint32_t low = codec->first[(uint32_t)(cut * SK_LIGHT_STEPS)];
        row[i] = (uint8_t)(low + (cut >= bounds[low]));
    }
}

static uint32_t encode_one(const sk_light_codec *codec, float light, unsigned channel)
{
    return is_linear(codec, channel) ? sk_linear_encode(light, sk_picture_most(codec->type))
                                     : encode_by_bounds(codec, light);
}

/* Integers whose channels are all linear. */
static bool is_linear_row(const sk_light_codec *codec)
{
    return codec->light.decode == NULL && (codec->type == SCANKIT_U8 || codec->type == SCANKIT_U16);
}

void sk_decode_row(const sk_light_codec *codec, const void *row, size_t width, float *light)
{
    const unsigned channels = codec->channels;
    const sk_light_kernels *kernels = codec->kernels;
    if (is_linear_row(codec)) {
        (codec->type == SCANKIT_U8 ? kernels->decode_u8 : kernels->decode_u16)(row, light, width * channels);
        return;
    }
    for (unsigned c = 0; c < channels; c++) {
        const float *table = is_linear(codec, c) ? NULL : codec->light.decode;
        if (codec->type == SCANKIT_U8 && table != NULL)
            for (size_t i = c; i < width * channels; i += channels)
                light[i] = table[((const uint8_t *)row)[i]];
        else
            for (size_t i = c; i < width * channels; i += channels)
                light[i] = sk_decode_one(codec, row, i, c);
    }
}

void sk_encode_row(const sk_light_codec *codec, const float *light, size_t width, void *row)
{
    const unsigned channels = codec->channels;
    const sk_light_kernels *kernels = codec->kernels;
    if (is_linear_row(codec)) {
        (codec->type == SCANKIT_U8 ? kernels->encode_u8 : kernels->encode_u16)(light, row, width * channels);
        return;
    }
    for (unsigned c = 0; c < channels; c++) {
        if (codec->type == SCANKIT_U8 && codec->by_step && !is_linear(codec, c)) {
            encode_bytes(codec, light, c, width * channels, row);
            continue;
        }
        for (size_t i = c; i < width * channels; i += channels)
            switch (codec->type) {
            case SCANKIT_F32: ((float *)row)[i] = light[i]; break;
            case SCANKIT_F16: ((scankit_f16 *)row)[i] = sk_f16_from_f32(light[i]); break;
            case SCANKIT_U8: ((uint8_t *)row)[i] = (uint8_t)encode_one(codec, light[i], c); break;
            default: ((uint16_t *)row)[i] = (uint16_t)encode_one(codec, light[i], c);
            }
    }
}
