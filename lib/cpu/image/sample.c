/* sample.c - samples of pyramids. */
#include <math.h>

#include "pixels.h"

typedef struct sample_job {
    const scankit_image *levels;
    unsigned count;
    scankit_sampling sampling;
    const sk_light *light;
    const scankit_place *places;
    float *out;
} sample_job;

/* The place within the image that repeats; NaNs and infinities count as 0. */
static float wrapped(float u)
{
    float rest = u - floorf(u);
    return rest >= 0 ? rest : 0;
}

static float texel(const sample_job *job, const scankit_image *level, size_t x, size_t y, unsigned c)
{
    bool alpha = sk_is_alpha(c, level->channels);
    return sk_light_at(level->type, job->light, alpha, sk_row_of(level, y), x * level->channels + c);
}

static void take_nearest(const sample_job *job, const scankit_image *level, float u, float v, float *out)
{
    size_t x = (size_t)(u * (float)level->width), y = (size_t)(v * (float)level->height);
    x = x < level->width ? x : level->width - 1;
    y = y < level->height ? y : level->height - 1;
    for (unsigned c = 0; c < level->channels; c++)
        out[c] = texel(job, level, x, y, c);
}

/* Two neighbours along an axis, which repeats, and the weight of the second. */
typedef struct neighbours {
    size_t first, second;
    float weight;
} neighbours;

static neighbours neighbours_at(float u, size_t length)
{
    float x = u * (float)length - 0.5f, below = floorf(x);
    neighbours n = {below < 0 ? length - 1 : (size_t)below, 0, x - below};
    n.first = n.first < length ? n.first : length - 1;
    n.second = n.first + 1 < length ? n.first + 1 : 0;
    return n;
}

static float between(float a, float b, float weight)
{
    return a * (1 - weight) + b * weight;
}

static void take_bilinear(const sample_job *job, const scankit_image *level, float u, float v, float *out)
{
    neighbours x = neighbours_at(u, level->width), y = neighbours_at(v, level->height);
    for (unsigned c = 0; c < level->channels; c++) {
        float a = texel(job, level, x.first, y.first, c), b = texel(job, level, x.second, y.first, c);
        float d = texel(job, level, x.first, y.second, c), e = texel(job, level, x.second, y.second, c);
        out[c] = between(between(a, b, x.weight), between(d, e, x.weight), y.weight);
    }
}

static void take_trilinear(const sample_job *job, float level, float u, float v, float *out)
{
    unsigned lower = (unsigned)level;
    float weight = level - (float)lower, next[4];
    take_bilinear(job, &job->levels[lower], u, v, out);
    if (!(weight > 0))
        return;
    take_bilinear(job, &job->levels[lower + 1], u, v, next);
    for (unsigned c = 0; c < job->levels->channels; c++)
        out[c] = between(out[c], next[c], weight);
}

static void sample_places(const void *state, sk_range places)
{
    const sample_job *job = state;
    float last = (float)(job->count - 1);
    for (size_t i = places.begin; i < places.end; i++) {
        const scankit_place *place = &job->places[i];
        float u = wrapped(place->u), v = wrapped(place->v), level = place->level > 0 ? place->level : 0;
        float *out = job->out + i * job->levels->channels;
        level = level < last ? level : last;
        const scankit_image *nearest = &job->levels[(unsigned)(level + 0.5f)];
        if (job->sampling == SCANKIT_SAMPLE_NEAREST)
            take_nearest(job, nearest, u, v, out);
        else if (job->sampling == SCANKIT_SAMPLE_BILINEAR)
            take_bilinear(job, nearest, u, v, out);
        else
            take_trilinear(job, level, u, v, out);
    }
}

scankit_error sk_cpu_sample(sk_device *device, const scankit_image *levels, unsigned count, scankit_sampling sampling,
                            const sk_light *light, const scankit_place *places, float *out, size_t n)
{
    const sample_job job = {levels, count, sampling, light, places, out};
    sk_cpu_slices(device, n * 64, n, sample_places, &job);
    return SCANKIT_OK;
}
