// transpose_rows.cuh - a tile of a matrix whose elements have any size, and whose rows begin anywhere.
//
// A sector of a row of the output that two tiles write in part costs more than all else. So a tile reads up to 31
// bytes' worth of rows more, and writes of each row of the output the sectors that begin in its range.
//
// A thread reads a square of elements whose rows are whole words, turns it in registers, and writes rows of the output
// to shared memory. From there they are written as words again. Words of the input and of the output that begin between
// two words of memory are funnelled from both.
#ifndef SK_CUDA_TRANSPOSE_ROWS_CUH
#define SK_CUDA_TRANSPOSE_ROWS_CUH

#include "image/transpose.cuh"

constexpr unsigned TRANSPOSE_SECTOR = 32; // bytes

// Sides of squares whose rows are whole words, for the sizes that squares are made of.
constexpr unsigned square_side(unsigned size)
{
    return size % 4 == 0 ? 1 : size % 2 == 0 ? 2 : 4;
}

// Turns squares of EACH x EACH elements of SIZE bytes: byte by byte, by permutations that are known when this is
// compiled.
template <unsigned SIZE, unsigned EACH> struct square {
    static constexpr unsigned WORDS = EACH * SIZE / 4;
    uint32_t word[EACH][WORDS];

    // Byte i of turned row j.
    static __device__ __forceinline__ constexpr unsigned source_row(unsigned i)
    {
        return i / SIZE;
    }
    static __device__ __forceinline__ constexpr unsigned source_byte(unsigned j, unsigned i)
    {
        return j * SIZE + i % SIZE;
    }

    // Bytes i and i + 1 of turned row j.
    __device__ __forceinline__ uint32_t pair(unsigned j, unsigned i) const
    {
        return __byte_perm(word[source_row(i)][source_byte(j, i) / 4],
                           word[source_row(i + 1)][source_byte(j, i + 1) / 4],
                           source_byte(j, i) % 4 + (source_byte(j, i + 1) % 4 + 4) * 0x10);
    }

    // Word w of turned row j.
    __device__ __forceinline__ uint32_t turned(unsigned j, unsigned w) const
    {
        if constexpr (EACH == 1)
            return word[0][w];
        else
            return __byte_perm(pair(j, 4 * w), pair(j, 4 * w + 2), 0x5410);
    }
};

// SIZE: bytes of an element; 0: any size. A tile has at most ROWS x COLUMNS elements; more of them take the room of
// other blocks.
template <unsigned SIZE, unsigned ROWS, unsigned COLUMNS> struct staged_rows {
    static constexpr unsigned EACH = SIZE > 0 ? square_side(SIZE) : 1;
    static constexpr unsigned UNITS = COLUMNS / EACH;                  // squares beside each other
    static constexpr unsigned WORDS = SIZE > 0 ? (EACH *SIZE) / 4 : 1; // of a square's row
    static constexpr unsigned LOADS = EACH * WORDS;                    // of a square

    const transposition &job;
    const transpose_tile tile;
    uint32_t *const staged;
    const unsigned size, pitch; // words of a staged row: even

    __device__ __forceinline__ staged_rows(const transposition &of, const transpose_tile &at, void *memory)
        : job(of), tile(at), staged(static_cast<uint32_t *>(memory)), size(SIZE > 0 ? SIZE : unsigned(of.size)),
          pitch(pitch_for(SIZE > 0 ? SIZE : unsigned(of.size)))
    {
    }

    // ---- room ----

    // Rows beyond the tile that are read.
    static __host__ __device__ __forceinline__ unsigned beyond(unsigned size)
    {
        return (TRANSPOSE_SECTOR - 2) / size + 1;
    }

    // Also for whole squares, and for the word after the last one.
    static __host__ __device__ __forceinline__ unsigned pitch_for(unsigned size)
    {
        return ((ROWS + beyond(size) + EACH - 1) * size / 4 + 3) / 2 * 2;
    }

    static size_t room(size_t size)
    {
        return (COLUMNS * pitch_for(unsigned(size)) + UNITS) * sizeof(uint32_t);
    }

    // Row c of the output. Squares beside each other begin in different banks.
    __device__ __forceinline__ uint32_t *row(unsigned c) const
    {
        return staged + c * pitch + c / EACH;
    }

    // ---- the input ----

    // A row of a square, from any place. What is after it is read too: at most seven bytes.
    static __device__ __forceinline__ void read(uint32_t (&to)[WORDS], const unsigned char *at)
    {
        if constexpr (SIZE == 8) {
            uint2 pair = *reinterpret_cast<const uint2 *>(at);
            to[0] = pair.x;
            to[1] = pair.y;
        } else if constexpr (SIZE % 4 == 0) {
#pragma unroll
            for (unsigned w = 0; w < WORDS; w++)
                to[w] = reinterpret_cast<const uint32_t *>(at)[w];
        } else {
            unsigned odd = unsigned(uintptr_t(at) % 4);
            const uint32_t *whole = reinterpret_cast<const uint32_t *>(at - odd);
            uint32_t word[WORDS + 1];
#pragma unroll
            for (unsigned w = 0; w <= WORDS; w++)
                word[w] = whole[w];
#pragma unroll
            for (unsigned w = 0; w < WORDS; w++)
                to[w] = __funnelshift_r(word[w], word[w + 1], odd * 8);
        }
    }

    // The same near the end of the matrix. No bytes behind it are read.
    static __device__ __forceinline__ void read_last(uint32_t (&to)[WORDS], const unsigned char *at,
                                                     const unsigned char *end)
    {
#pragma unroll
        for (unsigned w = 0; w < WORDS; w++) {
            to[w] = 0;
#pragma unroll 1
            for (unsigned i = 4 * w; i < 4 * w + 4; i++)
                to[w] |= at + i < end ? uint32_t(at[i]) << (i % 4 * 8) : 0;
        }
    }

    // INNER: the matrix has a row after the last one of the squares.
    template <bool INNER>
    __device__ __forceinline__ void load_square(square<SIZE, EACH> &of, const unsigned char *at, unsigned rows) const
    {
        const unsigned char *end = job.from<unsigned char>(job.rows - 1, job.columns);
#pragma unroll
        for (unsigned r = 0; r < EACH; r++) {
            if constexpr (INNER)
                read(of.word[r], at);
            else
                read_last(of.word[r], at, end);
            at += INNER || r + 1 < rows ? job.in_pitch : 0;
        }
    }

    __device__ __forceinline__ void turn(uint32_t *to, const square<SIZE, EACH> &of) const
    {
#pragma unroll
        for (unsigned j = 0; j < EACH; j++)
#pragma unroll
            for (unsigned w = 0; w < WORDS; w++)
                to[j * pitch + w] = of.turned(j, w);
    }

    // A thread takes squares of one column of them.
    template <bool INNER> __device__ __forceinline__ void load_squares(unsigned rows) const
    {
        unsigned unit = threadIdx.x % UNITS, squares = (rows - 1) / EACH + 1;
        if (unit * EACH >= tile.columns)
            return;
        const unsigned char *from = job.from<unsigned char>(tile.row, tile.column) + unit * EACH * SIZE;
        uint32_t *to = row(unit * EACH);
#pragma unroll(LOADS < 4 ? 4 / LOADS : 1)
        for (unsigned i = threadIdx.x / UNITS; i < squares; i += TRANSPOSE_THREADS / UNITS) {
            square<SIZE, EACH> of;
            load_square<INNER>(of, from + i * EACH * job.in_pitch, rows - i * EACH);
            turn(to + i * WORDS, of);
        }
    }

    __device__ __forceinline__ void load_bytes(unsigned rows) const
    {
        const unsigned char *from = job.from<unsigned char>(tile.row, tile.column);
        for (unsigned r = threadIdx.x / WARP; r < rows; r += TRANSPOSE_WARPS)
            for (unsigned i = lane_id(); i < tile.columns * size; i += WARP)
                reinterpret_cast<unsigned char *>(row(i / size))[r * size + i % size] = from[r * job.in_pitch + i];
    }

    __device__ __forceinline__ void load(unsigned rows) const
    {
        if constexpr (SIZE == 0)
            load_bytes(rows);
        else if (tile.row + rows + EACH <= job.rows && job.in_pitch >= 32)
            load_squares<true>(rows);
        else
            load_squares<false>(rows);
    }

    // ---- the output ----

    // Writes bytes first to last of row c of the output, which begins at `to`.
    __device__ __forceinline__ void write(unsigned char *to, unsigned c, unsigned first, unsigned last) const
    {
        int odd = int(uintptr_t(to + first) % 4), shift = -(int(uintptr_t(to) % 4)) & 3; // of words, in the staged row
        const uint32_t *from = row(c);
        for (int i = int(first) - odd + int(lane_id()) * 4; i < int(last); i += WARP * 4) {
            if (i >= int(first) && i + 4 <= int(last)) {
                const uint32_t *word = from + (i >> 2);
                *reinterpret_cast<uint32_t *>(to + i) =
                    SIZE % 4 == 0 && SIZE > 0 ? word[0] : __funnelshift_r(word[0], word[1], unsigned(shift) * 8);
            } else {
                for (int j = max(i, int(first)); j < min(i + 4, int(last)); j++)
                    to[j] = reinterpret_cast<const unsigned char *>(from)[j];
            }
        }
    }

    // All of the tile.
    __device__ __forceinline__ void store() const
    {
        for (unsigned c = threadIdx.x / WARP; c < tile.columns; c += TRANSPOSE_WARPS)
            write(job.to<unsigned char>(tile.column + c, tile.row), c, 0, tile.rows * size);
    }

    // The sectors that begin in the tile, and what is before a row's first one. rows: that are staged.
    __device__ __forceinline__ void store_sectors(unsigned rows) const
    {
        if constexpr (SIZE > 0)
            if (tile.row > 0 && rows == ROWS + beyond(size)) {
                store_whole_sectors();
                return;
            }
        for (unsigned c = threadIdx.x / WARP; c < tile.columns; c += TRANSPOSE_WARPS) {
            unsigned char *to = job.to<unsigned char>(tile.column + c, tile.row);
            unsigned before = unsigned(-uintptr_t(to) % TRANSPOSE_SECTOR);
            write(to, c, tile.row > 0 ? before : 0, min(rows * size, ROWS * size + before));
        }
    }

    // The same where as many are written of each row.
    __device__ __forceinline__ void store_whole_sectors() const
    {
        constexpr unsigned ROW = ROWS * SIZE / 4; // words
        unsigned char *to = job.to<unsigned char>(tile.column + threadIdx.x / WARP, tile.row);
        const uint32_t *from = row(threadIdx.x / WARP);
#pragma unroll 2
        for (unsigned c = threadIdx.x / WARP; c < tile.columns; c += TRANSPOSE_WARPS) {
            unsigned before = unsigned(-uintptr_t(to) % TRANSPOSE_SECTOR);
            uint32_t *sector = reinterpret_cast<uint32_t *>(to + before);
            const uint32_t *word = from + before / 4;
#pragma unroll
            for (unsigned i = 0; i < ROW; i += WARP)
                if (i + WARP <= ROW || i + lane_id() < ROW) {
                    uint32_t bits = word[i + lane_id()];
                    if constexpr (SIZE % 4 != 0)
                        bits = __funnelshift_r(bits, word[i + lane_id() + 1], before % 4 * 8);
                    sector[i + lane_id()] = bits;
                }
            to += TRANSPOSE_WARPS * job.out_pitch;
            from += TRANSPOSE_WARPS * pitch + TRANSPOSE_WARPS / EACH;
        }
    }
};

#endif
