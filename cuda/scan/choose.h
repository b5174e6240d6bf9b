// choose.h - which algorithm scans: a pure function of the request and of the device.
#ifndef SK_CUDA_CHOOSE_SCAN_H
#define SK_CUDA_CHOOSE_SCAN_H

#include "common/algorithm.h"
#include "common/choose_ring.h"

SK_ALGORITHMS(scan_algorithm, SK_CUDA_SCANS)

struct scan_facts {
    size_t n, element_size;
    bool fixed_order; // results must have the same bits on every GPU, and rounding shows the order of operations
    bool aligned;     // the input begins at a multiple of 16 bytes
    size_t ring_least;
};

// For elements of 1 and 2 bytes, the ring pays from this share of the bytes on. Measured on an H200, u8: 7.9 million
// elements 10.4 us by tiles and 9.6 on the ring, 16 million 18.3 and 13.2; u16: 4.7 million 10.2 and 8.8.
constexpr size_t NARROW_SHARE = 3;

// In a fixed order of operations, the ring needs an aligned input, because its tiles begin at multiples of 16 bytes in
// memory. Otherwise three kernels do the same operations in the same order.
constexpr scan_algorithm choose_scan(const scan_facts &facts)
{
    if (facts.fixed_order)
        return has_ring(facts.ring_least) && facts.aligned ? scan_algorithm::RING : scan_algorithm::THREE_KERNEL;
    const bool narrow = has_ring(facts.ring_least) && facts.element_size < 4;
    const size_t least = narrow ? facts.ring_least / NARROW_SHARE : facts.ring_least;
    return ring_pays(least, facts.n, facts.element_size) ? scan_algorithm::RING : scan_algorithm::LOOKBACK;
}

#endif
