// count_parts.cuh - the kernel that counts the numbers of each part of the bins.
#ifndef SK_CUDA_COUNT_PARTS_CUH
#define SK_CUDA_COUNT_PARTS_CUH

#include "common/block_sum.cuh"
#include "device/overlap.cuh"
#include "histogram/bin_parts.cuh"

constexpr int TABLE_THREADS = 1024;

// A block's share of a part: every `shares`-th tile from number `share` on.
struct part_share {
    unsigned part, share, shares;
};

struct share_room {
    block_sum<unsigned, TABLE_THREADS> sum;
    block_sum<unsigned long long, TABLE_THREADS> all;
    part_share own;
};

// A part has a block, and more of `more` blocks in proportion to its vectors. No shares: the block is not needed.
__device__ __forceinline__ part_share find_share(const bin_parts &parts, unsigned more, share_room *room)
{
    const unsigned vectors = threadIdx.x < parts.count ? parts.vectors[threadIdx.x] : 0;
    if (threadIdx.x == 0)
        room->own = {0, 0, 0};
    room->all.publish(room->all.warp_inclusive(vectors));
    __syncthreads();
    const unsigned shares = vectors == 0 ? 0 : 1 + unsigned(uint64_t(vectors) * more / (room->all.total() + 1));
    const unsigned before = room->sum.exclusive(shares);
    if (blockIdx.x >= before && blockIdx.x - before < shares)
        room->own = {threadIdx.x, blockIdx.x - before, shares};
    __syncthreads();
    return room->own;
}

// The table has a row for the number that no bin has, too.
inline size_t table_room(unsigned bins)
{
    return (size_t(bins) + 1) * sizeof(unsigned);
}

// Counts the pieces of a share. A few lanes read a piece, as it may be short.
__device__ __forceinline__ void count_share(const bin_parts &parts, const part_share &own, unsigned *table)
{
    constexpr unsigned LOADS = 4;
    unsigned lanes = WARP / 8;
    while (lanes < WARP && uint64_t(lanes) * LOADS * 3 / 4 * parts.tiles < parts.vectors[own.part])
        lanes *= 2;
    const uint32_t *pieces = parts.pieces + size_t(own.part) * parts.tiles;
    const uint32_t step = own.shares * (TABLE_THREADS / lanes);
    uint32_t tile = own.share + threadIdx.x / lanes * own.shares;
    uint32_t next = tile < parts.tiles ? pieces[tile] : 0;
    while (tile < parts.tiles) {
        const uint32_t piece = next, length = piece >> 16;
        const uint4 *from = parts.numbers + size_t(tile) * parts.tile_numbers + (piece & 0xffff);
        tile += step;
        next = tile < parts.tiles ? pieces[tile] : 0;
        for (uint32_t v = threadIdx.x % lanes; v < length; v += LOADS * lanes) {
            uint4 found[LOADS];
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                if (v + l * lanes < length)
                    found[l] = __ldcs(&from[v + l * lanes]);
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                if (v + l * lanes < length)
                    for (unsigned two : {found[l].x, found[l].y, found[l].z, found[l].w}) {
                        atomicAdd(&table[two & 0xffff], 1u);
                        atomicAdd(&table[two >> 16], 1u);
                    }
        }
    }
}

// Adds a part's table to the device's counts, which no other block has. Loads for several bins are in flight.
__device__ __forceinline__ void add_table(const unsigned *table, unsigned bins, uint64_t *counts)
{
    constexpr unsigned LOADS = 8;
    for (unsigned bin = threadIdx.x; bin < bins; bin += LOADS * TABLE_THREADS) {
        uint64_t sums[LOADS];
#pragma unroll
        for (unsigned l = 0; l < LOADS; l++)
            if (bin + l * TABLE_THREADS < bins)
                sums[l] = counts[bin + l * TABLE_THREADS];
#pragma unroll
        for (unsigned l = 0; l < LOADS; l++)
            if (bin + l * TABLE_THREADS < bins)
                counts[bin + l * TABLE_THREADS] = sums[l] + table[table_row(bin + l * TABLE_THREADS)];
    }
}

// The grid: a block for each part, and `more`.
__global__ void __launch_bounds__(TABLE_THREADS, 1)
    count_parts(bin_parts parts, uint32_t bins, unsigned more, uint64_t *counts)
{
    extern __shared__ uint4 memory[];
    __shared__ share_room room;
    wait_for_launches();
    if (*parts.is_wanted == 0)
        return;
    const part_share own = find_share(parts, more, &room);
    if (own.shares == 0)
        return;
    for (unsigned i = threadIdx.x; i < parts.bins() * sizeof(unsigned) / sizeof(uint4); i += TABLE_THREADS)
        memory[i] = {};
    __syncthreads();
    unsigned *table = reinterpret_cast<unsigned *>(memory);
    count_share(parts, own, table);
    __syncthreads();
    const uint32_t first = own.part << parts.bits, count = min(bins - first, parts.bins());
    if (own.shares == 1) {
        add_table(table, count, counts + first);
        return;
    }
    for (uint32_t bin = threadIdx.x; bin < count; bin += TABLE_THREADS)
        if (unsigned found = table[table_row(bin)])
            add_to_device(counts, first + bin, found);
}

#endif
