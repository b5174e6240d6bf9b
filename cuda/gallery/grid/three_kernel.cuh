// three_kernel.cuh - the hierarchical scan over the block scan that production has: a tile in registers, in vectors,
// its lanes by shuffles. It is slow because it reads and writes memory four times.
#ifndef SK_CUDA_THREE_KERNEL_CUH
#define SK_CUDA_THREE_KERNEL_CUH

#include "common/scan_tile.cuh"
#include "gallery/grid/hierarchical.cuh"

template <class Op> struct in_registers {
    using T = typename Op::type;
    using block = scan_tile<Op, BLOCK_SCAN_THREADS, 4>;
    using shared_memory = typename block::shared_memory;
    static constexpr int SIZE = block::elements::SIZE;

    static __device__ T scan(const block_tile<Op> &tile, shared_memory &shared)
    {
        block scan;
        scan.data.load(tile.in, tile.valid, Op::identity());
        T total = scan.upsweep(shared);
        scan.downsweep(tile.before, tile.inclusive);
        scan.data.store(tile.out, tile.valid);
        return total;
    }
};

template <class Op> scankit_error three_kernel(cuda_device *gpu, const scan_call<typename Op::type> &call)
{
    return hierarchical_scan<in_registers, Op>(gpu, call);
}

#endif
