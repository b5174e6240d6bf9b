/* pivot.c - partitions of keys around a pivot, where a register's lanes can be compressed by a mask. */
#include "cpu/kernel/lanes.h"

#undef KEY

#if SK_HAS_PIVOTS

#define KEY_BITS 32
#define PARTITION SK_ISA_NAME(sk_pivot_32)
#include "cpu/kernel/lanes.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define PARTITION SK_ISA_NAME(sk_pivot_64)
#include "cpu/kernel/lanes.inc"

#include "pivot.inc"

#include "cpu/kernel/lanes_end.inc"

#endif
