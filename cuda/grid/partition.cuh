// partition.cuh - the stable split of a whole array by a digit in a single pass: each tile is split in shared memory,
// learns by look-back where its share of each digit begins, and writes it there (Adinets and Merrill, Onesweep, 2022).
#ifndef SK_CUDA_GRID_PARTITION_CUH
#define SK_CUDA_GRID_PARTITION_CUH

#include "block/radix_sort.cuh"
#include "grid/digits.cuh"
#include "grid/lookback.cuh"
#include "tuning.cuh"

template <class K, class V>
using sort_tile = block_radix_sort<K, V, SORT_THREADS, SORT_ITEMS<sizeof(K), VALUE_SIZE<V>>>;

// One launch splits a portion of less than COUNT_LIMIT elements; the last tile says where the next portion goes on.
template <class K, class V> struct partition_pass {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    size_t n; // of the portion
    unsigned bit, mask;
    const unsigned long long *begin; // of each digit in the output
    unsigned long long *next_begin;
    unsigned long long *tickets;
    uint32_t *rows; // a count a digit for each tile
};

template <class K, class V> struct partition_memory {
    typename sort_tile<K, V>::shared_memory sort;
    unsigned long long base[RADIX]; // where place 0 of the tile would go, were it of this digit
    __device__ partition_memory()
    {
    }
};

template <class K, class V>
__global__ void __launch_bounds__(SORT_THREADS, 2) partition_tiles(partition_pass<K, V> pass)
{
    using tile = sort_tile<K, V>;
    using ranker = typename tile::ranker;
    constexpr int ITEMS = SORT_ITEMS<sizeof(K), VALUE_SIZE<V>>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<partition_memory<K, V> *>(dynamic_memory);

    unsigned number = take_ticket(pass.tickets).tile;
    size_t begin = size_t(number) * tile::TILE;
    int valid = pass.n - begin < tile::TILE ? int(pass.n - begin) : tile::TILE;
    tile items;
    items.load(pass.keys_in + begin, pass.values_in + begin, valid);

    // Rank: the tile's split.
    unsigned rank[ITEMS];
    uint32_t count = ranker::rank(
        shared.sort.ranks, [&](int i) { return digit_of(items.key[i], pass.bit, pass.mask); }, rank);

    // Look back: where each digit's share goes. The last tile's filling counts for nothing: no tile comes after it.
    if (threadIdx.x < RADIX) {
        if (number > 0)
            publish_count(pass.rows + size_t(number) * RADIX + threadIdx.x, count, AGGREGATE);
        uint32_t before = look_back_column(pass.rows, RADIX, threadIdx.x, number, count);
        unsigned long long first = pass.begin[threadIdx.x] + before;
        shared.base[threadIdx.x] = first - shared.sort.ranks.offset[threadIdx.x];
        if (begin + tile::TILE >= pass.n)
            pass.next_begin[threadIdx.x] = first + count;
    }

    // Scatter: through shared memory, so that neighbours are written together.
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        shared.sort.exchange.key[rank[i]] = items.key[i];
    __syncthreads();
    unsigned digits[(ITEMS + 3) / 4] = {}; // of the places that this thread writes, four to a word
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * SORT_THREADS + threadIdx.x;
        K key = shared.sort.exchange.key[at];
        unsigned digit = digit_of(key, pass.bit, pass.mask);
        digits[i / 4] |= digit << i % 4 * 8;
        if (at < valid)
            pass.keys_out[shared.base[digit] + at] = key;
    }
    if constexpr (HAS_VALUE<V>) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            shared.sort.exchange.value[rank[i]] = items.value[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = i * SORT_THREADS + threadIdx.x;
            if (at < valid)
                pass.values_out[shared.base[digits[i / 4] >> i % 4 * 8 & (RADIX - 1)] + at] =
                    shared.sort.exchange.value[at];
        }
    }
}

#endif
