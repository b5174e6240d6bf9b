// segment_digits.cuh - sorts a segment by digits in shared memory, least significant first, by all threads of a block.
#ifndef SK_CUDA_SEGMENT_DIGITS_CUH
#define SK_CUDA_SEGMENT_DIGITS_CUH

#include "sort/segments/own_memory.cuh"

// The elements of a thread in the order of the segment: EACH at most. Absent ones are behind all others, and stay
// there.
template <int EACH, class K, class V> struct digit_items {
    using ranker = own_ranker<EACH>;
    K key[EACH];
    unsigned from[HAS_VALUE<V> ? EACH : 1];
    unsigned length;

    __device__ __forceinline__ bool is_there(int e) const
    {
        return ranker::place(e) < int(length);
    }

    __device__ __forceinline__ void load(const K *keys, unsigned elements, const segment_order<K> &order)
    {
        length = elements;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            key[e] = is_there(e) ? order.key(keys[ranker::place(e)]) : K(~K(0));
            if constexpr (HAS_VALUE<V>)
                from[e] = unsigned(ranker::place(e));
        }
    }

    // True if an element's digit at `bit` is not that of `first`. Ends with a barrier.
    __device__ __forceinline__ bool differ(unsigned bit, K first) const
    {
        bool differs = false;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            differs = differs || (is_there(e) && digit_of(K(key[e] ^ first), bit, RADIX - 1) != 0);
        return __syncthreads_or(differs);
    }

    template <class Memory> __device__ __forceinline__ void split(Memory &shared, unsigned bit, rank_by way)
    {
        unsigned rank[EACH];
        auto digit = [&](int e) { return digit_of(key[e], bit, RADIX - 1); };
        (void)ranker::rank(shared.template digits<EACH>(), way, digit, rank, [](uint32_t) {});
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            shared.key[rank[e]] = key[e];
            if constexpr (HAS_VALUE<V>)
                shared.from[rank[e]] = uint16_t(from[e]);
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            key[e] = shared.key[ranker::place(e)];
            if constexpr (HAS_VALUE<V>)
                from[e] = shared.from[ranker::place(e)];
        }
    }

    __device__ __forceinline__ void store(const segment_columns<K, V> &columns) const
    {
        [[maybe_unused]] V value[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            if (!is_there(e))
                continue;
            columns.keys_out[ranker::place(e)] = columns.order.value(key[e]);
            if constexpr (HAS_VALUE<V>)
                value[e] = columns.values_in[from[e]];
        }
        if constexpr (HAS_VALUE<V>) {
            __syncthreads(); // the output may be the input
#pragma unroll
            for (int e = 0; e < EACH; e++)
                if (is_there(e))
                    columns.values_out[ranker::place(e)] = value[e];
        }
    }
};

// columns: of the segment.
template <int EACH, class K, class V, int MOST_EACH>
__device__ __forceinline__ void sort_by_digits(own_memory<K, V, MOST_EACH> &shared,
                                               const segment_columns<K, V> &columns, unsigned length, rank_by way)
{
    digit_items<EACH, K, V> items;
    const K first = columns.order.key(columns.keys_in[0]);
    items.load(columns.keys_in, length, columns.order);
#pragma unroll 1
    for (unsigned bit = 0; bit < 8 * sizeof(K); bit += RADIX_BITS)
        if (items.differ(bit, first))
            items.split(shared, bit, way);
    items.store(columns);
}

#endif
