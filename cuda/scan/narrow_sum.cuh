// narrow_sum.cuh - a thread's result of elements of 1 or 2 bytes, which it gets in words of 4 bytes. The operator must
// be commutative.
#ifndef SK_CUDA_NARROW_SUM_CUH
#define SK_CUDA_NARROW_SUM_CUH

#include <type_traits>

#include "common/op.cuh"

template <class Op> struct is_bitwise : std::false_type {
};
template <class E> struct is_bitwise<op_and<E>> : std::true_type {
};
template <class E> struct is_bitwise<op_or<E>> : std::true_type {
};
template <class E> struct is_bitwise<op_xor<E>> : std::true_type {
};

// Element by element.
template <class Op> struct narrow_sum {
    using T = typename Op::type;
    using E = typename Op::element;
    static constexpr int EACH = 4 / sizeof(E);

    T sum = Op::identity();

    __device__ __forceinline__ void add(uint32_t word)
    {
        E item[EACH];
        memcpy(item, &word, sizeof item);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            sum = Op::combine(sum, load_as<Op>(item[i]));
    }
    __device__ __forceinline__ T total() const
    {
        return sum;
    }
};

// Sums modulo 2^32: one instruction multiplies the elements of a word by ones and adds them up.
template <class E> struct narrow_integer_sum {
    uint32_t sum = 0;

    __device__ __forceinline__ void add(uint32_t word)
    {
        if constexpr (sizeof(E) == 1)
            sum = __dp4a(word, 0x01010101u, sum);
        else
            sum = __dp2a_lo(word, 0x0101u, sum);
    }
    __device__ __forceinline__ E total() const
    {
        return E(sum);
    }
};
template <> struct narrow_sum<op_sum<uint8_t>> : narrow_integer_sum<uint8_t> {
};
template <> struct narrow_sum<op_sum<uint16_t>> : narrow_integer_sum<uint16_t> {
};

// Bitwise operators work on words.
template <class Op>
requires is_bitwise<Op>::value struct narrow_sum<Op> {
    using E = typename Op::element;
    static constexpr int EACH = 4 / sizeof(E);

    uint32_t word = Op::identity() == 0 ? 0 : ~0u;

    template <template <class> class Bitwise>
    static __device__ __forceinline__ uint32_t combine(Bitwise<E>, uint32_t a, uint32_t b)
    {
        return Bitwise<uint32_t>::combine(a, b);
    }
    __device__ __forceinline__ void add(uint32_t next)
    {
        word = combine(Op(), word, next);
    }
    __device__ __forceinline__ E total() const
    {
        E all = Op::identity();
#pragma unroll
        for (int i = 0; i < EACH; i++)
            all = Op::combine(all, E(word >> 8 * sizeof(E) * i));
        return all;
    }
};

// Minima and maxima of halves, two at a time. Bytes: the greatest half has the greatest upper byte, whatever its lower
// byte is.
template <class Op, class E, bool LARGEST> struct narrow_extreme {
    static constexpr int ROWS = 2 / sizeof(E); // bytes at odd places, and bytes at even places
    uint32_t halves[ROWS];

    __device__ narrow_extreme()
    {
#pragma unroll
        for (uint32_t &two : halves)
            two = std::make_unsigned_t<E>(Op::identity()) * (sizeof(E) == 1 ? 0x01010101u : 0x00010001u);
    }
    static __device__ __forceinline__ uint32_t combine(uint32_t a, uint32_t b)
    {
        if constexpr (std::is_signed_v<E>)
            return LARGEST ? __vmaxs2(a, b) : __vmins2(a, b);
        else
            return LARGEST ? __vmaxu2(a, b) : __vminu2(a, b);
    }
    __device__ __forceinline__ void add(uint32_t word)
    {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            halves[i] = combine(halves[i], word << 8 * i);
    }
    __device__ __forceinline__ E total() const
    {
        constexpr int TOP = 16 - 8 * sizeof(E);
        E all = Op::identity();
#pragma unroll
        for (uint32_t two : halves)
            all = Op::combine(all, Op::combine(E(two >> TOP), E(two >> (16 + TOP))));
        return all;
    }
};
template <class E> struct narrow_sum<op_min<E>> : narrow_extreme<op_min<E>, E, false> {
};
template <class E> struct narrow_sum<op_max<E>> : narrow_extreme<op_max<E>, E, true> {
};

#endif
