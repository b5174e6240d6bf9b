// transpose.cu - transposition by tiles through shared memory (Ruetsch and Micikevicius, Optimizing Matrix Transpose in
// CUDA, 2009). Large elements are moved directly, because each is a coalesced access of its own.
#include "image/transpose.cuh"

#include "common/map.cuh"
#include "device/check.cuh"

template <class Staged> __global__ void __launch_bounds__(TRANSPOSE_THREADS) transpose_kernel(transposition job)
{
    __shared__ Staged staged;
    size_t across = (job.columns - 1) / Staged::SIDE + 1;
    size_t row = blockIdx.x / across * Staged::SIDE, column = blockIdx.x % across * Staged::SIDE;
    transpose_tile tile = tile_at(job, row, column, Staged::SIDE);
    staged.load(job, tile);
    __syncthreads();
    staged.store(job, tile);
}

// In place: a block above the diagonal swaps its tile and the mirror image of it.
template <class Staged> __global__ void __launch_bounds__(TRANSPOSE_THREADS) swap_kernel(transposition job)
{
    __shared__ Staged above, below;
    size_t across = (job.columns - 1) / Staged::SIDE + 1;
    size_t row = blockIdx.x / across * Staged::SIDE, column = blockIdx.x % across * Staged::SIDE;
    if (row > column)
        return;
    transpose_tile tile = tile_at(job, row, column, Staged::SIDE), mirror = tile_at(job, column, row, Staged::SIDE);
    above.load(job, tile);
    if (row != column)
        below.load(job, mirror);
    __syncthreads();
    above.store(job, tile);
    if (row != column)
        below.store(job, mirror);
}

template <class Staged> static scankit_error by_tiles(cuda_device *gpu, const transposition &job)
{
    size_t tiles = ((job.rows - 1) / Staged::SIDE + 1) * ((job.columns - 1) / Staged::SIDE + 1);
    auto kernel = job.in == job.out ? swap_kernel<Staged> : transpose_kernel<Staged>;
    kernel<<<unsigned(tiles), TRANSPOSE_THREADS, 0, gpu->stream>>>(job);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// Moves unit i of the output, or swaps it with its mirror image.
template <class U> struct move_unit {
    transposition job;
    bool swaps;

    __device__ void operator()(size_t i) const
    {
        size_t each = job.size / sizeof(U), unit = i % each, row = i / each % job.rows, column = i / each / job.rows;
        if (swaps && row >= column)
            return;
        U value = job.from<U>(row, column)[unit];
        if (swaps)
            job.to<U>(row, column)[unit] = job.from<U>(column, row)[unit];
        job.to<U>(column, row)[unit] = value;
    }
};

// Elements of any size, as units that all addresses are multiples of.
template <class U> static scankit_error by_units(cuda_device *gpu, const transposition &job)
{
    if (job.size <= staged_units<U>::MOST_BYTES)
        return by_tiles<staged_units<U>>(gpu, job);
    size_t n = job.rows * job.columns * (job.size / sizeof(U));
    map_kernel<<<map_blocks(n), MAP_THREADS, 0, gpu->stream>>>(n, move_unit<U>{job, job.in == job.out});
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

struct three_words {
    uint32_t word[3];
};

static scankit_error transpose(cuda_device *gpu, const transposition &job)
{
    uintptr_t places = uintptr_t(job.in) | uintptr_t(job.out) | job.in_pitch | job.out_pitch;
    switch (job.size) {
    case 1: return by_tiles<staged_words<uint8_t>>(gpu, job);
    case 2:
        if (places % 2 == 0)
            return by_tiles<staged_words<uint16_t>>(gpu, job);
        break;
    case 4:
        if (places % 4 == 0)
            return by_tiles<staged_elements<uint32_t>>(gpu, job);
        break;
    case 8:
        if (places % 8 == 0)
            return by_tiles<staged_elements<uint2>>(gpu, job);
        break;
    case 12:
        if (places % 4 == 0)
            return by_tiles<staged_elements<three_words>>(gpu, job);
        break;
    case 16:
        if (places % 16 == 0)
            return by_tiles<staged_elements<uint4>>(gpu, job);
        break;
    }
    return (places | job.size) % 4 == 0 ? by_units<uint32_t>(gpu, job) : by_units<uint8_t>(gpu, job);
}

scankit_error cuda_transpose(sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out,
                             size_t out_pitch, size_t rows, size_t columns)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    END_REHEARSAL(gpu);
    return transpose(gpu, {static_cast<const unsigned char *>(in), static_cast<unsigned char *>(out), in_pitch,
                           out_pitch, rows, columns, element_size});
}
