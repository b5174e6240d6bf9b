// byte_runs.cuh - the counting sort of keys of 1 byte: each value is written as often as it was counted. Few keys are
// counted and written by one block.
#ifndef SK_CUDA_BYTE_RUNS_CUH
#define SK_CUDA_BYTE_RUNS_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/survey/key_order.cuh"

constexpr int BYTE_VALUES = 256;

// The runs of the sorted array, one for each value, in the order of the values.
struct byte_runs {
    unsigned long long end[BYTE_VALUES];
    block_sum<unsigned long long, BYTE_VALUES> sums;

    // By the first BYTE_VALUES threads of a block, of which each gives the length of its run. The caller waits before
    // and afterwards.
    __device__ __forceinline__ unsigned long long publish(unsigned long long length)
    {
        unsigned long long inclusive = sums.warp_inclusive(length);
        sums.publish(inclusive);
        return inclusive;
    }
    __device__ __forceinline__ void set_end(unsigned long long inclusive)
    {
        end[threadIdx.x] = sums.before(inclusive);
    }

    // The run of a place.
    __device__ __forceinline__ unsigned run_of(size_t place) const
    {
        unsigned run = 0;
#pragma unroll
        for (int step = BYTE_VALUES / 2; step > 0; step /= 2)
            run += end[run + step - 1] <= place ? step : 0;
        return run;
    }

    // Vector `at` of the output.
    __device__ __forceinline__ uint4 vector_of(size_t place, const number_order<uint8_t> &order) const
    {
        unsigned run = run_of(place);
        constexpr unsigned EACH_BYTE = 0x01010101;
        if (end[run] >= place + sizeof(uint4)) {
            unsigned word = order.value(uint8_t(run)) * EACH_BYTE;
            return make_uint4(word, word, word, word);
        }
        union {
            uint4 vector;
            uint8_t byte[sizeof(uint4)];
        };
#pragma unroll
        for (unsigned k = 0; k < sizeof(uint4); k++) {
            while (end[run] <= place + k && run < BYTE_VALUES - 1)
                run++;
            byte[k] = order.value(uint8_t(run));
        }
        return vector;
    }

    // Writes all of the output, by all blocks together.
    template <int THREADS>
    __device__ __forceinline__ void write(uint8_t *out, size_t n, const number_order<uint8_t> &order) const
    {
        const key_vectors<uint8_t> to(out, n);
        uint4 *vectors = reinterpret_cast<uint4 *>(out + to.head);
        size_t step = size_t(gridDim.x) * THREADS, tail = to.head + to.whole * sizeof(uint4);
        for (size_t at = size_t(blockIdx.x) * THREADS + threadIdx.x; at < to.whole; at += step)
            vectors[at] = vector_of(to.head + at * sizeof(uint4), order);
        if (blockIdx.x > 0)
            return;
        if (threadIdx.x < to.head)
            out[threadIdx.x] = order.value(uint8_t(run_of(threadIdx.x)));
        if (threadIdx.x < n - tail)
            out[tail + threadIdx.x] = order.value(uint8_t(run_of(tail + threadIdx.x)));
    }
};

// counts[v]: of the keys whose bits are v.
static __global__ void __launch_bounds__(BYTE_WRITE_THREADS)
    write_bytes(const uint64_t *counts, uint8_t *out, size_t n, number_order<uint8_t> order)
{
    static_assert(BYTE_WRITE_THREADS == BYTE_VALUES, "a thread for each value");
    __shared__ byte_runs runs;
    wait_for_launches();
    unsigned long long inclusive = runs.publish(counts[order.value(uint8_t(threadIdx.x))]);
    __syncthreads();
    runs.set_end(inclusive);
    __syncthreads();
    runs.write<BYTE_WRITE_THREADS>(out, n, order);
}

// One block. in may be out.
static __global__ void __launch_bounds__(BYTE_SORT_THREADS)
    sort_bytes(const uint8_t *in, uint8_t *out, size_t n, number_order<uint8_t> order)
{
    constexpr unsigned COPIES = 8; // of the counters, so that few lanes meet in a bank
    __shared__ unsigned counters[BYTE_VALUES * COPIES];
    __shared__ byte_runs runs;
    wait_for_launches();
    for (unsigned i = threadIdx.x; i < BYTE_VALUES * COPIES; i += BYTE_SORT_THREADS)
        counters[i] = 0;
    __syncthreads();
    const key_vectors<uint8_t> keys(in, n);
    unsigned *own = counters + lane_id() % COPIES;
    keys.for_keys<BYTE_SORT_THREADS, 1>([&](uint8_t key) { atomicAdd(&own[order.key(key) * COPIES], 1u); });
    __syncthreads();
    unsigned long long inclusive = 0;
    if (threadIdx.x < BYTE_VALUES) {
        unsigned length = 0;
        for (unsigned copy = 0; copy < COPIES; copy++)
            length += counters[threadIdx.x * COPIES + copy];
        inclusive = runs.publish(length);
    }
    __syncthreads();
    if (threadIdx.x < BYTE_VALUES)
        runs.set_end(inclusive);
    __syncthreads();
    runs.write<BYTE_SORT_THREADS>(out, n, order);
}

#endif
