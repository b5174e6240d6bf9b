// bucket_sort.cuh - many small sorts of keys at once: each block sorts a bucket in shared memory by so many fine bins
// that most hold a key or two; then each key counts how many of its own bin are less. (After Stehle and Jacobsen 2017;
// a bin at a time, as in a distributive partitioning sort.)
#ifndef SK_CUDA_GRID_BUCKET_SORT_CUH
#define SK_CUDA_GRID_BUCKET_SORT_CUH

#include "sort/bucket/buckets.cuh"
#include "sort/radix/radix_sort.cuh"

template <class K, int THREAD_COUNT, int ITEM_COUNT> struct any_bucket_tile {
    using key_type = K;
    static constexpr int THREADS = THREAD_COUNT, ITEMS = ITEM_COUNT, SIZE = THREADS * ITEMS;
    // A key is compared with so many neighbours on each side; there is room for a key more a thread and for those.
    static constexpr int HALO = 7, ROOM = sizeof(K) <= 4 ? THREADS * (ITEMS + 1) + HALO : SIZE + 4;
    static constexpr int BINS = 1 << BUCKET_FINE_BITS, WORDS = BINS / 2 / THREADS;
    struct shared_memory {
        uint4 ends[BINS / 8]; // of bins, 16 bits each
        K before[HALO], key[ROOM];
        unsigned warp_total[THREADS / WARP], warp_largest[THREADS / WARP];
        K warp_least[THREADS / WARP], warp_greatest[THREADS / WARP];
    };
};

template <class K> using bucket_tile = any_bucket_tile<K, BUCKET_THREADS<K>, BUCKET_ITEMS<K>>;

// Counters of 16 bits become what is before each. Answers what the largest bin holds.
template <class tile> __device__ __forceinline__ unsigned scan_bins(typename tile::shared_memory &shared)
{
    static_assert(tile::WORDS % 4 == 0, "a thread scans whole vectors");
    uint4 *mine = shared.ends + threadIdx.x * (tile::WORDS / 4);
    uint32_t word[tile::WORDS];
    unsigned sum = 0, largest = 0, warp = threadIdx.x / WARP;
#pragma unroll
    for (int i = 0; i < tile::WORDS / 4; i++) {
        uint4 four = mine[i];
        word[4 * i] = four.x, word[4 * i + 1] = four.y, word[4 * i + 2] = four.z, word[4 * i + 3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < tile::WORDS; i++) {
        unsigned low = word[i] & 0xffff, high = word[i] >> 16;
        largest = max(largest, max(low, high));
        word[i] = sum | (sum + low) << 16;
        sum += low + high;
    }
    unsigned inclusive = warp_scan<op_sum<sk_u32>>(sum);
    largest = warp_max(largest);
    if (lane_id() == WARP - 1) {
        shared.warp_total[warp] = inclusive;
        shared.warp_largest[warp] = largest;
    }
    __syncthreads();
    unsigned before = inclusive - sum;
#pragma unroll
    for (unsigned w = 0; w < tile::THREADS / WARP; w++) {
        before += w < warp ? shared.warp_total[w] : 0;
        largest = max(largest, shared.warp_largest[w]);
    }
    before |= before << 16;
#pragma unroll
    for (int i = 0; i < tile::WORDS / 4; i++)
        mine[i] = {word[4 * i] + before, word[4 * i + 1] + before, word[4 * i + 2] + before, word[4 * i + 3] + before};
    __syncthreads();
    return largest;
}

// The place of a key among those of its bin: how many of [place, end) are less, or equal and before it. Bins of up to
// four, nearly all, take one step.
template <class K>
__device__ __forceinline__ unsigned place_in_bin(const K *keys, unsigned at, unsigned place, unsigned end)
{
    K own = keys[at];
    for (unsigned other = place; other < end; other += 4) {
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            K found = keys[other + k]; // there is room behind the last
            bool less = found < own || (found == own && other + k < at);
            place += less && other + k < end;
        }
    }
    return place;
}

// Odd-even transposition (Habermann 1972): keys that are in the order of their bins, and of which no bin has more than
// HALO + 1, are in order after as many rounds as the largest bin has keys, since none passes out of its bin. Each
// thread sorts EACH of them in registers, with so many neighbours on both sides as may belong to its bins.
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

// What the keys of a bucket differ in: `rest` bits, of themselves or of their distances from `low`.
template <class K> struct key_span {
    K low;
    unsigned rest;
};

// From the least to the greatest of the block's keys.
template <class tile, class K, class Is>
__device__ __forceinline__ key_span<K> find_span(typename tile::shared_memory &shared, const K (&key)[tile::ITEMS],
                                                 Is is_there)
{
    K least = K(~K(0)), greatest = 0;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            least = min(least, key[i]);
            greatest = max(greatest, key[i]);
        }
    }
    warp_extremes(&least, &greatest);
    if (lane_id() == 0) {
        shared.warp_least[threadIdx.x / WARP] = least;
        shared.warp_greatest[threadIdx.x / WARP] = greatest;
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned w = 0; w < tile::THREADS / WARP; w++) {
        least = min(least, shared.warp_least[w]);
        greatest = max(greatest, shared.warp_greatest[w]);
    }
    K range = greatest - least;
    unsigned zeros = sizeof(K) <= 4 ? __clz(unsigned(range)) : __clzll(range);
    return {least, 8 * unsigned(sizeof(K)) - zeros};
}

// The largest of those bins whose keys are not all equal.
template <class tile, class BinOf>
__device__ __forceinline__ unsigned largest_mixed_bin(typename tile::shared_memory &shared, unsigned size, BinOf bin_of)
{
    using K = typename tile::key_type;
    auto *ends = reinterpret_cast<const unsigned short *>(shared.ends);
    unsigned largest = 0;
    for (unsigned at = threadIdx.x; at + 1 < size; at += tile::THREADS) {
        K own = shared.key[at], next = shared.key[at + 1];
        unsigned bin = bin_of(own);
        if (own != next && bin == bin_of(next))
            largest = max(largest, unsigned(ends[bin]) - (bin > 0 ? ends[bin - 1] : 0));
    }
    largest = warp_max(largest);
    if (lane_id() == 0)
        shared.warp_largest[threadIdx.x / WARP] = largest;
    __syncthreads();
    for (unsigned w = 0; w < tile::THREADS / WARP; w++)
        largest = max(largest, shared.warp_largest[w]);
    return largest;
}

// To out[begin] and what follows. The first FULL items of each thread are there. With FIND, the span is found, from the
// least key. False, and out is as it was, where a bin is too large.
template <class tile, int FULL, bool FIND, class K, class Order>
__device__ __forceinline__ bool sort_bucket(typename tile::shared_memory &shared, const K *in, K *out, unsigned begin,
                                            unsigned size, const Order &order, key_span<K> span)
{
    constexpr unsigned FINE = BUCKET_FINE_BITS;
    auto *ends = reinterpret_cast<unsigned short *>(shared.ends);
    auto *words = reinterpret_cast<uint32_t *>(shared.ends);
    auto is_there = [&](int i) { return i < FULL || i * tile::THREADS + threadIdx.x < size; };
    K key[tile::ITEMS];
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        key[i] = is_there(i) ? in[i * tile::THREADS + threadIdx.x] : K(0);
#pragma unroll
    for (int i = threadIdx.x; i < tile::BINS / 8; i += tile::THREADS)
        shared.ends[i] = {0, 0, 0, 0};
    if (FIND)
        span = find_span<tile>(shared, key, is_there);
    else
        __syncthreads();
    unsigned shift = span.rest > FINE ? span.rest - FINE : 0;
    unsigned mask = span.rest < FINE ? (1u << span.rest) - 1 : (1u << FINE) - 1;
    auto bin_of = [&](K own) { return FIND ? unsigned(K(own - span.low) >> shift) : digit_of(own, shift, mask); };
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        if (is_there(i))
            count_one(words, bin_of(key[i]));
    __syncthreads();
    unsigned largest = scan_bins<tile>(shared);
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            unsigned bin = bin_of(key[i]), half = bin % 2 * 16;
            shared.key[atomicAdd(&words[bin / 2], 1u << half) >> half & 0xffff] = key[i];
        }
    }
    __syncthreads();
    if (shift == 0) // the keys of a bin are equal
        largest = 0;
    else if (largest > tile::HALO + 1)
        largest = largest_mixed_bin<tile>(shared, size, bin_of);
    if (largest > OVERFULL_BIN)
        return false;
    if (largest == 0 || (sizeof(K) <= 4 && largest <= tile::HALO + 1)) {
        if (largest > 1 && size <= (tile::ITEMS - 1) * tile::THREADS)
            transpose_neighbours<tile::ITEMS - 1, tile>(shared, size, largest);
        else if (largest > 1)
            transpose_neighbours<tile::ITEMS + 1, tile>(shared, size, largest);
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            if (is_there(i))
                out[begin + i * tile::THREADS + threadIdx.x] = order.value(shared.key[i * tile::THREADS + threadIdx.x]);
        return true;
    }
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        if (is_there(i)) {
            unsigned at = i * tile::THREADS + threadIdx.x;
            K own = shared.key[at];
            unsigned bin = bin_of(own), first = bin > 0 ? ends[bin - 1] : 0, end = ends[bin];
            unsigned place = end - first <= OVERFULL_BIN ? place_in_bin(shared.key, at, first, end) : at; // all equal
            out[begin + place] = order.value(own);
        }
    }
    return true;
}

// Bucket b is to be keys [starts[b], ends[b]) of the output, and is those of the input, or begins at b * room there.
struct bucket_bounds {
    const unsigned *starts, *ends;
    unsigned room;        // 0: none
    const unsigned *lost; // keys for which there was no room: then nothing is done
    __device__ __forceinline__ unsigned in_input(unsigned bucket, unsigned begin) const
    {
        return room > 0 ? bucket * room : begin;
    }
};

// out may be in, where buckets have no room of their own; keys become values. They agree but for the last `rest` bits,
// where those are not to be found. Buckets that are too large, or have crowded bins, are left as they are, and listed
// where sort_overfull has room for them.
template <bool FIND, class K, class Order>
__global__ void __launch_bounds__(bucket_tile<K>::THREADS, BUCKET_BLOCKS<K>)
    sort_buckets(const K *in, K *out, bucket_bounds bounds, Order order, unsigned rest, unsigned *listed,
                 unsigned *list)
{
    using tile = bucket_tile<K>;
    constexpr int FULL = tile::ITEMS * 5 / 6;
    __shared__ typename tile::shared_memory shared;
    wait_for_launches();
    unsigned lost = bounds.room > 0 ? *bounds.lost : 0;
    unsigned begin = bounds.starts[blockIdx.x], size = bounds.ends[blockIdx.x] - begin;
    if (lost > 0)
        return;
    in += bounds.in_input(blockIdx.x, begin);
    bool sorted = false;
    if (size >= FULL * tile::THREADS && size <= tile::SIZE)
        sorted = sort_bucket<tile, FULL, FIND>(shared, in, out, begin, size, order, {K(0), rest});
    else if (size <= tile::SIZE)
        sorted = sort_bucket<tile, 0, FIND>(shared, in, out, begin, size, order, {K(0), rest});
    if (!sorted && size <= sort_tile<K, no_value>::TILE && threadIdx.x == 0)
        list[atomicAdd(listed, 1)] = blockIdx.x;
}

// How many of the last bits of the block's keys are not all the same.
template <class K, int ITEMS>
__device__ __forceinline__ unsigned differing_bits(const K (&key)[ITEMS], const K *keys, int size, unsigned *most)
{
    K differing = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (radix_rank<SORT_THREADS, ITEMS>::place(i) < size)
            differing |= key[i] ^ keys[0];
    if (threadIdx.x == 0)
        *most = 0;
    __syncthreads();
    atomicMax(most, 8 * unsigned(sizeof(K)) - (sizeof(K) <= 4 ? __clz(unsigned(differing)) : __clzll(differing)));
    __syncthreads();
    return *most;
}

// The listed ones, by a radix sort.
template <class K, class Order>
__global__ void __launch_bounds__(SORT_THREADS, 2)
    sort_overfull(const K *in, K *out, bucket_bounds bounds, Order order, const unsigned *listed, const unsigned *list)
{
    using tile = sort_tile<K, no_value>;
    static_assert(tile::TILE >= bucket_tile<K>::SIZE, "a bucket fits");
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    __shared__ unsigned most;
    wait_for_launches();
    for (unsigned i = blockIdx.x; i < *listed; i += gridDim.x) {
        unsigned begin = bounds.starts[list[i]];
        int size = int(bounds.ends[list[i]] - begin);
        const K *from = in + bounds.in_input(list[i], begin);
        tile items;
        items.load(from, nullptr, size);
        items.sort(shared, 0, differing_bits(items.key, from, size, &most));
#pragma unroll
        for (K &key : items.key)
            key = order.value(key);
        items.store(out + begin, nullptr, size);
        __syncthreads();
    }
}

#endif
