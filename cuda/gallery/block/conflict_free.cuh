// conflict_free.cuh - the work-efficient scan without its bank conflicts: nodes of a level are a power of two apart, so
// that 2, 4, ... up to 32 of them fall into one bank. A gap after every 32 elements puts them into different ones
// (Harris, Sengupta and Owens, GPU Gems 3, 2007, chapter 39, section 2.3).
#ifndef SK_CUDA_CONFLICT_FREE_CUH
#define SK_CUDA_CONFLICT_FREE_CUH

#include "gallery/block/work_efficient.cuh"

struct padded {
    static constexpr int BANKS = 32;
    static __host__ __device__ constexpr int at(int i)
    {
        return i + i / BANKS;
    }
};

template <class Op> struct conflict_free : swept_pairs<Op, padded> {
};

#endif
