// key_vectors.cuh - an array of keys as vectors of 16 bytes, whatever its alignment, and the extremes of a warp's keys.
#ifndef SK_CUDA_KEY_VECTORS_CUH
#define SK_CUDA_KEY_VECTORS_CUH

#include <cstddef>
#include <cstdint>

#include "common/warp.cuh"

// The aligned vectors of an array, and the `head` keys before them and the rest behind.
template <class K> struct key_vectors {
    static constexpr int EACH = 16 / sizeof(K);
    const K *keys;
    size_t n, head, whole;
    const uint4 *first;
    __host__ __device__ __forceinline__ key_vectors(const K *all, size_t count) : keys(all), n(count)
    {
        head = (16 - uintptr_t(keys) % 16) % 16 / sizeof(K);
        head = head < n ? head : n;
        whole = (n - head) / EACH;
        first = reinterpret_cast<const uint4 *>(keys + head);
    }

    // Key k of a vector.
    __device__ __forceinline__ K of_vector(size_t vector, int k) const
    {
        return keys[head + vector * EACH + unsigned(k)];
    }

    // act(place) for the keys outside the vectors, by one block.
    template <class Do> __device__ __forceinline__ void for_end_places(Do act) const
    {
        size_t tail = head + whole * EACH;
        if (threadIdx.x < head)
            act(size_t(threadIdx.x));
        if (threadIdx.x < n - tail)
            act(tail + threadIdx.x);
    }

    // act(key) for the same.
    template <class Do> __device__ __forceinline__ void for_ends(Do act) const
    {
        for_end_places([&](size_t place) { act(keys[place]); });
    }

    template <class Do> static __device__ __forceinline__ void for_each(const uint4 &vector, Do act)
    {
        const K *item = reinterpret_cast<const K *>(&vector);
#pragma unroll
        for (int k = 0; k < EACH; k++)
            act(item[k]);
    }

    // The vectors, by blocks of THREADS with VECTORS loads per thread in flight: act(found, valid) for the first
    // `valid` of a thread's. A block ends if it returns false, which it does for all threads.
    template <int THREADS, int VECTORS, class Act> __device__ __forceinline__ void for_steps(Act act) const
    {
        constexpr size_t STEP = size_t(THREADS) * VECTORS;
        for (size_t begin = blockIdx.x * STEP; begin < whole; begin += gridDim.x * STEP) {
            uint4 found[VECTORS];
            size_t at = begin + threadIdx.x;
            load<THREADS, VECTORS>(at, whole, found);
            if (!act(found, at < whole ? int(min((whole - at - 1) / THREADS + 1, size_t(VECTORS))) : 0))
                break;
        }
    }

    // act(key) for all keys, in the same way. A block calls give_up() after each step and ends if it returns true.
    template <int THREADS, int VECTORS, class Do, class GiveUp>
    __device__ __forceinline__ void for_all(Do act, GiveUp give_up) const
    {
        if (blockIdx.x == 0)
            for_ends(act);
        for_steps<THREADS, VECTORS>([&](const uint4(&found)[VECTORS], int valid) {
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                if (i < valid)
                    for_each(found[i], act);
            return !give_up();
        });
    }

    // All keys, by blocks of THREADS that load the vectors of the next step before they act on this step's. Thread t
    // has every THREADS-th vector of a step from the t-th on: act(found, valid) for the first `valid` of them. Then
    // act_one(place, is_there), by all threads of the first block: the keys outside the vectors. EARLY: no arithmetic
    // of act() comes before the loads, where the compiler may put it if they depend on a branch.
    template <int THREADS, int VECTORS, bool EARLY = false, class Act, class ActOne>
    __device__ __forceinline__ void stream(Act act, ActOne act_one) const
    {
        constexpr size_t STEP = size_t(THREADS) * VECTORS;
        size_t begin = blockIdx.x * STEP, at = begin + threadIdx.x;
        uint4 next[VECTORS];
        if (begin + STEP <= whole)
            load<THREADS, VECTORS>(at, whole, next);
        while (begin + STEP <= whole) {
            uint4 found[VECTORS];
#pragma unroll
            for (int i = 0; i < VECTORS; i++)
                found[i] = next[i];
            begin += gridDim.x * STEP;
            at += gridDim.x * STEP;
            if constexpr (EARLY) {
#pragma unroll
                for (int i = 0; i < VECTORS; i++)
                    next[i] = load_if(begin + STEP <= whole, &first[at + i * THREADS]);
            } else if (begin + STEP <= whole) {
                load<THREADS, VECTORS>(at, whole, next);
            }
            act(found, VECTORS);
        }
        if (begin < whole) {
            load<THREADS, VECTORS>(at, whole, next);
            act(next, at < whole ? int((whole - at - 1) / THREADS) + 1 : 0);
        }
        if (blockIdx.x == 0) {
            size_t tail = head + whole * EACH;
            act_one(threadIdx.x, threadIdx.x < head);
            act_one(tail + threadIdx.x, threadIdx.x < n - tail);
        }
    }

    // act(key) for all keys, in the same way.
    template <int THREADS, int VECTORS, class Act> __device__ __forceinline__ void for_keys(Act act) const
    {
        stream<THREADS, VECTORS>(
            [&](const uint4(&found)[VECTORS], int valid) {
#pragma unroll
                for (int i = 0; i < VECTORS; i++)
                    if (i < valid)
                        for_each(found[i], act);
            },
            [&](size_t at, bool is_there) {
                if (is_there)
                    act(keys[at]);
            });
    }

  private:
    // Without a branch. Any vector if there is none.
    static __device__ __forceinline__ uint4 load_if(bool is_there, const uint4 *from)
    {
        uint4 vector;
        asm volatile("{ .reg .pred there;\n"
                     "setp.ne.u32 there, %4, 0;\n"
                     "@there ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%5]; }"
                     : "=r"(vector.x), "=r"(vector.y), "=r"(vector.z), "=r"(vector.w)
                     : "r"(unsigned(is_there)), "l"(from));
        return vector;
    }

    template <int THREADS, int VECTORS>
    __device__ __forceinline__ void load(size_t at, size_t end, uint4 (&to)[VECTORS]) const
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            to[i] = at + i * THREADS < end ? __ldcs(&first[at + i * THREADS]) : uint4{};
    }
};

// The greatest key of all lanes, for every lane. Keys of 8 bytes: the greatest upper half, and the greatest lower half
// beside it.
template <class K> __device__ __forceinline__ K warp_greatest(K key)
{
    if constexpr (sizeof(K) <= 4) {
        return K(warp_max(key));
    } else {
        unsigned upper = unsigned(key >> 32), greatest = warp_max(upper);
        return K(greatest) << 32 | warp_max(upper == greatest ? unsigned(key) : 0);
    }
}

// The least and the greatest key of all lanes, for every lane.
template <class K> __device__ __forceinline__ void warp_extremes(K *least, K *greatest)
{
    *least = K(~warp_greatest(K(~*least)));
    *greatest = warp_greatest(*greatest);
}

#endif
