// collect.cuh - elements that match by a bound, in any order: those that top-k sorts anyway. Warps gather what they
// find in shared memory and add it to the output when they have enough, so a pass costs a read where few match.
#ifndef SK_CUDA_COLLECT_CUH
#define SK_CUDA_COLLECT_CUH

#include "common/key_vectors.cuh"
#include "common/lookback.cuh"
#include "compact/bound.cuh"

constexpr int COLLECT_THREADS = 256, COLLECT_BLOCKS = 4;
template <class U> constexpr int COLLECT_VECTORS = sizeof(U) < 4 ? sizeof(U) : 4; // at most 512 elements of a warp

// Where the elements go, or their positions, or both; NULL for what is not wanted.
struct collect_output {
    void *elements;
    uint64_t *positions;
    uint64_t first;            // the position of the first element
    size_t room;               // elements; more are counted alone
    unsigned long long *count; // in the device's memory; 0 before the launch
};

// Tells which elements a thread takes. EQUALS: those that equal `last` are counted instead.
template <class U, bool EQUALS> struct element_filter {
    match_bound<U> match;
    U last;
    unsigned equal = 0;

    __device__ __forceinline__ bool takes(U element, bool is_there)
    {
        bool passes = match.matches(element) && is_there;
        if constexpr (EQUALS) {
            equal += element == last && is_there;
            passes = passes && element != last;
        }
        return passes;
    }

    // By all lanes, in the end.
    __device__ __forceinline__ void add_equals(unsigned long long *all) const
    {
        if constexpr (EQUALS) {
            unsigned sum = warp_sum(equal);
            if (lane_id() == 0 && sum > 0)
                atomicAdd(all, static_cast<unsigned long long>(sum));
        }
    }
};

// What a warp has found. A position is kept as a place among the elements that the warp has looked at.
template <class U, bool POSITIONS, bool EQUALS = false> class collector
{
  public:
    static constexpr int VECTORS = COLLECT_VECTORS<U>, EACH = 16 / sizeof(U), STEP = VECTORS * EACH * WARP;
    static constexpr int ROOM = 2 * STEP;
    using entry = std::conditional_t<POSITIONS, uint32_t, U>;

    __device__ __forceinline__ collector(const collect_output &to, const match_bound<U> &match,
                                         const key_vectors<U> &from, entry *room, U last)
        : to(to), from(from), filter{match, last}, held(room), count(0), steps(0)
    {
    }

    // By all lanes: the vectors of a step, the first `valid` of each lane's.
    __device__ __forceinline__ void look(const uint4 (&found)[VECTORS], int valid)
    {
        unsigned bits = 0;
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                bits |= unsigned(filter.takes(item(found[v], i), v < valid)) << (v * EACH + i);
        if (__any_sync(FULL_WARP, bits != 0))
            keep(found, bits);
        steps++;
    }

    // One element, by each lane.
    __device__ __forceinline__ void look_at(U element, size_t at)
    {
        if (filter.takes(element, true))
            put(atomicAdd(to.count, 1ull), element, at);
    }

    __device__ __forceinline__ void add_equals(unsigned long long *all) const
    {
        filter.add_equals(all);
    }

    __device__ __forceinline__ void flush()
    {
        unsigned long long before = 0;
        if (lane_id() == 0)
            before = atomicAdd(to.count, static_cast<unsigned long long>(count));
        before = __shfl_sync(FULL_WARP, before, 0);
        __syncwarp(); // all lanes have kept theirs
        for (unsigned k = lane_id(); k < count; k += WARP) {
            if constexpr (POSITIONS)
                put_again(before + k, place_of(held[k]));
            else
                put(before + k, held[k], 0);
        }
        __syncwarp();
        count = 0;
    }

  private:
    static __device__ __forceinline__ U item(const uint4 &vector, int i)
    {
        return reinterpret_cast<const U *>(&vector)[i];
    }

    __device__ __forceinline__ void keep(const uint4 (&found)[VECTORS], unsigned bits)
    {
        unsigned own = __popc(bits), inclusive = warp_scan_fields(own), at = count + inclusive - own;
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                if (bits >> (v * EACH + i) & 1) {
                    if constexpr (POSITIONS)
                        held[at++] = steps * STEP + (v * WARP + lane_id()) * EACH + i;
                    else
                        held[at++] = item(found[v], i);
                }
        count += __shfl_sync(FULL_WARP, inclusive, WARP - 1);
        if (count > ROOM - STEP)
            flush();
    }

    // Of what is kept: step, vector, lane and element of the vector (key_vectors::stream).
    __device__ __forceinline__ size_t place_of(uint32_t place) const
    {
        unsigned within = place % STEP, v = within / EACH / WARP, lane = within / EACH % WARP;
        size_t step = blockIdx.x + size_t(place / STEP) * gridDim.x;
        size_t vector = (step * VECTORS + v) * COLLECT_THREADS + threadIdx.x / WARP * WARP + lane;
        return from.head + vector * EACH + within % EACH;
    }

    __device__ __forceinline__ void put(size_t place, U element, size_t at) const
    {
        if (place >= to.room)
            return;
        if constexpr (POSITIONS)
            to.positions[place] = to.first + at;
        if (!POSITIONS || to.elements != nullptr)
            static_cast<U *>(to.elements)[place] = element;
    }

    // An element that was not kept.
    __device__ __forceinline__ void put_again(size_t place, size_t at) const
    {
        put(place, to.elements != nullptr ? from.keys[at] : U(), at);
    }

    const collect_output &to;
    const key_vectors<U> &from;
    element_filter<U, EQUALS> filter;
    entry *held;
    unsigned count, steps;
};

// What the warps of a block hold, in shared memory.
template <class U, bool POSITIONS>
using collect_room = typename collector<U, POSITIONS>::entry[COLLECT_THREADS / WARP][collector<U, POSITIONS>::ROOM];

// By all threads of collect_blocks() blocks. EQUALS: adds the number of elements that equal `last` to *all_equal.
template <bool EQUALS = false, class U, bool POSITIONS>
__device__ __forceinline__ void collect_matching(const U *in, size_t n, const match_bound<U> &match,
                                                 const collect_output &to, collect_room<U, POSITIONS> &room, U last = 0,
                                                 unsigned long long *all_equal = nullptr)
{
    using own = collector<U, POSITIONS, EQUALS>;
    const key_vectors<U> vectors(in, n);
    own found(to, match, vectors, room[threadIdx.x / WARP], last);
    vectors.template stream<COLLECT_THREADS, own::VECTORS>(
        [&](const uint4(&step)[own::VECTORS], int valid) { found.look(step, valid); },
        [&](size_t at, bool is_there) {
            if (is_there)
                found.look_at(in[at], at);
        });
    found.flush();
    found.add_equals(all_equal);
}

// Adds the number of elements that equal one to *all, until it is `enough` or more.
template <class U>
__device__ __forceinline__ void count_until(const key_vectors<U> &vectors, U element, unsigned long long enough,
                                            unsigned long long *all)
{
    constexpr int VECTORS = COLLECT_VECTORS<U>;
    __shared__ unsigned of_block;
    __shared__ bool goes_on;
    unsigned own = 0;
    auto count = [&](U key) { own += key == element; };
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    auto add = [&] {
        unsigned sum = warp_sum(own);
        if (lane_id() == 0)
            atomicAdd(&of_block, sum);
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned long long added = of_block;
            of_block = 0;
            goes_on = atomicAdd(all, added) + added < enough;
        }
        __syncthreads();
        own = 0;
        return goes_on;
    };
    if (blockIdx.x == 0)
        vectors.for_ends(count);
    vectors.template for_steps<COLLECT_THREADS, VECTORS>([&](const uint4(&found)[VECTORS], int valid) {
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            if (v < valid)
                key_vectors<U>::for_each(found[v], count);
        return add();
    });
    if (blockIdx.x == 0)
        add();
}

template <class U> unsigned collect_blocks(int processors, size_t n, int each = COLLECT_BLOCKS)
{
    constexpr size_t EACH = size_t(COLLECT_THREADS) * COLLECT_VECTORS<U> * (16 / sizeof(U));
    size_t tiles = (n - 1) / EACH + 1, blocks = size_t(processors) * each;
    return unsigned(blocks < tiles ? blocks : tiles);
}

#endif
