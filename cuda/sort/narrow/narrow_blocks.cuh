// narrow_blocks.cuh - sorts segments of keys of 1 and 2 bytes, each by a block of its own, whatever its length. Keys of
// 1 byte alone are counted, and written as often as they were counted. Others are split by one digit or two: within
// shared memory; or tile by tile, if a segment is longer than a tile.
#ifndef SK_CUDA_NARROW_BLOCKS_CUH
#define SK_CUDA_NARROW_BLOCKS_CUH

#include "device/host_word.cuh"
#include "device/overlap.cuh"
#include "sort/narrow/byte_runs.cuh"
#include "sort/radix/radix_rank.cuh"

constexpr int NARROW_THREADS = 512;

// Elements of a thread in a tile: as many as it has registers for, where a multiprocessor has two blocks; and one.
template <class V> constexpr int NARROW_EACH = VALUE_SIZE<V> == 0 ? 12 : VALUE_SIZE<V> == 4 ? 9 : 7;
template <class V> constexpr int NARROW_EACH_ALONE = VALUE_SIZE<V> == 0 ? 30 : VALUE_SIZE<V> == 4 ? 24 : 16;

// Blocks that a multiprocessor is to hold at a time, and those that count bytes.
template <class V, int EACH> constexpr int NARROW_RESIDENT = EACH > NARROW_EACH<V> ? 1 : 2;
constexpr int BYTES_RESIDENT = 3;

template <class K, class V> struct narrow_columns {
    K *keys;
    V *values;
};

// Segments, and n elements in all. Segments of more than `most` elements are not sorted.
template <class K, class V> struct narrow_segments {
    narrow_columns<const K, const V> in;
    narrow_columns<K, V> out, spare; // spare: between two digits of a long segment
    const uint64_t *offsets;
    size_t segments, n, most;
    number_order<K> order, words; // words: between two digits
    rank_by way;
    host_word has_longer; // not used if none can be longer
    unsigned helpers;     // the first blocks, which do not sort
};

// EACH: elements of a thread in a tile, at most.
template <class K, class V, int EACH> struct narrow_memory {
    static constexpr unsigned TILE = NARROW_THREADS * EACH;
    K key[TILE];
    V value[HAS_VALUE<V> ? TILE : 1];
    unsigned base[RADIX]; // of a digit in a tile: what a place in the output is beyond a place in the tile
    typename radix_rank<NARROW_THREADS, 1>::shared_memory digits; // for any number of elements of a thread
};

// The elements of a thread in the order of the tile. Absent ones are behind all others, and stay there.
template <int EACH, class K, class V> struct narrow_items {
    using ranker = radix_rank<NARROW_THREADS, EACH>;
    K key[EACH];
    V value[EACH];
    unsigned valid; // elements of the tile

    static __device__ __forceinline__ unsigned place(int e)
    {
        return unsigned(ranker::place(e));
    }
    __device__ __forceinline__ void load_keys(const K *from, unsigned elements, const number_order<K> &order)
    {
        valid = elements;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            key[e] = place(e) < valid ? from[place(e)] : K(0);
#pragma unroll
        for (int e = 0; e < EACH; e++)
            key[e] = place(e) < valid ? order.key(key[e]) : K(~K(0));
    }

    __device__ __forceinline__ void load_values(const V *from)
    {
        if constexpr (HAS_VALUE<V>) {
#pragma unroll
            for (int e = 0; e < EACH; e++)
                value[e] = place(e) < valid ? from[place(e)] : V(0);
        }
    }

    // Stable split of the tile. Threads below RADIX get the share of their digit.
    template <class Memory> __device__ __forceinline__ digit_share split(Memory &shared, unsigned bit, rank_by way)
    {
        unsigned rank[EACH];
        auto &digits = reinterpret_cast<typename ranker::shared_memory &>(shared.digits);
        auto digit = [&](int e) { return digit_of(key[e], bit, RADIX - 1); };
        digit_share share = ranker::rank(digits, way, digit, rank, [](uint32_t) {});
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            shared.key[rank[e]] = key[e];
            if constexpr (HAS_VALUE<V>)
                shared.value[rank[e]] = value[e];
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            key[e] = shared.key[place(e)];
            if constexpr (HAS_VALUE<V>)
                value[e] = shared.value[place(e)];
        }
        return share;
    }

    // to(e): where element e goes.
    template <class To>
    __device__ __forceinline__ void store(const narrow_columns<K, V> &out, const number_order<K> &order, To to) const
    {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            if (place(e) >= valid)
                continue;
            unsigned at = to(e);
            out.keys[at] = order.value(key[e]);
            if constexpr (HAS_VALUE<V>)
                out.values[at] = value[e];
        }
    }
};

// A segment of up to EACH elements a thread.
template <int EACH, class K, class V, int MOST>
__device__ __forceinline__ void sort_tile(narrow_memory<K, V, MOST> &shared, const narrow_columns<const K, const V> &in,
                                          const narrow_columns<K, V> &out, unsigned length,
                                          const number_order<K> &order, rank_by way)
{
    narrow_items<EACH, K, V> items;
    items.load_keys(in.keys, length, order);
    items.load_values(in.values);
#pragma unroll 1
    for (unsigned bit = 0; bit < 8 * sizeof(K); bit += RADIX_BITS)
        (void)items.split(shared, bit, way);
    items.store(out, order, [&](int e) { return items.place(e); });
}

// A segment of a tile: by the first of these numbers of elements a thread that is enough.
template <int EACH, int... MORE, class K, class V, int MOST>
__device__ __forceinline__ void
sort_in_tile(narrow_memory<K, V, MOST> &shared, const narrow_columns<const K, const V> &in,
             const narrow_columns<K, V> &out, unsigned length, const number_order<K> &order, rank_by way)
{
    if constexpr (EACH < MOST) {
        if (length > NARROW_THREADS * EACH)
            return sort_in_tile<MORE...>(shared, in, out, length, order, way);
        sort_tile<EACH>(shared, in, out, length, order, way);
    } else {
        sort_tile<MOST>(shared, in, out, length, order, way);
    }
}

// ---- longer segments ----

// Counts the digits at `bit`. Threads below RADIX get the number of elements with lesser digits.
template <class K, class Memory>
__device__ __forceinline__ unsigned count_before(Memory &shared, const K *keys, unsigned length, unsigned bit,
                                                 const number_order<K> &order)
{
    constexpr int EACH = NARROW_EACH<no_value>;
    using items = narrow_items<EACH, K, no_value>;
    using ranker = typename items::ranker;
    auto &digits = reinterpret_cast<typename ranker::shared_memory &>(shared.digits);
    uint32_t *own = digits.count[threadIdx.x / WARP];
#pragma unroll
    for (int d = 0; d < RADIX; d += WARP)
        own[ranker::slot_of(d + lane_id())] = 0;
    __syncwarp();
    for (unsigned first = 0; first < length; first += EACH * NARROW_THREADS) {
        items tile;
        tile.load_keys(keys + first, min(length - first, unsigned(EACH * NARROW_THREADS)), order);
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            unsigned digit = digit_of(tile.key[e], bit, RADIX - 1), first_digit = warp_from(digit, 0);
            bool is_there = tile.place(e) < tile.valid;
            bool are_equal = __all_sync(FULL_WARP, is_there && digit == first_digit); // lanes would wait for each other
            if (are_equal ? lane_id() == 0 : is_there)
                atomicAdd(&own[ranker::slot_of(digit)], are_equal ? WARP : 1);
        }
    }
    __syncthreads();
    unsigned count = 0, inclusive = 0;
    if (threadIdx.x < RADIX) {
#pragma unroll
        for (int w = 0; w < ranker::WARPS; w++)
            count += digits.count[w][ranker::slot_of(threadIdx.x)];
        inclusive = digits.sums.warp_inclusive(count);
        digits.sums.publish(inclusive);
    }
    __syncthreads();
    return threadIdx.x < RADIX ? digits.sums.before(inclusive - count) : 0;
}

// Stable split of a segment by the digit at `bit`. Keys are read in one order and written in another. `out` is not
// `in`.
template <class K, class V, int EACH>
__device__ __forceinline__ void split_long(narrow_memory<K, V, EACH> &shared,
                                           const narrow_columns<const K, const V> &in, const narrow_columns<K, V> &out,
                                           unsigned length, unsigned bit, const number_order<K> &read,
                                           const number_order<K> &written, rank_by way)
{
    unsigned begin = count_before(shared, in.keys, length, bit, read); // of the thread's digit in this tile
#pragma unroll 1
    for (unsigned first = 0; first < length; first += shared.TILE) {
        narrow_items<EACH, K, V> items;
        items.load_keys(in.keys + first, min(length - first, shared.TILE), read);
        if constexpr (HAS_VALUE<V>)
            items.load_values(in.values + first);
        digit_share share = items.split(shared, bit, way);
        if (threadIdx.x < RADIX) {
            shared.base[threadIdx.x] = begin - share.begin;
            begin += share.count;
        }
        __syncthreads();
        items.store(out, written,
                    [&](int e) { return items.place(e) + shared.base[digit_of(items.key[e], bit, RADIX - 1)]; });
    }
}

template <class V> __device__ __forceinline__ V *values_at(V *values, uint64_t begin)
{
    if constexpr (HAS_VALUE<V>)
        return values + begin;
    else
        return values;
}

template <class K, class V, int EACH>
__device__ __forceinline__ void sort_long(narrow_memory<K, V, EACH> &shared, const narrow_segments<K, V> &all,
                                          const narrow_columns<const K, const V> &in, const narrow_columns<K, V> &out,
                                          uint64_t begin, unsigned length)
{
    const narrow_columns<K, V> spare = {all.spare.keys + begin, values_at(all.spare.values, begin)};
    narrow_columns<const K, const V> from = in;
    number_order<K> read = all.order;
#pragma unroll 1
    for (unsigned bit = 0; bit < 8 * sizeof(K); bit += RADIX_BITS) {
        bool is_last = bit + RADIX_BITS == 8 * sizeof(K);
        const narrow_columns<K, V> to = is_last ? out : spare;
        split_long(shared, from, to, length, bit, read, is_last ? all.order : all.words, all.way);
        __syncthreads();
        from = {to.keys, to.values};
        read = all.words;
    }
}

template <class K, class V, int EACH>
__device__ __forceinline__ void sort_segment(narrow_memory<K, V, EACH> &shared, const narrow_segments<K, V> &all,
                                             uint64_t begin, unsigned length)
{
    const narrow_columns<const K, const V> in = {all.in.keys + begin, values_at(all.in.values, begin)};
    const narrow_columns<K, V> out = {all.out.keys + begin, values_at(all.out.values, begin)};
    if (length <= shared.TILE)
        sort_in_tile<1, 3, 6, 12, 20, EACH>(shared, in, out, length, all.order, all.way);
    else
        sort_long(shared, all, in, out, begin, length);
}

// ---- keys of 1 byte alone ----

struct bytes_memory {
    // By digits: shorter segments, which have less than one key of many values.
    narrow_memory<uint8_t, no_value, 3> tile;
    byte_counters counters;
    byte_runs<unsigned> runs;
};

// in may be out.
__device__ __forceinline__ void sort_bytes_of_segment(bytes_memory &shared, const uint8_t *in, uint8_t *out,
                                                      unsigned length, const number_order<uint8_t> &order, rank_by way)
{
    if (length <= shared.tile.TILE)
        return sort_in_tile<1, 3>(shared.tile, {in, nullptr}, {out, nullptr}, length, order, way);
    const key_vectors<uint8_t> keys(in, length);
    constexpr unsigned EACH_BYTE = 0x01010101;
    auto count_one = [&](uint8_t key) { shared.counters.add(order.key(key), 1); };
    shared.counters.clear<NARROW_THREADS>();
    __syncthreads();
    keys.for_ends(count_one);
    for (unsigned at = threadIdx.x; at < keys.whole; at += NARROW_THREADS) {
        uint4 found = keys.first[at];
        bool are_equal = found.x == found.y && found.x == found.z && found.x == found.w;
        if (are_equal && found.x == (found.x & 0xff) * EACH_BYTE)
            shared.counters.add(order.key(uint8_t(found.x)), sizeof found);
        else
            keys.for_each(found, count_one);
    }
    shared.runs.build(shared.counters);
    shared.runs.write(out, length, order, threadIdx.x, NARROW_THREADS);
}

// ---- kernels ----

// The first blocks copy the elements outside of segments. Block 0 reports whether there are longer segments.
template <class K, class V> __device__ __forceinline__ void help(const narrow_segments<K, V> &all)
{
    constexpr unsigned TOGETHER = 8; // loads of a thread
    if (blockIdx.x == 0 && all.has_longer.value != nullptr) {
        bool has_longer = false;
        for (size_t s = threadIdx.x; s < all.segments; s += TOGETHER * NARROW_THREADS) {
            uint64_t length[TOGETHER];
#pragma unroll
            for (unsigned i = 0; i < TOGETHER; i++) {
                size_t at = min(s + i * NARROW_THREADS, all.segments - 1);
                length[i] = all.offsets[at + 1] - all.offsets[at];
            }
#pragma unroll
            for (unsigned i = 0; i < TOGETHER; i++)
                has_longer = has_longer || length[i] > all.most;
        }
        has_longer = __syncthreads_or(has_longer);
        if (threadIdx.x == 0)
            all.has_longer.put(has_longer);
    }
    const uint64_t first = min(all.offsets[0], uint64_t(all.n)), last = all.offsets[all.segments];
    const uint64_t outside = first + (all.n - min(last, uint64_t(all.n)));
    for (uint64_t i = uint64_t(blockIdx.x) * NARROW_THREADS + threadIdx.x; i < outside;
         i += uint64_t(all.helpers) * NARROW_THREADS) {
        uint64_t at = i < first ? i : last + (i - first);
        if (all.in.keys != all.out.keys)
            all.out.keys[at] = all.in.keys[at];
        if constexpr (HAS_VALUE<V>)
            all.out.values[at] = all.in.values[at];
    }
}

// The block's segment: act(begin, length), if it has elements and is not too long.
template <class K, class V, class Act>
__device__ __forceinline__ void for_segment(const narrow_segments<K, V> &all, Act act)
{
    wait_for_launches();
    let_next_begin();
    if (blockIdx.x < all.helpers)
        return help(all);
    const uint64_t *at = all.offsets + (blockIdx.x - all.helpers);
    uint64_t begin = at[0], length = at[1] - begin;
    if (length > 0 && length <= all.most)
        act(begin, unsigned(length));
}

template <class K, class V, int EACH>
__global__ void __launch_bounds__(NARROW_THREADS, NARROW_RESIDENT<V, EACH>) sort_narrow(narrow_segments<K, V> all)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<narrow_memory<K, V, EACH> *>(dynamic_memory);
    for_segment(all, [&](uint64_t begin, unsigned length) { sort_segment(shared, all, begin, length); });
}

static __global__ void __launch_bounds__(NARROW_THREADS, BYTES_RESIDENT)
    sort_byte_segments(narrow_segments<uint8_t, no_value> all)
{
    __shared__ bytes_memory shared;
    for_segment(all, [&](uint64_t begin, unsigned length) {
        sort_bytes_of_segment(shared, all.in.keys + begin, all.out.keys + begin, length, all.order, all.way);
    });
}

#endif
