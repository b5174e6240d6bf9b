// reduce.cuh - reduction of a whole array in two kernels: a fixed number of blocks each reduce a contiguous part, one
// block reduces their results. The order of operations depends on n alone.
#ifndef SK_CUDA_GRID_REDUCE_CUH
#define SK_CUDA_GRID_REDUCE_CUH

#include "block/scan_tile.cuh"
#include "tuning.cuh"

// The parts: whole tiles, as even as that allows.
template <class Op>
__global__ void __launch_bounds__(REDUCE_THREADS, 2)
    reduce_parts(const typename Op::type *in, size_t n, size_t part, typename Op::type *results)
{
    using T = typename Op::type;
    using block = scan_tile<Op, REDUCE_THREADS, REDUCE_VECTORS>;
    using elements = typename block::elements;
    __shared__ typename block::shared_memory shared;

    size_t begin = blockIdx.x * part;
    size_t end = n - begin < part ? n : begin + part;
    T result = Op::identity();
    if constexpr (is_commutative<Op> && sizeof(T) >= 4) {
        // Every place of the tile keeps a result of its own until the part is done. (Narrow types would not fit
        // registers.)
        block sums;
        sums.data.load(in + begin, end - begin, Op::identity());
        for (size_t at = begin + elements::SIZE; at < end; at += elements::SIZE) {
            elements next;
            next.load(in + at, end - at, Op::identity());
#pragma unroll
            for (int r = 0; r < REDUCE_VECTORS; r++)
#pragma unroll
                for (int i = 0; i < elements::PER_VECTOR; i++)
                    sums.data.row[r].item[i] = Op::combine(sums.data.row[r].item[i], next.row[r].item[i]);
        }
        result = sums.upsweep(shared);
    } else {
        for (size_t at = begin; at < end; at += elements::SIZE) {
            block tile;
            tile.data.load(in + at, end - at, Op::identity());
            result = Op::combine(result, tile.upsweep(shared));
            __syncthreads(); // the shared totals are read before the next tile writes them
        }
    }
    if (threadIdx.x == 0)
        results[blockIdx.x] = result;
}

#endif
