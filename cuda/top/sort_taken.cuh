// sort_taken.cuh - sorts each bucket of the first elements by a block.
#ifndef SK_CUDA_SORT_TAKEN_CUH
#define SK_CUDA_SORT_TAKEN_CUH

#include "top/collect_buckets.cuh"

// Writes entries as elements, or as their positions.
template <class U, bool POSITIONS> struct entry_order {
    element_order<U> order;
    __device__ __forceinline__ auto value(top_entry<U, POSITIONS> entry) const
    {
        if constexpr (POSITIONS)
            return uint64_t(uint32_t(entry));
        else
            return order.element(entry);
    }
};

template <class U, bool POSITIONS> using taken_tile = bucket_tile<top_entry<U, POSITIONS>>;
template <class U, bool POSITIONS> constexpr int TAKEN_BLOCKS = BUCKET_BLOCKS<top_entry<U, POSITIONS>>;

// A block for each bucket. The first k elements go to `out`. spare: room for the bucket that has the k-th. *end:
// for the host.
template <class U, bool POSITIONS>
__global__ void __launch_bounds__(taken_tile<U, POSITIONS>::THREADS, TAKEN_BLOCKS<U, POSITIONS>)
    sort_taken(bucket_rooms<top_entry<U, POSITIONS>> from, const bucket_plan<typename element_order<U>::key_type> *plan,
               unsigned k, entry_order<U, POSITIONS> order, top_entry<U, POSITIONS> *spare,
               top_entry<U, POSITIONS> *out, sk_top_end *end)
{
    using tile = taken_tile<U, POSITIONS>;
    wait_for_launches();
    bool is_done = plan->collects && plan->is_done;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *end = {is_done, plan->collects ? plan->found : 0, plan->sampled_equal, plan->last,
                !plan->collects || plan->are_enough};
    if (!is_done)
        return;
    if constexpr (!POSITIONS) // elements that equal a frequent threshold
        for (unsigned i = plan->start[gridDim.x] + blockIdx.x * tile::THREADS + threadIdx.x; i < k;
             i += gridDim.x * tile::THREADS)
            out[i] = order.value(plan->last);
    unsigned begin = plan->start[blockIdx.x], size = plan->start[blockIdx.x + 1] - begin;
    if (size == 0 || begin >= k)
        return;
    bool is_cut = size > k - begin;
    sort_bucket<tile, 0, true>(memory_of_bucket<tile>().bucket, from.first + size_t(blockIdx.x) * from.room,
                               is_cut ? spare : out + begin, 0, size, order, 0, uneven_in_rounds<tile>());
    if (!is_cut)
        return;
    __syncthreads();
    for (unsigned i = threadIdx.x; begin + i < k; i += tile::THREADS)
        out[begin + i] = spare[i];
}

// Moves the entries of all buckets behind those that were spilled.
template <class U, bool POSITIONS>
__global__ void __launch_bounds__(TOP_THREADS)
    gather_taken(bucket_rooms<top_entry<U, POSITIONS>> from,
                 const bucket_plan<typename element_order<U>::key_type> *plan, entry_order<U, POSITIONS> order)
{
    using value = decltype(order.value(*from.first));
    wait_for_launches();
    unsigned begin = plan->start[blockIdx.x], size = plan->start[blockIdx.x + 1] - begin;
    for (unsigned i = threadIdx.x; i < size; i += TOP_THREADS)
        static_cast<value *>(from.spill)[plan->spilled + begin + i] =
            order.value(from.first[size_t(blockIdx.x) * from.room + i]);
}

#endif
