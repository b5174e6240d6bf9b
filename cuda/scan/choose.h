// choose.h - which algorithm scans: a pure function of the request and of the device.
#ifndef SK_CUDA_CHOOSE_SCAN_H
#define SK_CUDA_CHOOSE_SCAN_H

#include "common/algorithm.h"
#include "common/choose_ring.h"

SK_ALGORITHMS(scan_algorithm, SK_CUDA_SCANS)

struct scan_facts {
    size_t n, element_size;
    bool fixed_order; // results must have the same bits on every GPU, and rounding shows the order of operations
    bool aligned, moves_aligned; // the input begins at a multiple of 16 bytes; the output too
    size_t ring_least;
};

// If an array does not begin at a multiple of 16 bytes, the ring pays from this share of the bytes on: the tiles of one
// block each then move element by element, and the ring's begin at such multiples of the input's addresses. Measured on
// an H200, u32: 0.6 million elements 6.5 us by tiles and on the ring, 1.2 million 11.5 and 7.2, 4.7 million 31 and 15.
constexpr size_t UNALIGNED_SHARE = 12;

// In a fixed order of operations, the ring needs an aligned input, because its tiles begin at multiples of 16 bytes in
// memory. Otherwise three kernels do the same operations in the same order.
constexpr scan_algorithm choose_scan(const scan_facts &facts)
{
    if (facts.fixed_order)
        return has_ring(facts.ring_least) && facts.aligned ? scan_algorithm::RING : scan_algorithm::THREE_KERNEL;
    const size_t least =
        has_ring(facts.ring_least) && !facts.moves_aligned ? facts.ring_least / UNALIGNED_SHARE : facts.ring_least;
    return ring_pays(least, facts.n, facts.element_size) ? scan_algorithm::RING : scan_algorithm::LOOKBACK;
}

#endif
