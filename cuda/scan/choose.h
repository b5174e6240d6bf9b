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

// In a fixed order of operations, the ring needs an aligned input, because its tiles begin at multiples of 16 bytes in
// memory. Otherwise three kernels do the same operations in the same order.
constexpr scan_algorithm choose_scan(const scan_facts &facts)
{
    if (facts.fixed_order)
        return has_ring(facts.ring_least) && facts.aligned ? scan_algorithm::RING : scan_algorithm::THREE_KERNEL;
    return ring_pays(facts.ring_least, facts.n, facts.element_size) ? scan_algorithm::RING : scan_algorithm::LOOKBACK;
}

#endif
