// warp.cuh - operations of a whole warp. Operands keep their order: lower lanes are to the left.
#ifndef SK_CUDA_WARP_CUH
#define SK_CUDA_WARP_CUH

#include <cstdint>

constexpr unsigned FULL_WARP = 0xffffffffu;
constexpr int WARP = 32;

__device__ __forceinline__ unsigned lane_id()
{
    return threadIdx.x % WARP;
}

__device__ __forceinline__ unsigned lanes_below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

// Inclusive prefix sums over the lanes of each field of a word, halves or bytes, which must not overflow.
__device__ __forceinline__ unsigned warp_scan_fields(unsigned fields)
{
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        unsigned left = __shfl_up_sync(FULL_WARP, fields, distance);
        if (lane_id() >= unsigned(distance))
            fields += left;
    }
    return fields;
}

// The sum and the maximum over the lanes, for every lane.
__device__ __forceinline__ unsigned warp_sum(unsigned value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(FULL_WARP, value);
#else
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(FULL_WARP, value, distance);
    return value;
#endif
}

__device__ __forceinline__ unsigned warp_max(unsigned value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(FULL_WARP, value);
#else
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(FULL_WARP, value, distance));
    return value;
#endif
}

// Stands in for <type_traits>, which is missing at run-time compilation.
template <class T> inline constexpr bool is_integer = false;
template <> inline constexpr bool is_integer<uint8_t> = true;
template <> inline constexpr bool is_integer<int8_t> = true;
template <> inline constexpr bool is_integer<uint16_t> = true;
template <> inline constexpr bool is_integer<int16_t> = true;

// The bits of a narrow value in a word, and back. Integers are converted; the bits of other types are copied, because a
// conversion would change them.
template <class T> __device__ __forceinline__ unsigned word_of_bits(T value)
{
    if constexpr (is_integer<T>) {
        return unsigned(value);
    } else {
        unsigned word = 0;
        memcpy(&word, &value, sizeof value);
        return word;
    }
}

template <class T> __device__ __forceinline__ T from_word_of_bits(unsigned word)
{
    static_assert(sizeof(T) < sizeof word, "a narrow type");
    if constexpr (is_integer<T>) {
        return T(word);
    } else {
        T value;
        memcpy(&value, &word, sizeof value);
        return value;
    }
}

// Shuffles move 4 or 8 bytes; narrower values are moved in a word.
template <class T> __device__ __forceinline__ T warp_up(T value, int distance)
{
    if constexpr (sizeof(T) < 4)
        return from_word_of_bits<T>(__shfl_up_sync(FULL_WARP, word_of_bits(value), distance));
    else
        return __shfl_up_sync(FULL_WARP, value, distance);
}

template <class T> __device__ __forceinline__ T warp_down(T value, int distance)
{
    if constexpr (sizeof(T) < 4)
        return from_word_of_bits<T>(__shfl_down_sync(FULL_WARP, word_of_bits(value), distance));
    else
        return __shfl_down_sync(FULL_WARP, value, distance);
}

template <class T> __device__ __forceinline__ T warp_from(T value, int lane)
{
    if constexpr (sizeof(T) < 4)
        return from_word_of_bits<T>(__shfl_sync(FULL_WARP, word_of_bits(value), lane));
    else
        return __shfl_sync(FULL_WARP, value, lane);
}

// True if an operator's operands may be swapped.
template <class Op> inline constexpr bool is_commutative = true;

// Inclusive scan over the lanes, in five steps (Kogge and Stone).
template <class Op> __device__ __forceinline__ typename Op::type warp_scan(typename Op::type value)
{
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        typename Op::type left = warp_up(value, distance);
        if (lane_id() >= unsigned(distance))
            value = Op::combine(left, value);
    }
    return value;
}

// The exclusive scan from the inclusive one: the identity for lane 0.
template <class Op> __device__ __forceinline__ typename Op::type warp_before(typename Op::type inclusive)
{
    typename Op::type left = warp_up(inclusive, 1);
    return lane_id() == 0 ? Op::identity() : left;
}

// The lanes that hold the same BITS-bit digit as this one, by one ballot per bit.
template <int BITS> __device__ __forceinline__ unsigned warp_match(unsigned digit)
{
    unsigned same = FULL_WARP;
#pragma unroll
    for (int bit = 0; bit < BITS; bit++) {
        bool set = digit >> bit & 1;
        unsigned votes = __ballot_sync(FULL_WARP, set);
        same &= set ? votes : ~votes;
    }
    return same;
}

#endif
