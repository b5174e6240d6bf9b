// choose_rows.h - how rows are scanned: pure functions of sizes. Results must have the same bits on every GPU, so
// nothing depends on the GPU.
#ifndef SK_CUDA_CHOOSE_ROWS_H
#define SK_CUDA_CHOOSE_ROWS_H

#include <cstddef>

// What takes a row at a time.
enum class rows_way { WARPS, BLOCKS, GPU };

// A block's tile has 16 KiB, as two rows of 4096 f32: longer ones leave blocks waiting at their barriers.
constexpr int ROWS_THREADS = 256, ROWS_VECTORS = 4;
constexpr unsigned ROWS_BLOCKS_MOST = 1u << 20;

// Rows of this many bytes keep most threads of a block idle.
constexpr size_t ROWS_SHORT_BYTES = 2048;

// A scan by the whole GPU takes a few microseconds at least, as long as a block takes for some tiles.
constexpr size_t ROWS_FEW = 64, ROWS_LONG_BYTES = size_t(1) << 20;

constexpr rows_way choose_rows(size_t rows, size_t bytes)
{
    if (rows < ROWS_FEW && bytes >= ROWS_LONG_BYTES)
        return rows_way::GPU;
    return bytes <= ROWS_SHORT_BYTES ? rows_way::WARPS : rows_way::BLOCKS;
}

#endif
