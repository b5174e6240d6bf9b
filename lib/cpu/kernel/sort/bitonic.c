/* bitonic.c - the bitonic merge, in the widest registers of the instruction set. */
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/stream.h"

#undef KEY

#define KEY_BITS 32
#define SOME SK_ISA_NAME(sk_bitonic_some_32)
#define MERGE SK_ISA_NAME(sk_bitonic_32)
#define VALUES SK_ISA_NAME(sk_merge_values_32)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "bitonic.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define SOME SK_ISA_NAME(sk_bitonic_some_64)
#define MERGE SK_ISA_NAME(sk_bitonic_64)
#define VALUES SK_ISA_NAME(sk_merge_values_64)
#include "cpu/kernel/lanes.inc"

#include "values.inc"

#include "bitonic.inc"

#include "cpu/kernel/lanes_end.inc"
