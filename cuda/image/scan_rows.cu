// scan_rows.cu - scans of the rows of a matrix. A block goes through a row tile by tile, so the order of operations
// depends on the length of a row alone.
#include "common/scan_tile.cuh"
#include "device/check.cuh"
#include "image/choose_rows.h"

template <class Op> struct row_job {
    using E = typename Op::element;
    const unsigned char *in;
    unsigned char *out;
    size_t in_pitch, out_pitch, rows, columns;
    bool inclusive;
};

template <class Op, int THREADS, int VECTORS> __global__ void __launch_bounds__(THREADS) scan_rows(row_job<Op> job)
{
    using T = typename Op::type;
    using E = typename Op::element;
    using block = scan_tile<Op, THREADS, VECTORS>;
    __shared__ typename block::shared_memory shared;
    for (size_t row = blockIdx.x; row < job.rows; row += gridDim.x) {
        const E *in = reinterpret_cast<const E *>(job.in + row * job.in_pitch);
        E *out = reinterpret_cast<E *>(job.out + row * job.out_pitch);
        T before = Op::identity();
        for (size_t at = 0; at < job.columns; at += block::elements::SIZE) {
            block tile;
            tile.load(in + at, job.columns - at);
            T total = tile.upsweep(shared);
            tile.downsweep(before, job.inclusive);
            tile.data.store(out + at, job.columns - at);
            before = Op::combine(before, total);
            __syncthreads(); // the shared totals are read before the next tile writes them
        }
    }
}

template <class Op, int THREADS, int VECTORS> static scankit_error launch_rows(cuda_device *gpu, const row_job<Op> &job)
{
    unsigned blocks = job.rows < ROWS_BLOCKS_MOST ? unsigned(job.rows) : ROWS_BLOCKS_MOST;
    scan_rows<Op, THREADS, VECTORS><<<blocks, THREADS, 0, gpu->stream>>>(job);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class Op> static scankit_error run(cuda_device *gpu, const row_job<Op> &job)
{
    if (choose_rows(job.rows, job.columns * sizeof(typename Op::element)) == rows_way::WARPS)
        return launch_rows<Op, WARP, 1>(gpu, job);
    return launch_rows<Op, ROWS_THREADS, ROWS_VECTORS>(gpu, job);
}

// Few rows that are long: each is scanned by the whole GPU. Floats must not depend on how its tiles meet.
static scankit_error scan_long_rows(cuda_device *gpu, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                    const unsigned char *in, size_t in_pitch, unsigned char *out, size_t out_pitch,
                                    size_t rows, size_t columns)
{
    bool deterministic = gpu->base.deterministic;
    scankit_error error = SCANKIT_OK;
    gpu->base.deterministic = true;
    for (size_t row = 0; row < rows && error == SCANKIT_OK; row++)
        error = cuda_scan(&gpu->base, type, op, kind, nullptr, in + row * in_pitch, out + row * out_pitch, columns);
    gpu->base.deterministic = deterministic;
    return error;
}

scankit_error cuda_scan_rows(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                             const void *in, size_t in_pitch, void *out, size_t out_pitch, size_t rows, size_t columns)
{
    cuda_device *gpu = as_cuda(device);
    const unsigned char *from = static_cast<const unsigned char *>(in);
    unsigned char *to = static_cast<unsigned char *>(out);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = decltype(chosen);
        if (choose_rows(rows, columns * sizeof(typename Op::element)) == rows_way::GPU)
            return scan_long_rows(gpu, type, op, kind, from, in_pitch, to, out_pitch, rows, columns);
        return run<Op>(gpu, {from, to, in_pitch, out_pitch, rows, columns, kind == SCANKIT_INCLUSIVE});
    });
}
