// networks.cuh - sorting networks in registers: of a thread, and of lanes of a warp.
#ifndef SK_CUDA_NETWORKS_CUH
#define SK_CUDA_NETWORKS_CUH

#include <utility>

#include "common/thread.cuh"
#include "common/warp.cuh"

// ---- a thread ----

// Batcher's merge exchange, which takes any number of elements (Knuth, The Art of Computer Programming 3, 5.2.2M).
template <int N> struct exchange_network {
    int count = 0, low[N * N] = {}, high[N * N] = {};
    __host__ __device__ constexpr exchange_network()
    {
        for (int run = 1; run < N; run *= 2)
            for (int distance = run; distance > 0; distance /= 2)
                for (int first = distance % run, i = first; i + distance < N; i++)
                    if ((i - first) / distance % 2 == 0 && i / (2 * run) == (i + distance) / (2 * run)) {
                        low[count] = i;
                        high[count++] = i + distance;
                    }
    }
};

template <int N> inline constexpr exchange_network<N> EXCHANGES{};

// Each step is a template of its own: the compiler does not unroll these loops, and would put the elements into memory.
template <int STEP, int N, class E> __device__ __forceinline__ void exchange_step(E (&element)[N])
{
    constexpr int low = EXCHANGES<N>.low[STEP], high = EXCHANGES<N>.high[STEP];
    compare_exchange(element[low], element[high]);
}

template <int N, class E, int... STEPS>
__device__ __forceinline__ void exchange_steps(E (&element)[N], std::integer_sequence<int, STEPS...>)
{
    (exchange_step<STEPS>(element), ...);
}

// Sorts a thread's elements.
template <int N, class E> __device__ __forceinline__ void merge_exchange(E (&element)[N])
{
    exchange_steps(element, std::make_integer_sequence<int, EXCHANGES<N>.count>());
}

// ---- lanes ----

template <class E> __device__ __forceinline__ E from_lane(E element, int distance)
{
    return __shfl_xor_sync(FULL_WARP, element, distance);
}

// Of two lanes that compare, the upper one keeps the greater element. One instruction takes the minimum or the maximum
// of 4 bytes.
template <class E> __device__ __forceinline__ E keep(bool upper, E own, E other)
{
    if constexpr (std::is_integral_v<E> && sizeof(E) <= 4)
        return upper ? max(own, other) : min(own, other);
    else
        return (other < own) == upper ? own : other;
}

// Merges the sorted elements of each LANES lanes: afterwards these are in order, lane after lane. N: a power of two.
// The first step of each merge compares from both ends, so that all runs rise (Batcher 1968).
template <int LANES = WARP, int N, class E> __device__ __forceinline__ void sort_lanes(E (&element)[N])
{
#pragma unroll
    for (int lanes = 1; lanes < LANES; lanes *= 2) {
        bool upper = lane_id() & lanes;
#pragma unroll
        for (int i = 0; i < (N + 1) / 2; i++) {
            E low = from_lane(element[N - 1 - i], 2 * lanes - 1);
            E high = from_lane(element[i], 2 * lanes - 1);
            element[i] = keep(upper, element[i], low);
            element[N - 1 - i] = keep(upper, element[N - 1 - i], high);
        }
#pragma unroll
        for (int distance = lanes / 2; distance > 0; distance /= 2)
#pragma unroll
            for (int i = 0; i < N; i++)
                element[i] = keep(lane_id() & distance, element[i], from_lane(element[i], distance));
        bitonic_merge(element);
    }
}

#endif
