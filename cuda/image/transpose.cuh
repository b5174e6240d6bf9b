// transpose.cuh - a matrix, its tiles, and what is staged of a tile in shared memory.
#ifndef SK_CUDA_TRANSPOSE_CUH
#define SK_CUDA_TRANSPOSE_CUH

#include <cstddef>
#include <cstdint>

#include "common/warp.cuh"

constexpr int TRANSPOSE_THREADS = 256;
constexpr int TRANSPOSE_WARPS = TRANSPOSE_THREADS / WARP;

struct transposition {
    const unsigned char *in;
    unsigned char *out;
    size_t in_pitch, out_pitch, rows, columns, size; // of an element

    template <class E> __device__ __forceinline__ const E *from(size_t row, size_t column) const
    {
        return reinterpret_cast<const E *>(in + row * in_pitch + column * size);
    }

    template <class E> __device__ __forceinline__ E *to(size_t row, size_t column) const
    {
        return reinterpret_cast<E *>(out + row * out_pitch + column * size);
    }
};

// A part of the input of at most side x side elements.
struct transpose_tile {
    size_t row, column;
    unsigned rows, columns;
};

__device__ __forceinline__ transpose_tile tile_at(const transposition &job, size_t row, size_t column, unsigned side)
{
    size_t rows = job.rows - row, columns = job.columns - column;
    return {row, column, rows < side ? unsigned(rows) : side, columns < side ? unsigned(columns) : side};
}

// Elements of 4 or more bytes. The column of padding makes a column of the tile free of bank conflicts. Narrow elements
// have larger tiles, so that as many bytes are on their way.
template <class E> struct staged_elements {
    static constexpr unsigned SIDE = sizeof(E) == 4 ? 2 * WARP : WARP;
    E item[SIDE][SIDE + 1];

    __device__ __forceinline__ void load(const transposition &job, const transpose_tile &tile)
    {
        unsigned warp = threadIdx.x / WARP;
#pragma unroll
        for (unsigned r = warp; r < SIDE; r += TRANSPOSE_WARPS)
#pragma unroll
            for (unsigned c = lane_id(); c < SIDE; c += WARP)
                if (r < tile.rows && c < tile.columns)
                    item[r][c] = job.from<E>(tile.row + r, tile.column)[c];
    }

    __device__ __forceinline__ void store(const transposition &job, const transpose_tile &tile) const
    {
        unsigned warp = threadIdx.x / WARP;
#pragma unroll
        for (unsigned c = warp; c < SIDE; c += TRANSPOSE_WARPS)
#pragma unroll
            for (unsigned r = lane_id(); r < SIDE; r += WARP)
                if (c < tile.columns && r < tile.rows)
                    job.to<E>(tile.column + c, tile.row)[r] = item[r][c];
    }
};

// Elements of 1 or 2 bytes, moved in words of EACH elements: a row of the tile is 128 bytes. The words of each EACH
// rows are rotated by one place more, so that neither rows nor columns of words have bank conflicts.
template <class E> struct staged_words {
    static constexpr unsigned EACH = 4 / sizeof(E), SIDE = WARP * EACH;
    uint32_t word[SIDE * WARP];

    static __device__ __forceinline__ unsigned place(unsigned row, unsigned word_column)
    {
        return row * WARP + (word_column + row / EACH) % WARP;
    }

    __device__ __forceinline__ E *item(unsigned row, unsigned column)
    {
        return reinterpret_cast<E *>(word + place(row, column / EACH)) + column % EACH;
    }

    // True if rows that begin at `memory` are moved in words.
    static __device__ __forceinline__ bool by_words(const transpose_tile &tile, const void *memory, size_t pitch)
    {
        return tile.rows == SIDE && tile.columns == SIDE && (reinterpret_cast<uintptr_t>(memory) | pitch) % 4 == 0;
    }

    __device__ __forceinline__ void load(const transposition &job, const transpose_tile &tile)
    {
        unsigned warp = threadIdx.x / WARP;
        if (by_words(tile, job.from<E>(tile.row, tile.column), job.in_pitch)) {
#pragma unroll
            for (unsigned r = warp; r < SIDE; r += TRANSPOSE_WARPS)
                word[place(r, lane_id())] = job.from<uint32_t>(tile.row + r, tile.column)[lane_id()];
            return;
        }
        for (unsigned r = warp; r < tile.rows; r += TRANSPOSE_WARPS)
            for (unsigned c = lane_id(); c < tile.columns; c += WARP)
                *item(r, c) = job.from<E>(tile.row + r, tile.column)[c];
    }

    // Word i of the result has element i of each of the EACH words.
    static __device__ __forceinline__ uint32_t turned(const uint32_t *rows, unsigned i)
    {
        if constexpr (EACH == 2)
            return __byte_perm(rows[0], rows[1], i == 0 ? 0x5410 : 0x7632);
        unsigned pick = i | (i + 4) << 4;
        return __byte_perm(__byte_perm(rows[0], rows[1], pick), __byte_perm(rows[2 % EACH], rows[3 % EACH], pick),
                           0x5410);
    }

    __device__ __forceinline__ void store(const transposition &job, const transpose_tile &tile)
    {
        unsigned warp = threadIdx.x / WARP;
        if (by_words(tile, job.to<E>(tile.column, tile.row), job.out_pitch)) {
            for (unsigned c = warp; c < WARP; c += TRANSPOSE_WARPS) {
                uint32_t rows[EACH];
#pragma unroll
                for (unsigned i = 0; i < EACH; i++)
                    rows[i] = word[place(lane_id() * EACH + i, c)];
#pragma unroll
                for (unsigned i = 0; i < EACH; i++)
                    job.to<uint32_t>(tile.column + c * EACH + i, tile.row)[lane_id()] = turned(rows, i);
            }
            return;
        }
        for (unsigned c = warp; c < tile.columns; c += TRANSPOSE_WARPS)
            for (unsigned r = lane_id(); r < tile.rows; r += WARP)
                job.to<E>(tile.column + c, tile.row)[r] = *item(r, c);
    }
};

// Elements of any other size up to 20 bytes, as units U. Rows are padded to an odd number of words, against bank
// conflicts.
template <class U> struct staged_units {
    static constexpr unsigned SIDE = 32, MOST_BYTES = 20, PADDING = 4 / sizeof(U);
    U unit[SIDE * (SIDE * MOST_BYTES / sizeof(U) + PADDING)];

    __device__ __forceinline__ void load(const transposition &job, const transpose_tile &tile)
    {
        unsigned each = unsigned(job.size / sizeof(U)), length = tile.columns * each;
        for (unsigned r = threadIdx.x / WARP; r < tile.rows; r += TRANSPOSE_WARPS)
            for (unsigned i = lane_id(); i < length; i += WARP)
                unit[r * (SIDE * each + PADDING) + i] = job.from<U>(tile.row + r, tile.column)[i];
    }

    __device__ __forceinline__ void store(const transposition &job, const transpose_tile &tile) const
    {
        unsigned each = unsigned(job.size / sizeof(U)), length = tile.rows * each;
        for (unsigned c = threadIdx.x / WARP; c < tile.columns; c += TRANSPOSE_WARPS)
            for (unsigned i = lane_id(); i < length; i += WARP)
                job.to<U>(tile.column + c, tile.row)[i] =
                    unit[i / each * (SIDE * each + PADDING) + c * each + i % each];
    }
};

#endif
