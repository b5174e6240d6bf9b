/* partition.c - counting and moving by digit. Digits are found for a block of keys at a time, which the compiler does
 * in vector registers. */
#include "cpu/kernel/shapes.h"
#include "cpu/kernel/stream.h"

#define BLOCK ((size_t)256)

#define TEMPLATE "cpu/kernel/sort/partition.inc"
#include "cpu/kernel/shapes.inc"

#define TEMPLATE "cpu/kernel/sort/blocks.inc"
#include "cpu/kernel/shapes.inc"

#define GATHER_0(k) SK_NAME(gather, k, 0)
#define GATHER_32(k) NULL
#define GATHER_64(k) NULL
#define X(k, v) \
    SK_SHAPE_ROW(k, v) = {SK_NAME(count, k, v), SK_NAME(scatter, k, v), SK_NAME(scatter_lines, k, v), GATHER_##v(k)},
const sk_partition_kernels SK_ISA_NAME(sk_partition_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X
