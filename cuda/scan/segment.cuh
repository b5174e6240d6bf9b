// segment.cuh - the operator of a segmented scan (Blelloch, Prefix Sums and Their Applications, 1990, section 1.5), for
// any operator inside. The value of a part of an array: the number of runs that begin in it, and the partial result of
// the last of them (if none begins, of the run that goes on from before). Parts combine in order.
#ifndef SK_CUDA_SEGMENT_CUH
#define SK_CUDA_SEGMENT_CUH

#include "common/lookback.cuh"
#include "common/op.cuh"

template <class T> struct segment {
    unsigned long long runs;
    T open;
};

template <class Op> struct op_segment {
    using type = segment<typename Op::type>;
    static __host__ __device__ __forceinline__ type identity()
    {
        return {0, Op::identity()};
    }
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return {a.runs + b.runs, b.runs > 0 ? b.open : Op::combine(a.open, b.open)};
    }
};

template <class Op> inline constexpr bool is_commutative<op_segment<Op>> = false;

// Only the open run matters here: `runs` is not 0 if any run begins, and then nothing before matters.
template <class Op> struct op_open_segment : op_segment<Op> {
    using type = segment<typename Op::type>;
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return {a.runs | b.runs, b.runs > 0 ? b.open : Op::combine(a.open, b.open)};
    }
    static __device__ __forceinline__ bool is_prefix(type part)
    {
        return part.runs > 0;
    }
};

template <class Op> inline constexpr bool is_commutative<op_open_segment<Op>> = false;

// Inclusive scan over the lanes of their open runs. It stops at lanes where a run begins: the bits of `begins`.
template <class Op> __device__ __forceinline__ typename Op::type warp_scan_open(typename Op::type open, unsigned begins)
{
    unsigned to_here = begins & (lanes_below() | 1u << lane_id());
    unsigned reach = lane_id() - (to_here != 0 ? WARP - 1 - __clz(to_here) : 0); // lanes before this one that count
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        typename Op::type left = warp_up(open, distance);
        if (reach >= unsigned(distance))
            open = Op::combine(left, open);
    }
    return open;
}

template <class T> __device__ __forceinline__ segment<T> warp_up(segment<T> part, int distance)
{
    return {warp_up(part.runs, distance), warp_up(part.open, distance)};
}

template <class T> __device__ __forceinline__ segment<T> warp_down(segment<T> part, int distance)
{
    return {warp_down(part.runs, distance), warp_down(part.open, distance)};
}

template <class T> __device__ __forceinline__ segment<T> warp_from(segment<T> part, int lane)
{
    return {warp_from(part.runs, lane), warp_from(part.open, lane)};
}

// The mark is in the first word, and both words are stored and loaded at once. Relaxed words are enough, as for counts
// (lookback.cuh), though results may replace the input.
template <class T> struct alignas(16) descriptor<segment<T>, true> {
    static constexpr bool MARKED_THROUGHOUT = false;
    unsigned long long word[2];

    static __device__ __forceinline__ void publish(descriptor *at, unsigned epoch, segment<T> part,
                                                   lookback_status status)
    {
        unsigned long long bits = 0;
        memcpy(&bits, &part.open, sizeof part.open);
        asm volatile("{ .reg .b128 word; mov.b128 word, {%1, %2}; st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(at),
                     "l"(marked(epoch, status, part.runs)), "l"(bits)
                     : "memory");
    }

    static __device__ __forceinline__ described<segment<T>> look(const descriptor *at, unsigned epoch)
    {
        unsigned long long runs, bits;
        asm volatile("{ .reg .b128 word; ld.relaxed.gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }"
                     : "=l"(runs), "=l"(bits)
                     : "l"(at)
                     : "memory");
        described<segment<T>> found;
        found.value.runs = runs & MARKED;
        memcpy(&found.value.open, &bits, sizeof found.value.open);
        found.status = status_of(runs, epoch);
        return found;
    }
};

#endif
