// hybrid_radix.cuh - radix sort from the most significant digit down, until a bucket fits on chip, where the other
// digits cost no traffic (Stehle and Jacobsen, A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs, 2017). Their
// merging of small neighbours into one bucket is left out.
#ifndef SK_CUDA_GALLERY_HYBRID_RADIX_CUH
#define SK_CUDA_GALLERY_HYBRID_RADIX_CUH

#include "gallery/sort/bucket_rounds.cuh"

template <class K> struct leading_digit {
    unsigned shift;
    struct shared_memory {
    };
    __device__ void enter(shared_memory &, unsigned) const
    {
    }
    __device__ unsigned bucket(const shared_memory &, K key) const
    {
        return unsigned(key >> shift) % BUCKETS;
    }
    // After the last digit, the keys of a bucket are equal.
    __device__ bool is_final(unsigned) const
    {
        return shift == 0;
    }
};

template <class K> scankit_error hybrid_sort(cuda_device *gpu, const sort_call<K, no_value> &call)
{
    workspace scratch(gpu);
    bucket_rounds<K> rounds = {gpu, call};
    if (!rounds.take(scratch))
        return SCANKIT_E_MEMORY;
    auto begin = [](const K *, const segment *, unsigned, unsigned round, leading_digit<K> *digit) {
        *digit = {unsigned(8 * (sizeof(K) - 1 - round))};
        return SCANKIT_OK;
    };
    return rounds.template sort<leading_digit<K>>(begin);
}

#endif
