// choose.h - which algorithm compacts: a pure function of the request and of the device, with its thresholds.
#ifndef SK_CUDA_CHOOSE_COMPACT_H
#define SK_CUDA_CHOOSE_COMPACT_H

#include "common/algorithm.h"
#include "common/choose_ring.h"
#include "device/tuning.cuh"

SK_ALGORITHMS(compact_algorithm, SK_CUDA_COMPACTIONS)

// What says if an element matches.
enum class match_source { DIRECT, INTERPRETED, COMPILED }; // DIRECT: flags, a bound or ranges

struct compact_facts {
    size_t n, element_size;
    bool is_scalar;      // elements are aligned words of 1, 2, 4 or 8 bytes
    bool only_count;     // neither elements nor positions are wanted
    bool with_positions; // positions are wanted
    match_source by;
    size_t ring_least;
    bool fits_ring; // the device has the shared memory for this ring, which needs more than a scan's
};

// Larger elements are not staged in shared memory: a tile would have one element, and its threads would wait.
constexpr size_t RECORD_MOST = RECORD_TILE_BYTES / 2;

// Bytes of elements from which on the ring is faster than one block per tile. That is later than for scans, because a
// tile of a compaction can look at the counts of all earlier tiles at once (COMPACT_FEW_TILES). Measured on an H100,
// u32: 2^22 elements 221 against 341, 2^24 elements 356 against 340 (billions a second).
constexpr size_t COMPACT_RING_LEAST_BYTES = size_t(64) << 20;

// Interpreting a step takes about a picosecond per element longer than running it compiled, and compiling takes about
// 0.25 seconds. So a predicate is compiled after this many steps of elements: then nobody waits more than twice as long
// as with the better choice from the beginning.
constexpr double COMPILE_AFTER_STEPS = 2.5e11;

// An interpreter has too few threads on the ring. A slot has no room for the staged places of 1-byte elements.
constexpr bool compacts_on_ring(const compact_facts &facts)
{
    bool able = facts.is_scalar && facts.by != match_source::INTERPRETED && !facts.only_count &&
                (!facts.with_positions || facts.element_size > 1);
    bool pays = facts.n >= COMPACT_RING_LEAST_BYTES / facts.element_size || is_ring_forced(facts.ring_least);
    return able && pays && has_ring(facts.ring_least) && facts.fits_ring;
}

constexpr compact_algorithm choose_compact(const compact_facts &facts)
{
    if (facts.element_size > RECORD_MOST)
        return compact_algorithm::POSITIONS;
    bool ring = compacts_on_ring(facts);
    switch (facts.by) {
    case match_source::DIRECT: return ring ? compact_algorithm::RING : compact_algorithm::LOOKBACK;
    case match_source::COMPILED: return ring ? compact_algorithm::RING_COMPILED : compact_algorithm::LOOKBACK_COMPILED;
    default: return compact_algorithm::LOOKBACK_INTERPRETED;
    }
}

constexpr bool is_on_ring(compact_algorithm algorithm)
{
    return algorithm == compact_algorithm::RING || algorithm == compact_algorithm::RING_COMPILED;
}

// A split by flags in one launch: each tile adds up the counts of all. Measured on an H200, microseconds of one launch
// against a count and a second launch: u8, 2441 tiles 71 against 76, 3662 tiles 107 against 106; u64, 152 MB 117
// against 106, which has the ring.
constexpr size_t SPLIT_FEW_TILES = 3072;

constexpr bool splits_at_once(size_t tiles, size_t bytes, size_t ring_least)
{
    return tiles <= SPLIT_FEW_TILES && bytes < COMPACT_RING_LEAST_BYTES && !is_ring_forced(ring_least);
}

#endif
