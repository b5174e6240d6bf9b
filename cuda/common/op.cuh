// op.cuh - operators as types: op_sum<sk_u32>::combine(a, b). What they compute is in operators.h.
#ifndef SK_CUDA_OP_CUH
#define SK_CUDA_OP_CUH

#include "operators.h"
#include "common/warp.cuh"

template <class T> struct op_sum;
template <class T> struct op_prod;
template <class T> struct op_min;
template <class T> struct op_max;
template <class T> struct op_and;
template <class T> struct op_or;
template <class T> struct op_xor;
template <class T> struct op_affine;

template <class T> inline constexpr bool is_commutative<op_affine<T>> = false;

#define SK_OPERATOR(T, op)                                             \
    template <> struct op_##op<sk_##T> {                               \
        using type = sk_##T;                                           \
        static __host__ __device__ __forceinline__ type identity()     \
        {                                                              \
            return SK_IDENTITY_##op(T);                                \
        }                                                              \
        static __device__ __forceinline__ type combine(type a, type b) \
        {                                                              \
            return SK_COMBINE_##op(T, a, b);                           \
        }                                                              \
    };
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(SK_OPERATOR, name)
SCANKIT_TYPES(X)
#undef X
#undef SK_OPERATOR

// Calls f(op_sum<T>()) and so on for the operator that type and op name: the way from an enumerator to a kernel.
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
