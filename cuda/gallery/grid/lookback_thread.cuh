// lookback_thread.cuh - decoupled look-back by one thread: a tile publishes its total before it waits, so that those
// after it need not wait for its prefix; they add totals until they come to a tile whose prefix is there, one
// predecessor after the other (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016,
// section 4.2; a warp looks at 32 at once in grid/lookback.cuh).
#ifndef SK_CUDA_LOOKBACK_THREAD_CUH
#define SK_CUDA_LOOKBACK_THREAD_CUH

#include "scan/scan.cuh"

struct thread_looks_back {
    template <class Op>
    static __device__ __forceinline__ typename Op::type before(descriptor<typename Op::type> *descriptors,
                                                               lookback_ticket ticket, typename Op::type aggregate,
                                                               typename Op::type initial)
    {
        using D = descriptor<typename Op::type>;
        if (gridDim.x == 1 || lane_id() > 0)
            return initial;
        typename Op::type before = ticket.tile == 0 ? initial : Op::identity();
        if (ticket.tile > 0)
            D::publish(descriptors + ticket.tile, ticket.epoch, aggregate, AGGREGATE);
        bool reached = ticket.tile == 0;
        for (unsigned at = ticket.tile; !reached;) {
            at--;
            described<typename Op::type> found;
            do
                found = D::look(descriptors + at, ticket.epoch);
            while (found.status == NOTHING);
            before = Op::combine(found.value, before);
            reached = found.status == PREFIX;
        }
        D::publish(descriptors + ticket.tile, ticket.epoch, Op::combine(before, aggregate), PREFIX);
        return before;
    }
};

template <class Op>
scankit_error lookback_thread(cuda_device *gpu, const scan_call<typename Op::type, typename Op::element> &call)
{
    return single_pass_scan<Op, thread_looks_back>(gpu, call);
}

#endif
