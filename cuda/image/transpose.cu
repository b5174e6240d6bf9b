// transpose.cu - transposition by tiles through shared memory (Ruetsch and Micikevicius, Optimizing Matrix Transpose in
// CUDA, 2009). Large elements are moved directly, because each is a coalesced access of its own.
#include "image/transpose.cuh"
#include "image/transpose_rows.cuh"

#include "common/map.cuh"
#include "device/check.cuh"

extern __shared__ uint4 transpose_memory[];

// The tile of a block.
__device__ __forceinline__ transpose_tile own_tile(const transposition &job, unsigned rows, unsigned columns)
{
    size_t across = (job.columns - 1) / columns + 1;
    return tile_at(job, blockIdx.x / across * rows, blockIdx.x % across * columns, rows, columns);
}

// The tile that a tile is swapped with.
__device__ __forceinline__ transpose_tile mirror_of(const transposition &job, const transpose_tile &tile, unsigned side)
{
    return tile_at(job, tile.column, tile.row, side, side);
}

static unsigned tiles_of(const transposition &job, unsigned rows, unsigned columns)
{
    return unsigned(((job.rows - 1) / rows + 1) * ((job.columns - 1) / columns + 1));
}

// ---- rows that begin at multiples of a unit ----

template <class Staged>
static __global__ void __launch_bounds__(TRANSPOSE_THREADS) transpose_squares(const __grid_constant__ transposition job)
{
    Staged &staged = *reinterpret_cast<Staged *>(transpose_memory);
    wait_for_launches();
    transpose_tile tile = own_tile(job, Staged::SIDE, Staged::SIDE);
    staged.load(job, tile);
    __syncthreads();
    staged.store(job, tile);
}

// In place: a block above the diagonal swaps its tile and the mirror image of it.
template <class Staged>
static __global__ void __launch_bounds__(TRANSPOSE_THREADS) swap_squares(const __grid_constant__ transposition job)
{
    Staged &above = reinterpret_cast<Staged *>(transpose_memory)[0];
    Staged &below = reinterpret_cast<Staged *>(transpose_memory)[1];
    wait_for_launches();
    transpose_tile tile = own_tile(job, Staged::SIDE, Staged::SIDE), mirror = mirror_of(job, tile, Staged::SIDE);
    if (tile.row > tile.column)
        return;
    above.load(job, tile);
    if (tile.row != tile.column)
        below.load(job, mirror);
    __syncthreads();
    above.store(job, tile);
    if (tile.row != tile.column)
        below.store(job, mirror);
}

template <class E, class U> static scankit_error by_squares(cuda_device *gpu, const transposition &job)
{
    using staged = staged_squares<E, U>;
    bool swaps = job.in == job.out;
    return launch(gpu, swaps ? swap_squares<staged> : transpose_squares<staged>,
                  tiles_of(job, staged::SIDE, staged::SIDE), TRANSPOSE_THREADS, (swaps ? 2 : 1) * sizeof(staged), job);
}

// ---- rows that begin anywhere ----

template <unsigned SIZE, unsigned ROWS, unsigned COLUMNS>
static __global__ void __launch_bounds__(TRANSPOSE_THREADS) transpose_rows(const __grid_constant__ transposition job)
{
    wait_for_launches();
    const staged_rows<SIZE, ROWS, COLUMNS> staged(job, own_tile(job, ROWS, COLUMNS), transpose_memory);
    unsigned rows = unsigned(min(job.rows - staged.tile.row, size_t(ROWS + staged.beyond(staged.size))));
    staged.load(rows);
    __syncthreads();
    staged.store_sectors(rows);
}

template <unsigned SIZE, unsigned SIDE>
static __global__ void __launch_bounds__(TRANSPOSE_THREADS)
    swap_rows(const __grid_constant__ transposition job, size_t room)
{
    using staged = staged_rows<SIZE, SIDE, SIDE>;
    wait_for_launches();
    const staged above(job, own_tile(job, SIDE, SIDE), transpose_memory);
    const staged below(job, mirror_of(job, above.tile, SIDE),
                       reinterpret_cast<unsigned char *>(transpose_memory) + room);
    if (above.tile.row > above.tile.column)
        return;
    above.load(above.tile.rows);
    if (above.tile.row != above.tile.column)
        below.load(below.tile.rows);
    __syncthreads();
    above.store();
    if (above.tile.row != above.tile.column)
        below.store();
}

// Tiles of ROWS x COLUMNS elements; in place, of COLUMNS x COLUMNS.
template <unsigned SIZE, unsigned ROWS, unsigned COLUMNS>
static scankit_error by_rows(cuda_device *gpu, const transposition &job)
{
    if (job.in == job.out) {
        size_t room = staged_rows<SIZE, COLUMNS, COLUMNS>::room(job.size);
        return launch(gpu, swap_rows<SIZE, COLUMNS>, tiles_of(job, COLUMNS, COLUMNS), TRANSPOSE_THREADS, 2 * room, job,
                      room);
    }
    return launch(gpu, transpose_rows<SIZE, ROWS, COLUMNS>, tiles_of(job, ROWS, COLUMNS), TRANSPOSE_THREADS,
                  staged_rows<SIZE, ROWS, COLUMNS>::room(job.size), job);
}

// ---- directly ----

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

// Elements of any size, in units that all addresses are multiples of.
template <class U> static scankit_error by_units(cuda_device *gpu, const transposition &job)
{
    size_t n = job.rows * job.columns * (job.size / sizeof(U));
    return map_elements(gpu, n, move_unit<U>{job, job.in == job.out});
}

// ---- the choice ----

constexpr size_t TRANSPOSE_STAGED = 20; // larger elements, in bytes, are moved directly

struct three_words {
    uint32_t word[3];
};

static scankit_error transpose(cuda_device *gpu, const transposition &job)
{
    uintptr_t places = uintptr_t(job.in) | uintptr_t(job.out) | job.in_pitch | job.out_pitch;
    if (job.size == 16 && places % 16 == 0)
        return by_squares<uint4, uint4>(gpu, job);
    if (places % TRANSPOSE_SECTOR == 0)
        switch (job.size) {
        case 1: return by_squares<uint8_t, uint2>(gpu, job);
        case 2: return by_squares<uint16_t, uint2>(gpu, job);
        case 4: return by_squares<uint32_t, uint2>(gpu, job);
        case 8: return by_squares<uint2, uint2>(gpu, job);
        case 12: return by_squares<three_words, three_words>(gpu, job);
        }
    if (job.size > TRANSPOSE_STAGED)
        return (places | job.size) % 4 == 0 ? by_units<uint32_t>(gpu, job) : by_units<uint8_t>(gpu, job);
    switch (job.size) {
    case 1: return by_rows<1, 128, 128>(gpu, job);
    case 2: return by_rows<2, 128, 64>(gpu, job);
    case 3: return by_rows<3, 64, 64>(gpu, job);
    case 6: return by_rows<6, 64, 32>(gpu, job);
    }
    if (job.size == 4 && places % 4 == 0)
        return by_rows<4, 64, 64>(gpu, job);
    if (job.size == 8 && places % 8 == 0)
        return by_rows<8, 32, 32>(gpu, job);
    if (job.size == 12 && places % 4 == 0)
        return by_rows<12, 32, 32>(gpu, job);
    return by_rows<0, 32, 32>(gpu, job);
}

scankit_error cuda_transpose(sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out,
                             size_t out_pitch, size_t rows, size_t columns)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return transpose(gpu, {static_cast<const unsigned char *>(in), static_cast<unsigned char *>(out), in_pitch,
                           out_pitch, rows, columns, element_size});
}
