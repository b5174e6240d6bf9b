// box_pass.cuh - a pass of a box filter over rows: its arguments, its edges, and what is written of a sum.
#ifndef SK_CUDA_BOX_PASS_CUH
#define SK_CUDA_BOX_PASS_CUH

#include "image/picture.cuh"

// A pass: the rows of the input become columns of the output.
struct box_pass {
    const unsigned char *in;
    unsigned char *out;
    size_t in_pitch, out_pitch, length, sequences; // rows * channels
    unsigned channels;
    uint32_t radius;
    scankit_edge edge;
    size_t across; // the other side's length in pixels, for the area
    int shift;
};

// The pixel of a row that lies at place i, which may be beyond the edges; -1: none.
__device__ __forceinline__ int64_t pixel_at(int64_t i, int64_t length, scankit_edge edge)
{
    if (i >= 0 && i < length)
        return i;
    if (edge == SCANKIT_EDGE_OMIT)
        return -1;
    if (edge == SCANKIT_EDGE_CLAMP)
        return i < 0 ? 0 : length - 1;
    int64_t rest = i % (2 * length);
    rest += rest < 0 ? 2 * length : 0;
    return rest < length ? rest : 2 * length - 1 - rest;
}

// The length under the box around a pixel, in units.
__device__ __forceinline__ uint64_t box_length(size_t pixel, uint32_t radius, size_t length, scankit_edge edge)
{
    if (edge != SCANKIT_EDGE_OMIT)
        return SK_BOX_UNIT + 2 * uint64_t(radius);
    return sk_box_side_at(pixel, radius, length, SCANKIT_EDGE_OMIT).length;
}

// ---- what is written of a sum in units ----

// The mean, of floats. The first pass rounds it to f32, a relative error of 6e-8: half the traffic of f64.
template <class T> struct store_row_mean {
    using written = T;
    using sum = double;
    uint64_t full; // the length of a whole box
    double inverse;
    __device__ store_row_mean(const box_pass &pass, size_t)
        : full(SK_BOX_UNIT + 2 * uint64_t(pass.radius)), inverse(1 / double(full))
    {
    }
    __device__ __forceinline__ void operator()(T *to, double of, uint64_t length, const box_pass &) const
    {
        double scale = length == full ? inverse : 1 / double(length);
        store_float(to, float(of * scale));
    }
};

// The sum itself: the first pass over integers.
template <class T> struct store_row_sum {
    using written = T;
    using sum = T;
    __device__ store_row_sum(const box_pass &, size_t)
    {
    }
    __device__ __forceinline__ void operator()(T *to, T of, uint64_t, const box_pass &) const
    {
        *to = of;
    }
};

// The mean over the square: the second pass over integers.
template <class T> struct store_square_mean {
    using written = T;
    using sum = uint64_t;
    uint64_t across;
    __device__ store_square_mean(const box_pass &pass, size_t sequence)
        : across(box_length(sequence / pass.channels, pass.radius, pass.across, pass.edge))
    {
    }
    __device__ __forceinline__ void operator()(T *to, uint64_t of, uint64_t length, const box_pass &pass) const
    {
        *to = T(sk_box_mean(of, length * across, pass.shift));
    }
};

#endif
