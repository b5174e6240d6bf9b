/* partition.c - counting and moving by digit. Digits are found for a block of keys at a time, which the compiler does
 * in vector registers. */
#include "cpu/kernel/shapes.h"
#include "cpu/kernel/stream.h"

#define BLOCK ((size_t)256)
#define SOON ((size_t)8 << 10) /* bytes of a column that are asked for before they are read */

/* Element i of a column is read now. A block is too short for a processor to see that others follow. One thread of a
 * Zen 4 sorts 2^26 u64 at 132 million a second, and without it at 122; 4 KiB gain as much, 2 KiB and 16 KiB less. */
SK_INLINE void ask_ahead(const void *column, size_t i, size_t size)
{
    if (i % (64 / size) == 0)
        sk_will_read(column, i * size + SOON);
}

#define TEMPLATE "cpu/kernel/sort/partition.inc"
#include "cpu/kernel/shapes.inc"

#define TEMPLATE "cpu/kernel/sort/blocks.inc"
#include "cpu/kernel/shapes.inc"

#define KEY_BITS 32
#define VALUE_BITS 32
#include "records.inc"
#undef KEY_BITS
#undef VALUE_BITS
#define KEY_BITS 64
#define VALUE_BITS 64
#include "records.inc"
#undef KEY_BITS
#undef VALUE_BITS

#define GATHER_0(k) SK_NAME(gather, k, 0)
#define GATHER_32(k) NULL
#define GATHER_64(k) NULL
#define X(k, v) \
    SK_SHAPE_ROW(k, v) = {SK_NAME(count, k, v), SK_NAME(scatter, k, v), SK_NAME(scatter_lines, k, v), GATHER_##v(k)},
const sk_partition_kernels SK_ISA_NAME(sk_partition_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X

sk_scatter_records_function *const SK_ISA_NAME(sk_scatter_records_table)[SK_SHAPE_ROWS] = {
    SK_SHAPE_ROW(32, 32) = scatter_records_32_32,
    SK_SHAPE_ROW(64, 64) = scatter_records_64_64,
};
