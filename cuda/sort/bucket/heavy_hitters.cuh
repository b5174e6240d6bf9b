// heavy_hitters.cuh - oversized buckets in which one value or two are most of the keys, as the zeros of both signs may
// be. A block counts those values, sorts the few other keys on chip, and writes all.
#ifndef SK_CUDA_HEAVY_HITTERS_CUH
#define SK_CUDA_HEAVY_HITTERS_CUH

#include "common/aggregate.cuh"
#include "sort/bucket/large_buckets.cuh"
#include "sort/radix/radix_sort.cuh"

// A frequent value, its count, and how many of the other keys are less.
template <class K> struct heavy_hitter {
    K value;
    unsigned count, others_below;
};

template <class K> struct heavy_hitter_memory {
    typename sort_tile<K, no_value>::shared_memory sort;
    heavy_hitter<K> hitter[2]; // the lesser first, or the same twice
    bool has_heavy_hitter;     // and the bucket is small enough for a block
    unsigned others, most;     // most: bits that the others differ in
};

// The fewest last bits that all differences of the block's keys are in.
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
    atomicMax(most, bits_of(differing));
    __syncthreads();
    return *most;
}

// The most frequent key of the lanes that take part. *count: the number of lanes that have it.
template <class K> __device__ __forceinline__ K most_frequent_of(K key, bool takes_part, unsigned *count)
{
    unsigned same = __match_any_sync(FULL_WARP, key) & __ballot_sync(FULL_WARP, takes_part);
    return most_frequent(key, takes_part ? unsigned(__popc(same)) : 0, count);
}

// The two most frequent keys of a sample of 32. For one warp.
template <class K>
__device__ __forceinline__ void find_heavy_hitters(heavy_hitter_memory<K> &shared, const K *in, unsigned size)
{
    unsigned count, second_count;
    K key = in[size / WARP * lane_id()], first = most_frequent_of(key, true, &count);
    K second = most_frequent_of(key, key != first, &second_count);
    if (second_count <= 1) {
        second = first;
        second_count = 0;
    }
    if (lane_id() == 0) {
        shared.hitter[0] = {min(first, second), 0, 0};
        shared.hitter[1] = {max(first, second), 0, 0};
        shared.has_heavy_hitter = count >= WARP / HEAVY_HITTER_SHARE && size <= HEAVY_HITTER_MOST &&
                                  (WARP - count - second_count) * (size / WARP) <= sort_tile<K, no_value>::TILE;
        shared.others = 0;
    }
}

// What a thread has counted.
struct hitter_counts {
    unsigned firsts = 0, below_first = 0, below_second = 0; // others below
};

// Adds the threads' counts up, and the second value's is the rest.
template <class K>
__device__ __forceinline__ void add_counts(heavy_hitter_memory<K> &shared, const hitter_counts &own, unsigned size)
{
    unsigned firsts = warp_sum(own.firsts), below_first = warp_sum(own.below_first);
    unsigned below_second = warp_sum(own.below_second);
    if (lane_id() == 0) {
        atomicAdd(&shared.hitter[0].count, firsts);
        atomicAdd(&shared.hitter[0].others_below, below_first);
        atomicAdd(&shared.hitter[1].others_below, below_second);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        shared.hitter[1].count = size - shared.others - shared.hitter[0].count;
    __syncthreads();
}

// Counts both values, and brings the other keys to shared memory as far as there is room.
template <class K>
__device__ __forceinline__ void take_others(heavy_hitter_memory<K> &shared, const K *in, unsigned size)
{
    constexpr unsigned ROOM = sort_tile<K, no_value>::TILE, BATCH = 16;
    K first = shared.hitter[0].value, second = shared.hitter[1].value, *others = shared.sort.exchange.key;
    hitter_counts own;
    for (unsigned begin = 0; begin < size; begin += BATCH * SORT_THREADS) {
        K key[BATCH];
        unsigned mask = 0;
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            unsigned at = begin + i * SORT_THREADS + threadIdx.x;
            key[i] = at < size ? in[at] : second;
            own.firsts += at < size && key[i] == first;
        }
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            bool is_other = key[i] != first && key[i] != second;
            mask |= unsigned(is_other) << i;
            own.below_first += is_other && key[i] < first;
            own.below_second += is_other && key[i] < second;
        }
        unsigned place = warp_take_places(&shared.others, unsigned(__popc(mask)));
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            if (mask >> i & 1) {
                if (place < ROOM)
                    others[place] = key[i];
                place++;
            }
        }
    }
    add_counts(shared, own, size);
}

// Sorts the other keys, and writes all. out may be in: all keys have been read.
template <class K, class Order>
__device__ __forceinline__ void write_heavy_hitters(heavy_hitter_memory<K> &shared, K *out, const Order &order)
{
    using tile = sort_tile<K, no_value>;
    const heavy_hitter<K> first = shared.hitter[0], second = shared.hitter[1];
    unsigned others = shared.others;
    K *keys = shared.sort.exchange.key;
    if (others > 0) {
        tile items;
        items.load(keys, nullptr, int(others));
        items.sort(shared.sort, 0, differing_bits(items.key, keys, int(others), &shared.most));
        __syncthreads();
        items.store(keys, nullptr, int(others));
        __syncthreads();
    }
    for (unsigned at = threadIdx.x; at < others; at += SORT_THREADS) {
        unsigned before = (at >= first.others_below ? first.count : 0) + (at >= second.others_below ? second.count : 0);
        out[at + before] = order.value(keys[at]);
    }
    for (unsigned at = threadIdx.x; at < first.count; at += SORT_THREADS)
        out[first.others_below + at] = order.value(first.value);
    for (unsigned at = threadIdx.x; at < second.count; at += SORT_THREADS)
        out[second.others_below + first.count + at] = order.value(second.value);
}

// Sorts the large buckets that have heavy hitters, from in to out, as values; lists the rest in `left`.
template <class K, class Order>
__global__ void __launch_bounds__(SORT_THREADS, 2)
    sort_heavy_hitters(const K *in, K *out, Order order, round_lists<K> lists, round_lists<K> left)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<heavy_hitter_memory<K> *>(dynamic_memory);
    for (unsigned i = blockIdx.x; i < lists.counts->large; i += gridDim.x) {
        unsigned begin = lists.large[i].begin, size = lists.large[i].size;
        bool is_done = false;
        __syncthreads();
        if (threadIdx.x < WARP)
            find_heavy_hitters(shared, in + begin, size);
        __syncthreads();
        if (shared.has_heavy_hitter) {
            take_others(shared, in + begin, size);
            is_done = shared.others <= unsigned(sort_tile<K, no_value>::TILE);
        }
        if (is_done)
            write_heavy_hitters(shared, out + begin, order);
        else if (threadIdx.x == 0)
            list_one_large(left, begin, size);
    }
}

#endif
