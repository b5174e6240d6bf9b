// choose_ring.h - when the ring (ring.cuh) is used: pure functions for the choices of all primitives.
#ifndef SK_CUDA_CHOOSE_RING_H
#define SK_CUDA_CHOOSE_RING_H

#include <cstddef>
#include <cstdint>

// Bytes of an array from which on the ring is faster than one block per tile, for scans and run-length encoding. With
// fewer, its first tiles wait for their loads, and nothing hides that. Measured on an H100, u32: 2^23 elements 274
// against 222, 2^22 elements 303 against 296 (billions a second); u64: 2^22 124 against 118, 2^21 127 against 134.
constexpr size_t RING_LEAST_BYTES = size_t(24) << 20;

// `least` is a device's ring_least: RING_LEAST_BYTES; SIZE_MAX if it has no ring; 0 if the ring is forced.
constexpr bool has_ring(size_t least)
{
    return least != SIZE_MAX;
}

constexpr bool is_ring_forced(size_t least)
{
    return least == 0;
}

constexpr bool ring_pays(size_t least, size_t n, size_t element_size)
{
    return n >= least / element_size;
}

#endif
