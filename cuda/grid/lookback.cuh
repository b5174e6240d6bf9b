// lookback.cuh - decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back,
// 2016): how the tiles of one launch learn what stands before them without waiting for a second launch.
//
// A tile takes its number from an atomic ticket, so that all lower tiles have begun; it publishes its aggregate before
// it waits, and waits only on lower tickets: that is free of deadlock on every GPU. Its descriptor is a word that is
// written and read at once, or for values of 8 bytes two such words with a status each, so no fence is needed. The host
// clears tickets and descriptors before the launch.
#ifndef SK_CUDA_LOOKBACK_CUH
#define SK_CUDA_LOOKBACK_CUH

#include "warp.cuh"

enum lookback_status : uint32_t { NOTHING = 0, AGGREGATE = 1, PREFIX = 2 };

// Tickets have a line of their own before the descriptors.
constexpr size_t TICKET_BYTES = 256;

// The block's tile: every thread gets the same answer.
__device__ __forceinline__ unsigned take_ticket(unsigned *ticket)
{
    __shared__ unsigned shared;
    if (threadIdx.x == 0)
        shared = atomicAdd(ticket, 1);
    __syncthreads();
    return shared;
}

// ---- descriptors: a value with its status ----

template <class T> struct described {
    T value;
    uint32_t status;
};

// Values of up to 4 bytes share a word of 8 with their status; those of 8 bytes are two such words.
template <class T, bool WIDE = (sizeof(T) > 4)> struct descriptor;

template <class T> struct descriptor<T, false> {
    unsigned long long word;

    static __device__ __forceinline__ void publish(descriptor *at, T value, lookback_status status)
    {
        uint32_t bits = 0;
        memcpy(&bits, &value, sizeof value);
        unsigned long long word = (unsigned long long)status << 32 | bits;
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
    }

    static __device__ __forceinline__ described<T> look(const descriptor *at)
    {
        unsigned long long word;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
        uint32_t bits = uint32_t(word);
        described<T> found;
        memcpy(&found.value, &bits, sizeof found.value);
        found.status = uint32_t(word >> 32);
        return found;
    }
};

template <class T> struct alignas(16) descriptor<T, true> {
    unsigned long long word[2]; // a half of the value each, with the status: what does not agree is not there yet

    static __device__ __forceinline__ void publish(descriptor *at, T value, lookback_status status)
    {
        uint32_t half[2];
        memcpy(half, &value, sizeof half);
        unsigned long long mark = (unsigned long long)status << 32;
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(mark | half[0]), "l"(mark | half[1])
                     : "memory");
    }

    static __device__ __forceinline__ described<T> look(const descriptor *at)
    {
        unsigned long long low, high;
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(at) : "memory");
        uint32_t half[2] = {uint32_t(low), uint32_t(high)};
        described<T> found;
        memcpy(&found.value, half, sizeof half);
        found.status = low >> 32 == high >> 32 ? uint32_t(low >> 32) : uint32_t(NOTHING);
        return found;
    }
};

// ---- counts of elements, past 2^32: a word of 8, the status in its two highest bits ----

struct tile_count {
    unsigned long long value;
};

struct op_count {
    using type = tile_count;
    static __device__ __forceinline__ tile_count identity()
    {
        return {0};
    }
    static __device__ __forceinline__ tile_count combine(tile_count a, tile_count b)
    {
        return {a.value + b.value};
    }
};

__device__ __forceinline__ tile_count warp_down(tile_count count, int distance)
{
    return {__shfl_down_sync(FULL_WARP, count.value, distance)};
}

__device__ __forceinline__ tile_count warp_from(tile_count count, int lane)
{
    return {__shfl_sync(FULL_WARP, count.value, lane)};
}

// Compaction in place writes where earlier tiles have read: their reads are ordered before what they publish, and that
// before the writes of whoever sees it, by release and acquire.
template <> struct descriptor<tile_count, true> {
    unsigned long long word;

    static __device__ __forceinline__ void publish(descriptor *at, tile_count count, lookback_status status)
    {
        unsigned long long word = (unsigned long long)status << 62 | count.value;
        asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
    }

    static __device__ __forceinline__ described<tile_count> look(const descriptor *at)
    {
        unsigned long long word;
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
        return {{word & ((1ull << 62) - 1)}, uint32_t(word >> 62)};
    }
};

// ---- one value a tile: a warp looks back ----

// Called by one whole warp of the tile's block; every lane gets what stands before the tile. `initial` stands before
// tile 0.
template <class Op>
__device__ __forceinline__ typename Op::type look_back(descriptor<typename Op::type> *descriptors, unsigned tile,
                                                       typename Op::type aggregate, typename Op::type initial)
{
    using T = typename Op::type;
    if (tile > 0 && lane_id() == 0)
        descriptor<T>::publish(descriptors + tile, aggregate, AGGREGATE);

    T before = Op::identity();
    bool reached = tile == 0;
    // A window of 32 predecessors, lane 0 at the nearest.
    for (long long nearest = (long long)tile - 1; !reached; nearest -= WARP) {
        long long at = nearest - lane_id();
        described<T> found = {Op::identity(), PREFIX};
        do {
            if (at >= 0)
                found = descriptor<T>::look(descriptors + at);
        } while (__any_sync(FULL_WARP, found.status == NOTHING));
        unsigned prefixes = __ballot_sync(FULL_WARP, found.status == PREFIX);
        reached = prefixes != 0;
        // Lanes beyond the nearest prefix are in it already. Higher lanes stand to the left.
        if (reached && lane_id() > __ffs(prefixes) - 1u)
            found.value = Op::identity();
        T window = found.value;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            T left = warp_down(window, distance);
            if (lane_id() + distance < WARP)
                window = Op::combine(left, window);
        }
        before = Op::combine(warp_from(window, 0), before);
    }
    if (tile == 0)
        before = initial;
    if (lane_id() == 0)
        descriptor<T>::publish(descriptors + tile, Op::combine(before, aggregate), PREFIX);
    return before;
}

// The same, but each tile waits for its predecessor's prefix alone: slower, and the order of operations depends on
// nothing but the tiles.
template <class Op>
__device__ __forceinline__ typename Op::type look_at_predecessor(descriptor<typename Op::type> *descriptors,
                                                                 unsigned tile, typename Op::type aggregate,
                                                                 typename Op::type initial)
{
    using T = typename Op::type;
    described<T> found = {initial, PREFIX};
    while (tile > 0 && (found = descriptor<T>::look(descriptors + tile - 1)).status != PREFIX)
        continue;
    if (lane_id() == 0)
        descriptor<T>::publish(descriptors + tile, Op::combine(found.value, aggregate), PREFIX);
    return found.value;
}

// ---- a count for each digit: a thread looks back in its column ----

// Counts of one launch stay below 2^30, so that count and status share a word of 4 bytes.
constexpr uint32_t COUNT_LIMIT = 1u << 30;

__device__ __forceinline__ void publish_count(uint32_t *at, uint32_t count, lookback_status status)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(count | uint32_t(status) << 30) : "memory");
}

// The tile's row of `columns` words; called with the same tile by the threads of all columns. The count of this column
// before the tile. Some predecessors are asked at once, since each answer takes its time.
__device__ __forceinline__ uint32_t look_back_column(uint32_t *rows, unsigned columns, unsigned column, unsigned tile,
                                                     uint32_t count)
{
    constexpr int WINDOW = 4;
    uint32_t before = 0;
    bool reached = tile == 0;
    for (long long nearest = (long long)tile - 1; !reached;) {
        uint32_t word[WINDOW];
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            const uint32_t *at = rows + (nearest - i) * columns + column;
            word[i] = uint32_t(PREFIX) << 30;
            if (nearest >= i)
                asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word[i]) : "l"(at) : "memory");
        }
        bool here = true; // all up to this one are there
#pragma unroll
        for (int i = 0; i < WINDOW; i++) {
            here = here && !reached && word[i] >> 30 != NOTHING;
            before += here ? word[i] & (COUNT_LIMIT - 1) : 0;
            nearest -= here;
            reached = reached || (here && word[i] >> 30 == PREFIX);
        }
    }
    publish_count(rows + (size_t)tile * columns + column, before + count, PREFIX);
    return before;
}

#endif
