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

// A part of the input.
struct transpose_tile {
    size_t row, column;
    unsigned rows, columns;
};

// The tile at a place, of at most rows x columns elements.
__device__ __forceinline__ transpose_tile tile_at(const transposition &job, size_t row, size_t column, unsigned rows,
                                                  unsigned columns)
{
    return {row, column, unsigned(min(job.rows - row, size_t(rows))),
            unsigned(min(job.columns - column, size_t(columns)))};
}

// Transposes a square of elements of type E, which lie in registers: the four quarters of it, then the quarters of each
// (Eklundh, A Fast Computer Method for Matrix Transposing, 1972).
template <class E, class U, int EACH> __device__ __forceinline__ void turn(U (&row)[EACH])
{
    constexpr int WORDS = sizeof(U) / 4;
    uint32_t word[EACH][WORDS];
    memcpy(word, row, sizeof word);
#pragma unroll
    for (int half = EACH / 2; half > 0; half /= 2) {
        const int apart = half * int(sizeof(E)) / 4; // words; 0: both in one
        const uint32_t low = half * sizeof(E) == 1 ? 0x6240 : 0x5410, high = low + 0x1111 * sizeof(E) * half;
#pragma unroll
        for (int r = 0; r < EACH; r++)
#pragma unroll
            for (int w = 0; w < WORDS; w++) {
                if ((r & half) != 0 || (w & apart) != 0)
                    continue;
                uint32_t &above = word[r][(w + apart) % WORDS], &below = word[(r + half) % EACH][w];
                uint32_t kept = above;
                above = apart > 0 ? below : __byte_perm(kept, below, low);
                below = apart > 0 ? kept : __byte_perm(kept, below, high);
            }
    }
    memcpy(row, word, sizeof word);
}

// Elements of type E, moved in units U of EACH elements; rows begin at multiples of a unit. A thread turns a square of
// EACH units. The units of each EACH rows are rotated by one place more, so that neither rows nor columns of units have
// bank conflicts.
template <class E, class U> struct staged_squares {
    static constexpr unsigned SIDE = WARP * (sizeof(E) < 4 ? 4 : sizeof(E) == 4 ? 2 : 1), EACH = sizeof(U) / sizeof(E);
    static constexpr unsigned UNITS = SIDE / EACH, ROUNDS = SIDE * UNITS / TRANSPOSE_THREADS;
    U unit[SIDE * UNITS];

    static __device__ __forceinline__ unsigned place(unsigned row, unsigned column)
    {
        return row * UNITS + (column + row / EACH) % UNITS;
    }

    __device__ __forceinline__ E *item(unsigned row, unsigned column)
    {
        return reinterpret_cast<E *>(unit + place(row, column / EACH)) + column % EACH;
    }

    // All loads are on their way before the first one is needed.
    __device__ __forceinline__ void load(const transposition &job, const transpose_tile &tile)
    {
        if (tile.rows == SIDE && tile.columns == SIDE) {
            U value[ROUNDS];
#pragma unroll
            for (unsigned k = 0; k < ROUNDS; k++) {
                unsigned i = k * TRANSPOSE_THREADS + threadIdx.x;
                value[k] = job.from<U>(tile.row + i / UNITS, tile.column)[i % UNITS];
            }
#pragma unroll
            for (unsigned k = 0; k < ROUNDS; k++) {
                unsigned i = k * TRANSPOSE_THREADS + threadIdx.x;
                unit[place(i / UNITS, i % UNITS)] = value[k];
            }
            return;
        }
        for (unsigned r = threadIdx.x / WARP; r < tile.rows; r += TRANSPOSE_WARPS)
            for (unsigned c = lane_id(); c < tile.columns; c += WARP)
                *item(r, c) = job.from<E>(tile.row + r, tile.column)[c];
    }

    __device__ __forceinline__ void store(const transposition &job, const transpose_tile &tile)
    {
        if (tile.rows == SIDE && tile.columns == SIDE) {
#pragma unroll 1
            for (unsigned i = threadIdx.x; i < UNITS * UNITS; i += TRANSPOSE_THREADS) {
                unsigned row = i % UNITS, column = i / UNITS;
                U square[EACH];
#pragma unroll
                for (unsigned j = 0; j < EACH; j++)
                    square[j] = unit[place(row * EACH + j, column)];
                turn<E>(square);
#pragma unroll
                for (unsigned j = 0; j < EACH; j++)
                    job.to<U>(tile.column + column * EACH + j, tile.row)[row] = square[j];
            }
            return;
        }
        for (unsigned c = threadIdx.x / WARP; c < tile.columns; c += TRANSPOSE_WARPS)
            for (unsigned r = lane_id(); r < tile.rows; r += WARP)
                job.to<E>(tile.column + c, tile.row)[r] = *item(r, c);
    }
};

#endif
