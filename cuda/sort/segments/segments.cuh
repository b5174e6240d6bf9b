// segments.cuh - segments as kernels see them.
#ifndef SK_CUDA_SEGMENTS_CUH
#define SK_CUDA_SEGMENTS_CUH

#include <cstdint>

#include "common/thread.cuh"

// The elements: K without values (no_value), or with V.
template <class K, class V> struct segment_columns {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    const uint64_t *offsets;
};

// Segments of one class, by number.
struct segment_list {
    const unsigned *segment;
    unsigned count;
};

#endif
