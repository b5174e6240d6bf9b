// key_words.cuh - maps elements to key words and back: the pieces of backend.h, at any alignment.
#ifndef SK_CUDA_KEY_WORDS_CUH
#define SK_CUDA_KEY_WORDS_CUH

#include "backend.h"
#include "common/thread.cuh"
#include "sort/survey/key_order.cuh"

// `size` bytes as an integer, the first byte least significant. One load if they are aligned.
__device__ __forceinline__ uint64_t load_bytes(const uint8_t *from, unsigned size)
{
    if (reinterpret_cast<uintptr_t>(from) % size == 0) {
        switch (size) {
        case 1: return *from;
        case 2: return *reinterpret_cast<const uint16_t *>(from);
        case 4: return *reinterpret_cast<const uint32_t *>(from);
        case 8: return *reinterpret_cast<const uint64_t *>(from);
        }
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= uint64_t(from[i]) << 8 * i;
    return value;
}

// The lowest `size` bytes in reverse.
__device__ __forceinline__ uint64_t swap_bytes(uint64_t value, unsigned size)
{
    uint64_t swapped =
        uint64_t(__byte_perm(unsigned(value), 0, 0x0123)) << 32 | __byte_perm(unsigned(value >> 32), 0, 0x0123);
    return swapped >> (64 - 8 * size);
}

__device__ __forceinline__ uint64_t low_bytes(unsigned size)
{
    return ~uint64_t(0) >> (64 - 8 * size);
}

// A float's place in the order of floats of its size, and back.
__device__ __forceinline__ uint64_t float_to_order(unsigned size, uint64_t value)
{
    switch (8 * size) {
#define X(BITS) \
    case BITS: return sk_order_f##BITS(uint##BITS##_t(value));
        SK_FLOAT_WIDTHS(X)
#undef X
    default: __builtin_unreachable();
    }
}

__device__ __forceinline__ uint64_t float_from_order(unsigned size, uint64_t key)
{
    switch (8 * size) {
#define X(BITS) \
    case BITS: return sk_value_f##BITS(uint##BITS##_t(key));
        SK_FLOAT_WIDTHS(X)
#undef X
    default: __builtin_unreachable();
    }
}

// A value's place in the order of its kind, and back.
__device__ __forceinline__ uint64_t to_order(const sk_piece &piece, uint64_t value)
{
    if (piece.swap || piece.kind == SK_PIECE_BYTES)
        value = swap_bytes(value, piece.size);
    if (piece.kind == SK_PIECE_SIGNED)
        value ^= uint64_t(1) << (8 * piece.size - 1);
    else if (piece.kind == SK_PIECE_FLOAT)
        value = float_to_order(piece.size, value);
    return piece.descending ? ~value & low_bytes(piece.size) : value;
}

__device__ __forceinline__ uint64_t from_order(const sk_piece &piece, uint64_t key)
{
    uint64_t value = piece.descending ? ~key & low_bytes(piece.size) : key;
    if (piece.kind == SK_PIECE_SIGNED)
        value ^= uint64_t(1) << (8 * piece.size - 1);
    else if (piece.kind == SK_PIECE_FLOAT)
        value = float_from_order(piece.size, value);
    return piece.swap || piece.kind == SK_PIECE_BYTES ? swap_bytes(value, piece.size) : value;
}

__device__ __forceinline__ uint64_t word_of_element(const sk_word &word, const uint8_t *element)
{
    uint64_t key = 0;
    for (unsigned p = 0; p < word.count; p++) {
        const sk_piece &piece = word.piece[p];
        uint64_t value = to_order(piece, load_bytes(element + piece.offset, piece.size));
        key |= (piece.shift >= 0 ? value << piece.shift : value >> -piece.shift) & piece.mask;
    }
    return key;
}

#endif
