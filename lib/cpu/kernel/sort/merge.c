/* merge.c - stable merges of one thread, and where to cut them. */
#include "cpu/kernel/shapes.h"

#define CHAINS 4 /* merges side by side: each waits for its last comparison */

#define TEMPLATE "cpu/kernel/sort/merge.inc"
#include "cpu/kernel/shapes.inc"

#define X(k, v) SK_SHAPE_ROW(k, v) = {SK_NAME(path, k, v), SK_NAME(merge, k, v), SK_NAME(some, k, v)},
const sk_merge_kernels SK_ISA_NAME(sk_merge_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X

/* ---- words of records with their addresses ---- */

#define KEY_BITS 64
#define VALUE_BITS 64
#define TIES

static inline bool record_before(const sk_merge_order *order, uint64_t x, uint64_t y)
{
    const sk_record_order *records = order->records;
    return records->compare(records->keys, records->key_count, (const void *)(uintptr_t)x, (const void *)(uintptr_t)y) <
           0;
}

#include "merge_some.inc"

size_t SK_ISA_NAME(sk_merge_records)(sk_const_columns a, sk_const_columns b, sk_columns out, size_t m,
                                     const sk_merge_order *order)
{
    return some_64_64_records(a, b, out, m, order);
}
