// bin_counts.cuh - the counts of a block in shared memory, which are added to the counts of the device at its end.
//
// A table of all bins, in several copies where they fit: lanes with equal keys add to different words. Or, for more
// bins, a cache: a slot belongs to the first bin that asks for it. Frequent bins ask early, so few additions to them
// reach the device's memory, where additions to one word wait for each other.
#ifndef SK_CUDA_BIN_COUNTS_CUH
#define SK_CUDA_BIN_COUNTS_CUH

#include "common/warp.cuh"

using device_count = unsigned long long;

__device__ __forceinline__ void add_to_device(uint64_t *counts, uint32_t bin, device_count amount)
{
    atomicAdd(reinterpret_cast<device_count *>(counts) + bin, amount);
}

// The place of a row in shared memory: rows that are multiples of a power of two shall not have one bank. It is its own
// inverse, and keeps blocks of BANKS rows.
constexpr unsigned BANKS = 32;
__device__ __forceinline__ uint32_t table_row(uint32_t row)
{
    return row ^ (row / BANKS % BANKS);
}

// BITS bits that differ for neighbours and for multiples of a power of two: of a product with 2^32 / golden ratio.
template <int BITS> __device__ __forceinline__ unsigned scattered(unsigned number)
{
    return number * 2654435761u >> (32 - BITS);
}

// C: of a count in shared memory, unsigned where each key counts 1.
template <class C> struct table_of_all {
    C *table;
    uint32_t count;
    unsigned copies; // a power of two up to 32

    // Of a copy.
    static size_t bytes(uint32_t count)
    {
        return size_t(count) * sizeof(C);
    }
    __device__ void open(void *room, uint32_t bins, unsigned copies_of_it)
    {
        table = static_cast<C *>(room);
        count = bins;
        copies = copies_of_it;
        for (uint32_t i = threadIdx.x; i < count * copies; i += blockDim.x)
            table[i] = 0;
    }
    __device__ __forceinline__ void add(uint64_t *, uint32_t bin, C amount, bool wanted)
    {
        if (wanted)
            atomicAdd(&table[bin * copies + lane_id() % copies], amount);
    }
    __device__ void close(uint64_t *counts)
    {
        for (uint32_t bin = threadIdx.x; bin < count; bin += blockDim.x) {
            C sum = 0;
            for (unsigned copy = 0; copy < copies; copy++)
                sum += table[bin * copies + copy];
            if (sum != 0)
                add_to_device(counts, bin, sum);
        }
    }
};

template <class C> struct cache_of_some {
    C *table;
    unsigned *owner;

    static constexpr unsigned LOG_SLOTS = 11, SLOTS = 1u << LOG_SLOTS, FREE = ~0u;

    static size_t bytes()
    {
        return SLOTS * (sizeof(C) + sizeof(unsigned));
    }
    __device__ void open(void *room, uint32_t, unsigned)
    {
        table = static_cast<C *>(room);
        owner = reinterpret_cast<unsigned *>(table + SLOTS);
        for (unsigned i = threadIdx.x; i < SLOTS; i += blockDim.x) {
            table[i] = 0;
            owner[i] = FREE;
        }
    }
    // An owner never changes once it is set.
    __device__ void add(uint64_t *counts, uint32_t bin, C amount, bool wanted)
    {
        if (!wanted)
            return;
        unsigned slot = scattered<LOG_SLOTS>(bin);
        unsigned held = *const_cast<volatile unsigned *>(&owner[slot]);
        if (held == FREE) {
            held = atomicCAS(&owner[slot], FREE, bin);
            held = held == FREE ? bin : held;
        }
        if (held == bin)
            atomicAdd(&table[slot], amount);
        else
            add_to_device(counts, bin, amount);
    }
    __device__ void close(uint64_t *counts)
    {
        for (unsigned i = threadIdx.x; i < SLOTS; i += blockDim.x)
            if (owner[i] != FREE && table[i] != 0)
                add_to_device(counts, owner[i], table[i]);
    }
};

#endif
