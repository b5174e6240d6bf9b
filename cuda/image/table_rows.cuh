// table_rows.cuh - the elementwise parts of a summed-area table of a low and wide image, which has too few bands for
// the GPU (table.cuh). Its rows are long enough that all blocks share one: they are scanned whole. Between the two
// kernels here, a row of each channel lies by itself, and is scanned.
#ifndef SK_CUDA_TABLE_ROWS_CUH
#define SK_CUDA_TABLE_ROWS_CUH

#include "image/table.cuh"

// Rows of channels, converted to sums of one element each.
template <class E, class T> struct split_channels {
    table_job<E, T> job;
    picture<T> rows; // row y * channels + c

    __device__ void operator()(size_t x, size_t y) const
    {
        const E *from = job.in.row(y) + x * job.in.channels;
        for (unsigned c = 0; c < job.in.channels; c++)
            rows.row(y * job.in.channels + c)[x] = summand(from[c], job.mean_of(c));
    }
};

constexpr int DOWN_ROWS = 16; // that a thread reads at a time

// Adds the scanned rows from top to bottom. A thread takes a column of one channel.
template <class T>
static __global__ void __launch_bounds__(MAP_THREADS) add_down(const picture<T> rows, const picture<T> out)
{
    size_t x = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x;
    unsigned channel = blockIdx.y;
    if (x >= out.width)
        return;
    T sum = 0;
    for (size_t y = 0; y < out.height; y += DOWN_ROWS) {
        T value[DOWN_ROWS];
#pragma unroll
        for (int r = 0; r < DOWN_ROWS; r++)
            value[r] = rows.row(min(y + r, out.height - 1) * out.channels + channel)[x];
#pragma unroll
        for (int r = 0; r < DOWN_ROWS; r++) {
            sum += value[r];
            if (y + r < out.height)
                out.row(y + r)[x * out.channels + channel] = sum;
        }
    }
}

#endif
