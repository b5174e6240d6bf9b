/* network.c - sorts of few values, where registers are wide: in registers, and by merges of what registers sort. */
#include "cpu/kernel/lanes.h"

#undef KEY

#if SK_NETWORK_ROWS > 0

#define KEY_BITS 32
#define NETWORK SK_ISA_NAME(sk_network_32)
#define MERGE_SORT SK_ISA_NAME(sk_merge_sort_32)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "network.inc"

#include "merge_sort.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define NETWORK SK_ISA_NAME(sk_network_64)
#define MERGE_SORT SK_ISA_NAME(sk_merge_sort_64)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "network.inc"

#include "merge_sort.inc"

#include "cpu/kernel/lanes_end.inc"

#endif
