// mipmap.cu - pyramids: which kernel makes which levels.
#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/mip_level.cuh"

template <class T> struct pyramid {
    const scankit_image *in, *levels;
    unsigned count, made;
    picture<float> from; // the light of the last level that was made, or of an f32 image
    float *chain[2];     // levels of light, in turns: the first has room for level 1, the second for level 2
    unsigned turn;
    light_tables light;
};

template <class T> static scankit_error take_chain(workspace &scratch, pyramid<T> &of)
{
    for (unsigned i = 0; i < 2 && i + 1 < of.count && !std::is_same_v<T, float>; i++) {
        const scankit_image &level = of.levels[i];
        if (!scratch.take(&of.chain[i], level.width * level.height * level.channels))
            return SCANKIT_E_MEMORY;
    }
    return SCANKIT_OK;
}

// The next level but `skip`. chained: later levels need its light, unless it is the last one.
template <class T> static mip_target<T> target_of(const pyramid<T> &of, unsigned skip, bool chained)
{
    unsigned k = of.made + skip;
    mip_target<T> target = {picture_of<T>(&of.levels[k]), {}, of.light};
    if (chained && !std::is_same_v<T, float> && k + 1 < of.count)
        target.chain =
            dense_picture<float>(of.chain[of.turn % 2], target.level.width, target.level.height, target.level.channels);
    return target;
}

template <class T> static void advance(pyramid<T> &of, const mip_target<T> &last, unsigned levels)
{
    if constexpr (std::is_same_v<T, float>)
        of.from = last.level;
    else
        of.from = last.chain;
    of.turn++;
    of.made += levels;
}

template <class F> static scankit_error for_places(cuda_device *gpu, size_t width, size_t height, const F &f)
{
    places_kernel<<<places_grid(width, height), PLACE_BLOCK, 0, gpu->stream>>>(width, height, f);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class E> static bool is_aligned(const picture<E> &of, size_t elements)
{
    return uintptr_t(of.data) % (elements * sizeof(E)) == 0 && of.pitch % (elements * sizeof(E)) == 0;
}

template <class E, class T> static scankit_error make_two(cuda_device *gpu, const mip_source<E> &from, pyramid<T> &of)
{
    mip_target<T> first = target_of(of, 0, false), second = target_of(of, 1, true);
    size_t width = second.level.width * second.level.channels, height = second.level.height;
    bool vectors = from.level.channels == 1 && is_aligned(from.level, 4) && is_aligned(first.level, 2);
    TRY(vectors ? for_places(gpu, width, height, mip_two<E, T, true>{from, first, second})
                : for_places(gpu, width, height, mip_two<E, T, false>{from, first, second}));
    advance(of, second, 2);
    return SCANKIT_OK;
}

// Makes one or two levels.
template <class E, class T> static scankit_error make_next(cuda_device *gpu, const mip_source<E> &from, pyramid<T> &of)
{
    if (of.count - of.made >= 2 && from.level.width % 4 == 0 && from.level.height % 4 == 0)
        return make_two(gpu, from, of);
    mip_target<T> to = target_of(of, 0, true);
    TRY(for_places(gpu, to.level.width * to.level.channels, to.level.height, mip_one<E, T>{from, to}));
    advance(of, to, 1);
    return SCANKIT_OK;
}

template <class T> static scankit_error make_tail(cuda_device *gpu, const pyramid<T> &of)
{
    mip_tail<T> tail = {};
    tail.from = of.from;
    tail.light = of.light;
    tail.count = of.count - of.made;
    for (unsigned k = 0; k < tail.count; k++)
        tail.level[k] = picture_of<T>(&of.levels[of.made + k]);
    mip_tail_kernel<T><<<1, MIP_TAIL_THREADS, 0, gpu->stream>>>(tail);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Levels that fit one block are left to it.
template <class T> static scankit_error make_levels(cuda_device *gpu, pyramid<T> &of)
{
    if constexpr (std::is_same_v<T, float>)
        of.from = picture_of<float>(of.in);
    else
        TRY(make_next(gpu, mip_source<T>{picture_of<T>(of.in), of.light}, of));
    while (of.made < of.count) {
        if (of.from.width * of.from.height * of.from.channels <= MIP_TAIL_MOST)
            return make_tail(gpu, of);
        TRY(make_next(gpu, mip_source<float>{of.from, {}}, of));
    }
    return SCANKIT_OK;
}

scankit_error cuda_mipmap(sk_device *device, const scankit_image *in, const scankit_image *levels, unsigned count,
                          const sk_light *light)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_picture(in->type, [&](auto element) {
        using T = decltype(element);
        workspace scratch(gpu);
        pyramid<T> of = {};
        of.in = in;
        of.levels = levels;
        of.count = count;
        TRY(take_light<T>(gpu, scratch, light, &of.light));
        TRY(take_chain(scratch, of));
        END_REHEARSAL(gpu);
        return make_levels(gpu, of);
    });
}
