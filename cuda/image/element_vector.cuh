// element_vector.cuh - neighbours of a row that a lane moves at a time. Each is read once and written once, so it
// leaves the caches first.
#ifndef SK_CUDA_ELEMENT_VECTOR_CUH
#define SK_CUDA_ELEMENT_VECTOR_CUH

#include <cuda_pipeline.h>

#include "image/picture.cuh"

// N elements: 4, 8 or 16 bytes.
template <class E, int N> struct alignas(sizeof(E) * N) element_vector {
    static constexpr size_t BYTES = sizeof(E) * N;
    using word = std::conditional_t<BYTES == 4, uint32_t, std::conditional_t<BYTES == 8, uint2, uint4>>;
    E item[N];

    static __device__ __forceinline__ element_vector load(const E *at)
    {
        word bits = __ldcs(reinterpret_cast<const word *>(at));
        element_vector vector;
        memcpy(&vector, &bits, sizeof vector);
        return vector;
    }

    __device__ __forceinline__ void store(E *at) const
    {
        word bits;
        memcpy(&bits, this, sizeof bits);
        __stcs(reinterpret_cast<word *>(at), bits);
    }

    // True if rows that begin at `data` have their vectors at multiples of the size.
    static __host__ __device__ __forceinline__ bool fits(const picture<E> &rows)
    {
        return (reinterpret_cast<uintptr_t>(rows.data) | rows.pitch) % sizeof(element_vector) == 0;
    }
};

// Copies to shared memory, which go on while the thread does other things (__pipeline_commit()).
struct copies_in {
    uint64_t policy = 0;

    __device__ __forceinline__ copies_in()
    {
#if __CUDA_ARCH__ >= 800
        asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
#endif
    }

    template <class V> __device__ __forceinline__ void start(V *to, const void *from) const
    {
#if __CUDA_ARCH__ >= 800
        uint32_t shared = uint32_t(__cvta_generic_to_shared(to));
        if constexpr (sizeof(V) == 16)
            asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                         "l"(policy)
                         : "memory");
        else
            asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, %3;" ::"r"(shared), "l"(from),
                         "n"(sizeof(V)), "l"(policy)
                         : "memory");
#else
        __pipeline_memcpy_async(to, from, sizeof(V));
#endif
    }
};

#endif
