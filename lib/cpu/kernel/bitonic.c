/* bitonic.c - the bitonic merge, in the widest registers of the instruction set. */
#include "shapes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* A shuffle by constant lane numbers. gcc before 12 has only __builtin_shuffle. */
#if defined(__clang__) || __GNUC__ >= 12
#define SK_SHUFFLE(VECTOR, x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define SK_SHUFFLE(VECTOR, x, ...) __builtin_shuffle(x, (VECTOR){__VA_ARGS__})
#endif

/* Lane numbers from `first` up, each with its bits of `distance` flipped. */
#define SK_XOR_2(first, distance) (first) ^ (distance), ((first) + 1) ^ (distance)
#define SK_XOR_4(first, distance) SK_XOR_2(first, distance), SK_XOR_2((first) + 2, distance)
#define SK_XOR_8(first, distance) SK_XOR_4(first, distance), SK_XOR_4((first) + 4, distance)
#define SK_XOR_16(first, distance) SK_XOR_8(first, distance), SK_XOR_8((first) + 8, distance)

#undef KEY
#if defined(__AVX512F__)
#define REGISTER 64
typedef __mmask16 sk_mask_32; /* a bit a lane */
typedef __mmask8 sk_mask_64;
#elif defined(__AVX2__)
#define REGISTER 32
#else
#define REGISTER 16
#endif

#define KEY_BITS 32
#define SOME SK_ISA_NAME(sk_bitonic_some_32)
#define MERGE SK_ISA_NAME(sk_bitonic_32)
#include "bitonic.inc"

#define KEY_BITS 64
#define SOME SK_ISA_NAME(sk_bitonic_some_64)
#define MERGE SK_ISA_NAME(sk_bitonic_64)
#include "bitonic.inc"
