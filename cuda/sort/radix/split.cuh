// split.cuh - the passes that split.cu offers to the sorts.
#ifndef SK_CUDA_SPLIT_CUH
#define SK_CUDA_SPLIT_CUH

#include "device/device.cuh"
#include "sort/radix/radix_rank.cuh"

// How tiles are ranked on this device. Tries it once.
scankit_error split_way(cuda_device *gpu, rank_by *way);

// counts[p * RADIX + d] (device memory) = keys with digit d at position p of the range. order: of the keys, if they are
// numbers of 4 or 8 bytes; NULL: they are words.
scankit_error split_count(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                          unsigned long long *counts, const sk_piece *order = nullptr);

// The same in one launch: places[p * RADIX + d] = where digit d begins at position p of the range. `places` has
// split_places_bytes(), cleared before.
constexpr size_t split_places_bytes(unsigned key_size)
{
    return (key_size * RADIX + 1) * sizeof(unsigned long long);
}
scankit_error split_places(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                           unsigned long long *places, const sk_piece *order);

// Turns `positions` rows of RADIX counts into the places where digits begin.
scankit_error split_offsets(cuda_device *gpu, unsigned long long *counts, unsigned positions);

// True if passes over pairs are faster with records between them. Records are where the keys would be.
bool split_has_records(const cuda_device *gpu, sk_shape shape);

// What a pass reads and writes: pairs as records; keys as numbers in an order, if it is not NULL. Words otherwise.
struct pass_ends {
    bool from_records = false, to_records = false;
    const sk_piece *read = nullptr, *write = nullptr;
};

// Bytes that a pass needs to find its tiles' places.
size_t split_state_bytes(const cuda_device *gpu, sk_shape shape, size_t n);

// For a pass that may be queued before it is known to be wanted. wanted (device memory): 0 there if it is not. state:
// of split_state_bytes(), cleared; NULL: the pass clears its own.
struct pass_setup {
    const unsigned *wanted = nullptr;
    char *state = nullptr;
};

// One stable split by position p of the range. Its digits begin at begin[0..RADIX) (device memory). in and out do not
// overlap.
scankit_error split_pass(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                         digit_range digits, unsigned p, const unsigned long long *begin, pass_ends ends = {},
                         pass_setup setup = {});

#endif
