// gathered.cuh - moves the elements of long segments to places that follow one another, with the numbers of their
// segments, and back when these are in order.
#ifndef SK_CUDA_GATHERED_CUH
#define SK_CUDA_GATHERED_CUH

#include "sort/segments/segments.cuh"

// Where gathered elements come from. start[s]: the place of the first one of segment s of the list, or the end.
struct gathered_places {
    const uint64_t *offsets, *start;
    segment_list list;
    __device__ unsigned segment_of(uint64_t place) const
    {
        unsigned least = 0, most = list.count - 1;
        while (least < most) {
            unsigned middle = most - (most - least) / 2;
            if (start[middle] <= place)
                least = middle;
            else
                most = middle - 1;
        }
        return least;
    }
    __device__ uint64_t origin(uint64_t place, unsigned s) const
    {
        return offsets[list.segment[s]] + (place - start[s]);
    }
};

// f(place, segment) for all places, a tile at a time: so each thread searches once a tile, and goes on from there.
constexpr unsigned GATHER_THREADS = 256, GATHER_EACH = 8, GATHER_TILE = GATHER_THREADS * GATHER_EACH;

template <class F> __global__ void __launch_bounds__(GATHER_THREADS) gather_kernel(size_t n, F f)
{
    for (size_t tile = size_t(blockIdx.x) * GATHER_TILE; tile < n; tile += size_t(gridDim.x) * GATHER_TILE) {
        unsigned segment = f.from.segment_of(tile);
#pragma unroll
        for (unsigned e = 0; e < GATHER_EACH; e++) {
            size_t place = tile + e * GATHER_THREADS + threadIdx.x;
            if (place >= n)
                break;
            while (f.from.start[segment + 1] <= place)
                segment++;
            f(place, segment);
        }
    }
}

// ---- keys of up to 4 bytes: a word is a segment's number above a key ----

template <class K, class V> struct numbered_words {
    uint64_t *word;
    V *value;
};

template <class K, class V> struct gather_words {
    gathered_places from;
    segment_columns<K, V> columns;
    numbered_words<K, V> to;
    __device__ void operator()(size_t place, unsigned segment) const
    {
        uint64_t origin = from.origin(place, segment);
        to.word[place] = uint64_t(segment) << 32 | columns.keys_in[origin];
        if constexpr (HAS_VALUE<V>)
            to.value[place] = columns.values_in[origin];
    }
};

template <class K, class V> struct put_words {
    gathered_places to;
    numbered_words<K, V> from;
    segment_columns<K, V> columns;
    __device__ void operator()(size_t place) const
    {
        uint64_t word = from.word[place], origin = to.origin(place, unsigned(word >> 32));
        columns.keys_out[origin] = K(word);
        if constexpr (HAS_VALUE<V>)
            columns.values_out[origin] = from.value[place];
    }
};

// ---- longer keys, without values ----

template <class K> struct numbered_keys {
    K *key;
    unsigned *number;
};

template <class K> struct gather_keys {
    gathered_places from;
    segment_columns<K, no_value> columns;
    numbered_keys<K> to;
    __device__ void operator()(size_t place, unsigned segment) const
    {
        to.key[place] = columns.keys_in[from.origin(place, segment)];
        to.number[place] = segment;
    }
};

template <class K> struct put_keys {
    gathered_places to;
    numbered_keys<K> from;
    segment_columns<K, no_value> columns;
    __device__ void operator()(size_t place) const
    {
        columns.keys_out[to.origin(place, from.number[place])] = from.key[place];
    }
};

// ---- longer keys with values: words and places are sorted, and keys and values wait ----

template <class K, class V, class I> struct placed_pairs {
    K *keys;
    V *values;
    K *words;
    I *places;
};

template <class K, class V, class I> struct gather_pairs {
    gathered_places from;
    segment_columns<K, V> columns;
    placed_pairs<K, V, I> to;
    __device__ void operator()(size_t place, unsigned segment) const
    {
        uint64_t origin = from.origin(place, segment);
        K key = columns.keys_in[origin];
        to.keys[place] = key;
        to.words[place] = key;
        to.places[place] = I(place);
        to.values[place] = columns.values_in[origin];
    }
};

template <class I> struct find_number {
    gathered_places from;
    const I *places;
    unsigned *number;
    __device__ void operator()(size_t i) const
    {
        number[i] = from.segment_of(places[i]);
    }
};

template <class K, class V, class I> struct put_pairs {
    gathered_places to;
    placed_pairs<K, V, I> from;
    const unsigned *number; // of the segment, in order
    segment_columns<K, V> columns;
    __device__ void operator()(size_t i) const
    {
        I place = from.places[i];
        uint64_t origin = to.origin(i, number[i]);
        columns.keys_out[origin] = from.keys[place];
        columns.values_out[origin] = from.values[place];
    }
};

#endif
