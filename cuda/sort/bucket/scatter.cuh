// scatter.cuh - a pass that brings keys to their bins, in which their places do not matter: keys alone need no
// stability, so places are taken by atomics, and no tile waits for another.
#ifndef SK_CUDA_GRID_SCATTER_CUH
#define SK_CUDA_GRID_SCATTER_CUH

#include "sort/bucket/buckets.cuh"

template <class K, int ITEMS> struct scatter_tile {
    static constexpr int SIZE = SCATTER_THREADS * ITEMS;
    struct shared_memory {
        K key[SIZE];
        unsigned count[SCATTER_BINS]; // of a bin; then where its next key goes in the tile; in the end, where it ends
        unsigned to[SCATTER_BINS];    // where place 0 of the tile would go, were it of this bin
        unsigned warp_total[SCATTER_THREADS / WARP];
        bool is_short; // of room in some region
    };
};

// Where buckets are that were not counted before: each has room for so many keys, those from `split` on in another
// array. Room 0: they were counted, and are where their cursors say.
template <class K> struct bucket_regions {
    K *first, *rest;
    unsigned split, room;
    __device__ __forceinline__ K *array_of(unsigned bucket) const
    {
        return room == 0 || bucket < split ? first : rest;
    }
    // How many of so many buckets from that one on are in the first array.
    __device__ __forceinline__ unsigned in_first(unsigned bucket, unsigned count) const
    {
        return room == 0 || bucket + count <= split ? count : bucket < split ? split - bucket : 0;
    }
    // In its array.
    __device__ __forceinline__ unsigned begin_of(unsigned bucket) const
    {
        return (bucket < split ? bucket : bucket - split) * room;
    }
};

// Keys by (key >> shift) & (bins - 1), to what the cursors say: those of the whole array; or those of buckets, each by
// itself, in parts that a table names, or in regions of so many tiles.
template <class K> struct scatter_pass {
    size_t n;
    unsigned shift, bins, lower_bits;
    const bucket_part *parts;
    const unsigned *part_count, *start;
    bucket_regions<K> from, to;
    const unsigned *filled; // keys of a region
    unsigned tiles;
    unsigned *cursor; // of each bin, or of each bin of each bucket
};

// Where bins begin in the tile, and in the output. Each thread has two neighbouring bins. True where a bin is so large
// that a warp should not copy it alone.
template <class K, int ITEMS>
__device__ __forceinline__ bool reserve_bins(typename scatter_tile<K, ITEMS>::shared_memory &shared,
                                             const scatter_pass<K> &pass, unsigned bucket)
{
    unsigned bin = 2 * threadIdx.x, warp = threadIdx.x / WARP, before = 0;
    unsigned count[2] = {}, to[2] = {};
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (bin + k < pass.bins) {
            count[k] = shared.count[bin + k];
            if (count[k] > 0)
                to[k] = atomicAdd(&pass.cursor[bucket + bin + k], count[k]);
        }
    }
    unsigned both = count[0] + count[1], inclusive = warp_scan<op_sum<sk_u32>>(both);
    if (lane_id() == WARP - 1)
        shared.warp_total[warp] = inclusive;
    bool large =
        __syncthreads_or(count[0] > scatter_tile<K, ITEMS>::SIZE / 8 || count[1] > scatter_tile<K, ITEMS>::SIZE / 8);
    for (unsigned w = 0; w < warp; w++)
        before += shared.warp_total[w];
    before += inclusive - both;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (bin + k < pass.bins) {
            // Not before: the answers of the atomics are long under way.
            if (pass.to.room > 0) {
                if (to[k] + count[k] > pass.to.room)
                    shared.is_short = true;
                to[k] += pass.to.begin_of(bucket + bin + k);
            }
            shared.count[bin + k] = before;
            shared.to[bin + k] = to[k] - before;
        }
        before += count[k];
    }
    __syncthreads();
    return large;
}

// A warp copies a bin of [first, last) after the other, lanes at multiples of 128 bytes of the output.
template <class K, int ITEMS>
__device__ __forceinline__ void copy_bins(const typename scatter_tile<K, ITEMS>::shared_memory &shared, unsigned first,
                                          unsigned last, K *out)
{
    constexpr unsigned LINE = 128 / sizeof(K), WARPS = SCATTER_THREADS / WARP;
    unsigned each = min(unsigned(WARP), (last - first + WARPS - 1) / WARPS);
    for (first += threadIdx.x / WARP * each; first < last; first += WARPS * each) {
        // A lane knows a bin of the next ones.
        unsigned mine = first + lane_id();
        unsigned end_of = mine < last ? shared.count[mine] : 0, to_of = mine < last ? shared.to[mine] : 0;
        unsigned begin = first > 0 ? shared.count[first - 1] : 0;
        for (unsigned bin = 0; bin < each && first + bin < last; bin++) {
            unsigned end = warp_from(end_of, bin), to = warp_from(to_of, bin);
            for (unsigned at = begin - (begin + to) % LINE + lane_id(); int(at - end) < 0; at += WARP)
                if (int(at - begin) >= 0)
                    out[at + to] = shared.key[at];
            begin = end;
        }
    }
}

// The bins of a thread's keys, which cost too much to be found again; for none, they are found again.
template <int ITEMS> struct item_bins {
    unsigned pair[(ITEMS + 1) / 2];
    __device__ __forceinline__ unsigned keep(int i, unsigned bin)
    {
        pair[i / 2] = i % 2 == 0 ? bin : pair[i / 2] | bin << 16;
        return bin;
    }
    template <class Find> __device__ __forceinline__ unsigned kept(int i, Find) const
    {
        return i % 2 == 0 ? pair[i / 2] & 0xffff : pair[i / 2] >> 16;
    }
};
template <> struct item_bins<0> {
    __device__ __forceinline__ unsigned keep(int, unsigned bin)
    {
        return bin;
    }
    template <class Find> __device__ __forceinline__ unsigned kept(int, Find find) const
    {
        return find();
    }
};

// Takes a place in each lane's bin, by one atomic for all lanes whose bin is the first lane's. Keys that are nearly in
// order already are in few bins, and their atomics would wait for one another.
__device__ __forceinline__ unsigned take_together(unsigned *count, unsigned bin)
{
    unsigned first = warp_from(bin, 0), same = __ballot_sync(FULL_WARP, bin == first), place = 0;
    if (lane_id() == 0)
        place = atomicAdd(&count[first], unsigned(__popc(same)));
    place = warp_from(place, 0) + __popc(same & lanes_below());
    return bin == first ? place : atomicAdd(&count[bin], 1);
}

// Tile [begin, begin + valid) of the input; WHOLE: valid is the tile's size, so that no key is looked at by itself.
// SMOOTH: neighbours often have the same bin. bucket: the first bin as one. Where a region is short of room, nothing is
// written.
template <bool WHOLE, bool SMOOTH, int ITEMS, class K, class Order, class Projection>
__device__ __forceinline__ void scatter(typename scatter_tile<K, ITEMS>::shared_memory &shared, const K *in, int valid,
                                        const Order &order, const Projection &project, const scatter_pass<K> &pass,
                                        unsigned bucket)
{
    auto is_there = [&](int i) { return WHOLE || i * SCATTER_THREADS + int(threadIdx.x) < valid; };
    auto bin_of = [&](K key) { return digit_of(project(key), pass.shift, pass.bins - 1); };
    K key[ITEMS];
    item_bins<Projection::IS_COSTLY ? ITEMS : 0> bins;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (is_there(i))
            key[i] = order.key(in[i * SCATTER_THREADS + threadIdx.x]);
    for (unsigned bin = threadIdx.x; bin < pass.bins; bin += SCATTER_THREADS)
        shared.count[bin] = 0;
    if (threadIdx.x == 0)
        shared.is_short = false;
    __syncthreads();
    bool are_alike = SMOOTH && WHOLE && __all_sync(FULL_WARP, bin_of(key[0]) == warp_from(bin_of(key[0]), 0));
    if (are_alike) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            take_together(shared.count, bins.keep(i, bin_of(key[i])));
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (is_there(i))
                atomicAdd(&shared.count[bins.keep(i, bin_of(key[i]))], 1);
    }
    __syncthreads();
    bool large = reserve_bins<K, ITEMS>(shared, pass, bucket);
    if (shared.is_short)
        return;
    auto bin_again = [&](int i) { return bins.kept(i, [&] { return bin_of(key[i]); }); };
    if (are_alike) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            shared.key[take_together(shared.count, bin_again(i))] = key[i];
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (is_there(i))
                shared.key[atomicAdd(&shared.count[bin_again(i)], 1)] = key[i];
    }
    __syncthreads();
    if (!large) {
        K *out = pass.to.first;
        unsigned first = 0, last = pass.to.in_first(bucket, pass.bins);
#pragma unroll 1
        for (; first < pass.bins; first = last, last = pass.bins, out = pass.to.rest)
            copy_bins<K, ITEMS>(shared, first, last, out);
        return;
    }
    for (int at = threadIdx.x; at < valid; at += SCATTER_THREADS) {
        K moved = shared.key[at];
        unsigned bin = bin_of(moved);
        pass.to.array_of(bucket + bin)[unsigned(at + shared.to[bin])] = moved;
    }
}

template <int ITEMS, bool SMOOTH, class Projection, class K, class Order>
__global__ void __launch_bounds__(SCATTER_THREADS, 2)
    scatter_keys(const K *in, Order order, const cdf_map<K> *map, scatter_pass<K> pass)
{
    using tile = scatter_tile<K, ITEMS>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * tile::SIZE, end = pass.n;
    unsigned bucket = 0;
    wait_for_launches();
    const Projection project(map);
    if (pass.parts != nullptr) {
        if (blockIdx.x >= *pass.part_count)
            return;
        bucket_part part = pass.parts[blockIdx.x];
        bucket = part.bucket << pass.lower_bits;
        begin = pass.start[bucket] + size_t(part.tile) * tile::SIZE;
        end = pass.start[bucket + (1u << pass.lower_bits)];
    } else if (pass.from.room > 0) {
        unsigned region = blockIdx.x / pass.tiles;
        begin = blockIdx.x % pass.tiles * tile::SIZE;
        end = pass.filled[region];
        if (begin >= end || end > pass.from.room)
            return;
        bucket = region << pass.lower_bits;
        in = pass.from.array_of(region) + pass.from.begin_of(region);
    }
    if (end - begin >= tile::SIZE)
        scatter<true, SMOOTH, ITEMS>(shared, in + begin, tile::SIZE, order, project, pass, bucket);
    else
        scatter<false, SMOOTH, ITEMS>(shared, in + begin, int(end - begin), order, project, pass, bucket);
}

#endif
