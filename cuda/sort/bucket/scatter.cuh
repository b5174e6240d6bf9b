// scatter.cuh - a pass that scatters keys to their bins in any order: keys alone need no stability, so places are taken
// by atomics and no tile waits for another.
#ifndef SK_CUDA_SCATTER_CUH
#define SK_CUDA_SCATTER_CUH

#include "common/aggregate.cuh"
#include "sort/bucket/buckets.cuh"

template <class K, int ITEMS> struct scatter_tile {
    static constexpr int SIZE = SCATTER_THREADS * ITEMS;
    struct shared_memory {
        K key[SIZE];
        unsigned count[SCATTER_BINS]; // of a bin; then the place of its next key in the tile; at last, where it ends
        unsigned to[SCATTER_BINS];    // what a place in the tile differs by from the place in the output
        block_sum<sk_u32, SCATTER_THREADS> sums;
        bool overflows; // a slack region has no room for a bin
    };
};

// Slack regions: bucket b has room for `room` keys, in one array up to bucket `split` and in another from there on.
// room = 0: the buckets were counted, and are where their cursors say.
template <class K> struct bucket_regions {
    K *first, *rest;
    unsigned split, room;
    __device__ __forceinline__ K *array_of(unsigned bucket) const
    {
        return room == 0 || bucket < split ? first : rest;
    }
    // How many of the `count` buckets from `bucket` on are in the first array.
    __device__ __forceinline__ unsigned in_first(unsigned bucket, unsigned count) const
    {
        return room == 0 || bucket + count <= split ? count : bucket < split ? split - bucket : 0;
    }
    // Where its region begins in its array.
    __device__ __forceinline__ unsigned begin_of(unsigned bucket) const
    {
        return (bucket < split ? bucket : bucket - split) * room;
    }
};

// Where keys go that a slack region of a pass has no room for: to the regions of the buckets, or, if those have no
// room either, to an array of spilled keys.
template <class K> struct overflow_places {
    unsigned shift; // from a projection to its bucket
    K *region;
    unsigned room, *cursor; // of each bucket; a key that has moved the cursor is spilled
    K *spilled;
    unsigned *count, most; // of spilled keys; there is room for `most`
    unsigned *lost;        // set if there are more

    __device__ __forceinline__ void put(K key, unsigned bucket, bool has_moved_cursor) const
    {
        unsigned at = has_moved_cursor ? room : atomicAdd(&cursor[bucket], 1);
        if (at < room) {
            region[bucket * room + at] = key;
            return;
        }
        at = atomicAdd(count, 1);
        if (at < most)
            spilled[at] = key;
        else
            *lost = 1;
    }
};

// Scatters keys by (projection >> shift) & (bins - 1) to where the cursors are: the whole array, or buckets of it, each
// by itself. A table names the parts of the buckets (parts), or each slack region has the same number of tiles (tiles).
template <class K> struct scatter_pass {
    size_t n;
    unsigned shift, bins, lower_bits;
    const bucket_part *parts;
    const unsigned *part_count, *start;
    bucket_regions<K> from, to;
    const unsigned *filled; // keys in each region
    unsigned tiles;
    unsigned *cursor;            // per bin, or per bin of each bucket
    overflow_places<K> overflow; // with regions; if keys are lost, the second pass gives up
};

// Two neighbouring bins of a thread: their counts in the tile, and their places in the output.
struct two_bins {
    unsigned count[2] = {}, to[2] = {};
};

// Reserves the places of a thread's bins in the output.
template <class K, int ITEMS>
__device__ __forceinline__ two_bins take_output(const typename scatter_tile<K, ITEMS>::shared_memory &shared,
                                                const scatter_pass<K> &pass, unsigned bucket)
{
    unsigned bin = 2 * threadIdx.x;
    two_bins own;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (bin + k < pass.bins) {
            own.count[k] = shared.count[bin + k];
            if (own.count[k] > 0)
                own.to[k] = atomicAdd(&pass.cursor[bucket + bin + k], own.count[k]);
        }
    }
    return own;
}

// Scan: counts of bins become places in the tile and in the output. Returns true if a bin is so large that one warp
// should not copy it alone. The answers of take_output()'s atomics are used last: they take longest.
template <class K, int ITEMS>
__device__ __forceinline__ bool reserve_bins(typename scatter_tile<K, ITEMS>::shared_memory &shared,
                                             const scatter_pass<K> &pass, unsigned bucket)
{
    constexpr unsigned LARGE = scatter_tile<K, ITEMS>::SIZE / 8;
    unsigned bin = 2 * threadIdx.x;
    two_bins own = take_output<K, ITEMS>(shared, pass, bucket);
    unsigned both = own.count[0] + own.count[1], inclusive = shared.sums.warp_inclusive(both);
    shared.sums.publish(inclusive);
    bool large = __syncthreads_or(own.count[0] > LARGE || own.count[1] > LARGE);
    // Not sums.before(), whose selects cost registers that the keys need: they would be spilled.
    unsigned before = inclusive - both;
    for (unsigned w = 0; w < threadIdx.x / WARP; w++)
        before += shared.sums.of_warp[w];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (bin + k < pass.bins) {
            if (pass.to.room > 0) {
                if (own.to[k] + own.count[k] > pass.to.room)
                    shared.overflows = true;
                own.to[k] += pass.to.begin_of(bucket + bin + k);
            }
            shared.count[bin + k] = before;
            shared.to[bin + k] = own.to[k] - before;
        }
        before += own.count[k];
    }
    __syncthreads();
    return large;
}

// Each warp copies its share of the bins [first, last), one bin after the other. Its lanes begin at a multiple of 128
// bytes of the output, so that each line of memory is written whole.
template <class K, int ITEMS>
__device__ __forceinline__ void copy_bins(const typename scatter_tile<K, ITEMS>::shared_memory &shared, unsigned first,
                                          unsigned last, K *out)
{
    constexpr unsigned LINE = 128 / sizeof(K), WARPS = SCATTER_THREADS / WARP;
    unsigned each = min(unsigned(WARP), (last - first + WARPS - 1) / WARPS);
    for (first += threadIdx.x / WARP * each; first < last; first += WARPS * each) {
        // Each lane knows one of the next bins.
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

// The bins of a thread's keys, two in a word, if they cost too much to be found again; item_bins<0> finds them again.
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

// A thread's keys of a tile. WHOLE: all are there.
template <class K, int ITEMS, bool WHOLE> struct scatter_items {
    K key[ITEMS];
    int valid; // keys of the tile

    static __device__ __forceinline__ int place(int i)
    {
        return i * SCATTER_THREADS + int(threadIdx.x);
    }
    // act(i) for the keys that are there.
    template <class Do> __device__ __forceinline__ void for_each(Do act) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (WHOLE || place(i) < valid)
                act(i);
    }
    // For the keys of whole tiles.
    template <class Do> static __device__ __forceinline__ void for_all(Do act)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            act(i);
    }
};

// Writes keys one by one, for each its region or where it goes otherwise. If keys are lost, the others need no place.
template <class K, int ITEMS, class Projection, class BinOf>
__device__ __forceinline__ void write_overflowing(const typename scatter_tile<K, ITEMS>::shared_memory &shared,
                                                  int valid, const scatter_pass<K> &pass, unsigned bucket,
                                                  const Projection &project, BinOf bin_of)
{
    const overflow_places<K> &over = pass.overflow;
    if (look_again(*over.lost) > 0)
        return;
#pragma unroll 1
    for (int place = threadIdx.x; place < valid; place += SCATTER_THREADS) {
        K key = shared.key[place];
        unsigned bin = bin_of(key), at = place + shared.to[bin];
        if (at - pass.to.begin_of(bucket + bin) < pass.to.room)
            pass.to.array_of(bucket + bin)[at] = key;
        else
            over.put(key, unsigned(project(key) >> over.shift), pass.cursor == over.cursor);
    }
}

// Writes the tile, sorted by bins in shared memory, to the output.
template <class K, int ITEMS, class Projection, class BinOf>
__device__ __forceinline__ void write_bins(const typename scatter_tile<K, ITEMS>::shared_memory &shared, int valid,
                                           bool large, const scatter_pass<K> &pass, unsigned bucket,
                                           const Projection &project, BinOf bin_of)
{
    if (shared.overflows) {
        write_overflowing<K, ITEMS>(shared, valid, pass, bucket, project, bin_of);
        return;
    }
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

// Scatters tile [in, in + valid). WHOLE: valid is the size of a tile, so that no key needs a test. NEAR: neighbours
// often have the same bin. bucket: number of the first bin.
//
// A tile of thousands of keys gives a bin several neighbours to write. Nothing waits for other tiles: the order within
// a bin does not matter, so the cursors may be moved on in any order.
template <bool WHOLE, bool NEAR, int ITEMS, class K, class Order, class Projection>
__device__ __forceinline__ void scatter(typename scatter_tile<K, ITEMS>::shared_memory &shared, const K *in, int valid,
                                        const Order &order, const Projection &project, const scatter_pass<K> &pass,
                                        unsigned bucket)
{
    using items = scatter_items<K, ITEMS, WHOLE>;
    auto bin_of = [&](K key) { return digit_of(project(key), pass.shift, pass.bins - 1); };
    items mine;
    mine.valid = valid;
    item_bins<Projection::IS_COSTLY ? ITEMS : 0> bins;

    // Load: the keys, and clear the counters.
    mine.for_each([&](int i) { mine.key[i] = order.key(in[i * SCATTER_THREADS + threadIdx.x]); });
    for (unsigned bin = threadIdx.x; bin < pass.bins; bin += SCATTER_THREADS)
        shared.count[bin] = 0;
    if (threadIdx.x == 0)
        shared.overflows = false;
    __syncthreads();

    // Count: by one atomic for all lanes of a bin if the warp's keys are alike. Keys that are nearly in order are in
    // few bins, and their atomics would wait for one another.
    bool are_alike = NEAR && WHOLE && are_many_alike(bin_of(mine.key[0]));
    if (are_alike)
        mine.for_all([&](int i) { add_one_together(shared.count, bins.keep(i, bin_of(mine.key[i]))); });
    else
        mine.for_each([&](int i) { atomicAdd(&shared.count[bins.keep(i, bin_of(mine.key[i]))], 1); });
    __syncthreads();

    // Scan: places in the tile and in the output.
    bool large = reserve_bins<K, ITEMS>(shared, pass, bucket);

    // Place: the tile by bins, in shared memory.
    auto bin_again = [&](int i) { return bins.kept(i, [&] { return bin_of(mine.key[i]); }); };
    if (are_alike)
        mine.for_all([&](int i) { shared.key[add_one_together(shared.count, bin_again(i))] = mine.key[i]; });
    else
        mine.for_each([&](int i) { shared.key[atomicAdd(&shared.count[bin_again(i)], 1)] = mine.key[i]; });
    __syncthreads();

    // Scatter: to the output.
    write_bins<K, ITEMS>(shared, valid, large, pass, bucket, project, bin_of);
}

// A block per tile.
template <int ITEMS, bool NEAR, class Projection, class K, class Order>
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
        end = min(pass.filled[region], pass.from.room);
        // One thread asks, because the answer may change meanwhile.
        if (begin >= end || __syncthreads_or(threadIdx.x == 0 && look_again(*pass.overflow.lost) > 0))
            return;
        bucket = region << pass.lower_bits;
        in = pass.from.array_of(region) + pass.from.begin_of(region);
    }
    if (end - begin >= tile::SIZE)
        scatter<true, NEAR, ITEMS>(shared, in + begin, tile::SIZE, order, project, pass, bucket);
    else
        scatter<false, NEAR, ITEMS>(shared, in + begin, int(end - begin), order, project, pass, bucket);
}

#endif
