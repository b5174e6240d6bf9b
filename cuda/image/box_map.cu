// box_map.cu - box filters with a radius for each pixel: differences of a summed-area table (Crow 1984).
#include "image/box_map.cuh"

#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/choose_box.h"
#include "image/picture.cuh"

// A side of a box as prefixes of an axis and their weights: four, and for mirror images the whole axis.
struct box_taps {
    static constexpr int COUNT = 5;
    size_t prefix[COUNT];
    int64_t weight[COUNT];
};

static __device__ __forceinline__ box_taps taps_of(const sk_box_side &side, size_t length)
{
    return {{side.begin.at, side.begin.at + 1, side.end.at, side.end.at + 1, length},
            {-side.begin.low, -side.begin.high, side.end.low, side.end.high, side.end.all - side.begin.all}};
}

// Sum: uint64_t, where all is modulo 2^64 and the result is exact, or double.
template <class Sum, class P>
static __device__ __forceinline__ Sum sum_of_row(const P *row, const box_taps &across, unsigned channels)
{
    Sum sum = 0;
#pragma unroll
    for (int i = 0; i < box_taps::COUNT; i++)
        if (across.weight[i] != 0 && across.prefix[i] > 0)
            sum += Sum(across.weight[i]) * Sum(row[(across.prefix[i] - 1) * channels]);
    return sum;
}

template <class Sum, class P>
static __device__ __forceinline__ Sum sum_of_box(const picture<P> &table, const box_taps &across, const box_taps &down,
                                                 unsigned channel)
{
    Sum sum = 0;
#pragma unroll
    for (int i = 0; i < box_taps::COUNT; i++)
        if (down.weight[i] != 0 && down.prefix[i] > 0)
            sum +=
                Sum(down.weight[i]) * sum_of_row<Sum>(table.row(down.prefix[i] - 1) + channel, across, table.channels);
    return sum;
}

template <class P, class T> struct box_of_table {
    picture<P> table;
    picture<T> out;
    picture<float> radii;
    scankit_edge edge;
    int shift;

    __device__ void operator()(size_t x, size_t y) const
    {
        uint32_t radius = sk_box_radius(radii.row(y)[x]);
        const sk_box_side across = sk_box_side_at(x, radius, out.width, edge),
                          down = sk_box_side_at(y, radius, out.height, edge);
        const box_taps columns = taps_of(across, out.width), rows = taps_of(down, out.height);
        uint64_t area = across.length * down.length;
        T *to = out.row(y) + x * out.channels;
        for (unsigned c = 0; c < out.channels; c++)
            if constexpr (std::is_same_v<P, double>)
                store_float(to + c, float(sum_of_box<double>(table, columns, rows, c) / double(area)));
            else
                to[c] = T(sk_box_mean(sum_of_box<uint64_t>(table, columns, rows, c), area, shift));
    }
};

template <class P, class T>
static scankit_error filter(cuda_device *gpu, const scankit_image *table, const scankit_image *out, const sk_box *box)
{
    if constexpr (std::is_integral_v<P> != std::is_integral_v<T>) {
        return SCANKIT_E_ARGUMENT;
    } else {
        box_of_table<P, T> by = {picture_of<P>(table), picture_of<T>(out), {}, box->edge, box->shift};
        by.radii = dense_picture<float>(const_cast<float *>(box->radii), out->width, out->height, 1);
        by.radii.pitch = box->radii_pitch;
        places_kernel<<<places_grid(out->width, out->height), PLACE_BLOCK, 0, gpu->stream>>>(out->width, out->height,
                                                                                             by);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    }
}

template <class T>
static scankit_error filter_by_table(cuda_device *gpu, const scankit_image *table, const scankit_image *out,
                                     const sk_box *box)
{
    if (table->type == SCANKIT_F64)
        return filter<double, T>(gpu, table, out, box);
    return table->type == SCANKIT_U32 ? filter<uint32_t, T>(gpu, table, out, box)
                                      : filter<uint64_t, T>(gpu, table, out, box);
}

scankit_error box_by_map(cuda_device *gpu, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    workspace scratch(gpu);
    scankit_image table = *in;
    table.type = table_type_for(in->type, in->width, in->height);
    size_t size = table.type == SCANKIT_U32 ? 4 : 8;
    table.pitch = in->width * in->channels * size;
    if (!scratch.take_bytes(&table.data, in->height, table.pitch))
        return SCANKIT_E_MEMORY;
    TRY(cuda_table(&gpu->base, in, &table, nullptr, SCANKIT_TABLE_AUTO));
    END_REHEARSAL(gpu);
    return dispatch_picture(out->type, [&](auto to) { return filter_by_table<decltype(to)>(gpu, &table, out, box); });
}
