// radix_rank.cuh - where each key of a tile goes in the tile's stable split by a digit.
//
// Each warp owns a contiguous part of the tile. Item i of its lanes is 32 neighbours, so (warp, item, lane) is the
// order of the tile. A warp counts its digits in a row of shared memory, and learns from that how many keys of the same
// digit stand before each key. Then a thread per digit scans the warps' rows, and the block scans the digits.
#ifndef SK_CUDA_RADIX_RANK_CUH
#define SK_CUDA_RADIX_RANK_CUH

#include <type_traits>

#include "common/block_sum.cuh"
#include "common/thread.cuh"
#include "common/warp.cuh"

// How a warp counts the keys of the same digit before each lane.
enum class rank_by {
    BALLOTS, // on every GPU
    ATOMICS, // where the lanes of one atomic instruction take their turns in order, which lane_order.cuh tries
};

// A digit's keys in a tile: their count, and the place of the first.
struct digit_share {
    uint32_t count, begin;
};

template <int THREADS, int ITEMS> struct radix_rank {
    static constexpr int WARPS = THREADS / WARP;
    static constexpr int TILE = THREADS * ITEMS;
    static_assert(THREADS >= RADIX && WARPS % 2 == 0, "a thread a digit, warps two and two");
    static_assert(TILE <= 0xffff, "counts of a tile fit half a word");

    // A digit's place in a row. Digits with the last bits in common, as floats of small integers have, would be in few
    // banks without the padding.
    static constexpr int SLOTS = RADIX + RADIX / WARP;
    static __device__ __forceinline__ unsigned slot_of(unsigned digit)
    {
        return digit + digit / WARP;
    }

    struct shared_memory {
        uint32_t count[WARPS][SLOTS]; // of a digit in a warp; then the place in the tile of the warp's first
        block_sum<sk_u32, RADIX> sums;
    };

    // Threads have ITEMS items, or `used` of them, an int: a small tile is divided among all warps.
    struct all_items {
        __host__ __device__ constexpr operator int() const
        {
            return ITEMS;
        }
    };

    // The place in the tile of this thread's item i, before the split.
    static __device__ __forceinline__ int place(int i, int used = ITEMS)
    {
        return threadIdx.x / WARP * (WARP * used) + i * WARP + lane_id();
    }

    // Sets rank[i] of this thread's items, whose digits are digit(i). Threads below RADIX get the share of their digit;
    // counted(count) is called for each as soon as its count is known. Ends with a barrier.
    template <class Digit, class Counted, class Used = all_items>
    static __device__ __forceinline__ digit_share rank(shared_memory &shared, rank_by way, Digit digit,
                                                       unsigned (&rank)[ITEMS], Counted counted, Used used = {})
    {
        // Count: each warp its row.
        uint32_t *own = shared.count[threadIdx.x / WARP];
#pragma unroll
        for (int d = 0; d < RADIX; d += WARP)
            own[slot_of(d + lane_id())] = 0;
        __syncwarp();
        if (way == rank_by::ATOMICS)
            count_by_atomics(own, digit, rank, used);
        else
            count_by_ballots(own, digit, rank, used);
        __syncthreads();

        // Scan: the rows of each digit, then the digits.
        digit_share share = scan_rows(shared, counted);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i < used)
                rank[i] += own[slot_of(digit(i))];
        return share;
    }

  private:
    // A thread per digit. Counts of warps become the places of their first keys.
    template <class Counted>
    static __device__ __forceinline__ digit_share scan_rows(shared_memory &shared, Counted counted)
    {
        digit_share share = {};
        uint32_t before[WARPS / 2]; // two in a word
        unsigned mine = slot_of(threadIdx.x);
        if (threadIdx.x < RADIX) {
#pragma unroll
            for (int w = 0; w < WARPS; w++) {
                before[w / 2] = w % 2 == 0 ? share.count : before[w / 2] | share.count << 16;
                share.count += shared.count[w][mine];
            }
            counted(share.count);
            uint32_t inclusive = shared.sums.warp_inclusive(share.count);
            share.begin = inclusive - share.count;
            shared.sums.publish(inclusive);
        }
        __syncthreads();
        if (threadIdx.x < RADIX) {
            share.begin = shared.sums.before(share.begin);
#pragma unroll
            for (int w = 0; w < WARPS; w++)
                shared.count[w][mine] = share.begin + (before[w / 2] >> w % 2 * 16 & 0xffff);
        }
        __syncthreads();
        return share;
    }

    // The lanes of an item with the same digit find each other. Their place is the count so far plus such lanes below.
    template <class Digit, class Used>
    static __device__ __forceinline__ void count_by_ballots(uint32_t *count, Digit digit, unsigned (&rank)[ITEMS],
                                                            Used used)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            unsigned same = warp_match<RADIX_BITS>(digit(i));
            unsigned below = __popc(same & lanes_below());
            unsigned before = count[slot_of(digit(i))];
            __syncwarp();
            if (below == 0)
                count[slot_of(digit(i))] = before + __popc(same);
            __syncwarp();
            rank[i] = before + below;
        }
    }

    // Lanes that count the same digit wait for one another. So if a sample shows that lanes are much like their
    // neighbours, the first lane of each run counts for the run.
    template <class Digit, class Used>
    static __device__ __forceinline__ void count_by_atomics(uint32_t *count, Digit digit, unsigned (&rank)[ITEMS],
                                                            Used used)
    {
        unsigned first = warp_from(digit(0), 0), others = 0, heads = 0;
        int samples = SAMPLES;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i < used)
                others |= digit(i) ^ first;
        if (!__any_sync(FULL_WARP, others != 0)) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                rank[i] = i * WARP + lane_id();
            if (lane_id() == 0)
                count[slot_of(first)] = used * WARP;
            return;
        }
        if constexpr (std::is_same_v<Used, all_items>) {
#pragma unroll
            for (int k = 0; k < SAMPLES; k++)
                heads += __popc(heads_of_runs(digit(k * ITEMS / SAMPLES)));
        } else {
            samples = 1;
            heads = __popc(heads_of_runs(digit(0)));
        }
        if (heads < unsigned(samples * FEW_HEADS)) {
            count_runs(count, digit, rank, used);
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (i < used)
                    rank[i] = atomicAdd(&count[slot_of(digit(i))], 1);
        }
    }

    // Items in the sample, and mean heads of runs per item below which runs are counted.
    static constexpr int SAMPLES = 4, FEW_HEADS = 29;

    // The lanes whose digit differs from the lane's before.
    static __device__ __forceinline__ unsigned heads_of_runs(unsigned digit)
    {
        return __ballot_sync(FULL_WARP, digit != warp_up(digit, 1)) | 1;
    }

    // The head of a run adds the run's length. All atomics are issued before any answer is passed on to the run: lanes
    // would wait for shared memory once per item otherwise.
    template <class Digit, class Used>
    static __device__ __forceinline__ void count_runs(uint32_t *count, Digit digit, unsigned (&rank)[ITEMS], Used used)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (i < used)
                rank[i] = heads_of_runs(digit(i));
        unsigned below = lanes_below();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            unsigned heads = rank[i], above = __funnelshift_rc(heads, FULL_WARP, lane_id() + 1);
            bool is_head = heads >> lane_id() & 1;
            int found = 31 - __clz(is_head ? above & -above : heads & below); // the last of its run, or its head
            rank[i] = is_head ? atomicAdd(&count[slot_of(digit(i))], found + 1) : found - lane_id();
            __syncwarp(); // items in order
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (i >= used)
                break;
            int back = min(int(rank[i]), 0); // to the head
            rank[i] = warp_from(rank[i], lane_id() + back) - back;
        }
    }
};

#endif
