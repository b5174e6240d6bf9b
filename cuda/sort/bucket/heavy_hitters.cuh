// dominated.cuh - buckets that are too large because one value or two are nearly all of them, as the zeros of both
// signs may be: a block counts those values, sorts the few other keys on chip, and writes all.
#ifndef SK_CUDA_GRID_DOMINATED_CUH
#define SK_CUDA_GRID_DOMINATED_CUH

#include "sort/bucket/large_buckets.cuh"

// A value, how many keys have it, and how many others are less.
template <class K> struct heavy_hitter {
    K value;
    unsigned count, others_below;
};

template <class K> struct heavy_hitter_memory {
    typename sort_tile<K, no_value>::shared_memory sort;
    heavy_hitter<K> hitter[2]; // the lesser one first, or the same one twice
    bool has_heavy_hitter;
    unsigned others, most; // most: how many of the last bits of the others are not all the same
};

// The lane's key that most other lanes have, of those lanes that take part. *count: how many.
template <class K> __device__ __forceinline__ K most_frequent(K key, bool takes_part, unsigned *count)
{
    unsigned same = __match_any_sync(FULL_WARP, key) & __ballot_sync(FULL_WARP, takes_part);
    unsigned own = takes_part ? unsigned(__popc(same)) : 0;
    *count = warp_max(own);
    return warp_from(key, __ffs(__ballot_sync(FULL_WARP, own == *count)) - 1);
}

// The two most frequent of 32 keys of the bucket; for a warp.
template <class K>
__device__ __forceinline__ void find_heavy_hitters(heavy_hitter_memory<K> &shared, const K *in, unsigned size)
{
    unsigned count, second_count;
    K key = in[size / WARP * lane_id()], first = most_frequent(key, true, &count);
    K second = most_frequent(key, key != first, &second_count);
    if (second_count <= 1)
        second = first;
    if (lane_id() == 0) {
        shared.hitter[0] = {min(first, second), 0, 0};
        shared.hitter[1] = {max(first, second), 0, 0};
        shared.has_heavy_hitter = count >= WARP / HEAVY_HITTER_SHARE && size <= HEAVY_HITTER_MOST;
        shared.others = 0;
    }
}

// Counts the frequent values, and brings the others to shared memory, as far as there is room.
template <class K>
__device__ __forceinline__ void take_others(heavy_hitter_memory<K> &shared, const K *in, unsigned size)
{
    constexpr unsigned ROOM = sort_tile<K, no_value>::TILE, BATCH = 16;
    K first = shared.hitter[0].value, second = shared.hitter[1].value, *others = shared.sort.exchange.key;
    unsigned firsts = 0, below_first = 0, below_second = 0;
    for (unsigned begin = 0; begin < size; begin += BATCH * SORT_THREADS) {
        K key[BATCH];
        unsigned mask = 0, place = 0;
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            unsigned at = begin + i * SORT_THREADS + threadIdx.x;
            key[i] = at < size ? in[at] : second;
            firsts += at < size && key[i] == first;
        }
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            bool is_other = key[i] != first && key[i] != second;
            mask |= unsigned(is_other) << i;
            below_first += is_other && key[i] < first;
            below_second += is_other && key[i] < second;
        }
        unsigned inclusive = warp_scan<op_sum<sk_u32>>(unsigned(__popc(mask)));
        if (lane_id() == WARP - 1 && inclusive > 0)
            place = atomicAdd(&shared.others, inclusive);
        place = warp_from(place, WARP - 1) + inclusive - unsigned(__popc(mask));
#pragma unroll
        for (unsigned i = 0; i < BATCH; i++) {
            if (mask >> i & 1) {
                if (place < ROOM)
                    others[place] = key[i];
                place++;
            }
        }
    }
    firsts = warp_sum(firsts);
    below_first = warp_sum(below_first);
    below_second = warp_sum(below_second);
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

// Sorts the others, and writes all; out may be in, of which all has been read.
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

// The large buckets that are dominated, from in to out, as values; the rest is listed in `left`.
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
