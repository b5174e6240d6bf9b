// tiny_segments.cuh - sorts tiny segments, each by a thread in registers. A warp takes 32 neighbouring segments. Their
// elements pass through shared memory, so global memory is read and written in order. The same launch counts the longer
// segments of each class.
#ifndef SK_CUDA_TINY_SEGMENTS_CUH
#define SK_CUDA_TINY_SEGMENTS_CUH

#include <cuda_pipeline.h>

#include "common/block_sum.cuh"
#include "sort/network/networks.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/segment_element.cuh"

// TINY_BLOCKS: most blocks, which share out the segments: enough for any GPU, and few that add up their counts.
constexpr int TINY_THREADS = 128;
constexpr size_t TINY_BLOCKS = 16384;

// An array in shared memory. Segments of equal lengths begin a multiple of that length apart: a gap of a word after
// each 128 bytes puts them into different banks.
template <class T, unsigned ROOM> struct skewed_array {
    static constexpr unsigned ROW = 128 / sizeof(T), GAP = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    T item[ROOM + ROOM / ROW * GAP];
    __device__ __forceinline__ T &operator[](unsigned i)
    {
        return item[i + i / ROW * GAP];
    }
};

template <unsigned ROOM> struct skewed_array<no_value, ROOM> {
};

// The elements of a warp's tiny segments, one segment after the other.
template <class K, class V> struct tiny_room {
    skewed_array<K, WARP * TINY_MOST> key;
    skewed_array<V, WARP * TINY_MOST> value;
};

// A lane's segment. Segments that are not tiny have no elements here.
struct tiny_segment {
    uint64_t begin;
    unsigned length, place; // place: of its first element in the room
    unsigned total;         // elements of the warp's tiny segments
    bool adjoin;            // true if these follow one another in global memory too

    __device__ __forceinline__ tiny_segment(uint64_t begin, uint64_t all) : begin(begin)
    {
        length = all <= TINY_MOST ? unsigned(all) : 0;
        unsigned end = warp_scan<plain_sum<unsigned>>(length);
        place = end - length;
        total = warp_from(end, WARP - 1);
        adjoin = __all_sync(FULL_WARP, all == length);
    }

    // Calls move(at, to) for each element of the warp's: it is at `at` in global memory, and at `to` in the room.
    template <class Move> __device__ __forceinline__ void for_all(Move move) const
    {
        if (adjoin)
            for_adjoining(move);
        else
            for_each_segment(move);
    }

  private:
    template <class Move> __device__ __forceinline__ void for_adjoining(Move move) const
    {
        uint64_t first = warp_from(begin, 0);
#pragma unroll TINY_MOST
        for (unsigned i = lane_id(); i < total; i += WARP)
            move(first + i, i);
    }

    // Some lanes a segment: neighbours are close to each other in global memory.
    template <class Move> __device__ __forceinline__ void for_each_segment(Move move) const
    {
        constexpr unsigned LANES = 8;
#pragma unroll 1
        for (unsigned done = 0; done < WARP; done += WARP / LANES) {
            unsigned s = done + lane_id() / LANES, its_length = warp_from(length, s), its_place = warp_from(place, s);
            uint64_t its_begin = warp_from(begin, s);
#pragma unroll
            for (unsigned i = lane_id() % LANES; i < TINY_MOST; i += LANES)
                if (i < its_length)
                    move(its_begin + i, its_place + i);
        }
    }
};

// Keys alone: by a network.
template <unsigned N, class K>
__device__ __forceinline__ void sort_by_thread(tiny_room<K, no_value> &room, unsigned at, unsigned length,
                                               const segment_order<K> &order)
{
    sort_word<K> key[N];
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        key[i] = i < length ? room.key[at + i] : order.last;
    order.encode(key);
    merge_exchange(key);
    order.decode(key);
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        if (i < length)
            room.key[at + i] = K(key[i]);
}

// Ranks of up to 16 elements, of four bits each.
template <unsigned N> struct packed_ranks {
    static constexpr unsigned PER_WORD = 8;
    unsigned word[(N + PER_WORD - 1) / PER_WORD];

    static __device__ __forceinline__ unsigned one(unsigned i)
    {
        return 1u << i % PER_WORD * 4;
    }
    __device__ __forceinline__ unsigned operator[](unsigned i) const
    {
        return word[i / PER_WORD] >> i % PER_WORD * 4 & 15;
    }
    // Comparison counting (Knuth, The Art of Computer Programming 3, 5.2C): stable, as equal elements do not count.
    template <class K> __device__ __forceinline__ void count(const K (&key)[N])
    {
#pragma unroll
        for (unsigned w = 0; w * PER_WORD < N; w++)
            word[w] = 0x76543210 + w * 0x88888888;
#pragma unroll
        for (unsigned j = 1; j < N; j++)
#pragma unroll
            for (unsigned i = 0; i < j; i++)
                if (key[j] < key[i]) {
                    if (i / PER_WORD == j / PER_WORD) {
                        word[i / PER_WORD] += one(i) - one(j);
                    } else {
                        word[i / PER_WORD] += one(i);
                        word[j / PER_WORD] -= one(j);
                    }
                }
    }
};

template <unsigned N, class T, class Array>
__device__ __forceinline__ void move_by_rank(Array &array, unsigned at, unsigned length, const packed_ranks<N> &rank,
                                             const T (&item)[N])
{
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        if (i < length)
            array[at + rank[i]] = item[i];
}

// With values: by counting.
template <unsigned N, class K, class V>
__device__ __forceinline__ void sort_by_thread(tiny_room<K, V> &room, unsigned at, unsigned length,
                                               const segment_order<K> &order)
{
    K key[N];
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        key[i] = i < length ? room.key[at + i] : order.last;
    order.encode(key);
    packed_ranks<N> rank;
    rank.count(key);
    order.decode(key);
    move_by_rank(room.key, at, length, rank, key);
    V value[N];
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        value[i] = i < length ? room.value[at + i] : V(0);
    move_by_rank(room.value, at, length, rank, value);
}

// N: enough for the longest segment of the warp.
template <class K, class V>
__device__ __forceinline__ void sort_by_threads(tiny_room<K, V> &room, unsigned at, unsigned length,
                                                const segment_order<K> &order)
{
    unsigned longest = warp_max(length);
    if (longest < 2)
        return;
    if (longest <= 4)
        sort_by_thread<4>(room, at, length, order);
    else if (longest <= 8)
        sort_by_thread<8>(room, at, length, order);
    else if (longest <= 12)
        sort_by_thread<12>(room, at, length, order);
    else
        sort_by_thread<16>(room, at, length, order);
}

// Copies of narrow elements cannot be asynchronous.
template <class T> __device__ __forceinline__ void load_tiny(T &room, const T &from)
{
    if constexpr (sizeof(T) < 4)
        room = from;
    else
        __pipeline_memcpy_async(&room, &from, sizeof(T));
}

// Sorts the lanes' tiny segments. By every lane of a warp.
template <class K, class V>
__device__ __forceinline__ void sort_tiny_of_warp(const segment_columns<K, V> &columns, tiny_room<K, V> &room,
                                                  const tiny_segment &own)
{
    own.for_all([&](uint64_t at, unsigned to) {
        load_tiny(room.key[to], columns.keys_in[at]);
        if constexpr (HAS_VALUE<V>)
            load_tiny(room.value[to], columns.values_in[at]);
    });
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    sort_by_threads(room, own.place, own.length, columns.order);
    __syncwarp();
    own.for_all([&](uint64_t at, unsigned to) {
        columns.keys_out[at] = room.key[to];
        if constexpr (HAS_VALUE<V>)
            columns.values_out[at] = room.value[to];
    });
    __syncwarp();
}

// found is cleared. Tiny segments are not counted. ARE_WORDS: whether keys are. With values, a kernel for keys of 8
// bytes that are no words alone would take twice as many registers: pairs of f64 in segments of 3 are a quarter slower
// by it.
template <class K, class V, bool ARE_WORDS>
__global__ void __launch_bounds__(TINY_THREADS)
    sort_tiny(segment_columns<K, V> columns, size_t segments, unsigned block_classes, segment_counts *found)
{
    __shared__ tiny_room<K, V> rooms[TINY_THREADS / WARP];
    __shared__ class_counter counter;
    if constexpr (ARE_WORDS || sizeof(K) < 8 || !HAS_VALUE<V>)
        columns.order.template fix<ARE_WORDS>();
    counter.clear();
    for (size_t tile = size_t(blockIdx.x) * TINY_THREADS; tile < segments; tile += size_t(gridDim.x) * TINY_THREADS) {
        size_t s = tile + threadIdx.x;
        uint64_t begin = 0, length = 0;
        if (s < segments) {
            begin = columns.offsets[s];
            length = columns.offsets[s + 1] - begin;
        }
        if (length > TINY_MOST)
            counter.add(class_of(length, block_classes), length, found);
        tiny_segment own(begin, length);
        if (own.total > 0)
            sort_tiny_of_warp(columns, rooms[threadIdx.x / WARP], own);
    }
    counter.finish(columns.offsets, segments, found);
}

#endif
