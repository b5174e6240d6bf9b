// jitter.cuh - samples at regular distances over all elements, each moved by a pseudo-random part of the distance, so
// that no period of the data fits.
#ifndef SK_CUDA_JITTER_CUH
#define SK_CUDA_JITTER_CUH

// A hash of 32 bits (Wellons, Prospecting for Hash Functions, 2018). A product alone would be a line: with the distance
// it has a period.
__device__ __forceinline__ unsigned jitter_hash(unsigned i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

// Place i of a sample of n elements: the i-th of `samples` parts of equal length, and somewhere in it. I holds the
// product of n and the samples.
template <class I> __device__ __forceinline__ I sampled_place(unsigned i, I n, unsigned samples)
{
    return i * n / samples + __umulhi(jitter_hash(i), unsigned(n / samples));
}

// Any place of n, up to 2^32, for samples whose counts must vary as chance has it.
__device__ __forceinline__ size_t random_place(unsigned i, size_t n)
{
    return (jitter_hash(i) * n) >> 32;
}

#endif
