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

// Entries of 8 bytes have a tile of fewer threads than other buckets: few of these buckets are full, so there is less
// to do between barriers.
template <class E>
using entry_tile = std::conditional_t<sizeof(E) == 8, any_bucket_tile<E, 256, 18, true>, bucket_tile<E>>;
template <class U, bool POSITIONS> using taken_tile = entry_tile<top_entry<U, POSITIONS>>;
template <class U, bool POSITIONS>
constexpr int TAKEN_BLOCKS = BUCKET_BLOCKS<top_entry<U, POSITIONS>>; // per multiprocessor

// What the host is told. counted: sampled elements that were compared with the threshold if none were collected. If n
// elements were, all were compared.
template <class K> __device__ __forceinline__ sk_top_end end_of(const bucket_plan<K> &plan, size_t n, unsigned counted)
{
    bool is_known = !plan.collects || plan.are_enough;
    size_t equal = plan.collects ? plan.equal : plan.sampled_equal;
    return {plan.collects && plan.is_done,
            plan.collects ? plan.found : 0,
            plan.is_frequent ? max(equal, size_t(1)) : 0,
            plan.last,
            is_known,
            plan.collects ? n : counted};
}

// A block for each bucket. The first k elements go to `out`. spare: room for the bucket that has the k-th. *end:
// for the host.
template <class U, bool POSITIONS>
__global__ void __launch_bounds__(taken_tile<U, POSITIONS>::THREADS, TAKEN_BLOCKS<U, POSITIONS>)
    sort_taken(bucket_rooms<top_entry<U, POSITIONS>> from, const bucket_plan<typename element_order<U>::key_type> *plan,
               size_t n, unsigned counted, unsigned k, entry_order<U, POSITIONS> order, top_entry<U, POSITIONS> *spare,
               top_entry<U, POSITIONS> *out, sk_top_end *end)
{
    using tile = taken_tile<U, POSITIONS>;
    wait_for_launches();
    bool is_done = plan->collects && plan->is_done;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *end = end_of(*plan, n, counted);
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
    wait_for_launches();
    unsigned begin = plan->start[blockIdx.x], size = plan->start[blockIdx.x + 1] - begin;
    for (unsigned i = threadIdx.x; i < size; i += TOP_THREADS) {
        top_entry<U, POSITIONS> entry = from.first[size_t(blockIdx.x) * from.room + i];
        auto &place = static_cast<spilled_value<U, POSITIONS> *>(from.spill)[plan->spilled + begin + i];
        if constexpr (POSITIONS)
            place = entry;
        else
            place = order.value(entry);
    }
}

#endif
