// hierarchical.cuh - a scan of any length made of block scans, in three kernels: blocks scan their tiles; the tiles'
// totals are scanned, by the same in turn; and each tile's prefix is added to it (Blelloch 1990; Harris,
// Sengupta and Owens, GPU Gems 3, 2007, chapter 39, section 2.4; Sengupta, Harris, Zhang and Owens, Scan Primitives for
// GPU Computing, 2007).
#ifndef SK_CUDA_HIERARCHICAL_CUH
#define SK_CUDA_HIERARCHICAL_CUH

#include "device/arena.cuh"
#include "gallery/block/block_scan.cuh"
#include "device/check.cuh"
#include "scan/scan_call.cuh"

// Each block scans one tile. totals: one a block, or NULL where the block is alone.
template <template <class> class Block, class Op>
__global__ void __launch_bounds__(BLOCK_SCAN_THREADS)
    scan_blocks(scan_call<typename Op::type> call, typename Op::type *totals)
{
    using T = typename Op::type;
    __shared__ typename Block<Op>::shared_memory shared;
    constexpr int SIZE = Block<Op>::SIZE;
    size_t begin = size_t(blockIdx.x) * SIZE, rest = call.n - begin;
    int valid = rest < SIZE ? int(rest) : SIZE;
    T before = totals == nullptr ? call.initial : Op::identity();
    block_tile<Op> tile = {call.in + begin, call.out + begin, valid, call.inclusive, before};
    T total = Block<Op>::scan(tile, shared);
    if (totals != nullptr && threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

// Each block adds one value to all elements of its tile.
template <class Op>
__global__ void __launch_bounds__(BLOCK_SCAN_THREADS)
    uniform_add(typename Op::type *out, size_t n, int size, const typename Op::type *before)
{
    size_t begin = size_t(blockIdx.x) * size, rest = n - begin;
    int valid = rest < size ? int(rest) : size;
    typename Op::type value = before[blockIdx.x];
    for (int i = threadIdx.x; i < valid; i += BLOCK_SCAN_THREADS)
        out[begin + i] = Op::combine(value, out[begin + i]);
}

// A grid has room for 2^31 blocks, and so this for 2^40 elements.
template <template <class> class Block, class Op>
scankit_error hierarchical_scan(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    using T = typename Op::type;
    size_t blocks = (call.n - 1) / Block<Op>::SIZE + 1;
    workspace scratch(gpu);
    T *totals = nullptr;
    if (blocks > 1 && !scratch.take(&totals, blocks))
        return SCANKIT_E_MEMORY;
    // 1. The tiles.
    scan_blocks<Block, Op><<<unsigned(blocks), BLOCK_SCAN_THREADS, 0, gpu->stream>>>(call, totals);
    CHECK_LAUNCH();
    if (blocks == 1)
        return SCANKIT_OK;
    // 2. Their totals, in place: the prefix of each tile.
    TRY((hierarchical_scan<Block, Op>(gpu, {totals, totals, blocks, false, call.initial})));
    // 3. Uniform add.
    uniform_add<Op>
        <<<unsigned(blocks), BLOCK_SCAN_THREADS, 0, gpu->stream>>>(call.out, call.n, Block<Op>::SIZE, totals);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
