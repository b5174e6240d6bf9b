// transpose.cu - transposition through tiles in shared memory (Ruetsch and Micikevicius, Optimizing Matrix Transpose in
// CUDA, 2009). A tile's rows have a column more than it needs, so that neither its rows nor its columns collide in the
// banks.
#include "device/check.cuh"
#include "device/device.cuh"

constexpr int TRANSPOSE_THREADS = 256;

struct transpose_matrix {
    const unsigned char *in;
    unsigned char *out;
    size_t in_pitch, out_pitch, rows, columns;
};

// An element of SIZE bytes, moved as units of the widest type that its address allows.
template <int SIZE, class U> struct transpose_element {
    U unit[SIZE / sizeof(U)];
};

// Elements of a side of a tile: narrow ones need more, so that each row of a tile is a line of memory.
template <int SIZE> constexpr int TRANSPOSE_SIDE = SIZE == 1 ? 128 : SIZE <= 3 ? 64 : SIZE <= 16 ? 32 : 16;

// Bytes of padding for each row of a tile. With one unit of 4 bytes more, a column's elements lie in different banks.
template <int SIZE> constexpr int TRANSPOSE_PITCH = TRANSPOSE_SIDE<SIZE> *SIZE + (SIZE >= 4 ? SIZE : 4);

// The tile at (x, y), in tiles, comes from the matrix or goes to its transpose.
template <int SIZE, class U>
__device__ __forceinline__ void load_tile(const transpose_matrix &m, size_t x, size_t y, unsigned char *tile)
{
    using element = transpose_element<SIZE, U>;
    constexpr int SIDE = TRANSPOSE_SIDE<SIZE>, LINES = TRANSPOSE_THREADS / SIDE > 0 ? TRANSPOSE_THREADS / SIDE : 1;
    int column = threadIdx.x % SIDE, line = threadIdx.x / SIDE;
    size_t at = x * SIDE + column;
#pragma unroll 8
    for (int i = line; i < SIDE; i += LINES) {
        size_t row = y * SIDE + i;
        if (row < m.rows && at < m.columns)
            *reinterpret_cast<element *>(tile + i * TRANSPOSE_PITCH<SIZE> + column * SIZE) =
                *reinterpret_cast<const element *>(m.in + row * m.in_pitch + at * SIZE);
    }
}

template <int SIZE, class U>
__device__ __forceinline__ void store_tile(const transpose_matrix &m, size_t x, size_t y, const unsigned char *tile)
{
    using element = transpose_element<SIZE, U>;
    constexpr int SIDE = TRANSPOSE_SIDE<SIZE>, LINES = TRANSPOSE_THREADS / SIDE > 0 ? TRANSPOSE_THREADS / SIDE : 1;
    int row = threadIdx.x % SIDE, line = threadIdx.x / SIDE;
    size_t at = y * SIDE + row;
#pragma unroll 8
    for (int i = line; i < SIDE; i += LINES) {
        size_t column = x * SIDE + i;
        if (column < m.columns && at < m.rows)
            *reinterpret_cast<element *>(m.out + column * m.out_pitch + at * SIZE) =
                *reinterpret_cast<const element *>(tile + row * TRANSPOSE_PITCH<SIZE> + i * SIZE);
    }
}

template <int SIZE, class U>
__global__ void __launch_bounds__(TRANSPOSE_THREADS) transpose_tiles(transpose_matrix m, size_t across)
{
    __shared__ alignas(16) unsigned char tile[TRANSPOSE_SIDE<SIZE> * TRANSPOSE_PITCH<SIZE>];
    size_t x = blockIdx.x % across, y = blockIdx.x / across;
    load_tile<SIZE, U>(m, x, y, tile);
    __syncthreads();
    store_tile<SIZE, U>(m, x, y, tile);
}

// In place: a block takes a pair of tiles on both sides of the diagonal, or one on it.
template <int SIZE, class U>
__global__ void __launch_bounds__(TRANSPOSE_THREADS) swap_tiles(transpose_matrix m, size_t across)
{
    __shared__ alignas(16) unsigned char upper[TRANSPOSE_SIDE<SIZE> * TRANSPOSE_PITCH<SIZE>];
    __shared__ alignas(16) unsigned char lower[TRANSPOSE_SIDE<SIZE> * TRANSPOSE_PITCH<SIZE>];
    size_t x = blockIdx.x % across, y = blockIdx.x / across;
    if (x < y)
        return;
    load_tile<SIZE, U>(m, x, y, upper);
    if (x > y)
        load_tile<SIZE, U>(m, y, x, lower);
    __syncthreads();
    store_tile<SIZE, U>(m, x, y, upper);
    if (x > y)
        store_tile<SIZE, U>(m, y, x, lower);
}

template <int SIZE, class U> static scankit_error run_tiles(cuda_device *gpu, const transpose_matrix &m)
{
    constexpr size_t SIDE = TRANSPOSE_SIDE<SIZE>;
    size_t across = (m.columns - 1) / SIDE + 1, down = (m.rows - 1) / SIDE + 1;
    if (m.in == m.out)
        swap_tiles<SIZE, U><<<unsigned(across * down), TRANSPOSE_THREADS, 0, gpu->stream>>>(m, across);
    else
        transpose_tiles<SIZE, U><<<unsigned(across * down), TRANSPOSE_THREADS, 0, gpu->stream>>>(m, across);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// ---- elements of other sizes: a warp moves an element at a time ----

__global__ void __launch_bounds__(TRANSPOSE_THREADS) transpose_bytes(transpose_matrix m, size_t size)
{
    constexpr unsigned WARPS = TRANSPOSE_THREADS / 32;
    size_t all = m.rows * m.columns;
    bool in_place = m.in == m.out;
    for (size_t i = size_t(blockIdx.x) * WARPS + threadIdx.x / 32; i < all; i += size_t(gridDim.x) * WARPS) {
        size_t column = i / m.rows, row = i % m.rows;
        if (in_place && row >= column)
            continue;
        const unsigned char *from = m.in + row * m.in_pitch + column * size;
        unsigned char *to = m.out + column * m.out_pitch + row * size;
        for (size_t byte = threadIdx.x % 32; byte < size; byte += 32) {
            unsigned char one = from[byte], other = in_place ? to[byte] : 0;
            to[byte] = one;
            if (in_place)
                const_cast<unsigned char *>(from)[byte] = other;
        }
    }
}

static scankit_error run_bytes(cuda_device *gpu, const transpose_matrix &m, size_t size)
{
    size_t wanted = (m.rows * m.columns - 1) / (TRANSPOSE_THREADS / 32) + 1;
    unsigned blocks = wanted < 65536 ? unsigned(wanted) : 65536;
    transpose_bytes<<<blocks, TRANSPOSE_THREADS, 0, gpu->stream>>>(m, size);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// ---- the choice ----

// Sizes of pixels, and the units that they are moved in: X(bytes, alignment that they need, type of unit).
#define TRANSPOSE_ELEMENTS(X) \
    X(1, 1, uint8_t)          \
    X(2, 2, uint16_t)         \
    X(3, 1, uint8_t)          \
    X(4, 4, uint32_t)         \
    X(6, 2, uint16_t)         \
    X(8, 8, uint2)            \
    X(8, 4, uint32_t)         \
    X(12, 4, uint32_t)        \
    X(16, 16, uint4)          \
    X(16, 4, uint32_t)        \
    X(24, 8, uint2)           \
    X(32, 16, uint4)

scankit_error cuda_transpose(sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out,
                             size_t out_pitch, size_t rows, size_t columns)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    transpose_matrix m = {
        static_cast<const unsigned char *>(in), static_cast<unsigned char *>(out), in_pitch, out_pitch, rows, columns};
    uintptr_t places = uintptr_t(in) | uintptr_t(out) | in_pitch | out_pitch;
    size_t tiles_most = ((rows - 1) / 32 + 1) * ((columns - 1) / 32 + 1);
    unsigned aligned = places % 16 == 0 ? 16 : places % 8 == 0 ? 8 : places % 4 == 0 ? 4 : places % 2 == 0 ? 2 : 1;
    if (tiles_most > INT32_MAX)
        return run_bytes(gpu, m, element_size);
#define X(SIZE, ALIGNED, U)                         \
    if (element_size == SIZE && aligned >= ALIGNED) \
        return run_tiles<SIZE, U>(gpu, m);
    TRANSPOSE_ELEMENTS(X)
#undef X
    return run_bytes(gpu, m, element_size);
}
