// merge_records.cuh - stable merge of two sorted arrays of records. A tile's first key words lie in shared memory; the
// words behind them are read from the records where the first ones are equal. A thread merges its outputs one by one,
// as places in the tile. Then the records follow their places.
#ifndef SK_CUDA_MERGE_RECORDS_CUH
#define SK_CUDA_MERGE_RECORDS_CUH

#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "sort/merge/merge_path.cuh"
#include "sort/records/key_words.cuh"

// The key words of a record, the most significant first.
struct record_words {
    size_t record_size;
    unsigned count;
    sk_word word[SK_ORDER_WORDS];

    __device__ __forceinline__ uint64_t first(const uint8_t *record) const
    {
        return word_of_element(word[0], record);
    }

    // x before y by the words behind the first.
    __device__ bool rest_is_less(const uint8_t *x, const uint8_t *y) const
    {
        for (unsigned w = 1; w < count; w++) {
            uint64_t of_x = word_of_element(word[w], x), of_y = word_of_element(word[w], y);
            if (of_x != of_y)
                return of_x < of_y;
        }
        return false;
    }
};

struct record_merge {
    const uint8_t *a, *b;
    size_t na, nb;
    uint8_t *out;
    size_t *split; // per tile: records of a before it
    record_words words;

    __device__ __forceinline__ const uint8_t *of_a(size_t i) const
    {
        return a + i * words.record_size;
    }
    __device__ __forceinline__ const uint8_t *of_b(size_t j) const
    {
        return b + j * words.record_size;
    }
};

constexpr int MERGE_RECORD_TILE = MERGE_THREADS * MERGE_RECORD_ITEMS;

static __global__ void __launch_bounds__(MAP_THREADS)
    split_records(const __grid_constant__ record_merge pass, size_t tiles)
{
    wait_for_launches();
    size_t tile = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x;
    if (tile >= tiles)
        return;
    const record_words &words = pass.words;
    pass.split[tile] = merge_path(tile * MERGE_RECORD_TILE, pass.na, pass.nb, [&](size_t i, size_t j) {
        uint64_t of_a = words.first(pass.of_a(i)), of_b = words.first(pass.of_b(j));
        return of_b < of_a || (of_b == of_a && words.rest_is_less(pass.of_b(j), pass.of_a(i)));
    });
}

// A tile's parts of the two arrays: where they begin, and their lengths. Arrays that are not sorted may have splits in
// any order: parts stay within the arrays.
struct record_parts {
    size_t a, b;
    int na, nb;

    __device__ __forceinline__ record_parts(const record_merge &pass)
    {
        size_t before = size_t(blockIdx.x) * MERGE_RECORD_TILE, rest = pass.na + pass.nb - before;
        int valid = rest < MERGE_RECORD_TILE ? int(rest) : MERGE_RECORD_TILE;
        a = pass.split[blockIdx.x];
        b = before - a;
        size_t end = rest > MERGE_RECORD_TILE ? pass.split[blockIdx.x + 1] : pass.na;
        path_range<size_t> open(valid, pass.na - a, pass.nb - b);
        na = int(end < a + open.low ? open.low : end > a + open.high ? open.high : end - a);
        nb = valid - na;
    }
    // The record at a place of the tile: a's part, then b's.
    __device__ __forceinline__ const uint8_t *record(const record_merge &pass, int place) const
    {
        return place < na ? pass.of_a(a + place) : pass.of_b(b + (place - na));
    }
};

// Merges the thread's outputs.
__device__ __forceinline__ void merge_record_places(const record_merge &pass, const record_parts &parts,
                                                    const uint64_t *key, uint16_t *place)
{
    const int na = parts.na, valid = na + parts.nb;
    auto before = [&](int i, int j) {
        uint64_t of_a = key[i], of_b = key[na + j];
        return of_b < of_a || (of_b == of_a && pass.words.count > 1 &&
                               pass.words.rest_is_less(parts.record(pass, na + j), parts.record(pass, i)));
    };
    int at = min(int(threadIdx.x) * MERGE_RECORD_ITEMS, valid), end = min(at + MERGE_RECORD_ITEMS, valid);
    int i = merge_path(at, na, parts.nb, before), j = at - i;
    for (; at < end; at++)
        place[at] = uint16_t(i < na && (j >= parts.nb || !before(i, j)) ? i++ : na + j++);
}

// A block per tile. Records move in units of U.
template <class U>
__global__ void __launch_bounds__(MERGE_THREADS) merge_records(const __grid_constant__ record_merge pass)
{
    __shared__ uint64_t key[MERGE_RECORD_TILE];
    __shared__ uint16_t place[MERGE_RECORD_TILE];
    wait_for_launches();
    const record_parts parts(pass);
    const unsigned valid = unsigned(parts.na + parts.nb);

    // Load: first words.
#pragma unroll
    for (int i = 0; i < MERGE_RECORD_ITEMS; i++) {
        unsigned at = i * MERGE_THREADS + threadIdx.x;
        if (at < valid)
            key[at] = pass.words.first(parts.record(pass, int(at)));
    }
    __syncthreads();

    // Merge.
    merge_record_places(pass, parts, key, place);
    __syncthreads();

    // Store.
    const unsigned units = unsigned(pass.words.record_size / sizeof(U)), all = valid * units;
    U *out = reinterpret_cast<U *>(pass.out + size_t(blockIdx.x) * MERGE_RECORD_TILE * pass.words.record_size);
    for (unsigned u = threadIdx.x; u < all; u += MERGE_THREADS) {
        unsigned at = units == 1 ? u : u / units;
        out[u] = reinterpret_cast<const U *>(parts.record(pass, place[at]))[u - at * units];
    }
}

#endif
