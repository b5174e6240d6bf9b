// scan_rows.cu - scans of the rows of a matrix. A warp or a block goes through a row tile by tile, in order, and
// carries the prefix on, so the order of operations is fixed. Few long rows are scanned as arrays.
#include "common/scan_tile.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/choose_rows.h"

// Threads of a block, for one row or for a row a warp. Vectors of 16 bytes per thread: few, because several blocks per
// multiprocessor hide the latency of a tile.
constexpr int ROWS_THREADS = 256;
constexpr int ROWS_VECTORS = 2;

struct rows_call {
    const unsigned char *in;
    unsigned char *out;
    size_t in_pitch, out_pitch, rows, columns;
    bool inclusive;
};

// A tile of a row: only vectors that are not whole or not aligned are moved element by element.
template <class Op, int THREADS> struct row_tile : scan_tile<Op, THREADS, ROWS_VECTORS> {
    using E = typename Op::element;
    using elements = tile<E, THREADS, ROWS_VECTORS>;
    using scan_tile<Op, THREADS, ROWS_VECTORS>::data;

    static __device__ __forceinline__ bool is_whole(const E *memory, size_t at, size_t valid)
    {
        return at + elements::PER_VECTOR <= valid && elements::is_aligned(memory);
    }

    __device__ __forceinline__ void load_row(const E *in, size_t valid)
    {
        E fill = Op::template store<E>(Op::identity());
#pragma unroll
        for (int r = 0; r < ROWS_VECTORS; r++) {
            size_t at = elements::place(r);
            if (is_whole(in, at, valid))
                data.row[r].raw = *reinterpret_cast<const uint4 *>(in + at);
            else
#pragma unroll
                for (int i = 0; i < elements::PER_VECTOR; i++)
                    data.row[r].item[i] = at + i < valid ? in[at + i] : fill;
        }
    }

    __device__ __forceinline__ void store_row(E *out, size_t valid) const
    {
#pragma unroll
        for (int r = 0; r < ROWS_VECTORS; r++) {
            size_t at = elements::place(r);
            if (is_whole(out, at, valid))
                data.row[r].store(out + at);
            else
#pragma unroll
                for (int i = 0; i < elements::PER_VECTOR; i++)
                    if (at + i < valid)
                        out[at + i] = data.row[r].item[i];
        }
    }
};

// A block is THREADS wide, and as high as ROWS_THREADS allows. All its threads go through equally many tiles, because
// they meet at barriers; rows beyond the last have no elements.
template <class Op, int THREADS> __global__ void __launch_bounds__(ROWS_THREADS) scan_rows_kernel(rows_call call)
{
    using T = typename Op::type;
    using E = typename Op::element;
    using block = row_tile<Op, THREADS>;
    constexpr int HEIGHT = ROWS_THREADS / THREADS;
    __shared__ typename block::shared_memory shared[2][HEIGHT]; // two, so that a tile needs one barrier
    size_t row = size_t(blockIdx.x) * HEIGHT + threadIdx.y;
    bool there = row < call.rows;
    const E *in = reinterpret_cast<const E *>(call.in + (there ? row : 0) * call.in_pitch);
    E *out = reinterpret_cast<E *>(call.out + (there ? row : 0) * call.out_pitch);
    T before = Op::identity();
    unsigned turn = 0;
    for (size_t begin = 0; begin < call.columns; begin += block::elements::SIZE, turn ^= 1) {
        size_t valid = there ? call.columns - begin : 0;
        block scan;
        scan.load_row(in + begin, valid);
        T total = scan.upsweep(shared[turn][threadIdx.y]);
        scan.downsweep(before, call.inclusive);
        scan.store_row(out + begin, valid);
        before = Op::combine(before, total);
    }
}

template <class Op, int THREADS> static scankit_error run(cuda_device *gpu, const rows_call &call)
{
    constexpr unsigned HEIGHT = ROWS_THREADS / THREADS;
    END_REHEARSAL(gpu);
    unsigned blocks = unsigned((call.rows - 1) / HEIGHT + 1);
    scan_rows_kernel<Op, THREADS><<<blocks, dim3(THREADS, HEIGHT), 0, gpu->stream>>>(call);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Each row is an array. Arrays of floats are scanned in a fixed order too.
static scankit_error scan_each(cuda_device *gpu, scankit_type type, scankit_operator op, const rows_call &call)
{
    bool deterministic = gpu->base.deterministic;
    scankit_scan_kind kind = call.inclusive ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    scankit_error error = SCANKIT_OK;
    gpu->base.deterministic = true;
    for (size_t row = 0; row < call.rows && error == SCANKIT_OK; row++) {
        workspace scratch(gpu);
        error = cuda_scan(&gpu->base, type, op, kind, nullptr, call.in + row * call.in_pitch,
                          call.out + row * call.out_pitch, call.columns);
    }
    gpu->base.deterministic = deterministic;
    return error;
}

scankit_error cuda_scan_rows(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                             const void *in, size_t in_pitch, void *out, size_t out_pitch, size_t rows, size_t columns)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    rows_call call = {static_cast<const unsigned char *>(in),
                      static_cast<unsigned char *>(out),
                      in_pitch,
                      out_pitch,
                      rows,
                      columns,
                      kind == SCANKIT_INCLUSIVE};
    return dispatch(type, op, [&](auto chosen) {
        using Op = decltype(chosen);
        row_scan by = choose_row_scan(rows, columns, sizeof(typename Op::element));
        if (by == row_scan::GPU)
            return scan_each(gpu, type, op, call);
        return by == row_scan::WARP ? run<Op, WARP>(gpu, call) : run<Op, ROWS_THREADS>(gpu, call);
    });
}
