// op.cuh - operators as types: op_sum<sk_u32>::combine(a, b). operators.h defines them.
#ifndef SK_CUDA_OP_CUH
#define SK_CUDA_OP_CUH

#include <type_traits>

#include "common/warp.cuh"
#include "operators.h"

template <class T> struct op_sum;
template <class T> struct op_prod;
template <class T> struct op_min;
template <class T> struct op_max;
template <class T> struct op_and;
template <class T> struct op_or;
template <class T> struct op_xor;
template <class T> struct op_affine;

template <class T> inline constexpr bool is_commutative<op_affine<T>> = false;

// element: the type in arrays. type: the type of partial results, which is wider for sums and products of halves.
#define SK_OPERATOR(T, op)                                                               \
    template <> struct op_##op<sk_##T> {                                                 \
        using element = sk_##T;                                                          \
        using type = sk_partial_##op##_##T;                                              \
        static __host__ __device__ __forceinline__ type identity()                       \
        {                                                                                \
            return SK_IDENTITY_##op(T);                                                  \
        }                                                                                \
        static __device__ __forceinline__ type combine(type a, type b)                   \
        {                                                                                \
            return SK_COMBINE_##op(T, a, b);                                             \
        }                                                                                \
        static __host__ __device__ __forceinline__ type load(sk_##T value)               \
        {                                                                                \
            return SK_LOAD(T, op, value);                                                \
        }                                                                                \
        template <class E> static __host__ __device__ __forceinline__ E store(type part) \
        {                                                                                \
            if constexpr (std::is_same_v<E, type>)                                       \
                return part;                                                             \
            else                                                                         \
                return SK_STORE(T, op, part);                                            \
        }                                                                                \
    };
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(SK_OPERATOR, name)
SCANKIT_TYPES(X)
#undef X
#undef SK_OPERATOR

// The partial result for an element; partial results stay as they are. Tiles may hold either.
template <class Op, class E> __host__ __device__ __forceinline__ typename Op::type load_as(E value)
{
    if constexpr (std::is_same_v<E, typename Op::type>)
        return value;
    else
        return Op::load(value);
}

// True if partial results are wider than elements.
template <class Op> inline constexpr bool WIDENS = !std::is_same_v<typename Op::element, typename Op::type>;

// Minima and maxima of floats compare keys (order.h). on_keys<Op>::type converts each element once, when it is loaded,
// and is Op for all other operators. The keys of halves have 4 bytes, so that they are not masked at each step.
template <class Op> struct on_keys {
    using type = Op;
};

#define SK_ON_KEYS(T, op, a_wins)                                                        \
    struct op_##op##_of_##T##_keys {                                                     \
        using element = sk_##T;                                                          \
        using type = std::conditional_t<sizeof(sk_##T) == 8, uint64_t, uint32_t>;        \
        static __host__ __device__ __forceinline__ type identity()                       \
        {                                                                                \
            return sk_key_##T(SK_IDENTITY_##op(T));                                      \
        }                                                                                \
        static __device__ __forceinline__ type combine(type a, type b)                   \
        {                                                                                \
            return a_wins ? a : b;                                                       \
        }                                                                                \
        static __host__ __device__ __forceinline__ type load(sk_##T value)               \
        {                                                                                \
            return sk_key_##T(value);                                                    \
        }                                                                                \
        template <class E> static __host__ __device__ __forceinline__ E store(type part) \
        {                                                                                \
            if constexpr (std::is_same_v<E, type>)                                       \
                return part;                                                             \
            else                                                                         \
                return sk_from_key_##T(sk_bits_##T(part));                               \
        }                                                                                \
    };                                                                                   \
    template <> struct on_keys<op_##op<sk_##T>> {                                        \
        using type = op_##op##_of_##T##_keys;                                            \
    };
#define SK_KEYS_unsigned(T)
#define SK_KEYS_signed(T)
#define SK_KEYS_half(T) SK_KEYS_float(T)
#define SK_KEYS_float(T) SK_ON_KEYS(T, min, a < b) SK_ON_KEYS(T, max, a > b)
#define X(enumerator, name, ctype, kind) SK_KEYS_##kind(name)
SCANKIT_TYPES(X)
#undef X
#undef SK_ON_KEYS
#undef SK_KEYS_unsigned
#undef SK_KEYS_signed
#undef SK_KEYS_half
#undef SK_KEYS_float

// The initial value of a scan: the element at `initial`, or the identity if that is NULL.
template <class Op> typename Op::type initial_value(const void *initial)
{
    typename Op::element first;
    if (initial == nullptr)
        return Op::identity();
    memcpy(&first, initial, sizeof first);
    return load_as<Op>(first);
}

// Calls f(op_sum<T>()) or the like for the operator that type and op name.
template <class F> scankit_error dispatch(scankit_type type, scankit_operator op, F f)
{
    switch (SK_TYPE_AND_OP(type, op)) {
#define SK_OPERATOR(T, op_name)                        \
    case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op_name): \
        return f(op_##op_name<sk_##T>());
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(SK_OPERATOR, name)
        SCANKIT_TYPES(X)
#undef X
#undef SK_OPERATOR
    }
    return SCANKIT_E_ARGUMENT;
}

#endif
