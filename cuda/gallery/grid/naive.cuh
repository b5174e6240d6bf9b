// naive.cuh - the naive scan in global memory, a launch a step, from one array to another: n log n operations, and as
// many words of memory read and written (Hillis and Steele, Data Parallel Algorithms, 1986; on a GPU Horn, Stream
// Reduction Operations for GPGPU Applications, GPU Gems 2, 2005, chapter 36).
#ifndef SK_CUDA_NAIVE_CUH
#define SK_CUDA_NAIVE_CUH

#include "device/arena.cuh"
#include "device/check.cuh"
#include "common/map.cuh"
#include "scan/scan_call.cuh"

// A step: adds the element that is `distance` to the left.
template <class Op> struct naive_step {
    using T = typename Op::type;
    const T *from;
    T *to;
    size_t distance;
    __device__ void operator()(size_t i) const
    {
        to[i] = i >= distance ? Op::combine(from[i - distance], from[i]) : from[i];
    }
};

// The end: adds the initial value; an exclusive scan is the left neighbour's inclusive one.
template <class Op> struct naive_end {
    using T = typename Op::type;
    const T *from;
    T *to;
    bool inclusive;
    T initial;
    __device__ void operator()(size_t i) const
    {
        T scanned = inclusive ? from[i] : i > 0 ? from[i - 1] : Op::identity();
        to[i] = Op::combine(initial, scanned);
    }
};

template <class Op> scankit_error naive(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    using T = typename Op::type;
    workspace scratch(gpu);
    T *other;
    if (!scratch.take(&other, call.n))
        return SCANKIT_E_MEMORY;
    int steps = 0;
    while (call.n > size_t(1) << steps)
        steps++;
    // The last step must leave out free for the end to write to, and the first must not write to what it reads.
    const T *from = call.in;
    T *to = steps % 2 == 0 ? call.out : other;
    if (to == from) {
        CHECK(cudaMemcpyAsync(other, call.in, call.n * sizeof(T), cudaMemcpyDeviceToDevice, gpu->stream));
        from = other;
    }
    for (int step = 0; step < steps; step++) {
        naive_step<Op> add = {from, to, size_t(1) << step};
        map_kernel<<<map_blocks(call.n), MAP_THREADS, 0, gpu->stream>>>(call.n, add);
        CHECK_LAUNCH();
        from = to;
        to = to == other ? call.out : other;
    }
    naive_end<Op> end = {from, call.out, call.inclusive, call.initial};
    map_kernel<<<map_blocks(call.n), MAP_THREADS, 0, gpu->stream>>>(call.n, end);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
