// radix_sort.cuh - the stable radix sort of a tile by one block, in shared memory: one split per digit, least
// significant digit first (Satish, Harris and Garland 2009).
#ifndef SK_CUDA_RADIX_SORT_CUH
#define SK_CUDA_RADIX_SORT_CUH

#include "device/tuning.cuh"
#include "sort/radix/few_digits.cuh"
#include "sort/radix/radix_rank.cuh"

template <class K, class V, int THREADS, int ITEMS> struct block_radix_sort {
    using ranker = radix_rank<THREADS, ITEMS>;
    static constexpr int TILE = ranker::TILE, ITEMS_EACH = ITEMS;

    struct shared_memory {
        typename ranker::shared_memory ranks;
        union exchange {
            K key[TILE];
            V value[TILE];
            __device__ exchange()
            {
            }
        } exchange;
        __device__ shared_memory()
        {
        }
    };

    K key[ITEMS];
    V value[ITEMS];

    // All members may be given the number of a thread's items that are used.
    using all_items = typename ranker::all_items;

    // Places from `valid` on hold keys of all ones, which the stable sort leaves at the end.
    template <class Used = all_items>
    __device__ __forceinline__ void load(const K *keys, const V *values, int valid, Used used = {})
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            int at = ranker::place(i, used);
            key[i] = at < valid ? keys[at] : K(~K(0));
            if constexpr (HAS_VALUE<V>)
                if (at < valid)
                    value[i] = values[at];
        }
    }

    template <class Used = all_items>
    __device__ __forceinline__ void store(K *keys, V *values, int valid, Used used = {}) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            int at = ranker::place(i, used);
            if (at < valid) {
                keys[at] = key[i];
                if constexpr (HAS_VALUE<V>)
                    values[at] = value[i];
            }
        }
    }

    // Moves every item to the place of its rank.
    template <class E, class Used = all_items>
    static __device__ __forceinline__ void exchange(E *shared, E (&item)[ITEMS], const unsigned (&rank)[ITEMS],
                                                    Used used = {})
    {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i < used)
                shared[rank[i]] = item[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i < used)
                item[i] = shared[ranker::place(i, used)];
    }

    // Sorts by bits [begin, end). Returns the share of the thread's digit, in the last bits.
    template <class Used = all_items>
    __device__ __forceinline__ digit_share sort(shared_memory &shared, unsigned begin, unsigned end,
                                                rank_by way = rank_by::BALLOTS, Used used = {})
    {
        digit_share share = {};
        for (unsigned bit = begin; bit < end; bit += RADIX_BITS) {
            unsigned mask = (1u << (end - bit < RADIX_BITS ? end - bit : RADIX_BITS)) - 1;
            unsigned rank[ITEMS];
            share = ranker::rank(
                shared.ranks, way, [&](int i) { return digit_of(key[i], bit, mask); }, rank, [](uint32_t) {}, used);
            exchange(shared.exchange.key, key, rank, used);
            if constexpr (HAS_VALUE<V>)
                exchange(shared.exchange.value, value, rank, used);
        }
        return share;
    }

    // The same by one digit of up to FEW_DIGIT_BITS bits. Returns the share of the digit of the lane.
    __device__ __forceinline__ digit_share split_few(shared_memory &shared, unsigned begin, unsigned end, int used)
    {
        using few = few_digits<THREADS, ITEMS>;
        static_assert(sizeof(typename few::shared_memory) <= sizeof shared.ranks);
        unsigned mask = (1u << (end - begin)) - 1, rank[ITEMS];
        digit_share share = few::rank(
            reinterpret_cast<typename few::shared_memory &>(shared.ranks),
            [&](int i) { return digit_of(key[i], begin, mask); }, rank, used);
        exchange(shared.exchange.key, key, rank, used);
        if constexpr (HAS_VALUE<V>)
            exchange(shared.exchange.value, value, rank, used);
        return share;
    }
};

template <class K, class V>
using sort_tile = block_radix_sort<K, V, SORT_THREADS, SORT_ITEMS<sizeof(K), VALUE_SIZE<V>>>;

#endif
