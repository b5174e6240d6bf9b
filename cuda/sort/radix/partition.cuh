// partition.cuh - the stable split of a whole array by a digit in a single pass: each tile is split in shared memory,
// learns by look-back where its share of each digit begins, and writes it there (Adinets and Merrill, Onesweep, 2022).
#ifndef SK_CUDA_PARTITION_CUH
#define SK_CUDA_PARTITION_CUH

#include "common/lookback.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/radix/digits.cuh"
#include "sort/radix/radix_rank.cuh"
#include "sort/survey/key_order.cuh"

// A pair as one element, between the passes of a sort: a tile then writes longer pieces of each digit.
template <class K, class V> struct alignas(sizeof(K) + sizeof(V)) pair_record {
    K key;
    V value;
};

// Pairs that are worth it.
template <class K, class V> constexpr bool HAS_RECORD = sizeof(K) == 4 && VALUE_SIZE<V> == 4;

enum class pairs_as { COLUMNS, RECORDS };

template <class K, class V, pairs_as WRITES, int THREAD_COUNT, int ITEM_COUNT> struct partition_tile {
    using key_type = K;
    using value_type = V;
    static constexpr pairs_as TO = WRITES;
    static constexpr int THREADS = THREAD_COUNT, ITEMS = ITEM_COUNT;
    using ranker = radix_rank<THREADS, ITEMS>;
    static constexpr int SIZE = ranker::TILE;

    struct columns {
        union {
            K key[SIZE];
            V value[SIZE];
        };
        __device__ columns()
        {
        }
    };
    struct records {
        pair_record<K, V> record[SIZE];
    };
    struct shared_memory {
        std::conditional_t<TO == pairs_as::RECORDS, records, columns> exchange;
        unsigned long long base[RADIX]; // per digit: what a place in the tile differs by from the place in the output
        typename ranker::shared_memory ranks;
        __device__ shared_memory()
        {
        }
    };

    // Loads this thread's items, in the order of the ranks, and passes them to take(i, item).
    template <class E, class Take>
    static __device__ __forceinline__ void load(const E *from, int valid, const E &absent, Take take)
    {
        E item[ITEMS];
        if (valid == SIZE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                item[i] = from[ranker::place(i)];
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                item[i] = ranker::place(i) < valid ? from[ranker::place(i)] : absent;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            take(i, item[i]);
    }

    // Brings item_of(i) to its rank in shared memory.
    template <class E, class Of>
    static __device__ __forceinline__ void bring(E *shared, Of item_of, const unsigned (&rank)[ITEMS])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            shared[rank[i]] = item_of(i);
    }

    // Writes place `at` of the tile, as_written(item), to out[to(i, at, item)], so that neighbours are written
    // together.
    template <class E, class To, class AsWritten>
    static __device__ __forceinline__ void write(const E *shared, int valid, E *out, To to, AsWritten as_written)
    {
        if (valid == SIZE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                int at = i * THREADS + threadIdx.x;
                E moved = shared[at];
                out[to(i, at, moved)] = as_written(moved);
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = i * THREADS + threadIdx.x;
            E moved = shared[at];
            size_t place = to(i, at, moved);
            if (at < valid)
                out[place] = as_written(moved);
        }
    }
};

// The tiles of passes over arrays of any size, and over large ones.
template <class K, class V, pairs_as TO>
using pass_tile =
    partition_tile<K, V, TO, PASS_THREADS<sizeof(K), VALUE_SIZE<V>>, PASS_ITEMS<sizeof(K), VALUE_SIZE<V>>>;
template <class K, class V, pairs_as TO>
using large_pass_tile = partition_tile<K, V, TO, LARGE_PASS_THREADS, LARGE_PASS_ITEMS<sizeof(K), VALUE_SIZE<V>>>;

// One launch splits a portion of fewer than COUNT_LIMIT elements; the last tile writes where the next portion begins.
// Records are where the keys would be.
template <class K, class V> struct partition_pass {
    const void *keys_in, *values_in;
    void *keys_out, *values_out;
    size_t n; // of the portion
    unsigned bit, mask;
    rank_by way;
    const unsigned long long *begin; // of each digit in the output. NULL: one tile is all, and writes own_begin
    unsigned long long *next_begin, *own_begin; // NULL: there is no next portion; begins are not wanted
    unsigned long long *tickets;
    uint32_t *rows;         // per tile, a descriptor for each digit
    const unsigned *wanted; // if not NULL and 0 there, nothing is done
};

// A thread's pairs.
template <class Tile, pairs_as FROM> struct partition_items {
    using tile = Tile;
    using K = typename tile::key_type;
    using V = typename tile::value_type;
    using record = pair_record<K, V>;
    static constexpr int ITEMS = tile::ITEMS;
    K key[ITEMS]; // all ones if absent
    V value[ITEMS];

    template <class Read>
    __device__ __forceinline__ void load(const partition_pass<K, V> &pass, size_t begin, int valid, const Read &read)
    {
        if constexpr (FROM == pairs_as::RECORDS) {
            tile::load(static_cast<const record *>(pass.keys_in) + begin, valid, record{K(~K(0)), 0},
                       [&](int i, const record &item) {
                           key[i] = item.key;
                           value[i] = item.value;
                       });
        } else {
            tile::load(static_cast<const K *>(pass.keys_in) + begin, valid, read.value(K(~K(0))),
                       [&](int i, K item) { key[i] = read.key(item); });
            if constexpr (HAS_VALUE<V> && tile::TO == pairs_as::RECORDS)
                load_values(pass, begin, valid);
        }
    }

    // By their ranks, to the places of their digits. Calls look_back() for those while the tile comes to shared memory.
    template <class Digit, class Write, class LookBack>
    __device__ __forceinline__ void scatter(typename tile::shared_memory &shared, const partition_pass<K, V> &pass,
                                            size_t begin, int valid, const unsigned (&rank)[ITEMS], Digit digit,
                                            const Write &write, LookBack look_back)
    {
        if constexpr (tile::TO == pairs_as::RECORDS) {
            tile::bring(
                shared.exchange.record,
                [&](int i) {
                    return record{key[i], value[i]};
                },
                rank);
            look_back();
            __syncthreads();
            tile::write(
                shared.exchange.record, valid, static_cast<record *>(pass.keys_out),
                [&](int, int at, const record &moved) { return shared.base[digit(moved.key)] + at; },
                [](const record &moved) { return moved; });
        } else {
            scatter_columns(shared, pass, begin, valid, rank, digit, write, look_back);
        }
    }

  private:
    __device__ __forceinline__ void load_values(const partition_pass<K, V> &pass, size_t begin, int valid)
    {
        tile::load(static_cast<const V *>(pass.values_in) + begin, valid, V(), [&](int i, V item) { value[i] = item; });
    }

    // The digits of the keys that a thread writes tell where their values go: four to a word. Values are loaded when
    // the keys have left their registers.
    template <class Digit, class Write, class LookBack>
    __device__ __forceinline__ void
    scatter_columns(typename tile::shared_memory &shared, const partition_pass<K, V> &pass, size_t begin, int valid,
                    const unsigned (&rank)[ITEMS], Digit digit, const Write &write, LookBack look_back)
    {
        unsigned digits[(ITEMS + 3) / 4] = {};
        tile::bring(
            shared.exchange.key, [&](int i) { return key[i]; }, rank);
        if constexpr (HAS_VALUE<V> && FROM == pairs_as::COLUMNS)
            load_values(pass, begin, valid);
        look_back();
        __syncthreads();
        tile::write(
            shared.exchange.key, valid, static_cast<K *>(pass.keys_out),
            [&](int i, int at, K moved) {
                digits[i / 4] |= digit(moved) << i % 4 * 8;
                return shared.base[digit(moved)] + at;
            },
            [&](K moved) { return write.value(moved); });
        if constexpr (HAS_VALUE<V>) {
            __syncthreads();
            tile::bring(
                shared.exchange.value, [&](int i) { return value[i]; }, rank);
            __syncthreads();
            tile::write(
                shared.exchange.value, valid, static_cast<V *>(pass.values_out),
                [&](int i, int at, V) { return shared.base[digits[i / 4] >> i % 4 * 8 & (RADIX - 1)] + at; },
                [](V moved) { return moved; });
        }
    }
};

// Look-back, a thread per digit: where the tile's share of the digit goes.
template <class K, class V>
__device__ __forceinline__ void place_digit(const partition_pass<K, V> &pass, unsigned number, size_t end,
                                            digit_share share, unsigned long long (&base)[RADIX])
{
    if (threadIdx.x < RADIX && pass.begin == nullptr) {
        base[threadIdx.x] = 0;
        if (pass.own_begin != nullptr)
            pass.own_begin[threadIdx.x] = share.begin;
    } else if (threadIdx.x < RADIX) {
        uint32_t before = look_back_column(pass.rows, RADIX, threadIdx.x, number, share.count);
        unsigned long long first = pass.begin[threadIdx.x] + before;
        base[threadIdx.x] = first - share.begin;
        if (pass.next_begin != nullptr && end >= pass.n)
            pass.next_begin[threadIdx.x] = first + share.count;
    }
}

// A block per tile, numbered by a ticket, so that it waits for tiles that have begun alone. Reads keys as read.key(),
// and writes them as write.value().
//
// A tile publishes its counts as soon as they are known, before it ranks its keys: later tiles wait for nothing else.
// Its keys go through shared memory by their ranks, so that neighbours in the output are written by neighbouring lanes.
template <class tile, pairs_as FROM, class Read, class Write>
__global__ void __launch_bounds__(tile::THREADS, PASS_BLOCKS)
    partition_tiles(partition_pass<typename tile::key_type, typename tile::value_type> pass, Read read, Write write)
{
    using K = typename tile::key_type;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);

    // Load
    wait_for_launches();
    if (pass.wanted != nullptr && *pass.wanted == 0)
        return;
    unsigned number = take_ticket(pass.tickets).tile, rank[tile::ITEMS];
    size_t begin = size_t(number) * tile::SIZE;
    int valid = pass.n - begin < tile::SIZE ? int(pass.n - begin) : tile::SIZE;
    partition_items<tile, FROM> items;
    items.load(pass, begin, valid, read);

    // Count, publish, rank. Absent keys are counted in the last tile, after which no tile comes.
    auto digit = [&](K key) { return digit_of(key, pass.bit, pass.mask); };
    digit_share share = tile::ranker::rank(
        shared.ranks, pass.way, [&](int i) { return digit(items.key[i]); }, rank,
        [&](uint32_t count) {
            if (number > 0)
                publish_count(pass.rows + size_t(number) * RADIX + threadIdx.x, count, AGGREGATE);
        });

    // Scatter, and look back meanwhile.
    items.scatter(shared, pass, begin, valid, rank, digit, write,
                  [&] { place_digit(pass, number, begin + tile::SIZE, share, shared.base); });
}

#endif
