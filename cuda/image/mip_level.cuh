// mip_level.cuh - levels of a pyramid from the level before them. Levels are made of unrounded light: `chain`.
//
// Three kernels do the same operations for a pixel. The first makes one level of any size. The second makes two levels
// at once where the sides divide by 4, so that the first one is not read again. The third, of one block, makes all of
// the last levels, which are too small to fill the GPU.
#ifndef SK_CUDA_MIP_LEVEL_CUH
#define SK_CUDA_MIP_LEVEL_CUH

#include "image/light.cuh"

// A level: its elements, and their light where the next level reads it.
template <class T> struct mip_target {
    picture<T> level;
    picture<float> chain; // data NULL: not wanted
    light_tables light;

    // x: of the elements of a row.
    __device__ __forceinline__ void store(size_t x, size_t y, float value, bool alpha) const
    {
        level.row(y)[x] = from_light<T>(light, value, alpha);
        if (chain.data != nullptr)
            chain.row(y)[x] = value;
    }
};

template <class E> struct mip_source {
    picture<E> level;
    light_tables light;

    __device__ __forceinline__ float operator()(size_t x, size_t y, bool alpha) const
    {
        return light_of(light, level.row(y)[x], alpha);
    }
};

// The pixel and the channel of an element of a row.
struct element_place {
    size_t pixel;
    unsigned channel;
    bool alpha;
    __device__ __forceinline__ element_place(size_t x, unsigned channels)
        : pixel(channels == 1 ? x : x / channels), channel(unsigned(x - pixel * channels)),
          alpha(sk_is_alpha(channel, channels))
    {
    }
};

// The mean along a row of the pixels under `taps`.
template <class E>
static __device__ __forceinline__ float mean_of_row(const mip_source<E> &from, const sk_mip_taps &taps, size_t y,
                                                    const element_place &at)
{
    unsigned channels = from.level.channels;
    float value[3] = {};
#pragma unroll
    for (unsigned i = 0; i < 3; i++)
        if (i < taps.count)
            value[i] = from((taps.first + i) * channels + at.channel, y, at.alpha);
    return sk_mip_mean(&taps, value[0], value[1], value[2]);
}

template <class E>
static __device__ __forceinline__ float mean_of_square(const mip_source<E> &from, size_t y, const element_place &at)
{
    const sk_mip_taps across = sk_mip_taps_at(at.pixel, from.level.width), down = sk_mip_taps_at(y, from.level.height);
    float value[3] = {};
#pragma unroll
    for (unsigned i = 0; i < 3; i++)
        if (i < down.count)
            value[i] = mean_of_row(from, across, down.first + i, at);
    return sk_mip_mean(&down, value[0], value[1], value[2]);
}

// ---- one level ----

template <class E, class T> struct mip_one {
    mip_source<E> from;
    mip_target<T> to;
    __device__ __forceinline__ void operator()(size_t x, size_t y) const
    {
        const element_place at(x, to.level.channels);
        to.store(x, y, mean_of_square(from, y, at), at.alpha);
    }
};

// ---- two levels: a thread reads 4 x 4 pixels of a channel ----

template <class E, int N> struct alignas(N * sizeof(E)) elements {
    E item[N];
};

static __device__ __forceinline__ float mean_of_four(float a, float b, float c, float d)
{
    const sk_mip_taps two = {0, 2, {0.5f, 0.5f, 0}};
    return sk_mip_mean(&two, sk_mip_mean(&two, a, b, 0), sk_mip_mean(&two, c, d, 0), 0);
}

// VECTORS: one channel, and rows of the source and of the first target are aligned to 4 and 2 elements.
template <class E, class T, bool VECTORS> struct mip_two {
    mip_source<E> from;
    mip_target<T> first, second;

    __device__ __forceinline__ void load_row(float (&value)[4], size_t y, const element_place &at) const
    {
        if constexpr (VECTORS) {
            auto four = reinterpret_cast<const elements<E, 4> *>(from.level.row(y))[at.pixel];
#pragma unroll
            for (int i = 0; i < 4; i++)
                value[i] = light_of(from.light, four.item[i], at.alpha);
        } else {
            unsigned channels = from.level.channels;
#pragma unroll
            for (int i = 0; i < 4; i++)
                value[i] = from((4 * at.pixel + i) * channels + at.channel, y, at.alpha);
        }
    }

    __device__ __forceinline__ void store_row(const float (&value)[2], size_t y, const element_place &at) const
    {
        if constexpr (VECTORS) {
            elements<T, 2> two;
#pragma unroll
            for (int i = 0; i < 2; i++)
                two.item[i] = from_light<T>(first.light, value[i], at.alpha);
            reinterpret_cast<elements<T, 2> *>(first.level.row(y))[at.pixel] = two;
        } else {
            unsigned channels = from.level.channels;
#pragma unroll
            for (int i = 0; i < 2; i++)
                first.store((2 * at.pixel + i) * channels + at.channel, y, value[i], at.alpha);
        }
    }

    // x, y: of the second level.
    __device__ __forceinline__ void operator()(size_t x, size_t y) const
    {
        const element_place at(x, from.level.channels);
        float value[4][4], mean[2][2];
#pragma unroll
        for (int i = 0; i < 4; i++)
            load_row(value[i], 4 * y + i, at);
#pragma unroll
        for (int i = 0; i < 2; i++) {
#pragma unroll
            for (int j = 0; j < 2; j++)
                mean[i][j] = mean_of_four(value[2 * i][2 * j], value[2 * i][2 * j + 1], value[2 * i + 1][2 * j],
                                          value[2 * i + 1][2 * j + 1]);
            store_row(mean[i], 2 * y + i, at);
        }
        second.store(x, y, mean_of_four(mean[0][0], mean[0][1], mean[1][0], mean[1][1]), at.alpha);
    }
};

// ---- the last levels, by one block, whose light stays on chip ----

constexpr unsigned MIP_TAIL_THREADS = 1024;
constexpr unsigned MIP_TAIL_MOST = 128 * 128; // elements of the level before the first one
constexpr unsigned MIP_TAIL_LEVELS = 16;      // more than such a level has above it

template <class T> struct mip_tail {
    picture<float> from;
    light_tables light;
    unsigned count;
    picture<T> level[MIP_TAIL_LEVELS];
};

// Each level has at most half of the elements of the one before it.
struct mip_tail_room {
    float first[MIP_TAIL_MOST / 2], second[MIP_TAIL_MOST / 4];
};

template <class T>
static __global__ void __launch_bounds__(MIP_TAIL_THREADS) mip_tail_kernel(const __grid_constant__ mip_tail<T> tail)
{
    __shared__ mip_tail_room shared;
    mip_one<float, T> one = {{tail.from, {}}, {{}, {}, tail.light}};
    for (unsigned k = 0; k < tail.count; k++) {
        const picture<T> &level = tail.level[k];
        unsigned row = unsigned(level.width) * level.channels, elements = row * unsigned(level.height);
        float *light = k % 2 == 0 ? shared.first : shared.second;
        one.to.level = level;
        one.to.chain = {reinterpret_cast<unsigned char *>(light), row * sizeof *light, level.width, level.height,
                        level.channels};
        for (unsigned i = threadIdx.x; i < elements; i += MIP_TAIL_THREADS)
            one(i % row, i / row);
        __syncthreads(); // the next level reads this one
        one.from.level = one.to.chain;
    }
}

#endif
