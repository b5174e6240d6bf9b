/* keys.c - questions about arrays of keys, and turning columns round. */
#include "shapes.h"

#define BLOCK ((size_t)256)

#define TEMPLATE "keys.inc"
#include "shapes.inc"

const sk_key_kernels SK_ISA_NAME(sk_key_table)[] = {
    {masks_8_0, in_order_8_0}, {masks_16_0, in_order_16_0}, {masks_32_0, in_order_32_0}, {masks_64_0, in_order_64_0}};

#define X(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(reverse, k, v),
sk_reverse_function *const SK_ISA_NAME(sk_reverse_table)[SK_SHAPE_ROWS] = {SK_SHAPES(X)};
#undef X
