// choose_table.h - how a summed-area table is made: pure functions of the request. Results must have the same bits on
// every GPU, so nothing depends on the GPU.
#ifndef SK_CUDA_CHOOSE_TABLE_H
#define SK_CUDA_CHOOSE_TABLE_H

#include "common/algorithm.h"
#include "scankit.h"

SK_ALGORITHMS(table_algorithm, SK_CUDA_TABLES)

// Multiprocessors of a large GPU, about.
constexpr size_t TABLE_PROCESSORS = 128;

// Pixels from which on transpositions may pay.
constexpr size_t TABLE_TRANSPOSED_LEAST = size_t(1) << 22;

// Rows of a band, by the bytes of a sum: at most; for images of medium height; and at least.
constexpr int TABLE_ROWS_MOST(size_t size)
{
    return size > 4 ? 16 : 32;
}
constexpr int TABLE_ROWS_FEW(size_t size)
{
    return TABLE_ROWS_MOST(size) / 2;
}
constexpr int TABLE_ROWS_LEAST(size_t size)
{
    return TABLE_ROWS_MOST(size) / 4;
}

// Rows of a block of a scan of rows: if there are many, and otherwise.
constexpr int ROW_SCAN_MANY = 8, ROW_SCAN_FEW = 2;

constexpr size_t bands_of(size_t height, size_t rows)
{
    return (height - 1) / rows + 1;
}

// Each band has a block, and two blocks run on a multiprocessor. Longer bands publish less for each row.
constexpr int table_rows(size_t height, size_t sum_size)
{
    for (int rows = TABLE_ROWS_MOST(sum_size); rows > TABLE_ROWS_LEAST(sum_size); rows /= 2)
        if (bands_of(height, size_t(rows)) >= 2 * TABLE_PROCESSORS)
            return rows;
    return TABLE_ROWS_LEAST(sum_size);
}

constexpr int row_scan_rows(size_t height)
{
    return bands_of(height, ROW_SCAN_MANY) >= 2 * TABLE_PROCESSORS ? ROW_SCAN_MANY : ROW_SCAN_FEW;
}

// A low and wide image has few bands, which leave most of the GPU idle.
constexpr table_algorithm choose_table(scankit_table_method method, size_t width, size_t height, size_t sum_size)
{
    if (method == SCANKIT_TABLE_SINGLE_PASS)
        return table_algorithm::SINGLE_PASS;
    size_t bands = bands_of(height, size_t(table_rows(height, sum_size)));
    bool low = bands < TABLE_PROCESSORS / 2 && width >= TABLE_TRANSPOSED_LEAST / height;
    return method == SCANKIT_TABLE_TRANSPOSES || low ? table_algorithm::TRANSPOSES : table_algorithm::SINGLE_PASS;
}

#endif
