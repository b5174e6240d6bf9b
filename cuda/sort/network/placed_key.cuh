// placed_key.cuh - a key with its place among others, for sorts and merges that must be stable: no two are equal.
#ifndef SK_CUDA_PLACED_KEY_CUH
#define SK_CUDA_PLACED_KEY_CUH

#include <cstdint>

#include "common/warp.cuh"

// A key of 8 bytes and its place: a number of three words.
struct placed_key {
    unsigned place, low, high;

    // By the borrow of a subtraction: a comparison word by word would branch.
    __device__ __forceinline__ bool operator<(const placed_key &other) const
    {
        unsigned borrow;
        asm("{ .reg .u32 none;\n\t"
            "sub.cc.u32 none, %1, %2;\n\t"
            "subc.cc.u32 none, %3, %4;\n\t"
            "subc.cc.u32 none, %5, %6;\n\t"
            "subc.u32 %0, 0, 0; }"
            : "=r"(borrow)
            : "r"(place), "r"(other.place), "r"(low), "r"(other.low), "r"(high), "r"(other.high));
        return borrow != 0;
    }
};

__device__ __forceinline__ placed_key from_lane(placed_key element, int distance)
{
    return {__shfl_xor_sync(FULL_WARP, element.place, distance), __shfl_xor_sync(FULL_WARP, element.low, distance),
            __shfl_xor_sync(FULL_WARP, element.high, distance)};
}

// A key of up to 4 bytes and its place fit one integer.
template <class K, bool WIDE = (sizeof(K) > 4)> struct placing;
template <class K> struct placing<K, false> {
    using element = uint64_t;
    static __device__ __forceinline__ element make(K key, unsigned place)
    {
        return element(key) << 32 | place;
    }
    static __device__ __forceinline__ K key(element e)
    {
        return K(e >> 32);
    }
    static __device__ __forceinline__ unsigned place(element e)
    {
        return unsigned(e);
    }
};
template <class K> struct placing<K, true> {
    using element = placed_key;
    static __device__ __forceinline__ element make(K key, unsigned place)
    {
        return {place, unsigned(key), unsigned(key >> 32)};
    }
    static __device__ __forceinline__ K key(element e)
    {
        return K(e.high) << 32 | e.low;
    }
    static __device__ __forceinline__ unsigned place(element e)
    {
        return e.place;
    }
};

#endif
