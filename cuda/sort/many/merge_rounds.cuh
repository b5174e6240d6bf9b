// merge_rounds.cuh - merges the sorted parts of a tile on chip by a block, two parts at a time, in log2 rounds. A
// thread takes ITEMS outputs of a pair, where the merge path cuts it.
//
// The second part of each pair lies in reverse. What is left of a pair is then always one stretch of shared memory, and
// its least element is at one of its ends, also when one part is used up: so the inner loop tests no bounds. Each round
// writes its results the way the next one wants them.
#ifndef SK_CUDA_MERGE_ROUNDS_CUH
#define SK_CUDA_MERGE_ROUNDS_CUH

#include "common/warp.cuh"
#include "device/tuning.cuh"
#include "sort/merge/merge_path.cuh"

// The parts of a tile, one after the other: part r is [begin[r], begin[r + 1]).
struct tile_runs {
    int begin[MANY_RUNS + 1];
    int count; // of parts
};

// Elements are in the order of <. PLACED: each has a place in the tile beside it, and of equal ones the earlier part's
// comes first.
template <class E, bool PLACED, int THREAD_COUNT, int ITEM_COUNT> struct merge_rounds {
    static constexpr int THREADS = THREAD_COUNT, ITEMS = ITEM_COUNT;
    static_assert(ITEMS % 2 == 1, "an odd number of items avoids bank conflicts");
    // Each pair may leave outputs of one thread unused.
    static constexpr int SIZE = (THREADS - MANY_RUNS / 2) * ITEMS;
    static constexpr int ROUNDS = 5;
    static_assert(MANY_RUNS == 1 << ROUNDS);

    struct shared_memory {
        // What lies before and after the elements may be read, but is not used.
        E slot[ITEMS + SIZE + ITEMS];
        uint16_t place_slot[PLACED ? ITEMS + SIZE + ITEMS : 1];
        uint16_t first_thread[ROUNDS][MANY_RUNS / 2 + 1]; // of each round's pairs
        __device__ __forceinline__ E *elements()
        {
            return slot + ITEMS;
        }
        __device__ __forceinline__ uint16_t *places()
        {
            return place_slot + ITEMS;
        }
    };

    // Part `part` of round `round` begins here.
    static __device__ __forceinline__ int begin_of(const tile_runs &runs, int part, int round)
    {
        return runs.begin[min(part << round, runs.count)];
    }

    // One warp assigns the threads of all rounds to pairs.
    static __device__ __forceinline__ void plan(shared_memory &shared, const tile_runs &runs)
    {
        int pair = int(lane_id());
        for (int round = 0; round < ROUNDS; round++) {
            int size = begin_of(runs, 2 * pair + 2, round) - begin_of(runs, 2 * pair, round);
            int threads = (size + ITEMS - 1) / ITEMS, before = threads;
#pragma unroll
            for (int distance = 1; distance < WARP; distance *= 2) {
                int left = __shfl_up_sync(FULL_WARP, before, distance);
                before += pair >= distance ? left : 0;
            }
            if (pair <= MANY_RUNS / 2)
                shared.first_thread[round][pair] = uint16_t(before - threads);
        }
    }

    // A thread's outputs of a round: of a pair's first part, [begin, middle), and its second, [middle, end) in reverse.
    struct work {
        int begin, middle, end, diagonal, count;
        bool falls; // the pair's output lies in reverse
    };

    static __device__ __forceinline__ work find_work(const shared_memory &shared, const tile_runs &runs, int round)
    {
        const uint16_t *first = shared.first_thread[round];
        int low = 0, high = MANY_RUNS / 2, thread = int(threadIdx.x);
        while (low < high) { // the last pair that begins at the thread or before
            int middle = (low + high + 1) / 2;
            if (first[middle] <= thread)
                low = middle;
            else
                high = middle - 1;
        }
        work mine;
        mine.begin = begin_of(runs, 2 * low, round);
        mine.middle = begin_of(runs, 2 * low + 1, round);
        mine.end = begin_of(runs, 2 * low + 2, round);
        mine.diagonal = (thread - first[low]) * ITEMS;
        mine.count = max(0, min(ITEMS, mine.end - mine.begin - mine.diagonal));
        mine.falls = low % 2 == 1;
        return mine;
    }

    static __device__ __forceinline__ void merge_work(const E *key, const uint16_t *place, const work &mine,
                                                      E (&element)[ITEMS], uint16_t (&places)[PLACED ? ITEMS : 1])
    {
        int of_a = merge_path(mine.diagonal, mine.middle - mine.begin, mine.end - mine.middle,
                              [&](int i, int j) { return key[mine.end - 1 - j] < key[mine.begin + i]; });
        int up = mine.begin + of_a, down = mine.end - 1 - (mine.diagonal - of_a);
        E a = key[up], b = key[down];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            bool take_b = b < a || (PLACED && up >= mine.middle);
            element[i] = take_b ? b : a;
            if constexpr (PLACED)
                places[i] = place[take_b ? down : up];
            down -= take_b;
            up += !take_b;
            E next = key[take_b ? down : up];
            a = take_b ? a : next;
            b = take_b ? next : b;
        }
    }

    // Merges all parts. Odd parts lie in reverse before, and nothing afterwards. The plan is made.
    static __device__ __forceinline__ void merge(shared_memory &shared, const tile_runs &runs)
    {
        E *key = shared.elements(), element[ITEMS];
        uint16_t *place = shared.places(), places[PLACED ? ITEMS : 1];
#pragma unroll 1
        for (int round = 0; 1 << round < runs.count; round++) {
            work mine = find_work(shared, runs, round);
            if (mine.count > 0)
                merge_work(key, place, mine, element, places);
            __syncthreads();
            int to = mine.falls ? mine.end - 1 - mine.diagonal : mine.begin + mine.diagonal;
            int step = mine.falls ? -1 : 1;
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                if (i < mine.count) {
                    key[to + i * step] = element[i];
                    if constexpr (PLACED)
                        place[to + i * step] = places[i];
                }
            }
            __syncthreads();
        }
    }

    // Where element `at` of part r lies before the first round.
    static __device__ __forceinline__ int first_slot(const tile_runs &runs, int r, int at)
    {
        return r % 2 == 1 ? runs.begin[r] + runs.begin[r + 1] - 1 - at : at;
    }
};

#endif
