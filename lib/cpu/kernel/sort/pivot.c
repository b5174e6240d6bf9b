/* pivot.c - partitions of keys around a pivot, where a register's lanes can be compressed by a mask. */
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/rows.h"
#include "cpu/kernel/stream.h"

#undef KEY

#if SK_HAS_PIVOTS

#define KEY_BITS 32
#define PARTITION SK_ISA_NAME(sk_pivot_32)
#define PARTITION_VALUES SK_ISA_NAME(sk_pivot_values_32)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define PARTITION SK_ISA_NAME(sk_pivot_64)
#define PARTITION_VALUES SK_ISA_NAME(sk_pivot_values_64)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

#endif
