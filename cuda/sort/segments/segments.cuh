// segments.cuh - segments as kernels see them.
#ifndef SK_CUDA_SEGMENTS_CUH
#define SK_CUDA_SEGMENTS_CUH

#include <cstdint>

#include "backend.h"
#include "common/thread.cuh"

// The elements: K without values (no_value), or with V.
template <class K, class V> struct segment_columns {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    const uint64_t *offsets;
};

template <class K, class V>
segment_columns<K, V> columns_of(sk_const_columns in, sk_columns out, const uint64_t *offsets)
{
    return {static_cast<const K *>(in.keys), static_cast<const V *>(in.values), static_cast<K *>(out.keys),
            static_cast<V *>(out.values), offsets};
}

// Segments of one class, by number.
struct segment_list {
    const unsigned *segment;
    unsigned count;
};

#endif
