// run_heads.cuh - the heads of runs in a warp's part of a tile, from keys or flags. The part is in shared memory. It is
// read in rows of 32 elements, so neighbouring lanes read neighbours at any alignment. Then each lane gets the bits of
// ITEMS adjacent elements.
#ifndef SK_CUDA_RUN_HEADS_CUH
#define SK_CUDA_RUN_HEADS_CUH

#include <cuda_pipeline.h>

#include "common/op.cuh"
#include "common/warp.cuh"

// Starts a copy of one element to shared memory. It is complete after the thread's wait_for_sent().
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
    static constexpr int BATCH = 8; // rows that are read together
    unsigned bits;                  // of this lane's elements: heads
    unsigned rank;                  // heads of the part before the lane's elements
    unsigned count;                 // heads of the part

    // Heads are the keys (of `valid` ones) that differ from the key before; `left` is the key before the first one,
    // unless it is the array's `first`, which is a head. Or keys are flags, and set ones are heads. The keys of the
    // heads are moved to the begin of `keys`.
    template <class K> __device__ __forceinline__ void find(K *keys, unsigned valid, bool first, K left, bool flags)
    {
        unsigned row_bits = 0; // lane r: of row r
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
                    left = around; // in lane 0: the row's last key
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

    // From a row per lane to ITEMS adjacent elements per lane.
    __device__ __forceinline__ void regroup(unsigned row_bits)
    {
        unsigned first = lane_id() * ITEMS, low = warp_from(row_bits, first / WARP);
        unsigned high = warp_from(row_bits, first / WARP + 1);
        bits = __funnelshift_r(low, high, first % WARP) & ((1u << ITEMS) - 1);
        rank = warp_scan<op_sum<sk_u32>>(__popc(bits)) - __popc(bits);
    }
};

#endif
