/* light_codec.h - rows of an image as light, and back. */
#ifndef SK_LIGHT_CODEC_H
#define SK_LIGHT_CODEC_H

#include "cpu/cpu.h"

#define SK_LIGHT_STEPS 4096

typedef struct sk_light_codec {
    const sk_light_kernels *kernels;
    scankit_type type;
    unsigned channels;
    sk_light light;
    /* By the step that light lies in, the first value that can have it. So a search begins close to its end. */
    uint16_t first[SK_LIGHT_STEPS + 1];
    bool by_step; /* no step has light of more than two values */
} sk_light_codec;

void sk_light_codec_open(sk_light_codec *codec, const sk_light_kernels *kernels, scankit_type type, unsigned channels,
                         const sk_light *light);

/* `width` pixels as floats, and floats as pixels. */
void sk_decode_row(const sk_light_codec *codec, const void *row, size_t width, float *light);
void sk_encode_row(const sk_light_codec *codec, const float *light, size_t width, void *row);

/* One element of a row. */
float sk_decode_one(const sk_light_codec *codec, const void *row, size_t i, unsigned channel);

#endif
