// choose_table.h - how a summed-area table is made: pure functions of the request. Results must have the same bits on
// every GPU, so nothing depends on the GPU.
#ifndef SK_CUDA_CHOOSE_TABLE_H
#define SK_CUDA_CHOOSE_TABLE_H

#include "common/algorithm.h"
#include "scankit.h"

SK_ALGORITHMS(table_algorithm, SK_CUDA_TABLES)

// Multiprocessors of a large GPU, about.
constexpr size_t TABLE_PROCESSORS = 128;

// Up to this height, images whose rows have at least as many elements as given here are scanned by whole rows. They
// have few bands, each of many chunks one after the other. (By estimate: a chunk of a low band takes 0.8 microseconds.)
constexpr size_t TABLE_LOW = 255, TABLE_WIDE = 8192;

// Rows of a band, by the bytes of a sum: at most; for images of medium height; and at least.
constexpr int table_rows_most(size_t size)
{
    return size > 4 ? 16 : 32;
}
constexpr int table_rows_few(size_t size)
{
    return table_rows_most(size) / 2;
}
constexpr int table_rows_least(size_t size)
{
    return table_rows_most(size) / 4;
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
    for (int rows = table_rows_most(sum_size); rows > table_rows_least(sum_size); rows /= 2)
        if (bands_of(height, size_t(rows)) >= 2 * TABLE_PROCESSORS)
            return rows;
    return table_rows_least(sum_size);
}

constexpr int row_scan_rows(size_t height)
{
    return bands_of(height, ROW_SCAN_MANY) >= 2 * TABLE_PROCESSORS ? ROW_SCAN_MANY : ROW_SCAN_FEW;
}

// Images of one channel (vector_band.cuh). Warps that scan a band, and rows of each; bands are as high as gives each
// multiprocessor one.
constexpr int SCANNING_WARPS = 8;

constexpr int scanned_rows(size_t height)
{
    for (int rows = 8; rows > 2; rows /= 2)
        if (bands_of(height, size_t(rows) * SCANNING_WARPS) >= TABLE_PROCESSORS)
            return rows;
    return 2;
}

// Chunks of a band that wait for the bands above, and chunks that are copied ahead: as many as shared memory holds.
// They do not change the results.
struct table_depth {
    int lag, ahead;
};
constexpr table_depth TABLE_DEPTHS[] = {{4, 2}, {2, 2}, {1, 0}};
constexpr int TABLE_DEPTH_LEAST = sizeof TABLE_DEPTHS / sizeof *TABLE_DEPTHS - 1;

// length: elements of a row.
constexpr table_algorithm choose_table(scankit_table_method method, size_t length, size_t height)
{
    if (method == SCANKIT_TABLE_SINGLE_PASS)
        return table_algorithm::SINGLE_PASS;
    if (method == SCANKIT_TABLE_TRANSPOSES)
        return table_algorithm::TRANSPOSES;
    return height <= TABLE_LOW && length >= TABLE_WIDE ? table_algorithm::ROWS_FIRST : table_algorithm::SINGLE_PASS;
}

#endif
