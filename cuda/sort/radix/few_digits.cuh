// few_digits.cuh - where each key of a tile goes in the tile's stable split by a digit of few bits, by ballots.
//
// Each warp owns a contiguous part of the tile, as in radix_rank.cuh. Lane d of a warp counts digit d: ballots tell it
// which lanes have that digit. A lane's key gets its rank from the lane of its digit. So nothing is counted in shared
// memory, where lanes that count the same digit wait for one another. The counts of all warps meet there once, and
// every warp adds up what it needs.
#ifndef SK_CUDA_FEW_DIGITS_CUH
#define SK_CUDA_FEW_DIGITS_CUH

#include "common/thread.cuh"
#include "common/warp.cuh"
#include "sort/radix/radix_rank.cuh"

constexpr int FEW_DIGIT_BITS = 4;

template <int THREADS, int ITEMS> struct few_digits {
    static constexpr int WARPS = THREADS / WARP, DIGITS = 1 << FEW_DIGIT_BITS, GROUPS = WARP / DIGITS;
    static_assert(WARPS % GROUPS == 0 && THREADS * ITEMS <= 0xffff, "counts of a tile fit half a word");

    struct shared_memory {
        uint32_t count[WARPS][DIGITS];
    };

    // Sets rank[i] of the thread's first `used` items, whose digits are digit(i). Returns the share of the digit of the
    // lane, which is the same in all warps. Contains one barrier.
    template <class Digit>
    static __device__ __forceinline__ digit_share rank(shared_memory &shared, Digit digit, unsigned (&rank)[ITEMS],
                                                       int used)
    {
        unsigned lanes[ITEMS], count = 0; // lanes of each row that have the lane's digit; their number so far
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            lanes[i] = lanes_of_digit(digit(i));
            rank[i] = count;
            count += __popc(lanes[i]);
        }
        if (lane_id() < DIGITS)
            shared.count[threadIdx.x / WARP][lane_id()] = count;
        __syncthreads();
        unsigned before;
        digit_share share = add_up(shared, before);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            unsigned own = digit(i), same = __shfl_sync(FULL_WARP, lanes[i], own);
            rank[i] = __shfl_sync(FULL_WARP, rank[i] + before, own) + __popc(same & lanes_below());
        }
        return share;
    }

  private:
    static __device__ __forceinline__ unsigned lanes_of_digit(unsigned digit)
    {
        unsigned lanes = FULL_WARP;
#pragma unroll
        for (int bit = 0; bit < FEW_DIGIT_BITS; bit++) {
            unsigned others = (lane_id() >> bit & 1) - 1; // all ones if the lane's digit lacks the bit
            lanes &= __ballot_sync(FULL_WARP, digit >> bit & 1) ^ others;
        }
        return lanes;
    }

    // Each group of DIGITS lanes adds up the counts of some warps. before: the place of the warp's first key with the
    // lane's digit.
    static __device__ __forceinline__ digit_share add_up(const shared_memory &shared, unsigned &before)
    {
        unsigned group = lane_id() / DIGITS, digit = lane_id() % DIGITS, sums = 0; // of all, and of warps before
#pragma unroll
        for (int first = 0; first < WARPS; first += GROUPS) {
            unsigned count = shared.count[first + group][digit];
            sums += first + group < threadIdx.x / WARP ? count << 16 | count : count;
        }
#pragma unroll
        for (int distance = DIGITS; distance < WARP; distance *= 2)
            sums += __shfl_xor_sync(FULL_WARP, sums, distance);
        unsigned total = sums & 0xffff, inclusive = total;
#pragma unroll
        for (int distance = 1; distance < DIGITS; distance *= 2) {
            unsigned left = __shfl_up_sync(FULL_WARP, inclusive, distance, DIGITS);
            inclusive += digit >= distance ? left : 0;
        }
        before = inclusive - total + (sums >> 16);
        return {total, inclusive - total};
    }
};

#endif
