// segmented_input.cuh - what the two ways of reducing the segments of a part share: the arguments, and vectors of
// elements. Vectors begin at multiples of their length in the array, wherever that lies, so the order of operations
// does not depend on addresses.
#ifndef SK_CUDA_SEGMENTED_INPUT_CUH
#define SK_CUDA_SEGMENTED_INPUT_CUH

#include "common/block_sum.cuh"
#include "device/tuning.cuh"
#include "scan/segment.cuh"

template <class Op> struct segmented_input {
    using E = typename Op::element;

    const E *in;
    const uint64_t *offsets;
    E *results;
    size_t segments;

    __device__ __forceinline__ void put(size_t segment, typename Op::type result) const
    {
        results[segment] = Op::template store<E>(result);
    }

    // The step of the path at which a segment begins, if `front` elements are before all segments. The end of the
    // segment before it is one step earlier.
    __device__ __forceinline__ size_t begin_step(size_t segment, size_t front) const
    {
        return offsets[segment] - front + segment;
    }
};

template <class E> union element_vector {
    static constexpr unsigned EACH = 16 / sizeof(E);
    uint4 raw;
    E item[EACH];
    __device__ element_vector()
    {
    }
};

// A whole vector, in one load if the array begins at a multiple of 16 bytes.
template <class E> __device__ __forceinline__ element_vector<E> load_vector(const E *from, bool aligned)
{
    element_vector<E> v;
    if (aligned) {
        v.raw = *reinterpret_cast<const uint4 *>(from);
    } else {
#pragma unroll
        for (unsigned i = 0; i < v.EACH; i++)
            v.item[i] = from[i];
    }
    return v;
}

// Loads a value here, and not where it is used.
__device__ __forceinline__ void load_now(size_t &value, const uint64_t *from)
{
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(from));
}

// Loads a vector that lies at a multiple of 16 bytes if place < end, and leaves it as it is otherwise. The predicate
// lives no longer than this load. Of predicates that select what is combined, too few can live at a time: ptxas then
// loads two vectors, combines them, and so on, and the loads wait for each other.
template <class E>
__device__ __forceinline__ void load_below(element_vector<E> &v, const E *from, unsigned place, unsigned end)
{
    asm volatile("{ .reg .pred wanted; setp.lt.u32 wanted, %5, %6;\n"
                 "@wanted ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(v.raw.x), "+r"(v.raw.y), "+r"(v.raw.z), "+r"(v.raw.w)
                 : "l"(from), "r"(place), "r"(end));
}

// The result of LANES neighbours, for the first of them.
template <class Op, int LANES> __device__ __forceinline__ typename Op::type reduce_lanes(typename Op::type value)
{
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2)
        value = Op::combine(value, warp_down(value, distance));
    return value;
}

#endif
