// buckets.cuh - keys by their leading bits, as far as the place in a bucket does not matter: how many there are in
// each, where each begins, and the passes that bring them there (after Stehle and Jacobsen, A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs, 2017). Keys alone need no stability, so places are taken by atomics,
// and no tile waits for another.
#ifndef SK_CUDA_GRID_BUCKETS_CUH
#define SK_CUDA_GRID_BUCKETS_CUH

#include "grid/key_map.cuh"
#include "op.cuh"
#include "thread.cuh"
#include "tuning.cuh"
#include "warp.cuh"

// Buckets by `bits` leading bits of keys or their images, split by the first `upper` of them and then by the rest.
struct bucket_plan {
    unsigned bits, upper;
    __host__ __device__ unsigned lower() const
    {
        return bits - upper;
    }
    __host__ __device__ size_t count() const
    {
        return size_t(1) << bits;
    }
};

// ---- counting ----

constexpr int COUNT_BITS = 16;         // counters of 16 bits for so many leading bits are in shared memory
constexpr int COUNT_PERIOD = 32 << 10; // keys between two looks for counters that are half full

// Counters of 16 bits, two in a word.
__device__ __forceinline__ void count_one(uint32_t *counters, unsigned which)
{
    atomicAdd(&counters[which / 2], 1u << which % 2 * 16);
}

// The same for a whole warp, by one atomic for all lanes that count what the first lane counts.
__device__ __forceinline__ void count_together(uint32_t *counters, unsigned which)
{
    unsigned first = warp_from(which, 0), same = __ballot_sync(FULL_WARP, which == first);
    if (lane_id() == 0)
        atomicAdd(&counters[first / 2], unsigned(__popc(same)) << first % 2 * 16);
    else if (which != first)
        count_one(counters, which);
}

// Takes out of the counters of word `at` what is in `take`, and adds it to the sums in global memory.
__device__ __forceinline__ void move_counters(uint32_t *counters, unsigned at, uint32_t take, unsigned *sums)
{
    if (take == 0)
        return;
    counters[at] -= take;
    if (take & 0xffff)
        atomicAdd(&sums[2 * at], take & 0xffff);
    if (take >> 16)
        atomicAdd(&sums[2 * at + 1], take >> 16);
}

// counts[b] += keys of bucket b. Of more than COUNT_BITS bits, those of the buckets of `group` alone: they begin with
// its bits. The block has room for a counter a bucket, or for 2^COUNT_BITS.
template <class K, class Order, class Image>
__device__ __forceinline__ void count_images(uint32_t *counters, const K *keys, size_t n, const Order &order,
                                             const Image &image, bucket_plan plan, unsigned group, unsigned *counts)
{
    constexpr int VECTORS = COUNT_VECTORS, STEP = COUNT_THREADS * VECTORS * key_vectors<K>::EACH;
    constexpr int STEPS = COUNT_PERIOD / STEP;
    unsigned bits = plan.bits < COUNT_BITS ? plan.bits : COUNT_BITS, words = (1u << bits) / 2;
    unsigned *sums = counts + (size_t(group) << bits), shift = Image::BITS - plan.bits;
    auto bucket_of = [&](K key) { return unsigned(image(order.key(key)) >> shift); };
    auto add = [&](K key) {
        unsigned bucket = bucket_of(key);
        if (plan.bits <= COUNT_BITS || bucket >> bits == group)
            count_one(counters, bucket & (2 * words - 1));
    };
    auto add_together = [&](K key) { count_together(counters, bucket_of(key)); };
    key_vectors<K> vectors(keys, n);
    if (blockIdx.x == 0)
        vectors.for_ends(add);
    unsigned step = 0;
    constexpr size_t EACH = COUNT_THREADS * VECTORS;
    uint4 next[VECTORS];
    auto load = [&](size_t begin) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            size_t at = begin + i * COUNT_THREADS + threadIdx.x;
            if (at < vectors.whole)
                next[i] = __ldcs(&vectors.first[at]);
        }
    };
    load(blockIdx.x * EACH);
    for (size_t begin = blockIdx.x * EACH; begin < vectors.whole; begin += gridDim.x * EACH) {
        uint4 found[VECTORS];
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            found[i] = next[i];
        load(begin + gridDim.x * EACH);
        // Neighbours that are alike would wait for one another.
        K sample = reinterpret_cast<const K *>(&found[0])[0];
        bool are_alike = plan.bits <= COUNT_BITS && begin + EACH <= vectors.whole &&
                         __all_sync(FULL_WARP, bucket_of(sample) == warp_from(bucket_of(sample), 0));
        if (are_alike) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                key_vectors<K>::for_each(found[i], add_together);
        } else {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (begin + i * COUNT_THREADS + threadIdx.x < vectors.whole)
                    key_vectors<K>::for_each(found[i], add);
        }
        if (++step == STEPS) {
            step = 0;
            __syncthreads();
            for (unsigned at = threadIdx.x; at < words; at += COUNT_THREADS)
                move_counters(counters, at, counters[at] & 0x80008000u, sums);
            __syncthreads();
        }
    }
    __syncthreads();
    for (unsigned at = threadIdx.x; at < words; at += COUNT_THREADS)
        move_counters(counters, at, counters[at], sums);
}

// By the keys' bits or by their images, as the survey has found; nothing where they need none.
template <class K, class Order>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const K *keys, size_t n, Order order, bucket_plan plan, unsigned group, const key_survey *survey,
                  const key_map<K> *map, unsigned *counts)
{
    extern __shared__ __align__(16) uint32_t counters[];
    if (survey->is_done())
        return;
    for (unsigned i = threadIdx.x; i < (1u << (plan.bits < COUNT_BITS ? plan.bits : COUNT_BITS)) / 2;
         i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
    if (survey->balanced)
        count_images(counters, keys, n, order, balanced_image<K>(map), plan, group, counts);
    else
        count_images(counters, keys, n, order, plain_image<K>(map), plan, group, counts);
}

// ---- where buckets begin ----

// A part of a bucket that one block splits further.
struct bucket_part {
    unsigned bucket, tile;
};

// What the passes go by; cursors are moved on by them.
struct bucket_places {
    unsigned *start; // of a bucket, and of one behind the last
    unsigned *upper_cursor, *lower_cursor;
    bucket_part *parts;
    unsigned *part_count, *heavy; // heavy: keys of buckets that are larger than `limit`; cleared before
    unsigned tile, balanced_tile; // keys of a part
    unsigned limit;
};

constexpr int PLACE_THREADS = 1024;

// A block an upper bucket: it adds up what is before, and looks into its own, a thread a bucket.
static __global__ void __launch_bounds__(PLACE_THREADS)
    place_buckets(const unsigned *counts, bucket_plan plan, const key_survey *survey, bucket_places to)
{
    if (survey->is_done())
        return;
    unsigned tile = survey->balanced ? to.balanced_tile : to.tile;
    constexpr unsigned WARPS = PLACE_THREADS / WARP;
    using sum = op_sum<sk_u32>;
    __shared__ unsigned keys_of[WARPS], parts_of[WARPS], total_of[WARPS];
    unsigned warp = threadIdx.x / WARP, each = 1u << plan.lower(), keys = 0, parts = 0;
    for (unsigned upper = warp; upper < blockIdx.x; upper += WARPS) {
        unsigned count = 0;
        for (unsigned i = lane_id(); i < each; i += WARP)
            count += counts[size_t(upper) * each + i];
        count = warp_sum(count);
        keys += count;
        parts += (count + tile - 1) / tile;
    }
    size_t bucket = size_t(blockIdx.x) * each + threadIdx.x;
    unsigned count = threadIdx.x < each ? counts[bucket] : 0, inclusive = warp_scan<sum>(count);
    unsigned heavy = warp_sum(count > to.limit ? count : 0);
    if (lane_id() == WARP - 1) {
        keys_of[warp] = keys;
        parts_of[warp] = parts;
        total_of[warp] = inclusive;
        if (heavy > 0)
            atomicAdd(to.heavy, heavy);
    }
    __syncthreads();
    unsigned before = 0, own = 0;
    keys = parts = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        keys += keys_of[w];
        parts += parts_of[w];
        before += w < warp ? total_of[w] : 0;
        own += total_of[w];
    }
    if (threadIdx.x < each)
        to.start[bucket] = to.lower_cursor[bucket] = keys + before + inclusive - count;
    unsigned own_parts = (own + tile - 1) / tile;
    if (threadIdx.x == 0) {
        to.upper_cursor[blockIdx.x] = keys;
        if (blockIdx.x == gridDim.x - 1) {
            to.start[plan.count()] = keys + own;
            *to.part_count = parts + own_parts;
        }
    }
    if (to.parts != nullptr)
        for (unsigned i = threadIdx.x; i < own_parts; i += PLACE_THREADS)
            to.parts[parts + i] = {blockIdx.x, i};
}

// ---- a pass ----

template <class K, int ITEMS> struct scatter_tile {
    static constexpr int SIZE = SCATTER_THREADS * ITEMS;
    struct shared_memory {
        K key[SIZE];
        unsigned count[SCATTER_BINS]; // of a bin; then where its next key goes in the tile; in the end, where it ends
        unsigned to[SCATTER_BINS];    // where place 0 of the tile would go, were it of this bin
        unsigned warp_total[SCATTER_THREADS / WARP];
    };
};

// Keys by (key >> shift) & (bins - 1), to what the cursors say. With parts, those of a bucket each.
struct scatter_pass {
    size_t n;
    unsigned shift, bins, lower_bits;
    const bucket_part *parts; // NULL: the whole array in tiles
    const unsigned *part_count, *start;
    unsigned *cursor; // of each bin, or of each bin of each bucket
};

// Where bins begin in the tile, and in the output. Each thread has two neighbouring bins. True where a bin is so large
// that a warp should not copy it alone.
template <class K, int ITEMS>
__device__ __forceinline__ bool reserve_bins(typename scatter_tile<K, ITEMS>::shared_memory &shared, unsigned bins,
                                             unsigned *cursor)
{
    unsigned bin = 2 * threadIdx.x, warp = threadIdx.x / WARP, before = 0;
    unsigned count[2] = {}, to[2] = {};
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (bin + k < bins) {
            count[k] = shared.count[bin + k];
            if (count[k] > 0)
                to[k] = atomicAdd(&cursor[bin + k], count[k]);
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
        if (bin + k < bins) {
            shared.count[bin + k] = before;
            shared.to[bin + k] = to[k] - before;
        }
        before += count[k];
    }
    __syncthreads();
    return large;
}

// A warp copies a bin after the other, lanes at multiples of 128 bytes of the output.
template <class K, int ITEMS>
__device__ __forceinline__ void copy_bins(const typename scatter_tile<K, ITEMS>::shared_memory &shared, unsigned bins,
                                          K *out)
{
    constexpr unsigned LINE = 128 / sizeof(K), WARPS = SCATTER_THREADS / WARP;
    unsigned each = min(unsigned(WARP), (bins + WARPS - 1) / WARPS);
    for (unsigned first = threadIdx.x / WARP * each; first < bins; first += WARPS * each) {
        // A lane knows a bin of the next ones.
        unsigned mine = first + lane_id();
        unsigned end_of = mine < bins ? shared.count[mine] : 0, to_of = mine < bins ? shared.to[mine] : 0;
        unsigned begin = first > 0 ? shared.count[first - 1] : 0;
        for (unsigned bin = 0; bin < each && first + bin < bins; bin++) {
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
template <bool WHOLE, int ITEMS, class K, class Order, class Image>
__device__ __forceinline__ void scatter(typename scatter_tile<K, ITEMS>::shared_memory &shared, const K *in, int valid,
                                        K *out, const Order &order, const Image &image, const scatter_pass &pass,
                                        unsigned *cursor)
{
    auto is_there = [&](int i) { return WHOLE || i * SCATTER_THREADS + int(threadIdx.x) < valid; };
    auto bin_of = [&](K key) { return digit_of(image(key), pass.shift, pass.bins - 1); };
    K key[ITEMS];
    item_bins<Image::IS_COSTLY ? ITEMS : 0> bins;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (is_there(i))
            key[i] = order.key(in[i * SCATTER_THREADS + threadIdx.x]);
    for (unsigned bin = threadIdx.x; bin < pass.bins; bin += SCATTER_THREADS)
        shared.count[bin] = 0;
    __syncthreads();
    // Plain images are of keys in no order: there the registers that this takes are better used.
    bool are_alike = WHOLE && Image::IS_COSTLY && __all_sync(FULL_WARP, bin_of(key[0]) == warp_from(bin_of(key[0]), 0));
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
    bool large = reserve_bins<K, ITEMS>(shared, pass.bins, cursor);
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
        copy_bins<K, ITEMS>(shared, pass.bins, out);
        return;
    }
    for (int at = threadIdx.x; at < valid; at += SCATTER_THREADS) {
        K moved = shared.key[at];
        out[unsigned(at + shared.to[bin_of(moved)])] = moved;
    }
}

template <int ITEMS, class Image, class K, class Order>
__global__ void __launch_bounds__(SCATTER_THREADS, 2)
    scatter_keys(const K *in, K *out, Order order, const key_map<K> *map, scatter_pass pass)
{
    using tile = scatter_tile<K, ITEMS>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * tile::SIZE, end = pass.n;
    unsigned *cursor = pass.cursor;
    const Image image(map);
    if (pass.parts != nullptr) {
        if (blockIdx.x >= *pass.part_count)
            return;
        bucket_part part = pass.parts[blockIdx.x];
        begin = pass.start[size_t(part.bucket) << pass.lower_bits] + size_t(part.tile) * tile::SIZE;
        end = pass.start[size_t(part.bucket + 1) << pass.lower_bits];
        cursor += size_t(part.bucket) << pass.lower_bits;
    }
    if (end - begin >= tile::SIZE)
        scatter<true, ITEMS>(shared, in + begin, tile::SIZE, out, order, image, pass, cursor);
    else
        scatter<false, ITEMS>(shared, in + begin, int(end - begin), out, order, image, pass, cursor);
}

#endif
