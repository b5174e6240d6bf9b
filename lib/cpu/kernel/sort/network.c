/* network.c - sorts of few values, where registers are wide: in registers, by merges of what registers sort, and by bins
 * of which registers sort several at a time. */
#include "cpu/kernel/lanes.h"

#undef KEY

#if SK_NETWORK_ROWS > 0

#define KEY_BITS 32
#define NETWORK SK_ISA_NAME(sk_network_32)
#define MERGE_SORT SK_ISA_NAME(sk_merge_sort_32)
#define BIN_SORT SK_ISA_NAME(sk_bin_sort_32)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "network.inc"

#include "merge_sort.inc"

#if SK_HAS_PIVOTS
#include "bin_sort.inc"
#endif
#undef NETWORK
#undef BIN_SORT

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define NETWORK SK_ISA_NAME(sk_network_64)
#define MERGE_SORT SK_ISA_NAME(sk_merge_sort_64)
#define BIN_SORT SK_ISA_NAME(sk_bin_sort_64)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "network.inc"

#include "merge_sort.inc"

#if SK_HAS_PIVOTS
#include "bin_sort.inc"
#endif
#undef NETWORK
#undef BIN_SORT

#include "cpu/kernel/lanes_end.inc"

#endif
