/* sample.c - samples of pyramids (Williams 1983). */
#include <math.h>

#include "light_codec.h"

typedef struct sample_job {
    const sk_light_codec *codec;
    const scankit_image *levels;
    unsigned count;
    scankit_sampling sampling;
    const scankit_place *places;
    float *out;
} sample_job;

/* From 0 to below 1; a NaN is 0. */
static float within_one(float u)
{
    u -= floorf(u);
    return u >= 0 && u < 1 ? u : 0;
}

static float level_within(const sample_job *job, float level)
{
    float last = (float)(job->count - 1);
    return !(level > 0) ? 0 : level > last ? last : level;
}

static const void *row_of(const scankit_image *level, size_t y)
{
    return (const char *)level->data + y * level->pitch;
}

static void sample_nearest(const sample_job *job, const scankit_image *level, float u, float v, float *out)
{
    size_t x = sk_min((size_t)(u * (float)level->width), level->width - 1);
    size_t y = sk_min((size_t)(v * (float)level->height), level->height - 1);
    for (unsigned c = 0; c < level->channels; c++)
        out[c] = sk_decode_one(job->codec, row_of(level, y), x * level->channels + c, c);
}

/* Two neighbours along an axis of a length, which repeats, and how far a place lies from the first one. */
typedef struct neighbours {
    size_t first, second;
    float way;
} neighbours;

static neighbours neighbours_at(float u, size_t length)
{
    float x = u * (float)length - 0.5f, below = floorf(x);
    size_t first = below < 0 ? length - 1 : sk_min((size_t)below, length - 1);
    return (neighbours){first, first + 1 < length ? first + 1 : 0, x - below};
}

static float between(float a, float b, float way)
{
    return a + way * (b - a);
}

static void sample_bilinear(const sample_job *job, const scankit_image *level, float u, float v, float *out)
{
    neighbours x = neighbours_at(u, level->width), y = neighbours_at(v, level->height);
    const void *upper = row_of(level, y.first), *lower = row_of(level, y.second);
    const sk_light_codec *codec = job->codec;
    for (unsigned c = 0; c < level->channels; c++) {
        size_t left = x.first * level->channels + c, right = x.second * level->channels + c;
        float above = between(sk_decode_one(codec, upper, left, c), sk_decode_one(codec, upper, right, c), x.way);
        float under = between(sk_decode_one(codec, lower, left, c), sk_decode_one(codec, lower, right, c), x.way);
        out[c] = between(above, under, y.way);
    }
}

static void sample_trilinear(const sample_job *job, float level, float u, float v, float *out)
{
    unsigned first = (unsigned)level, second = first + 1 < job->count ? first + 1 : first;
    float coarse[4];
    sample_bilinear(job, &job->levels[first], u, v, out);
    sample_bilinear(job, &job->levels[second], u, v, coarse);
    for (unsigned c = 0; c < job->levels->channels; c++)
        out[c] = between(out[c], coarse[c], level - (float)first);
}

static void sample_one(const sample_job *job, const scankit_place *place, float *out)
{
    float u = within_one(place->u), v = within_one(place->v), level = level_within(job, place->level);
    const scankit_image *nearest = &job->levels[(unsigned)(level + 0.5f)];
    switch (job->sampling) {
    case SCANKIT_SAMPLE_NEAREST: sample_nearest(job, nearest, u, v, out); break;
    case SCANKIT_SAMPLE_BILINEAR: sample_bilinear(job, nearest, u, v, out); break;
    case SCANKIT_SAMPLE_TRILINEAR: sample_trilinear(job, level, u, v, out); break;
    }
}

static void sample_some(const void *state, sk_range some)
{
    const sample_job *job = state;
    for (size_t i = some.begin; i < some.end; i++)
        sample_one(job, &job->places[i], job->out + i * job->levels->channels);
}

scankit_error sk_cpu_sample(sk_device *device, const scankit_image *levels, unsigned count, scankit_sampling sampling,
                            const sk_light *light, const scankit_place *places, float *out, size_t n)
{
    size_t mark = sk_arena_mark(&device->workspace);
    sk_light_codec *codec = sk_arena_take(&device->workspace, sizeof *codec);
    if (codec == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
        sk_light_codec_open(codec, sk_kernels_of(device)->light, levels->type, levels->channels,
                            &(sk_light){light->decode, NULL});
        const sample_job job = {codec, levels, count, sampling, places, out};
        sk_cpu_slices(device, n * 64, n, sample_some, &job);
    }
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
