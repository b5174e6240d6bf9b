// jitter.cuh - samples at regular distances, each moved by a pseudo-random part of the distance, so that no period of
// the data fits.
#ifndef SK_CUDA_JITTER_CUH
#define SK_CUDA_JITTER_CUH

// Below `stride`, by Knuth's multiplicative hash. SHIFT: bits of the product that are dropped, fewer for long strides.
template <int SHIFT, class I> __device__ __forceinline__ I jitter(unsigned i, I stride)
{
    return (i * 2654435761u >> SHIFT) % stride;
}

#endif
