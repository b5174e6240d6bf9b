// collect_first.cuh - collects the elements that a threshold in the device's memory lets pass.
#ifndef SK_CUDA_COLLECT_FIRST_CUH
#define SK_CUDA_COLLECT_FIRST_CUH

#include "compact/collect.cuh"
#include "top/sample_threshold.cuh"

template <class U, bool POSITIONS>
__global__ void __launch_bounds__(COLLECT_THREADS, COLLECT_BLOCKS)
    collect_first(const U *in, size_t n, element_order<U> order,
                  const top_threshold<typename element_order<U>::key_type> *threshold, collect_output to)
{
    __shared__ collect_room<U, POSITIONS> room;
    wait_for_launches();
    if (!threshold->collects)
        return;
    auto last = threshold->is_frequent ? order.before(threshold->key) : threshold->key;
    collect_matching<U, POSITIONS>(in, n, order.up_to(last), to, room);
}

#endif
