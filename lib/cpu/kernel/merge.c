/* merge.c - stable merges of one thread, and where to cut them. */
#include "shapes.h"

#define TEMPLATE "merge.inc"
#include "shapes.inc"

#define X(k, v) SK_SHAPE_ROW(k, v) = {SK_NAME(path, k, v), SK_NAME(merge, k, v)},
const sk_merge_kernels SK_ISA_NAME(sk_merge_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X
