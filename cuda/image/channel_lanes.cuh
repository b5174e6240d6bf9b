// channel_lanes.cuh - interleaved channels on the lanes of a warp: a lane always has the same channel.
//
// A warp uses the largest multiple of the channels that fits: 30 lanes for three channels, else all.
#ifndef SK_CUDA_CHANNEL_LANES_CUH
#define SK_CUDA_CHANNEL_LANES_CUH

#include "common/warp.cuh"

constexpr int CHANNELS_MOST = 4;

struct channel_lanes {
    unsigned channels, lanes;

    __host__ __device__ explicit channel_lanes(unsigned of) : channels(of), lanes(WARP - WARP % of)
    {
    }

    // Elements that `threads` threads take at a time.
    __host__ __device__ unsigned chunk(unsigned threads) const
    {
        return threads / WARP * lanes;
    }

    __device__ __forceinline__ unsigned column() const
    {
        return threadIdx.x / WARP * lanes + lane_id();
    }

    __device__ __forceinline__ unsigned channel() const
    {
        return lane_id() % channels;
    }

    __device__ __forceinline__ bool is_used() const
    {
        return lane_id() < lanes;
    }

    // True in the lanes of the warp's last pixel.
    __device__ __forceinline__ bool is_last() const
    {
        return is_used() && lane_id() + channels >= lanes;
    }

    // Inclusive prefix sums over the warp's pixels, of N values of each lane.
    template <int N, class T> __device__ __forceinline__ void scan(T (&value)[N]) const
    {
        for (unsigned distance = channels; distance < WARP; distance *= 2) {
            bool adds = lane_id() >= distance;
#pragma unroll
            for (int i = 0; i < N; i++) {
                T left = __shfl_up_sync(FULL_WARP, value[i], distance);
                value[i] = adds ? left + value[i] : value[i];
            }
        }
    }
};

#endif
