// partition.cuh - the stable split of a whole array by a digit in a single pass: each tile is split in shared memory,
// learns by look-back where its share of each digit begins, and writes it there (Adinets and Merrill, Onesweep, 2022).
#ifndef SK_CUDA_GRID_PARTITION_CUH
#define SK_CUDA_GRID_PARTITION_CUH

#include "block/radix_rank.cuh"
#include "grid/digits.cuh"
#include "grid/lookback.cuh"
#include "tuning.cuh"

template <class K, class V, int THREADS, int ITEMS> struct partition_tile {
    using ranker = radix_rank<THREADS, ITEMS>;
    static constexpr int SIZE = ranker::TILE;

    struct shared_memory {
        unsigned long long base[RADIX]; // where place 0 of the tile would go, were it of this digit
        typename ranker::shared_memory ranks;
        union {
            K key[SIZE];
            V value[SIZE];
        };
        __device__ shared_memory()
        {
        }
    };

    // This thread's items, in the order of the ranks; what is not there is all ones.
    template <class E> static __device__ __forceinline__ void load(const E *from, int valid, E (&item)[ITEMS])
    {
        if (valid == SIZE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                item[i] = __ldcs(from + ranker::place(i));
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            item[i] = ranker::place(i) < valid ? from[ranker::place(i)] : E(~E(0));
    }

    // Every item by its rank, and then place `at` of the tile to to(i, at), so that neighbours are written together.
    template <class E, class To>
    static __device__ __forceinline__ void scatter(E *shared, const E (&item)[ITEMS], const unsigned (&rank)[ITEMS],
                                                   int valid, E *out, To to)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            shared[rank[i]] = item[i];
        __syncthreads();
        if (valid == SIZE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                int at = i * THREADS + threadIdx.x;
                E moved = shared[at];
                out[to(i, at, moved)] = moved;
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = i * THREADS + threadIdx.x;
            E moved = shared[at];
            size_t place = to(i, at, moved);
            if (at < valid)
                out[place] = moved;
        }
    }
};

// One launch splits a portion of less than COUNT_LIMIT elements; the last tile says where the next portion goes on.
template <class K, class V> struct partition_pass {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    size_t n; // of the portion
    unsigned bit, mask;
    rank_by way;
    const unsigned long long *begin; // of each digit in the output
    unsigned long long *next_begin;  // NULL: there is no other portion
    unsigned *ticket;
    uint32_t *rows; // a count a digit for each tile
};

template <class K, class V, int THREADS, int ITEMS, int BLOCKS, bool LATE = false>
__global__ void __launch_bounds__(THREADS, BLOCKS) partition_tiles(partition_pass<K, V> pass)
{
    using tile = partition_tile<K, V, THREADS, ITEMS>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);

    unsigned number = take_ticket(pass.ticket), rank[ITEMS];
    size_t begin = size_t(number) * tile::SIZE;
    int valid = pass.n - begin < tile::SIZE ? int(pass.n - begin) : tile::SIZE;
    K key[ITEMS];
    V value[ITEMS];
    tile::load(pass.keys_in + begin, valid, key);
    if constexpr (HAS_VALUE<V> && !LATE)
        tile::load(pass.values_in + begin, valid, value);

    // Others learn of this tile's counts at once. The last tile's filling counts for nothing: no tile comes after it.
    uint32_t *row = pass.rows + size_t(number) * RADIX + threadIdx.x;
    digit_share share = tile::ranker::rank(
        shared.ranks, pass.way, [&](int i) { return digit_of(key[i], pass.bit, pass.mask); }, rank,
        [&](uint32_t count) {
            if (number > 0)
                publish_count(row, count, AGGREGATE);
        });
    if constexpr (HAS_VALUE<V> && LATE)
        tile::load(pass.values_in + begin, valid, value);
    if (threadIdx.x < RADIX) {
        uint32_t before = look_back_column(pass.rows, RADIX, threadIdx.x, number, share.count);
        unsigned long long first = pass.begin[threadIdx.x] + before;
        shared.base[threadIdx.x] = first - share.begin;
        if (pass.next_begin != nullptr && begin + tile::SIZE >= pass.n)
            pass.next_begin[threadIdx.x] = first + share.count;
    }

    unsigned digits[(ITEMS + 3) / 4] = {}; // of the places that this thread writes, four to a word
    tile::scatter(shared.key, key, rank, valid, pass.keys_out, [&](int i, int at, K moved) {
        unsigned digit = digit_of(moved, pass.bit, pass.mask);
        digits[i / 4] |= digit << i % 4 * 8;
        return shared.base[digit] + at;
    });
    if constexpr (HAS_VALUE<V>) {
        __syncthreads();
        tile::scatter(shared.value, value, rank, valid, pass.values_out,
                      [&](int i, int at, V) { return shared.base[digits[i / 4] >> i % 4 * 8 & (RADIX - 1)] + at; });
    }
}

#endif
