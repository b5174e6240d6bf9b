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

// The lengths under the boxes around a segment's pixels, in units, as numbers N. Floats have no error: all are below
// 2^24.
template <class N> struct box_lengths {
    const N radius;
    const bool omits;
    const N left, right; // units of the row before and behind the segment's first pixel, or enough

    __device__ __forceinline__ box_lengths(size_t first, uint32_t of, size_t length, scankit_edge edge)
        : radius(N(of)), omits(edge == SCANKIT_EDGE_OMIT), left(units_of(first)),
          right(units_of(length - 1 - min(first, length - 1)))
    {
    }

    // Of pixel i of the segment, which is in the row.
    __device__ __forceinline__ N operator()(int i) const
    {
        N before = radius, behind = radius;
        if (omits) {
            before = min(radius, left + N(i * SK_BOX_UNIT));
            behind = min(radius, right - N(i * SK_BOX_UNIT));
        }
        return before + N(SK_BOX_UNIT) + behind;
    }

  private:
    // More pixels than a radius and a segment have change nothing.
    static __device__ __forceinline__ N units_of(size_t pixels)
    {
        return N(uint32_t(min(pixels, size_t(2) * size_t(SCANKIT_RADIUS_MAX))) * SK_BOX_UNIT);
    }
};

// A positive number. Conversions to f64 have a quarter of the throughput of these shifts.
__device__ __forceinline__ double widened(float positive)
{
    int bits = __float_as_int(positive);
    return __hiloint2double((bits >> 3) + ((1023 - 127) << 20), bits << 29);
}

// The inverse of a length, with a relative error of 2^-44: Newton's step after a quotient of f32, which is rounded
// alike on every GPU. A division of f64 takes longer than all else that is done for a pixel.
__device__ __forceinline__ double inverse_of(float length)
{
    double inverse = widened(__frcp_rn(length));
    return fma(inverse, fma(-widened(length), inverse, 1.0), inverse);
}

// ---- what is written of a sum in units, under a whole box or a part of one ----

// The mean, of floats. The first pass rounds it to f32, a relative error of 6e-8: half the traffic of f64.
template <class T> struct store_row_mean {
    using written = T;
    using sum = double;
    using length = float;
    const double inverse; // of the length of a whole box
    __device__ store_row_mean(const box_pass &pass, size_t) : inverse(1 / double(SK_BOX_UNIT + 2 * pass.radius))
    {
    }
    __device__ __forceinline__ void whole(T *to, double of, const box_pass &) const
    {
        store_float(to, float(of * inverse));
    }
    __device__ __forceinline__ void part(T *to, double of, float length, const box_pass &) const
    {
        store_float(to, float(of * inverse_of(length)));
    }
};

// The sum itself: the first pass over integers.
template <class T> struct store_row_sum {
    using written = T;
    using sum = T;
    using length = uint32_t;
    __device__ store_row_sum(const box_pass &, size_t)
    {
    }
    __device__ __forceinline__ void whole(T *to, T of, const box_pass &) const
    {
        *to = of;
    }
    __device__ __forceinline__ void part(T *to, T of, uint32_t, const box_pass &) const
    {
        *to = of;
    }
};

// The mean over the square: the second pass over integers.
template <class T> struct store_square_mean {
    using written = T;
    using sum = uint64_t;
    using length = uint32_t;
    const uint64_t across;
    __device__ store_square_mean(const box_pass &pass, size_t sequence)
        : across(box_lengths<uint32_t>(sequence / pass.channels, pass.radius, pass.across, pass.edge)(0))
    {
    }
    __device__ __forceinline__ void whole(T *to, uint64_t of, const box_pass &pass) const
    {
        part(to, of, SK_BOX_UNIT + 2 * pass.radius, pass);
    }
    __device__ __forceinline__ void part(T *to, uint64_t of, uint32_t length, const box_pass &pass) const
    {
        *to = T(sk_box_mean(of, length * across, pass.shift));
    }
};

#endif
