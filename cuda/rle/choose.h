// choose.h - which algorithm encodes and decodes runs: pure functions of the request and of the device.
#ifndef SK_CUDA_CHOOSE_RLE_H
#define SK_CUDA_CHOOSE_RLE_H

#include "common/algorithm.h"
#include "common/choose_ring.h"

SK_ALGORITHMS(rle_algorithm, SK_CUDA_RLE)

struct encode_facts {
    size_t n, element_size;
    bool is_scalar;   // aligned words of 1, 2, 4 or 8 bytes, compared whole
    bool reduces;     // values of the runs are reduced
    bool fits_reduce; // a tile of keys and values fits the shared memory of a block
    bool has_counts;  // the lengths of runs are wanted
    size_t ring_least;
};

// Bytes of an array of elements of 2 bytes from which on the ring is faster, if lengths are wanted. Short runs of
// narrow elements have more heads than a warp of the ring stages at a time: on an H200, 96 MiB of u8 in runs of 1.25 to
// 4 take 1.1 to 2 times as long there, and without their lengths up to 4 times as long; of u16 without lengths 1.5.
constexpr size_t RING_LEAST_NARROW_BYTES = size_t(64) << 20;

constexpr bool encodes_on_ring(const encode_facts &facts)
{
    const bool is_forced = is_ring_forced(facts.ring_least);
    if (is_forced || facts.element_size >= 4)
        return ring_pays(facts.ring_least, facts.n, facts.element_size);
    const size_t least = facts.ring_least < RING_LEAST_NARROW_BYTES ? RING_LEAST_NARROW_BYTES : facts.ring_least;
    return facts.element_size == 2 && facts.has_counts && ring_pays(least, facts.n, facts.element_size);
}

constexpr rle_algorithm choose_encode(const encode_facts &facts)
{
    if (!facts.is_scalar || (facts.reduces && !facts.fits_reduce))
        return rle_algorithm::HEADS;
    return !facts.reduces && encodes_on_ring(facts) ? rle_algorithm::RING : rle_algorithm::LOOKBACK;
}

struct decode_facts {
    bool is_scalar; // aligned words of 1, 2, 4 or 8 bytes
    bool has_out;   // elements are wanted, and not only their number
    size_t room;    // elements that the caller has room for
    size_t runs;
};

// For so few runs and elements, every tile adds up all lengths itself.
constexpr size_t FEW_RUNS_MOST = size_t(1) << 14, FEW_ROOM_MOST = size_t(1) << 18;

// For outputs up to this many elements, each tile searches the ends of runs for its first run, and the host waits once.
// For larger ones, a kernel of its own finds the first runs of all tiles, after the host has got the size.
constexpr size_t SEARCH_MOST = size_t(4) << 20;

// Up to this many elements tiles are small.
constexpr size_t SMALL_ROOM_MOST = size_t(1) << 20;

constexpr rle_algorithm choose_decode(const decode_facts &facts)
{
    if (facts.has_out && !facts.is_scalar)
        return rle_algorithm::EXPAND_NUMBERS;
    if (facts.has_out && facts.room > 0 && facts.room <= FEW_ROOM_MOST && facts.runs <= FEW_RUNS_MOST)
        return rle_algorithm::EXPAND_FEW;
    bool searches = facts.has_out && facts.room > 0 && facts.room <= SEARCH_MOST;
    return searches ? rle_algorithm::EXPAND_SEARCH : rle_algorithm::EXPAND;
}

#endif
