// part_bins.cuh - the kernel that finds the bins of keys, and puts each tile's bins in the order of their parts.
#ifndef SK_CUDA_PART_BINS_CUH
#define SK_CUDA_PART_BINS_CUH

#include "common/aggregate.cuh"
#include "common/block_sum.cuh"
#include "histogram/bin_parts.cuh"
#include "histogram/count_bins.cuh"

template <class T> struct part_room {
    uint4 counters[GROUPS]; // of each group; first, so that a place gives a counter's address by a shift
    uint4 numbers[TILE_NUMBERS<T>];
    unsigned end[GROUPS];     // of each group's vectors
    unsigned vectors[GROUPS]; // of each part, in all tiles of this block
    struct : warp_totals<plain_sum<unsigned>, PART_THREADS> {
        // The totals of the warps before this thread's.
        __device__ __forceinline__ unsigned before() const
        {
            return warp_sum(lane_id() < threadIdx.x / WARP ? this->of_warp[lane_id()] : 0);
        }
    } totals;

    // Where the pieces of the parts are, by a thread for each part.
    __device__ __forceinline__ void note_pieces(const bin_parts &parts, uint32_t tile)
    {
        if (threadIdx.x >= parts.count)
            return;
        const unsigned first = threadIdx.x << parts.log_groups, before = first > 0 ? end[first - 1] : 0;
        const unsigned length = end[((threadIdx.x + 1) << parts.log_groups) - 1] - before;
        parts.pieces[size_t(threadIdx.x) * parts.tiles + tile] = before | length << 16;
        vectors[threadIdx.x] += length;
    }

    // to: for the calling thread's first vector.
    __device__ __forceinline__ void store(uint4 *to) const
    {
        const unsigned all = end[GROUPS - 1];
#pragma unroll
        for (unsigned i = 0; i < TILE_NUMBERS<T>; i += PART_THREADS)
            if (threadIdx.x + i < all)
                to[i] = numbers[threadIdx.x + i];
    }
};

// Counts the keys outside the tiles.
template <class T>
__device__ __forceinline__ void count_rest(const key_vectors<T> &keys, size_t in_tiles, const sk_bins &bins,
                                           uint64_t *counts)
{
    const size_t rest = keys.n - in_tiles, step = size_t(gridDim.x) * PART_THREADS;
    for (size_t begin = size_t(blockIdx.x) * PART_THREADS; begin < rest; begin += step) {
        const size_t i = begin + threadIdx.x;
        const uint32_t bin = i < rest ? bin_of(keys.keys[i < keys.head ? i : in_tiles + i], bins) : bins.count;
        add_alike(bin, bin < bins.count, [&](uint32_t one, unsigned lanes) { add_to_device(counts, one, lanes); });
    }
}

// The places of a thread's keys, from its first vector on.
template <class T>
__device__ __forceinline__ void find_places(const uint4 *from, const sk_bins &bins, const bin_parts &parts,
                                            uint32_t (&place)[PART_KEYS<T>])
{
    constexpr int EACH = key_vectors<T>::EACH, VECTORS = PART_VECTORS<T>;
    uint4 found[VECTORS];
#pragma unroll
    for (int v = 0; v < VECTORS; v++)
        found[v] = __ldcs(&from[v * PART_THREADS]);
#pragma unroll
    for (int k = 0; k < PART_KEYS<T>; k++) {
        const uint32_t bin = bin_of(reinterpret_cast<const T *>(&found[k / EACH])[k % EACH], bins);
        const uint32_t own = parts.place_of(bin);
        place[k] = bin < bins.count ? own : parts.no_place();
    }
}

// EVEN: the kind of bins is known.
template <class T, bool EVEN>
__global__ void __launch_bounds__(PART_THREADS, PART_BLOCKS)
    part_bins(sk_histogram what, bin_parts parts, uint64_t *counts)
{
    constexpr int KEYS = PART_KEYS<T>;
    constexpr size_t STEP = PART_THREADS * PART_VECTORS<T>;
    extern __shared__ uint4 memory[];
    part_room<T> &room = *reinterpret_cast<part_room<T> *>(memory);
    uint16_t *numbers = reinterpret_cast<uint16_t *>(room.numbers);
    wait_for_launches();
    if (*parts.is_wanted == 0)
        return;
    sk_bins bins = what.bins;
    if (EVEN)
        bins.kind = SCANKIT_BINS_EVEN;
    const key_vectors<T> keys(static_cast<const T *>(what.keys), what.n);
    const unsigned thread = threadIdx.x;
    const unsigned log_bytes = parts.log_groups + 4, mask = ~0u << log_bytes, own = thread * 4 & ~mask;
    static_assert(sizeof room.counters[0] == 1 << 4, "a place gives the address of its part's counters by a shift");
    const auto counter_of = [&](uint32_t place) {
        const unsigned at = (place >> (16 - log_bytes) & mask) | own;
        return reinterpret_cast<unsigned *>(reinterpret_cast<char *>(memory) + at);
    };
    count_rest(keys, parts.tiles * STEP * key_vectors<T>::EACH, bins, counts);
    room.counters[thread] = {};
    room.vectors[thread] = 0;
    __syncthreads();
    const uint4 *from = keys.first + blockIdx.x * STEP + thread;
    uint4 *to = parts.numbers + size_t(blockIdx.x) * TILE_NUMBERS<T> + thread;
    for (uint32_t tile = blockIdx.x; tile < parts.tiles; tile += gridDim.x) {
        uint32_t place[KEYS];
        find_places<T>(from, bins, parts, place);
        from += gridDim.x * STEP;
#pragma unroll
        for (int k = 0; k < KEYS; k++)
            atomicAdd(counter_of(place[k]), 1);
        __syncthreads();
        const uint4 held = room.counters[thread];
        const unsigned vectors = group_vectors(held.x + held.y + held.z + held.w);
        const unsigned inclusive = warp_scan<plain_sum<unsigned>>(vectors);
        room.totals.publish(inclusive);
        __syncthreads();
        const unsigned end = inclusive + room.totals.before(), begin = end - vectors;
        const unsigned x = begin * VECTOR_NUMBERS, y = x + held.x, z = y + held.y;
        room.counters[thread] = {x, y, z, z + held.z}; // now the places of the next ones
        const unsigned none = parts.no_number() | parts.no_number() << 16;
        for (unsigned i = max(begin + 2, end) - 2; i < end; i++)
            room.numbers[i] = {none, none, none, none};
        room.end[thread] = end;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < KEYS; k++) {
            asm("" : "+r"(place[k])); // the counter's address is computed again: for all keys it would take registers
            numbers[atomicAdd(counter_of(place[k]), 1)] = uint16_t(place[k]);
        }
        room.note_pieces(parts, tile);
        __syncthreads();
        room.counters[thread] = {};
        room.store(to);
        to += gridDim.x * size_t(TILE_NUMBERS<T>);
        __syncthreads();
    }
    if (thread < parts.count)
        atomicAdd(&parts.vectors[thread], room.vectors[thread]);
}

#endif
