/* dense.c - a sort of keys from a short range, which have few values: these are counted, and written as often. */
#include "cpu/kernel/lanes.h"

#undef KEY

#if SK_HAS_PIVOTS

#define KEY_BITS 32
#define DENSE SK_ISA_NAME(sk_dense_32)
#include "cpu/kernel/lanes.inc"

#include "dense.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define DENSE SK_ISA_NAME(sk_dense_64)
#include "cpu/kernel/lanes.inc"

#include "dense.inc"

#include "cpu/kernel/lanes_end.inc"

#endif
