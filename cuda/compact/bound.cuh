// bound.cuh - elements that match by a bound (sk_bound).
#ifndef SK_CUDA_BOUND_CUH
#define SK_CUDA_BOUND_CUH

#include <type_traits>

#include "backend.h"
#include "compact/compact_part.cuh"

// Elements of 4 bytes or less as words of 4.
template <class U> struct match_bound {
    using word = std::conditional_t<sizeof(U) == 8, uint64_t, uint32_t>;
    static constexpr int BITS = 8 * sizeof(word), SHIFT = BITS - 8 * int(sizeof(U));
    word flip, begin, range;

    explicit match_bound(const sk_bound &bound)
        : flip(word(bound.flip & ~bound.sign)), begin(word(sk_bound_begin(&bound))), range(word(bound.range))
    {
    }
    __device__ __forceinline__ match_bound(word flip, word begin, word range) : flip(flip), begin(begin), range(range)
    {
    }
    template <bool FLIPS = true> __device__ __forceinline__ bool matches(U element) const
    {
        word key = word(element) << SHIFT;
        if (FLIPS)
            key ^= (word(0) - (key >> (BITS - 1))) & flip;
        return word(key - begin) <= range;
    }

    // Only floats flip.
    template <int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                            const compact_arguments &, unsigned (&bits)[VECTORS]) const
    {
        if (flip != 0)
            decide_rows(
                data, begin, [&](U element, size_t) { return matches<true>(element); }, bits);
        else
            decide_rows(
                data, begin, [&](U element, size_t) { return matches<false>(element); }, bits);
    }
};

#endif
