/* lanes.h - registers of keys, as wide as the instruction set has them. A source file defines KEY_BITS and includes
 * "lanes.inc", which gives it KEY, LANES, VECTOR and FN(); and "lanes_end.inc" when it is done. */
#ifndef SK_LANES_H
#define SK_LANES_H

#include "shapes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A shuffle of two vectors by constant lane numbers. gcc before 12 has only __builtin_shuffle. */
#if defined(__clang__) || __GNUC__ >= 12
#define SK_SHUFFLE(VECTOR, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define SK_SHUFFLE(VECTOR, x, y, ...) __builtin_shuffle(x, y, (VECTOR){__VA_ARGS__})
#endif

/* Lane numbers from `first` up, each with its bits of `distance` flipped. */
#define SK_XOR_2(first, distance) (first) ^ (distance), ((first) + 1) ^ (distance)
#define SK_XOR_4(first, distance) SK_XOR_2(first, distance), SK_XOR_2((first) + 2, distance)
#define SK_XOR_8(first, distance) SK_XOR_4(first, distance), SK_XOR_4((first) + 4, distance)
#define SK_XOR_16(first, distance) SK_XOR_8(first, distance), SK_XOR_8((first) + 8, distance)

/* Lane numbers of two vectors of `lanes` lanes by turns: `first` of both, first + 1 of both, and so on. */
#define SK_TURNS_2(first, lanes) (first), (first) + (lanes)
#define SK_TURNS_4(first, lanes) SK_TURNS_2(first, lanes), SK_TURNS_2((first) + 1, lanes)
#define SK_TURNS_8(first, lanes) SK_TURNS_4(first, lanes), SK_TURNS_4((first) + 2, lanes)
#define SK_TURNS_16(first, lanes) SK_TURNS_8(first, lanes), SK_TURNS_8((first) + 4, lanes)

/* Rows of a sort in registers. AVX-512 and NEON have 32 registers. SSE2 has no unsigned comparison. */
#if defined(__AVX512F__) || defined(__aarch64__)
#define SK_NETWORK_ROWS 16
#elif defined(__AVX2__)
#define SK_NETWORK_ROWS 8
#else
#define SK_NETWORK_ROWS 0
#endif

/* The most keys of a size that a sort in registers takes. */
#define SK_NETWORK_KEYS(size) ((size_t)(SK_NETWORK_ROWS * REGISTER) / (size))

/* A register's lanes can be compressed by a mask. A table of shuffles does it too, but with AVX2 a sort by digits is
 * half as fast again as one by pivots. */
#if defined(__AVX512F__)
#define SK_HAS_PIVOTS 1
#else
#define SK_HAS_PIVOTS 0
#endif

#if defined(__AVX512F__)
#define REGISTER 64
#define SK_XOR_3 0x96         /* the operation of ternarylogic */
typedef __mmask16 sk_mask_32; /* a bit a lane */
typedef __mmask8 sk_mask_64;
#elif defined(__AVX2__)
#define REGISTER 32
typedef unsigned sk_mask_32; /* likewise; bits beyond the lanes are 0 */
typedef unsigned sk_mask_64;
#else
#define REGISTER 16
#endif

/* Loops that become straight code, so that arrays of vectors are registers. */
#if defined(__clang__)
#define SK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SK_UNROLL _Pragma("GCC unroll 32")
#endif

#endif
