// run_heads.cuh - where runs begin in a warp's part of a tile, told by keys or by flags. The part is read in rows of 32
// elements, so that neighbouring lanes read neighbours at any alignment, and lies in shared memory; then a lane answers
// for ITEMS elements that stand together.
#ifndef SK_CUDA_GRID_RUN_HEADS_CUH
#define SK_CUDA_GRID_RUN_HEADS_CUH

#include <cuda_pipeline.h>

#include "common/op.cuh"
#include "common/warp.cuh"

// One element on its way to shared memory: there when its thread has waited for what it sent.
template <class T> __device__ __forceinline__ void send(T *shared, const T *global)
{
    if constexpr (sizeof(T) >= 4)
        __pipeline_memcpy_async(shared, global, sizeof(T));
    else
        *shared = *global;
}

__device__ __forceinline__ void wait_for_sent()
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
}

template <int ITEMS> struct run_heads {
    static_assert(ITEMS < WARP, "a lane keeps a row's bits");
    static constexpr int BATCH = 8; // rows whose keys are read together
    unsigned bits;                  // of this lane's elements: which begin a run
    unsigned rank;                  // heads in front of the lane's, in the part
    unsigned count;                 // in the part

    // Of `valid` keys those that differ from the one before; `first`: so does the first of all, else `left` is in front
    // of it. Or of flags, those that are set. The keys of the heads are put together in their place.
    template <class K> __device__ __forceinline__ void find(K *keys, unsigned valid, bool first, K left, bool flags)
    {
        unsigned row_bits = 0; // of the row whose number the lane's is
        count = 0;
#pragma unroll
        for (int begin = 0; begin < ITEMS; begin += BATCH) {
            K key[BATCH];
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                if (begin + i < ITEMS)
                    key[i] = keys[(begin + i) * WARP + lane_id()];
            __syncwarp();
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                if (begin + i < ITEMS) {
                    K around = warp_from(key[i], int(lane_id() + WARP - 1) % WARP);
                    bool head = key[i] != (lane_id() == 0 ? left : around);
                    left = around; // what lane 0 has is of the row's last
                    head = flags ? key[i] != 0 : head || (first && begin + i == 0 && lane_id() == 0);
                    take_row(begin + i, head && (begin + i) * WARP + lane_id() < valid, key[i], keys, row_bits);
                }
        }
        regroup(row_bits);
    }

  private:
    template <class K> __device__ __forceinline__ void take_row(int row, bool head, K key, K *keys, unsigned &row_bits)
    {
        unsigned votes = __ballot_sync(FULL_WARP, head);
        if (head)
            keys[count + __popc(votes & lanes_below())] = key;
        row_bits = lane_id() == row ? votes : row_bits;
        count += __popc(votes);
    }

    // From rows to lanes.
    __device__ __forceinline__ void regroup(unsigned row_bits)
    {
        unsigned first = lane_id() * ITEMS, low = warp_from(row_bits, first / WARP);
        unsigned high = warp_from(row_bits, first / WARP + 1);
        bits = __funnelshift_r(low, high, first % WARP) & ((1u << ITEMS) - 1);
        rank = warp_scan<op_sum<sk_u32>>(__popc(bits)) - __popc(bits);
    }
};

#endif
