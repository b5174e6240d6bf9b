// lane_sum.cuh - a lane's result of whole vectors, and a warp's of its lanes. The operator must be commutative.
#ifndef SK_CUDA_LANE_SUM_CUH
#define SK_CUDA_LANE_SUM_CUH

#include "scan/narrow_sum.cuh"
#include "scan/segmented_input.cuh"

template <class Op, bool NARROW = (sizeof(typename Op::element) < 4)> struct lane_sum {
    using T = typename Op::type;
    using vector = element_vector<typename Op::element>;
    T sum = Op::identity();

    __device__ __forceinline__ void add(const vector &v)
    {
        T all = load_as<Op>(v.item[0]);
#pragma unroll
        for (unsigned i = 1; i < vector::EACH; i++)
            all = Op::combine(all, load_as<Op>(v.item[i]));
        sum = Op::combine(sum, all);
    }
    __device__ __forceinline__ T total() const
    {
        return sum;
    }
};

template <class Op> struct lane_sum<Op, true> : narrow_sum<Op> {
    __device__ __forceinline__ void add(const element_vector<typename Op::element> &v)
    {
        narrow_sum<Op>::add(v.raw.x);
        narrow_sum<Op>::add(v.raw.y);
        narrow_sum<Op>::add(v.raw.z);
        narrow_sum<Op>::add(v.raw.w);
    }
};

// Minima and maxima of floats compare keys (op.cuh): nine instructions for each element of 8 bytes. Comparing floats
// takes half as many, but leaves the order of NaN undecided, so there must be none. Doubles that compare equal are
// zeros, or the same: the signs of all elements tell which zero is the result.
template <class Float, bool LARGEST> struct float_extreme {
    static constexpr bool IS_FAST = true;
    using vector = element_vector<Float>;
    Float best;
    uint32_t signs; // the upper words of all elements, combined

    // What no element is beyond.
    static __device__ __forceinline__ Float nothing()
    {
        return Float(LARGEST ? -INFINITY : INFINITY);
    }
    static __device__ __forceinline__ bool has_nan(const vector &v)
    {
        bool has = false;
#pragma unroll
        for (unsigned i = 0; i < vector::EACH; i += 2)
            has |= (v.item[i] != v.item[i]) | (v.item[i + 1] != v.item[i + 1]);
        return has;
    }
    static __device__ __forceinline__ float better(float a, float b)
    {
        return LARGEST ? fmaxf(a, b) : fminf(a, b);
    }
    static __device__ __forceinline__ double better(double a, double b)
    {
        return (LARGEST ? b > a : b < a) ? b : a;
    }
    static __device__ __forceinline__ uint32_t upper(Float value)
    {
        return sizeof(Float) == 8 ? __double2hiint(value) : 0;
    }
    __device__ __forceinline__ float_extreme(Float a, Float b)
        : best(better(a, b)), signs(LARGEST ? upper(a) & upper(b) : upper(a) | upper(b))
    {
    }
    __device__ __forceinline__ explicit float_extreme(const vector &v) : float_extreme(v.item[0], v.item[1])
    {
        if constexpr (vector::EACH == 4)
            add(float_extreme(v.item[2], v.item[3]));
    }
    __device__ __forceinline__ void add(const float_extreme &next)
    {
        best = better(best, next.best);
        signs = LARGEST ? signs & next.signs : signs | next.signs;
    }
    __device__ __forceinline__ Float total() const
    {
        return sizeof(Float) == 4 || best != 0 ? best : signs >> 31 != 0 ? Float(-0.0) : Float(0);
    }
};

// Other operators have no such shortcut.
template <class Op> struct lane_extreme {
    static constexpr bool IS_FAST = false;
    static __device__ __forceinline__ typename Op::element nothing()
    {
        return Op::template store<typename Op::element>(Op::identity());
    }
};
template <> struct lane_extreme<op_min_of_f32_keys> : float_extreme<float, false> {
    using float_extreme::float_extreme;
};
template <> struct lane_extreme<op_max_of_f32_keys> : float_extreme<float, true> {
    using float_extreme::float_extreme;
};
template <> struct lane_extreme<op_min_of_f64_keys> : float_extreme<double, false> {
    using float_extreme::float_extreme;
};
template <> struct lane_extreme<op_max_of_f64_keys> : float_extreme<double, true> {
    using float_extreme::float_extreme;
};

// ---- a warp's result ----

// 1: the largest of integers. -1: the least. 0: another operator.
template <class Op> inline constexpr int EXTREME = 0;
template <class T> inline constexpr int EXTREME<op_max<T>> = std::is_integral_v<T> ? 1 : 0;
template <class T> inline constexpr int EXTREME<op_min<T>> = std::is_integral_v<T> ? -1 : 0;
template <> inline constexpr int EXTREME<op_max_of_f16_keys> = 1;
template <> inline constexpr int EXTREME<op_min_of_f16_keys> = -1;
template <> inline constexpr int EXTREME<op_max_of_f32_keys> = 1;
template <> inline constexpr int EXTREME<op_min_of_f32_keys> = -1;
template <> inline constexpr int EXTREME<op_max_of_f64_keys> = 1;
template <> inline constexpr int EXTREME<op_min_of_f64_keys> = -1;

// Word: int or unsigned.
template <bool LARGEST, class Word> __device__ __forceinline__ Word warp_extreme_word(Word word)
{
#if __CUDA_ARCH__ >= 800
    return LARGEST ? __reduce_max_sync(FULL_WARP, word) : __reduce_min_sync(FULL_WARP, word);
#else
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        Word other = __shfl_xor_sync(FULL_WARP, word, distance);
        word = LARGEST ? max(word, other) : min(word, other);
    }
    return word;
#endif
}

// The extreme of the lanes' values. The upper words decide, and the lower words of the lanes that have the best one.
template <bool LARGEST, class T> __device__ __forceinline__ T warp_extreme(T value)
{
    using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
    if constexpr (sizeof(T) == 8) {
        word high = word(value >> 32), best = warp_extreme_word<LARGEST>(high);
        unsigned low = high == best ? unsigned(value) : LARGEST ? 0 : ~0u;
        return T(uint64_t(best) << 32 | warp_extreme_word<LARGEST>(low));
    } else {
        return T(warp_extreme_word<LARGEST>(word(value)));
    }
}

// The result of all lanes, for the first of them.
template <class Op> __device__ __forceinline__ typename Op::type warp_result(typename Op::type value)
{
    if constexpr (EXTREME<Op> != 0)
        return warp_extreme<(EXTREME<Op> > 0)>(value);
    else if constexpr (std::is_same_v<Op, op_sum<uint32_t>>)
        return warp_sum(value);
    else
        return reduce_lanes<Op, WARP>(value);
}

#endif
