// bucket_sort.cuh - sorts many buckets of keys at once, a block each, in shared memory. 2^BUCKET_FINE_BITS fine bins
// hold a key or two each on average; then each key's place in its bin is found by comparing. (After Stehle and Jacobsen
// 2017; the bins as in a distributive partitioning sort.)
#ifndef SK_CUDA_BUCKET_SORT_CUH
#define SK_CUDA_BUCKET_SORT_CUH

#include "sort/bins/fine_bins.cuh"
#include "sort/bucket/buckets.cuh"

// IS_SPARSE: keys are not sorted by rounds over neighbours, which pay for several keys per thread and take registers.
template <class K, int THREAD_COUNT, int ITEM_COUNT, bool IS_SPARSE = false> struct any_bucket_tile {
    using key_type = K;
    static constexpr int THREADS = THREAD_COUNT, ITEMS = ITEM_COUNT, SIZE = THREADS * ITEMS;
    static constexpr bool SPARSE = IS_SPARSE;
    // Neighbours on each side that a key is compared with. There is room for one more key per thread and for them.
    static constexpr int HALO = 7, ROOM = sizeof(K) <= 4 ? THREADS * (ITEMS + 1) + HALO : SIZE + LOOK;
    static constexpr int BINS = 1 << BUCKET_FINE_BITS, WORDS = BINS / 2 / THREADS;
    struct shared_memory {
        uint4 ends[BINS / 8]; // of bins, 16 bits each
        K before[HALO], key[ROOM];
        block_sum<sk_u32, THREADS> sums;
        unsigned warp_largest[THREADS / WARP];
        K warp_least[THREADS / WARP], warp_greatest[THREADS / WARP];
        listed_bins<K, SIZE> listed;
    };
};

template <class K> using bucket_tile = any_bucket_tile<K, BUCKET_THREADS<K>, BUCKET_ITEMS<K>>;

// Odd-even transposition (Habermann 1972), for keys that are in the order of their bins, with no bin of more than
// HALO + 1 keys that differ. They are in order after as many rounds as the largest bin has keys, since no key leaves
// its bin. Each thread sorts EACH keys in registers, together with HALO neighbours on both sides: that needs no barrier
// between rounds, and costs less than place_in_bin() for keys of 4 bytes.
template <int EACH, class tile>
__device__ __forceinline__ void transpose_neighbours(typename tile::shared_memory &shared, unsigned size,
                                                     unsigned rounds)
{
    using K = typename tile::key_type;
    constexpr int HALO = tile::HALO, COUNT = EACH + 2 * HALO;
    K *keys = shared.key, key[COUNT];
    unsigned begin = threadIdx.x * EACH;
    if (threadIdx.x < HALO)
        shared.before[threadIdx.x] = 0;
    for (unsigned at = size + threadIdx.x; at < tile::THREADS * EACH + HALO; at += tile::THREADS)
        keys[at] = K(~K(0));
    __syncthreads();
    if (begin < size) {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            key[i] = (keys - HALO)[begin + i];
    }
    __syncthreads();
    if (begin < size) {
        for (unsigned round = 0; round < rounds; round += 2) {
#pragma unroll
            for (int i = 0; i + 1 < COUNT; i += 2)
                compare_exchange(key[i], key[i + 1]);
#pragma unroll
            for (int i = 1; i + 1 < COUNT; i += 2)
                compare_exchange(key[i], key[i + 1]);
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            keys[begin + i] = key[HALO + i];
    }
    __syncthreads();
}

// A thread's keys of a bucket. The first FULL of them are there without a test.
template <class tile, int FULL> struct bucket_items {
    using K = typename tile::key_type;
    K key[tile::ITEMS];
    unsigned size; // of the bucket

    static __device__ __forceinline__ unsigned place(int i)
    {
        return i * tile::THREADS + threadIdx.x;
    }
    __device__ __forceinline__ bool is_there(int i) const
    {
        return i < FULL || place(i) < size;
    }
    __device__ __forceinline__ void load(const K *in)
    {
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            key[i] = is_there(i) ? in[place(i)] : K(0);
    }
    // act(i) for the keys that are there.
    template <class Do> __device__ __forceinline__ void for_each(Do act) const
    {
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            if (is_there(i))
                act(i);
    }
    // The same for the places that the thread writes.
    template <class Do> __device__ __forceinline__ void for_each_place(Do act) const
    {
        for_each(act);
    }
};

// Keys in the order of their bins become sorted by as many rounds as the largest bin has keys.
template <class tile>
__device__ __forceinline__ void sort_neighbours(typename tile::shared_memory &shared, unsigned size, unsigned rounds)
{
    if (size <= (tile::ITEMS - 1) * tile::THREADS)
        transpose_neighbours<tile::ITEMS - 1, tile>(shared, size, rounds);
    else
        transpose_neighbours<tile::ITEMS + 1, tile>(shared, size, rounds);
}

// Stores the keys in their order.
template <class tile, class Items, class K, class Order>
__device__ __forceinline__ void store_in_order(const typename tile::shared_memory &shared, const Items &items, K *out,
                                               const Order &order)
{
    items.for_each_place([&](int i) { out[Items::place(i)] = order.value(shared.key[Items::place(i)]); });
}

// Stores each key at its place within its bin, found by comparing it with the bin.
template <class tile, class Items, class K, class Order, class BinOf>
__device__ __forceinline__ void store_by_comparing(const typename tile::shared_memory &shared, const Items &items,
                                                   K *out, const Order &order, BinOf bin_of)
{
    items.for_each_place([&](int i) {
        unsigned at = Items::place(i);
        K own = shared.key[at];
        bin_range bin(shared.ends, bin_of(own));
        out[place_in_bin(shared.key, at, bin.begin, bin.end)] = order.value(own);
    });
}

// ---- sorting by bins ----

// Keys come next after a barrier.
template <class tile> __device__ __forceinline__ void clear_bins(typename tile::shared_memory &shared)
{
    if (threadIdx.x == 0)
        shared.listed.clear();
#pragma unroll
    for (int i = threadIdx.x; i < tile::BINS / 8; i += tile::THREADS)
        shared.ends[i] = {0, 0, 0, 0};
}

// Count, scan, place: keys into fine bins, which are clear. Returns the size of the largest bin.
template <class tile, class Items, class Bins>
__device__ __forceinline__ unsigned place_in_bins(typename tile::shared_memory &shared, const Items &mine,
                                                  const Bins &bin_of)
{
    auto *counters = reinterpret_cast<uint32_t *>(shared.ends);
    mine.for_each([&](int i) { count_one(counters, bin_of(mine.key[i])); });
    __syncthreads();
    unsigned largest = scan_bins<tile>(shared);
    mine.for_each([&](int i) { shared.key[take_place(counters, bin_of(mine.key[i]))] = mine.key[i]; });
    __syncthreads();
    return largest;
}

// How many of the first keys, one per thread, are followed by a lesser one.
template <class tile>
__device__ __forceinline__ unsigned count_first_descents(const typename tile::shared_memory &shared, unsigned size)
{
    return unsigned(
        __syncthreads_count(threadIdx.x + 1 < size && shared.key[threadIdx.x + 1] < shared.key[threadIdx.x]));
}

// Bins of up to WARP keys: stores the keys of bins that are in order as they are, and others by comparing each with its
// bin. are_many: most bins are out of order; then none is looked at, and all keys are compared.
template <class tile, class K, class Order, class Bins>
__device__ __forceinline__ void store_compared(typename tile::shared_memory &shared, unsigned size, bool are_many,
                                               K *out, const Order &order, const Bins &bin_of)
{
    bool are_some = are_many || mark_descents<tile>(shared, size);
#pragma unroll 4
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS) {
        K own = shared.key[at];
        unsigned place = at;
        if (are_some) {
            bin_range bin(shared.ends, bin_of(own));
            if (are_many || shared.listed.descending.are_in(bin))
                place = place_in_bin(shared.key, at, bin.begin, bin.end);
        }
        out[place] = order.value(own);
    }
}

// If no bin has more than COMPARED_BIN keys, or none more than WARP and many are out of order: stores all keys as they
// are or by comparing, and returns true. Bins of copies are in order.
template <class tile, class K, class Order, class Bins>
__device__ __forceinline__ bool store_larger_bins(typename tile::shared_memory &shared, unsigned size, unsigned largest,
                                                  K *out, const Order &order, const Bins &bin_of)
{
    if (largest > WARP)
        return false;
    unsigned descents = count_first_descents<tile>(shared, size), of = min(size, unsigned(tile::THREADS));
    if (largest > COMPARED_BIN && descents < of / SEVERAL_DESCENTS)
        return false;
    store_compared<tile>(shared, size, descents > of / MANY_DESCENTS, out, order, bin_of);
    return true;
}

// Keys per lane of a bin that a warp sorts.
template <class K> constexpr int BIN_EACH = warp_network<K>::ITEMS / 2;

// Keys are in the order of their bins, of which the largest has `largest`. Sorts within the bins and stores to out, as
// values. Returns false, and leaves out as it was, if a bin is crowded. A call of its own leaves the registers to even
// bins.
template <class tile, class K, class Order, class Bins>
__device__ __noinline__ bool sort_uneven_bins(typename tile::shared_memory &shared, unsigned size, unsigned largest,
                                              K *out, Order order, Bins bin_of)
{
    __builtin_assume(__isShared(&shared));
    if (store_larger_bins<tile>(shared, size, largest, out, order, bin_of))
        return true;
    auto bin_at = [&](unsigned at) { return bin_of(shared.key[at]); };
    bool compared = order_bins<tile, BIN_EACH<K>>(shared, size, BIN_EACH<K> * WARP, bin_at);
    if (shared.listed.crowded.count > 0)
        return false;
#pragma unroll 4
    for (unsigned at = threadIdx.x; at < size; at += tile::THREADS) {
        K own = shared.key[at];
        unsigned place = compared ? place_in_order<tile>(shared, at, bin_range(shared.ends, bin_of(own))) : at;
        out[place] = order.value(own);
    }
    return true;
}

// How sort_items() sorts a tile with larger bins: not, if a bin is crowded.
template <class tile> struct uneven_or_not {
    typename tile::shared_memory &shared;

    template <class K, class Order, class Bins>
    __device__ __forceinline__ bool operator()(unsigned size, unsigned largest, K *out, const Order &order,
                                               const Bins &bin_of) const
    {
        return sort_uneven_bins<tile>(shared, size, largest, out, order, bin_of);
    }
};

// Sorts the keys that the block's threads have loaded to out[begin] and on, as values. Returns false, and leaves out as
// it was, if sort_uneven() does. The bins are clear.
//
// This is where most of a hybrid sort's time goes. Keys stay in registers from the load to the fine bins, so that
// shared memory holds them once and three or four blocks fit on a multiprocessor. Counters of 16 bits halve what
// scan_bins() reads. Places are taken by atomics, whose answers the next phase does not need in order.
template <class tile, class Items, class K, class Order, class Bins, class Uneven>
__device__ __forceinline__ bool sort_items(typename tile::shared_memory &shared, const Items &mine, K *out,
                                           unsigned begin, const Order &order, const Bins &bin_of,
                                           const Uneven &sort_uneven)
{
    unsigned largest = place_in_bins<tile>(shared, mine, bin_of);
    out += begin;
    if (bin_of.have_equals() || largest <= 1) {
        store_in_order<tile>(shared, mine, out, order);
        return true;
    }

    // Sort within the bins and store: by rounds over neighbours, or each key by comparing it with its bin.
    constexpr bool IN_ROUNDS = !tile::SPARSE && sizeof(K) <= 4;
    if (largest > (IN_ROUNDS ? tile::HALO + 1 : COMPARED_BIN))
        return sort_uneven(mine.size, largest, out, order, bin_of);
    if constexpr (IN_ROUNDS) {
        sort_neighbours<tile>(shared, mine.size, largest);
        store_in_order<tile>(shared, mine, out, order);
    } else {
        store_by_comparing<tile>(shared, mine, out, order, bin_of);
    }
    return true;
}

// Sorts `size` keys to out[begin] and on, as values. The first FULL items of each thread are there. With FIND, bins
// divide the span from the least key to the greatest; otherwise keys differ in the last `rest` bits.
template <class tile, int FULL, bool FIND, class K, class Order, class Uneven>
__device__ __forceinline__ bool sort_bucket(typename tile::shared_memory &shared, const K *in, K *out, unsigned begin,
                                            unsigned size, const Order &order, unsigned rest, const Uneven &sort_uneven)
{
    bucket_items<tile, FULL> mine;
    mine.size = size;
    mine.load(in);
    clear_bins<tile>(shared);
    if constexpr (FIND) {
        key_span<K> span = find_span<tile>(shared, mine.key, [&](int i) { return mine.is_there(i); });
        return sort_items<tile>(shared, mine, out, begin, order, bins_of_span<K>(span), sort_uneven);
    } else {
        __syncthreads();
        return sort_items<tile>(shared, mine, out, begin, order, bins_of_bits<K>(rest), sort_uneven);
    }
}

#endif
