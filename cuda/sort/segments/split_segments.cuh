// split_segments.cuh - the stable split of segments into their buckets. Tiles of each segment count their buckets; a
// scan of all counts, bucket by bucket, tells each tile where its share of a bucket begins; then tiles move their
// elements.
#ifndef SK_CUDA_SPLIT_SEGMENTS_CUH
#define SK_CUDA_SPLIT_SEGMENTS_CUH

#include "sort/radix/partition.cuh"
#include "sort/segments/splitters.cuh"

// The tiles of a list of segments. They are numbered one segment after the other.
struct segment_tiles {
    const uint64_t *offsets;
    segment_list list;
    unsigned *start;   // the first tile of each segment of the list, and the number of all tiles
    unsigned *segment; // of each tile, in the list
    unsigned *counts;  // BUCKETS rows for each segment, of a count for each of its tiles; then their exclusive sums

    __device__ unsigned tiles(unsigned s) const
    {
        return start[s + 1] - start[s];
    }
    __device__ unsigned *row(unsigned s, unsigned bucket) const
    {
        return counts + size_t(start[s]) * BUCKETS + size_t(bucket) * tiles(s);
    }
    // Sums are modulo 2^32, and a segment has fewer elements.
    __device__ uint64_t begin_of(unsigned s, unsigned bucket, unsigned tile) const
    {
        return offsets[list.segment[s]] + (row(s, bucket)[tile] - row(s, 0)[0]);
    }
};

// A block's tile.
struct segment_part {
    unsigned s, number; // of the segment in the list; of the tile in the segment
    uint64_t begin;
    int valid; // elements

    __device__ __forceinline__ segment_part(const segment_tiles &tiles, int size)
    {
        s = tiles.segment[blockIdx.x];
        number = blockIdx.x - tiles.start[s];
        const uint64_t *at = tiles.offsets + tiles.list.segment[s];
        begin = at[0] + uint64_t(number) * size;
        uint64_t rest = at[1] - begin;
        valid = rest < uint64_t(size) ? int(rest) : size;
    }
};

// Tiles of each segment; their sums are the starts.
struct count_tiles {
    segment_tiles to;
    unsigned size;
    __device__ void operator()(size_t s) const
    {
        const uint64_t *at = to.offsets + (s < to.list.count ? to.list.segment[s] : 0);
        to.start[s] = s < to.list.count ? unsigned((at[1] - at[0] - 1) / size + 1) : 0;
    }
};

struct place_tiles {
    segment_tiles to;
    __device__ void operator()(size_t s) const
    {
        for (unsigned tile = to.start[s]; tile < to.start[s + 1]; tile++)
            to.segment[tile] = unsigned(s);
    }
};

// Keys alone have tiles as if they had values: their buckets need registers too.
template <class K, class V>
using split_tile = partition_tile<K, V, pairs_as::COLUMNS, SEGMENT_THREADS,
                                  SEGMENT_ITEMS<sizeof(K), HAS_VALUE<V> ? VALUE_SIZE<V> : 4>>;

// Counters in copies, by lane: lanes that count the same bucket seldom wait for one another.
constexpr unsigned COUNTER_COPIES = 8;

// A block a tile; blocks behind the last tile do nothing.
template <class K, class V>
__global__ void __launch_bounds__(SEGMENT_THREADS)
    count_buckets(const K *keys, segment_tiles tiles, segment_buckets<K> to)
{
    constexpr int ITEMS = split_tile<K, V>::ITEMS;
    __shared__ bucket_search<K> search;
    __shared__ unsigned counts[BUCKETS * COUNTER_COPIES];
    wait_for_launches();
    if (blockIdx.x >= tiles.start[tiles.list.count])
        return;
    segment_part part(tiles, split_tile<K, V>::SIZE);
    const segment_split<K> split = to.of(part.s);
    search.load(split);
    for (unsigned i = threadIdx.x; i < BUCKETS * COUNTER_COPIES; i += SEGMENT_THREADS)
        counts[i] = 0;
    K key[ITEMS];
    unsigned bucket[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * SEGMENT_THREADS + threadIdx.x;
        key[i] = at < part.valid ? keys[part.begin + at] : K(0);
    }
    __syncthreads();
    search.find(key, split.splitters(), bucket);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (i * SEGMENT_THREADS + int(threadIdx.x) < part.valid)
            atomicAdd(&counts[bucket[i] * COUNTER_COPIES + lane_id() % COUNTER_COPIES], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BUCKETS; b += SEGMENT_THREADS) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned copy = 0; copy < COUNTER_COPIES; copy++)
            sum += counts[b * COUNTER_COPIES + copy];
        tiles.row(part.s, b)[part.number] = sum;
    }
}

template <class K, class V> struct split_memory {
    using tile = split_tile<K, V>;
    typename tile::columns exchange;
    unsigned long long base[BUCKETS]; // what a place in the tile differs by from the place in the output
    typename tile::ranker::shared_memory ranks;
    bucket_search<K> search;
    uint8_t bucket[tile::SIZE]; // of the element at each place
};

template <class K, class V>
__global__ void __launch_bounds__(SEGMENT_THREADS, PASS_BLOCKS)
    split_tiles(segment_columns<K, V> columns, segment_tiles tiles, segment_buckets<K> from, rank_by way)
{
    using tile = split_tile<K, V>;
    constexpr int ITEMS = tile::ITEMS;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<split_memory<K, V> *>(dynamic_memory);
    wait_for_launches();
    if (blockIdx.x >= tiles.start[tiles.list.count])
        return;
    segment_part part(tiles, tile::SIZE);
    const segment_split<K> split = from.of(part.s);
    shared.search.load(split);
    K key[ITEMS];
    [[maybe_unused]] V value[ITEMS];
    unsigned rank[ITEMS];
    tile::load(columns.keys_in + part.begin, part.valid, K(~K(0)), [&](int i, K item) { key[i] = item; });
    __syncthreads();

    // Absent keys have the last bucket, and come after all of its keys.
    packed_buckets<ITEMS> bucket = shared.search.find_packed(key, split.splitters());
    digit_share share = tile::ranker::rank(
        shared.ranks, way, [&](int i) { return bucket[i]; }, rank, [](uint32_t) {});
    if (threadIdx.x < BUCKETS)
        shared.base[threadIdx.x] = tiles.begin_of(part.s, threadIdx.x, part.number) - share.begin;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        shared.bucket[rank[i]] = uint8_t(bucket[i]);
    auto place = [&](int, int at, auto) { return shared.base[shared.bucket[at]] + at; };
    tile::bring(
        shared.exchange.key, [&](int i) { return key[i]; }, rank);
    if constexpr (HAS_VALUE<V>)
        tile::load(columns.values_in + part.begin, part.valid, V(0), [&](int i, V item) { value[i] = item; });
    __syncthreads();
    tile::write(shared.exchange.key, part.valid, columns.keys_out, place, [](K moved) { return moved; });
    if constexpr (HAS_VALUE<V>) {
        __syncthreads();
        tile::bring(
            shared.exchange.value, [&](int i) { return value[i]; }, rank);
        __syncthreads();
        tile::write(shared.exchange.value, part.valid, columns.values_out, place, [](V moved) { return moved; });
    }
}

// ---- the buckets as segments: BUCKETS of each split segment, and a gap, which counts as empty ----

constexpr size_t BUCKET_ROW = BUCKETS + 1;

template <class K> struct place_buckets {
    segment_tiles tiles;
    segment_buckets<K> from;
    uint64_t *offsets;
    uint8_t *equal;
    __device__ void operator()(size_t i) const
    {
        unsigned s = unsigned(i / BUCKET_ROW), b = unsigned(i % BUCKET_ROW);
        offsets[i] = b < BUCKETS ? tiles.begin_of(s, b, 0) : tiles.offsets[tiles.list.segment[s] + size_t(1)];
        equal[i] = from.of(s).is_equal(b);
    }
};

struct bucket_lengths {
    const uint64_t *offsets;
    const uint8_t *equal;
    unsigned block_classes;
    __device__ uint64_t length(size_t i) const
    {
        return i % BUCKET_ROW < BUCKETS ? offsets[i + 1] - offsets[i] : 0;
    }
    __device__ unsigned class_at(size_t i, uint64_t length) const
    {
        return equal[i] ? EQUAL_CLASS : class_of(length, block_classes);
    }
};

// COPY_BLOCKS blocks for each bucket of one value.
constexpr unsigned COPY_THREADS = 256, COPY_BLOCKS = 8;

template <class K, class V>
__global__ void __launch_bounds__(COPY_THREADS) copy_buckets(segment_columns<K, V> columns, segment_list list)
{
    wait_for_launches();
    const uint64_t *at = columns.offsets + list.segment[blockIdx.x / COPY_BLOCKS];
    unsigned first = blockIdx.x % COPY_BLOCKS * COPY_THREADS + threadIdx.x;
    for (uint64_t i = at[0] + first; i < at[1]; i += COPY_BLOCKS * COPY_THREADS) {
        columns.keys_out[i] = columns.keys_in[i];
        if constexpr (HAS_VALUE<V>)
            columns.values_out[i] = columns.values_in[i];
    }
}

#endif
