// sengupta_hybrid.cuh - the tree has little work but ends in steps that leave most of the machine idle; the naive scan
// has few steps but much work. So: reduce steps, until what is left just fills the machine; the naive scan of that; and
// down-sweep steps (Sengupta, Lefohn and Owens, A Work-Efficient Step-Efficient Prefix Sum Algorithm, 2006).
#ifndef SK_CUDA_SENGUPTA_HYBRID_CUH
#define SK_CUDA_SENGUPTA_HYBRID_CUH

#include "gallery/grid/naive.cuh"

constexpr size_t HYBRID_NAIVE = size_t(1) << 16; // elements that the naive scan begins with, at most

// A reduce step: half as many elements, each the sum of two.
template <class Op> struct hybrid_reduce {
    using T = typename Op::type;
    const T *from;
    T *to;
    size_t n; // of `from`
    __device__ void operator()(size_t i) const
    {
        to[i] = 2 * i + 1 < n ? Op::combine(from[2 * i], from[2 * i + 1]) : from[2 * i];
    }
};

// A down-sweep step: from the prefix of two elements to the prefix of each. `to` may be `from`.
template <class Op> struct hybrid_down {
    using T = typename Op::type;
    const T *before, *from;
    T *to;
    size_t n; // of `from`
    bool inclusive;
    __device__ void operator()(size_t i) const
    {
        T running = before[i];
        for (size_t at = 2 * i; at < 2 * i + 2 && at < n; at++) {
            T next = Op::combine(running, from[at]);
            to[at] = inclusive ? next : running;
            running = next;
        }
    }
};

// A level above the array: `half` sums of pairs, from which the levels above it are made in turn.
template <class Op> scankit_error sengupta_hybrid(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    using T = typename Op::type;
    if (call.n <= HYBRID_NAIVE)
        return naive<Op>(gpu, call);
    size_t half = (call.n - 1) / 2 + 1;
    workspace scratch(gpu);
    T *sums;
    if (!scratch.take(&sums, half))
        return SCANKIT_E_MEMORY;
    hybrid_reduce<Op> reduce = {call.in, sums, call.n};
    map_kernel<<<map_blocks(half), MAP_THREADS, 0, gpu->stream>>>(half, reduce);
    CHECK_LAUNCH();
    TRY(sengupta_hybrid<Op>(gpu, {sums, sums, half, false, call.initial}));
    hybrid_down<Op> down = {sums, call.in, call.out, call.n, call.inclusive};
    map_kernel<<<map_blocks(half), MAP_THREADS, 0, gpu->stream>>>(half, down);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
