// choose_rows.h - how the rows of a matrix are scanned: a pure function of the request alone, not of the GPU, so that
// sums of floats have the same bits on every GPU.
#ifndef SK_CUDA_CHOOSE_ROWS_H
#define SK_CUDA_CHOOSE_ROWS_H

#include <cstddef>

// Who takes a row: a warp, a block, or the whole GPU, one row after the other.
enum class row_scan { WARP, BLOCK, GPU };

// Up to four tiles of a warp. A block would leave most of its threads idle in its only tile.
constexpr size_t WARP_ROW_BYTES = 4096;

// With fewer rows than about half the multiprocessors of a large GPU, blocks cannot use all of its bandwidth. A call
// for each row pays once a row takes longer than a few launches.
constexpr size_t FEW_ROWS = 64;
constexpr size_t LONG_ROW = size_t(1) << 18;

constexpr row_scan choose_row_scan(size_t rows, size_t columns, size_t element_size)
{
    if (columns <= WARP_ROW_BYTES / element_size)
        return row_scan::WARP;
    return rows < FEW_ROWS && columns > LONG_ROW ? row_scan::GPU : row_scan::BLOCK;
}

#endif
