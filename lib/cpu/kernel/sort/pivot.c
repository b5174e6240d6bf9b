/* pivot.c - partitions of keys around a pivot, where a register's lanes can be compressed by a mask. */
#include "cpu/kernel/lanes.h"

#undef KEY

#if SK_HAS_PIVOTS

#define KEY_BITS 32
#define FIRST UINT32_C(0x007fffff)
#define PARTITION SK_ISA_NAME(sk_pivot_32)
#define PARTITION_VALUES SK_ISA_NAME(sk_pivot_values_32)
#include "cpu/kernel/lanes.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

/* For each mask of 8 lanes, a byte for each lane to come: the lanes of the mask, then the others. */
#define BELOW(mask, lane) __builtin_popcount((mask) & ((1 << (lane)) - 1))
#define PLACE(mask, lane) ((mask) >> (lane)&1 ? BELOW(mask, lane) : __builtin_popcount(mask) + (lane)-BELOW(mask, lane))
#define LANE(mask, lane) (uint64_t)(lane) << 8 * PLACE(mask, lane)
#define ORDER(m) LANE(m, 0) | LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) | LANE(m, 6) | LANE(m, 7)
#define ORDERS_4(m) ORDER(m), ORDER((m) + 1), ORDER((m) + 2), ORDER((m) + 3)
#define ORDERS_16(m) ORDERS_4(m), ORDERS_4((m) + 4), ORDERS_4((m) + 8), ORDERS_4((m) + 12)
#define ORDERS_64(m) ORDERS_16(m), ORDERS_16((m) + 16), ORDERS_16((m) + 32), ORDERS_16((m) + 48)
static const uint64_t parted_lanes[] = {ORDERS_64(0), ORDERS_64(64), ORDERS_64(128), ORDERS_64(192)};

#define KEY_BITS 64
#define FIRST UINT64_C(0x000fffffffffffff)
#define PARTITION SK_ISA_NAME(sk_pivot_64)
#define PARTITION_VALUES SK_ISA_NAME(sk_pivot_values_64)
#include "cpu/kernel/lanes.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

#endif
