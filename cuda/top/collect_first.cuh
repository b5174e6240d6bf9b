// collect_first.cuh - collects the elements that a threshold in the device's memory lets pass.
#ifndef SK_CUDA_COLLECT_FIRST_CUH
#define SK_CUDA_COLLECT_FIRST_CUH

#include "compact/collect.cuh"
#include "top/sample_threshold.cuh"

template <class U, bool POSITIONS>
__global__ void __launch_bounds__(COLLECT_THREADS, COLLECT_BLOCKS)
    collect_first(const U *in, size_t n, element_order<U> order,
                  top_threshold<typename element_order<U>::key_type> *threshold, unsigned k, collect_output to)
{
    __shared__ collect_room<U, POSITIONS> room;
    wait_for_launches();
    if (!threshold->collects)
        return;
    const match_bound<U> match = order.up_to(threshold->key);
    if (!POSITIONS && threshold->is_frequent && threshold->key == 0)
        count_until(key_vectors<U>(in, n), order.element(0), k, &threshold->equal);
    else if (!POSITIONS && threshold->is_frequent)
        collect_matching<!POSITIONS, U, POSITIONS>(in, n, match, to, room, order.element(threshold->key),
                                                   &threshold->equal);
    else
        collect_matching<false, U, POSITIONS>(in, n, match, to, room);
}

#endif
