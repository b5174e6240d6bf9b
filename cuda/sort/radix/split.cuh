// split.cuh - the passes that split.cu offers to the sorts.
#ifndef SK_CUDA_SPLIT_CUH
#define SK_CUDA_SPLIT_CUH

#include "device/device.cuh"
#include "sort/radix/radix_rank.cuh"

// How tiles are ranked on this device; it is tried once.
scankit_error split_way(cuda_device *gpu, rank_by *way);

// counts[p * RADIX + d] (device memory) = how many keys have digit d at position p of the range.
scankit_error split_count(cuda_device *gpu, unsigned key_size, const void *keys, size_t n, digit_range digits,
                          unsigned long long *counts);

// Turns `positions` rows of RADIX counts into the places where the digits begin.
scankit_error split_offsets(cuda_device *gpu, unsigned long long *counts, unsigned positions);

// Whether passes over pairs are faster with records between them. They are where the keys would be.
bool split_has_records(const cuda_device *gpu, sk_shape shape);

struct record_ends {
    bool from_records, to_records;
};

// One stable split by position p of the range, whose digits begin at begin[0..RADIX) (device memory). in and out are
// apart.
scankit_error split_pass(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                         digit_range digits, unsigned p, const unsigned long long *begin, record_ends records = {});

#endif
