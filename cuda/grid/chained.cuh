// chained.cuh - a single pass in which tile after tile passes on its prefix, like dominoes: a tile waits for its
// predecessor's alone. The tile's number is a ticket (the dynamic block index), since nothing says that block 0 runs
// first (adjacent synchronisation: Yan, Long and Zhang, StreamScan, 2013; Kirk, Hwu and El Hajj, Programming Massively
// Parallel Processors, 2022, section 11.7).
#ifndef SK_CUDA_CHAINED_CUH
#define SK_CUDA_CHAINED_CUH

#include "grid/scan.cuh"

struct looks_at_predecessor {
    template <class Op>
    static __device__ __forceinline__ typename Op::type before(descriptor<typename Op::type> *descriptors,
                                                               lookback_ticket ticket, typename Op::type aggregate,
                                                               typename Op::type initial)
    {
        return look_at_predecessor<Op>(descriptors, ticket, aggregate, initial);
    }
};

template <class Op> scankit_error chained(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    return single_pass_scan<Op, looks_at_predecessor>(gpu, call);
}

#endif
