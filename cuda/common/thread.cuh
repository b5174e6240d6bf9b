// thread.cuh - work of a single thread: digits of keys, and networks over its registers.
#ifndef SK_CUDA_THREAD_CUH
#define SK_CUDA_THREAD_CUH

#include <cstdint>
#include <type_traits>

// Unsigned integers by size, and the type that stands for no value.
template <int SIZE> struct word_of;
template <> struct word_of<1> {
    using type = uint8_t;
};
template <> struct word_of<2> {
    using type = uint16_t;
};
template <> struct word_of<4> {
    using type = uint32_t;
};
template <> struct word_of<8> {
    using type = uint64_t;
};

struct no_value {
};
template <class V> inline constexpr int VALUE_SIZE = sizeof(V);
template <> inline constexpr int VALUE_SIZE<no_value> = 0;
template <class V> inline constexpr bool HAS_VALUE = VALUE_SIZE<V> > 0;

// ---- digits ----

constexpr int RADIX_BITS = 8;
constexpr int RADIX = 1 << RADIX_BITS;

// The digits of one sort: digit p begins at bit `bit` + p * RADIX_BITS; the last one ends at `end`.
struct digit_range {
    unsigned bit, end;
    __host__ __device__ unsigned count() const
    {
        return (end - bit + RADIX_BITS - 1) / RADIX_BITS;
    }
    __host__ __device__ unsigned first_bit(unsigned p) const
    {
        return bit + p * RADIX_BITS;
    }
    __host__ __device__ unsigned bits(unsigned p) const
    {
        unsigned rest = end - first_bit(p);
        return rest < RADIX_BITS ? rest : RADIX_BITS;
    }
    __host__ __device__ unsigned mask(unsigned p) const
    {
        return (1u << bits(p)) - 1;
    }
};

// How many bits a number has, from its first one on.
template <class K> __device__ __forceinline__ unsigned bits_of(K number)
{
    return 8 * unsigned(sizeof(K)) - unsigned(sizeof(K) <= 4 ? __clz(unsigned(number)) : __clzll(number));
}

template <class K> __device__ __forceinline__ unsigned digit_of(K key, unsigned bit, unsigned mask)
{
    return unsigned(key >> bit) & mask;
}

// ---- networks ----

// Numbers of 16 bytes are compared by the borrow of a subtraction: the compiler would branch.
template <class E> __device__ __forceinline__ bool is_less(const E &a, const E &b)
{
    if constexpr (std::is_same_v<E, unsigned __int128>) {
        unsigned borrow;
        asm("{ .reg .u64 none;\n\t"
            "sub.cc.u64 none, %1, %2;\n\t"
            "subc.cc.u64 none, %3, %4;\n\t"
            "subc.u32 %0, 0, 0; }"
            : "=r"(borrow)
            : "l"(uint64_t(a)), "l"(uint64_t(b)), "l"(uint64_t(a >> 64)), "l"(uint64_t(b >> 64)));
        return borrow != 0;
    } else {
        return a < b;
    }
}

// Puts the smaller one into a. E: any type with <. Integers use min and max; 8 bytes have no such instruction,
// and are compared once.
template <class E> __device__ __forceinline__ void compare_exchange(E &a, E &b)
{
    if constexpr (std::is_integral_v<E> && sizeof(E) == 8) {
        E low = min(a, b);
        b ^= a ^ low;
        a = low;
    } else if constexpr (std::is_integral_v<E>) {
        E low = min(a, b);
        b = max(a, b);
        a = low;
    } else {
        bool swap = is_less(b, a);
        E low = swap ? b : a;
        b = swap ? a : b;
        a = low;
    }
}

// Sorts a bitonic sequence of N elements, N a power of two (Batcher 1968).
template <int N, class E> __device__ __forceinline__ void bitonic_merge(E (&element)[N])
{
#pragma unroll
    for (int distance = N / 2; distance > 0; distance /= 2)
#pragma unroll
        for (int i = 0; i < N; i++)
            if ((i & distance) == 0)
                compare_exchange(element[i], element[i + distance]);
}

// Reads memory that other blocks may have written.
__device__ __forceinline__ unsigned look_again(const unsigned &flag)
{
    return *const_cast<const volatile unsigned *>(&flag);
}

#endif
