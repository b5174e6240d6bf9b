// own_block_segments.cuh - the sort of segments each by a block of its own.
#ifndef SK_CUDA_OWN_BLOCK_SEGMENTS_CUH
#define SK_CUDA_OWN_BLOCK_SEGMENTS_CUH

#include "device/host_word.cuh"
#include "sort/segments/segments.cuh"
#include "sort/segments/short_segments.cuh"

// True if these sort few segments faster than slices and merges do.
bool are_for_own_blocks(const cuda_device *gpu, sk_shape shape, segment_totals all);

// What is left when blocks have sorted the segments that they have room for, in a word.
struct own_rest {
    bool has_outside;  // elements outside of segments
    uint64_t segments; // that are longer
    uint64_t elements; // of these
    static constexpr unsigned ELEMENT_BITS = 44;

    static own_rest from(uint64_t word)
    {
        return {(word & 1) != 0, word >> (ELEMENT_BITS + 1), (word >> 1) & ((uint64_t(1) << ELEMENT_BITS) - 1)};
    }
    __device__ __forceinline__ uint64_t packed() const
    {
        return segments << (ELEMENT_BITS + 1) | elements << 1 | has_outside;
    }
};

// For the block that finds out what is left of n elements.
struct own_report {
    host_word word;
    size_t n;
    unsigned *list; // gets the segments that are left
};

// Sorts the segments of all classes before LONG_CLASS. Asks for the report of what is left. list: room for all
// segments; gets those that are left.
scankit_error sort_segments_in_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all,
                                          unsigned *list);

// From this class on, own blocks sort segments also where these are many. LONG_CLASS if they sort none.
unsigned first_own_class(const cuda_device *gpu, sk_shape shape);

// Sorts the listed segments from that class to the last one before LONG_CLASS.
scankit_error sort_own_classes(cuda_device *gpu, const segment_data &data, segment_totals all,
                               const segment_lists &lists);

#endif
