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

// Counters of keys, in copies, so that few lanes meet in a bank.
struct byte_counters {
    static constexpr unsigned COPIES = 8, SIZE = BYTE_VALUES * COPIES;
    uint4 all[SIZE / 4];

    // By blocks of THREADS. Barriers come before, between these three, and afterwards.
    template <int THREADS> __device__ __forceinline__ void clear()
    {
        for (unsigned i = threadIdx.x; i < SIZE / 4; i += THREADS)
            all[i] = {0, 0, 0, 0};
    }
    __device__ __forceinline__ void add(uint8_t key, unsigned times)
    {
        atomicAdd(reinterpret_cast<unsigned *>(all) + key * COPIES + lane_id() % COPIES, times);
    }
    __device__ __forceinline__ unsigned of(unsigned key) const
    {
        uint4 low = all[key * 2], high = all[key * 2 + 1];
        return low.x + low.y + low.z + low.w + high.x + high.y + high.z + high.w;
    }
};

// The runs of the sorted array, one for each value, in the order of the values. T: has room for their places.
template <class T> struct byte_runs {
    T end[BYTE_VALUES];
    block_sum<T, BYTE_VALUES> sums;

    // By the first BYTE_VALUES threads of a block, of which each gives the length of its run. The caller waits before
    // and afterwards.
    __device__ __forceinline__ T publish(T length)
    {
        T inclusive = sums.warp_inclusive(length);
        sums.publish(inclusive);
        return inclusive;
    }
    __device__ __forceinline__ void set_end(T inclusive)
    {
        end[threadIdx.x] = sums.before(inclusive);
    }

    // From the counters of a block, which has at least BYTE_VALUES threads. Begins and ends with a barrier.
    __device__ __forceinline__ void build(const byte_counters &counters)
    {
        T inclusive = 0;
        __syncthreads();
        if (threadIdx.x < BYTE_VALUES)
            inclusive = publish(counters.of(threadIdx.x));
        __syncthreads();
        if (threadIdx.x < BYTE_VALUES)
            set_end(inclusive);
        __syncthreads();
    }

    // The run of a place.
    __device__ __forceinline__ unsigned run_of(T place) const
    {
        unsigned run = 0;
#pragma unroll
        for (int step = BYTE_VALUES / 2; step > 0; step /= 2)
            run += end[run + step - 1] <= place ? step : 0;
        return run;
    }

    // Vector `at` of the output.
    __device__ __forceinline__ uint4 vector_of(T place, const number_order<uint8_t> &order) const
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

    // Writes all of the output, by `threads` threads of whole blocks, of which this is number `own`.
    __device__ __forceinline__ void write(uint8_t *out, size_t n, const number_order<uint8_t> &order, size_t own,
                                          size_t threads) const
    {
        const key_vectors<uint8_t> to(out, n);
        uint4 *vectors = reinterpret_cast<uint4 *>(out + to.head);
        size_t tail = to.head + to.whole * sizeof(uint4);
        for (size_t at = own; at < to.whole; at += threads)
            vectors[at] = vector_of(T(to.head + at * sizeof(uint4)), order);
        if (own < to.head)
            out[own] = order.value(uint8_t(run_of(T(own))));
        if (own < n - tail)
            out[tail + own] = order.value(uint8_t(run_of(T(tail + own))));
    }
};

// counts[v]: of the keys whose bits are v.
static __global__ void __launch_bounds__(BYTE_WRITE_THREADS)
    write_bytes(const uint64_t *counts, uint8_t *out, size_t n, number_order<uint8_t> order)
{
    static_assert(BYTE_WRITE_THREADS == BYTE_VALUES, "a thread for each value");
    __shared__ byte_runs<unsigned long long> runs;
    wait_for_launches();
    unsigned long long inclusive = runs.publish(counts[order.value(uint8_t(threadIdx.x))]);
    __syncthreads();
    runs.set_end(inclusive);
    __syncthreads();
    runs.write(out, n, order, size_t(blockIdx.x) * BYTE_WRITE_THREADS + threadIdx.x,
               size_t(gridDim.x) * BYTE_WRITE_THREADS);
}

// One block. in may be out.
static __global__ void __launch_bounds__(BYTE_SORT_THREADS)
    sort_bytes(const uint8_t *in, uint8_t *out, size_t n, number_order<uint8_t> order)
{
    __shared__ byte_counters counters;
    __shared__ byte_runs<unsigned> runs;
    wait_for_launches();
    counters.clear<BYTE_SORT_THREADS>();
    __syncthreads();
    const key_vectors<uint8_t> keys(in, n);
    keys.for_keys<BYTE_SORT_THREADS, 1>([&](uint8_t key) { counters.add(order.key(key), 1); });
    runs.build(counters);
    runs.write(out, n, order, threadIdx.x, BYTE_SORT_THREADS);
}

#endif
