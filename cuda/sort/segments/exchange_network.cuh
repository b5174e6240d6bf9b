// exchange_network.cuh - sorts elements in the registers of a thread.
#ifndef SK_CUDA_EXCHANGE_NETWORK_CUH
#define SK_CUDA_EXCHANGE_NETWORK_CUH

#include <utility>

#include "common/thread.cuh"

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

// Each step is a template of its own: the compiler does not unroll these loops, and would put the elements into memory.
template <int STEP, int N, class E> __device__ __forceinline__ void exchange_step(E (&element)[N])
{
    constexpr exchange_network<N> network;
    constexpr int low = network.low[STEP], high = network.high[STEP];
    compare_exchange(element[low], element[high]);
}

template <int N, class E, int... STEPS>
__device__ __forceinline__ void exchange_steps(E (&element)[N], std::integer_sequence<int, STEPS...>)
{
    (exchange_step<STEPS>(element), ...);
}

template <int N, class E> __device__ __forceinline__ void merge_exchange(E (&element)[N])
{
    exchange_steps(element, std::make_integer_sequence<int, exchange_network<N>().count>());
}

#endif
