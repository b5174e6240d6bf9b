// choose_box.h - how a box filter is done: pure functions of the request.
#ifndef SK_CUDA_CHOOSE_BOX_H
#define SK_CUDA_CHOOSE_BOX_H

#include "image.h"

// The largest value of an integer picture, or 0 for floats.
constexpr uint32_t most_of(scankit_type type)
{
    return type == SCANKIT_U8 ? UINT8_MAX : type == SCANKIT_U16 ? UINT16_MAX : 0;
}

// True if the sums of rows under a box, in units, fit 32 bits. That halves the traffic between the two passes. Sums of
// u8 always do; sums of u16 do up to a radius of 127 pixels.
constexpr bool row_sums_fit(uint32_t most, uint32_t radius)
{
    return uint64_t(most) * (SK_BOX_UNIT + 2 * uint64_t(radius)) <= UINT32_MAX;
}

// True if a pass keeps the pixels under the box in shared memory: two blocks of a multiprocessor have room for theirs
// and for 2 KiB more. One block alone was no faster than the reading of two streams (box_streams.cuh).
constexpr bool box_ring_pays(size_t room, size_t shared_most)
{
    return 2 * (room + 2048) <= shared_most;
}

// The type of the table that a filter with a map of radii reads. u32 halves the traffic where all sums fit.
constexpr scankit_type table_type_for(scankit_type type, size_t width, size_t height)
{
    uint32_t most = most_of(type);
    if (most == 0)
        return SCANKIT_F64;
    return width <= UINT32_MAX / most / height ? SCANKIT_U32 : SCANKIT_U64;
}

#endif
