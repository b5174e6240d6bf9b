// chained.cuh - a single pass in which tile after tile passes on its prefix, like dominoes: a tile waits for its
// predecessor's alone. The tile's number is a ticket (the dynamic block index), since nothing says that block 0 runs
// first (adjacent synchronisation: Yan, Long and Zhang, StreamScan, 2013; Kirk, Hwu and El Hajj, Programming Massively
// Parallel Processors, 2022, section 11.7).
#ifndef SK_CUDA_CHAINED_CUH
#define SK_CUDA_CHAINED_CUH

#include "scan/scan.cuh"

// Every lane waits for the predecessor's prefix; what the tile's own is, lane 0 passes on.
struct looks_at_predecessor {
    template <class Op>
    static __device__ __forceinline__ typename Op::type before(descriptor<typename Op::type> *descriptors,
                                                               lookback_ticket ticket, typename Op::type aggregate,
                                                               typename Op::type initial)
    {
        using T = typename Op::type;
        if (gridDim.x == 1)
            return initial;
        described<T> found = {initial, PREFIX};
        if (ticket.tile > 0)
            do
                found = descriptor<T>::look(descriptors + ticket.tile - 1, ticket.epoch);
            while (found.status != PREFIX);
        if (lane_id() == 0)
            descriptor<T>::publish(descriptors + ticket.tile, ticket.epoch, Op::combine(found.value, aggregate),
                                   PREFIX);
        return found.value;
    }
};

template <class Op> scankit_error chained(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    return single_pass_scan<Op, looks_at_predecessor>(gpu, call);
}

#endif
