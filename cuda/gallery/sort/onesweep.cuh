// onesweep.cuh - least significant digit radix sort with one read and one write of the keys a digit (Adinets and
// Merrill, Onesweep, 2022). All digits are counted in one read before. Then each pass is a single kernel: a tile ranks
// its keys by the digit, publishes its counts, and learns by look-back, a thread per digit, how many keys of the digit
// stand in the tiles before.
#ifndef SK_CUDA_GALLERY_ONESWEEP_CUH
#define SK_CUDA_GALLERY_ONESWEEP_CUH

#include "gallery/sort/sort_call.cuh"
#include "sort/radix/radix_rank.cuh"
#include "sort/radix/split.cuh"

constexpr int SWEEP_THREADS = 384;
template <int KEY, int VALUE>
constexpr int SWEEP_ITEMS_OF = KEY + VALUE <= 4         ? 20
                               : KEY <= 4 && VALUE <= 4 ? 16
                               : KEY + VALUE <= 12      ? 10
                                                        : 8;
template <class K, class V> constexpr int SWEEP_ITEMS = SWEEP_ITEMS_OF<sizeof(K), VALUE_SIZE<V>>;

// Tickets and descriptors of one pass; cleared before it. C: counts with a status in the two highest bits.
template <class C> struct sweep_state {
    static constexpr int STATUS_AT = 8 * sizeof(C) - 2;
    static constexpr C AGGREGATE = C(1) << STATUS_AT, PREFIX = C(2) << STATUS_AT, COUNT = AGGREGATE - 1;
    unsigned *ticket;
    volatile C *row; // a tile has RADIX words

    // A thread per digit: how many keys of the digit the tiles before have.
    __device__ C look_back(unsigned tile, unsigned digit, C count) const
    {
        C before = 0;
        for (unsigned at = tile; at > 0;) {
            C word = row[size_t(at - 1) * RADIX + digit];
            before += word & COUNT;
            at = word & PREFIX ? 0 : at - (word & AGGREGATE ? 1 : 0);
        }
        row[size_t(tile) * RADIX + digit] = PREFIX | (before + count);
        return before;
    }
};

template <class K, class V> struct sweep_tile {
    using ranker = radix_rank<SWEEP_THREADS, SWEEP_ITEMS<K, V>>;
    static constexpr int ITEMS = SWEEP_ITEMS<K, V>, SIZE = ranker::TILE;

    struct shared_memory {
        union {
            K key[SIZE];
            V value[SIZE];
        };
        typename ranker::shared_memory ranks;
        unsigned long long base[RADIX]; // place in the output less place in the tile
        unsigned number;
        __device__ shared_memory()
        {
        }
    };

    // Elements go to their ranks in shared memory, so that neighbours write to neighbouring places of the output.
    template <class E, class Digit>
    static __device__ __forceinline__ void scatter(shared_memory &shared, E *exchange, const E (&own)[ITEMS],
                                                   const unsigned (&rank)[ITEMS], E *out, int valid, Digit digit)
    {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            exchange[rank[i]] = own[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = i * SWEEP_THREADS + threadIdx.x;
            if (at < valid)
                out[shared.base[digit(i, at)] + at] = exchange[at];
        }
    }
};

template <class K, class V, class C>
__global__ void __launch_bounds__(SWEEP_THREADS, 2)
    sweep(key_columns<const K, const V> in, key_columns<K, V> out, size_t n, unsigned bit,
          const unsigned long long *digits, sweep_state<C> state, rank_by way)
{
    using tile = sweep_tile<K, V>;
    __shared__ typename tile::shared_memory shared;
    K key[tile::ITEMS];
    V value[tile::ITEMS];
    unsigned rank[tile::ITEMS], digit_at[tile::ITEMS];

    // A tile waits for tiles that have begun before it alone.
    if (threadIdx.x == 0)
        shared.number = atomicAdd(state.ticket, 1);
    __syncthreads();
    unsigned number = shared.number;
    size_t begin = size_t(number) * tile::SIZE;
    int valid = n - begin < tile::SIZE ? int(n - begin) : tile::SIZE;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        int at = tile::ranker::place(i);
        key[i] = at < valid ? in.keys[begin + at] : ABSENT<K>;
        if constexpr (HAS_VALUE<V>)
            value[i] = at < valid ? in.values[begin + at] : V(0);
    }

    // Rank, publish, look back
    auto digit_of_key = [&](K k) { return digit_of(k, bit, RADIX - 1); };
    digit_share share = tile::ranker::rank(
        shared.ranks, way, [&](int i) { return digit_of_key(key[i]); }, rank,
        [&](uint32_t count) {
            if (number > 0)
                state.row[size_t(number) * RADIX + threadIdx.x] = sweep_state<C>::AGGREGATE | count;
        });
    if (threadIdx.x < RADIX)
        shared.base[threadIdx.x] =
            digits[threadIdx.x] + state.look_back(number, threadIdx.x, share.count) - share.begin;

    // Scatter; the digits of the keys tell where their values go
    tile::scatter(shared, shared.key, key, rank, out.keys, valid, [&](int i, int at) {
        digit_at[i] = digit_of_key(shared.key[at]);
        return digit_at[i];
    });
    if constexpr (HAS_VALUE<V>)
        tile::scatter(shared, shared.value, value, rank, out.values, valid, [&](int i, int) { return digit_at[i]; });
}

// C: wide enough for counts to n.
template <class C, class K, class V>
scankit_error sweep_digits(cuda_device *gpu, const sort_call<K, V> &call, key_columns<K, V> spare,
                           const unsigned long long *digits, rank_by way)
{
    workspace scratch(gpu);
    size_t n = call.n;
    unsigned tiles = chunks_of(n, sweep_tile<K, V>::SIZE);
    C *rows;
    sweep_state<C> state;
    // The ticket is in front of the rows.
    if (!scratch.take(&rows, (size_t(tiles) + 1) * RADIX))
        return SCANKIT_E_MEMORY;
    state.ticket = reinterpret_cast<unsigned *>(rows);
    state.row = rows + RADIX;
    key_columns<const K, const V> from = call.in;
    // The number of digits is even, so the last pass writes to the output.
    for (unsigned p = 0; p < sizeof(K); p++) {
        key_columns<K, V> to = p % 2 == 0 ? spare : call.out;
        CHECK(cudaMemsetAsync(rows, 0, (size_t(tiles) + 1) * RADIX * sizeof(C), gpu->stream));
        sweep<K, V, C>
            <<<tiles, SWEEP_THREADS, 0, gpu->stream>>>(from, to, n, p * RADIX_BITS, digits + p * RADIX, state, way);
        CHECK_LAUNCH();
        from = read_only(to);
    }
    return SCANKIT_OK;
}

template <class K, class V> scankit_error onesweep_sort(cuda_device *gpu, const sort_call<K, V> &call)
{
    workspace scratch(gpu);
    key_columns<K, V> spare;
    unsigned long long *digits;
    rank_by way;
    if (!take_columns(scratch, call.n, &spare) || !scratch.take(&digits, sizeof(K) * RADIX))
        return SCANKIT_E_MEMORY;
    TRY(split_way(gpu, &way));
    TRY(split_count(gpu, sizeof(K), call.in.keys, call.n, {0, 8 * sizeof(K)}, digits));
    TRY(split_offsets(gpu, digits, sizeof(K)));
    if (call.n <= sweep_state<uint32_t>::COUNT)
        return sweep_digits<uint32_t>(gpu, call, spare, digits, way);
    return sweep_digits<unsigned long long>(gpu, call, spare, digits, way);
}

#endif
