/* bitonic.c - the bitonic merge, in the widest registers of the instruction set. */
#include "shapes.h"

#undef KEY
#if defined(__AVX512F__)
#define REGISTER 64
#elif defined(__AVX2__)
#define REGISTER 32
#else
#define REGISTER 16
#endif

#define KEY_BITS 32
#define MERGE SK_ISA_NAME(sk_bitonic_32)
#include "bitonic.inc"

#define KEY_BITS 64
#define MERGE SK_ISA_NAME(sk_bitonic_64)
#include "bitonic.inc"
