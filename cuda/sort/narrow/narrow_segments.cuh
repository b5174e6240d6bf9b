// narrow_segments.cuh - the sort of segments of keys of 1 and 2 bytes, each by a block of its own.
#ifndef SK_CUDA_NARROW_SEGMENTS_CUH
#define SK_CUDA_NARROW_SEGMENTS_CUH

#include "device/device.cuh"

// Elements in columns, and segments of them. piece: the order of the keys, NULL for words.
struct narrow_data {
    sk_shape shape;
    const sk_piece *piece;
    sk_const_columns in;
    sk_columns out;
    const uint64_t *offsets;
    size_t segments, n;
};

// True if blocks can sort these segments, with values or without, and are likely faster.
bool are_for_narrow_blocks(const cuda_device *gpu, const narrow_data &data);

// Sorts the segments, and copies other elements. *done is false if segments were too long: then these are not sorted.
scankit_error sort_narrow_segments(cuda_device *gpu, const narrow_data &data, bool *done);

#endif
