// sample.cu - samples of a pyramid: a thread for each place.
#include "common/map.cuh"
#include "image/light.cuh"

constexpr unsigned SAMPLE_LEVELS = 64; // of any image

template <class E> struct sampled {
    picture<E> level[SAMPLE_LEVELS];
    unsigned count, channels;
    light_tables light;
    const scankit_place *places;
    float *out;
    size_t n;
};

// From 0 to 1: what lies beyond repeats. NaNs and infinities are 0.
static __device__ __forceinline__ float repeated(float place)
{
    float rest = place - floorf(place);
    return rest == rest ? rest : 0;
}

// A NaN is 0.
static __device__ __forceinline__ float level_of(float level, unsigned count)
{
    float most = float(count - 1);
    return !(level > 0) ? 0 : level < most ? level : most;
}

static __device__ __forceinline__ float between(float a, float b, float part)
{
    return SK_ADD_F32(a, SK_MUL_F32(part, SK_ADD_F32(b, -a)));
}

// The two pixels around a place of an axis, and the part of the way from one to the other.
struct neighbours {
    size_t at, next;
    float part;
    __device__ __forceinline__ neighbours(float place, size_t length)
    {
        float x = SK_ADD_F32(SK_MUL_F32(place, float(length)), -0.5f), whole = floorf(x);
        part = SK_ADD_F32(x, -whole);
        at = whole < 0 ? length - 1 : size_t(whole);
        at = at < length ? at : 0;
        next = at + 1 < length ? at + 1 : 0;
    }
};

static __device__ __forceinline__ size_t nearest(float place, size_t length)
{
    size_t at = size_t(SK_MUL_F32(place, float(length)));
    return at < length ? at : length - 1;
}

template <class E> struct sampler {
    const sampled<E> &of;
    float u, v;

    __device__ __forceinline__ float pixel(const picture<E> &level, size_t x, size_t y, unsigned channel) const
    {
        return light_of(of.light, level.row(y)[x * of.channels + channel], sk_is_alpha(channel, of.channels));
    }

    __device__ __forceinline__ void nearest_to(float *to, unsigned k) const
    {
        const picture<E> &level = of.level[k];
        size_t x = nearest(u, level.width), y = nearest(v, level.height);
        for (unsigned c = 0; c < of.channels; c++)
            to[c] = pixel(level, x, y, c);
    }

    __device__ __forceinline__ float bilinear(const picture<E> &level, const neighbours &x, const neighbours &y,
                                              unsigned c) const
    {
        float above = between(pixel(level, x.at, y.at, c), pixel(level, x.next, y.at, c), x.part);
        float below = between(pixel(level, x.at, y.next, c), pixel(level, x.next, y.next, c), x.part);
        return between(above, below, y.part);
    }

    __device__ __forceinline__ void bilinear_to(float *to, unsigned k) const
    {
        const picture<E> &level = of.level[k];
        const neighbours x(u, level.width), y(v, level.height);
        for (unsigned c = 0; c < of.channels; c++)
            to[c] = bilinear(level, x, y, c);
    }

    __device__ __forceinline__ void trilinear_to(float *to, float at) const
    {
        unsigned k = unsigned(at);
        float part = SK_ADD_F32(at, -float(k));
        const picture<E> &level = of.level[k], &next = of.level[k + 1 < of.count ? k + 1 : k];
        const neighbours x(u, level.width), y(v, level.height), next_x(u, next.width), next_y(v, next.height);
        for (unsigned c = 0; c < of.channels; c++)
            to[c] = between(bilinear(level, x, y, c), bilinear(next, next_x, next_y, c), part);
    }
};

template <class E, scankit_sampling SAMPLING>
static __global__ void __launch_bounds__(MAP_THREADS) sample_kernel(const __grid_constant__ sampled<E> of)
{
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; i < of.n; i += size_t(gridDim.x) * MAP_THREADS) {
        const scankit_place place = of.places[i];
        const sampler<E> take = {of, repeated(place.u), repeated(place.v)};
        float level = level_of(place.level, of.count), *to = of.out + i * of.channels;
        unsigned closest = unsigned(SK_ADD_F32(level, 0.5f));
        if constexpr (SAMPLING == SCANKIT_SAMPLE_NEAREST)
            take.nearest_to(to, closest);
        else if constexpr (SAMPLING == SCANKIT_SAMPLE_BILINEAR)
            take.bilinear_to(to, closest);
        else
            take.trilinear_to(to, level);
    }
}

template <class E, scankit_sampling SAMPLING> static scankit_error sample_by(cuda_device *gpu, const sampled<E> &of)
{
    sample_kernel<E, SAMPLING><<<map_blocks(of.n), MAP_THREADS, 0, gpu->stream>>>(of);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class E> static scankit_error sample(cuda_device *gpu, const sampled<E> &of, scankit_sampling sampling)
{
    switch (sampling) {
    case SCANKIT_SAMPLE_NEAREST: return sample_by<E, SCANKIT_SAMPLE_NEAREST>(gpu, of);
    case SCANKIT_SAMPLE_BILINEAR: return sample_by<E, SCANKIT_SAMPLE_BILINEAR>(gpu, of);
    case SCANKIT_SAMPLE_TRILINEAR: return sample_by<E, SCANKIT_SAMPLE_TRILINEAR>(gpu, of);
    default: return SCANKIT_E_ARGUMENT;
    }
}

scankit_error cuda_sample(sk_device *device, const scankit_image *levels, unsigned count, scankit_sampling sampling,
                          const sk_light *light, const scankit_place *places, float *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_picture(levels->type, [&](auto element) {
        using E = decltype(element);
        workspace scratch(gpu);
        sampled<E> of = {};
        for (unsigned k = 0; k < count; k++)
            of.level[k] = picture_of<E>(&levels[k]);
        of.count = count;
        of.channels = levels->channels;
        of.places = places;
        of.out = out;
        of.n = n;
        sk_light decode = {std::is_integral_v<E> ? light->decode : nullptr, nullptr};
        TRY(take_light<E>(gpu, scratch, &decode, &of.light));
        END_REHEARSAL(gpu);
        return sample(gpu, of, sampling);
    });
}
