// buckets.cuh - keys by their leading bits, or those of their images: how many there are in each bucket, and where each
// begins (after Stehle and Jacobsen, A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs, 2017).
#ifndef SK_CUDA_GRID_BUCKETS_CUH
#define SK_CUDA_GRID_BUCKETS_CUH

#include "common/op.cuh"
#include "common/thread.cuh"
#include "common/warp.cuh"
#include "device/tuning.cuh"
#include "sort/choose/choose.h"
#include "sort/radix/digits.cuh"

// ---- counting ----

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
template <class K, class Order, class Projection>
__device__ __forceinline__ void count_projected(uint32_t *counters, const K *keys, size_t n, const Order &order,
                                                const Projection &project, bucket_levels levels, unsigned group,
                                                unsigned *counts)
{
    constexpr int VECTORS = COUNT_VECTORS, STEP = COUNT_THREADS * VECTORS * key_vectors<K>::EACH;
    constexpr int STEPS = COUNT_PERIOD / STEP;
    unsigned bits = levels.bits < COUNT_BITS ? levels.bits : COUNT_BITS, words = (1u << bits) / 2;
    unsigned *sums = counts + (size_t(group) << bits), shift = Projection::BITS - levels.bits;
    auto bucket_of = [&](K key) { return unsigned(project(order.key(key)) >> shift); };
    auto add = [&](K key) {
        unsigned bucket = bucket_of(key);
        if (levels.bits <= COUNT_BITS || bucket >> bits == group)
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
        bool are_alike = levels.bits <= COUNT_BITS && begin + EACH <= vectors.whole &&
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

// What there is to count of keys.
struct key_counts {
    bool unless_even; // then buckets that seem to be even are not counted
    unsigned *buckets;
    unsigned long long *digits;
    unsigned *constant_digits; // bit p: of position p
    __device__ __forceinline__ bool are_of_buckets(const key_survey *survey) const
    {
        return survey->is_for_buckets() && !(unless_even && survey->has_even_buckets());
    }
};

// By the keys' bits or by their images, or by their digits, as the survey has found; nothing where they need none. The
// block has room for the counts of all digits too.
template <class K, class Order>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_buckets(const K *keys, size_t n, Order order, bucket_levels levels, unsigned group, const key_survey *survey,
                  const cdf_map<K> *map, key_counts to)
{
    extern __shared__ __align__(16) uint32_t counters[];
    wait_for_launches();
    let_next_begin();
    if (survey->is_for_digits() && group == 0) {
        auto &shared = *reinterpret_cast<uint32_t(*)[sizeof(K)][RADIX]>(counters);
        count_all_digits<COUNT_THREADS, COUNT_VECTORS>(shared, keys, n, order, {0, 8 * sizeof(K)}, to.digits,
                                                       to.constant_digits);
    }
    if (!to.are_of_buckets(survey))
        return;
    for (unsigned i = threadIdx.x; i < (1u << (levels.bits < COUNT_BITS ? levels.bits : COUNT_BITS)) / 2;
         i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
    if (survey->by_cdf)
        count_projected(counters, keys, n, order, cdf_projection<K>(map), levels, group, to.buckets);
    else
        count_projected(counters, keys, n, order, plain_projection<K>(map), levels, group, to.buckets);
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
    unsigned *part_count, *oversized; // heavy: keys of buckets that are larger than `limit`; cleared before
    unsigned tile, cdf_tile;          // keys of a part
    unsigned limit;
};

constexpr int PLACE_THREADS = 1024, PLACE_REGIONS_THREADS = 512;

// A block an upper bucket: it adds up what is before, and looks into its own, a thread a bucket. Or digits are placed,
// where those were counted.
static __global__ void __launch_bounds__(PLACE_THREADS)
    place_buckets(key_counts counted, unsigned positions, bucket_levels levels, const key_survey *survey,
                  bucket_places to)
{
    const unsigned *counts = counted.buckets;
    wait_for_launches();
    let_next_begin();
    if (survey->is_for_digits())
        for (unsigned p = blockIdx.x; p < positions; p += gridDim.x)
            place_digits_of(counted.digits + p * RADIX);
    if (!counted.are_of_buckets(survey))
        return;
    unsigned tile = survey->by_cdf ? to.cdf_tile : to.tile;
    constexpr unsigned WARPS = PLACE_THREADS / WARP;
    using sum = op_sum<sk_u32>;
    __shared__ unsigned keys_of[WARPS], parts_of[WARPS], total_of[WARPS];
    unsigned warp = threadIdx.x / WARP, each = 1u << levels.lower(), keys = 0, parts = 0;
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
    unsigned oversized = warp_sum(count > to.limit ? count : 0);
    if (lane_id() == WARP - 1) {
        keys_of[warp] = keys;
        parts_of[warp] = parts;
        total_of[warp] = inclusive;
        if (oversized > 0)
            atomicAdd(to.oversized, oversized);
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
            to.start[levels.count()] = keys + own;
            *to.part_count = parts + own_parts;
        }
    }
    if (to.parts != nullptr)
        for (unsigned i = threadIdx.x; i < own_parts; i += PLACE_THREADS)
            to.parts[parts + i] = {blockIdx.x, i};
}

// The same where buckets were not counted before, but are in regions with room for so many keys, and have been counted
// on the way there; lower_bits: of those of an upper bucket. *lost > 0 where some did not find room; cleared before.
static __global__ void __launch_bounds__(PLACE_REGIONS_THREADS)
    place_regions(const unsigned *upper_counts, const unsigned *counts, unsigned lower_bits, unsigned upper_room,
                  unsigned room, unsigned *start, unsigned *lost)
{
    constexpr unsigned WARPS = PLACE_REGIONS_THREADS / WARP;
    using sum = op_sum<sk_u32>;
    __shared__ unsigned before_of[WARPS], total_of[WARPS];
    wait_for_launches();
    let_next_begin();
    unsigned warp = threadIdx.x / WARP, each = 1u << lower_bits, before = 0;
    for (unsigned upper = threadIdx.x; upper < blockIdx.x; upper += PLACE_REGIONS_THREADS)
        before += upper_counts[upper];
    before = warp_sum(before);
    size_t bucket = size_t(blockIdx.x) * each + threadIdx.x;
    unsigned count = threadIdx.x < each ? counts[bucket] : 0, inclusive = warp_scan<sum>(count);
    if (lane_id() == WARP - 1) {
        before_of[warp] = before;
        total_of[warp] = inclusive;
    }
    if (__syncthreads_or(count > room || upper_counts[blockIdx.x] > upper_room) && threadIdx.x == 0)
        atomicAdd(lost, 1);
    before = inclusive;
    for (unsigned w = 0; w < WARPS; w++)
        before += before_of[w] + (w < warp ? total_of[w] : 0);
    if (threadIdx.x < each)
        start[bucket] = before - count;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == each - 1)
        start[bucket + 1] = before;
}

#endif
