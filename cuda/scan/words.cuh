// words.cuh - operators on words. Minima and maxima of floats compare keys (order.h), which are words: kernels map
// whole vectors of 16 bytes when they load them, and back when they store them.
#ifndef SK_CUDA_SCAN_WORDS_CUH
#define SK_CUDA_SCAN_WORDS_CUH

#include "common/op.cuh"
#include "common/thread.cuh"

struct as_they_are {
    template <class E> static __host__ __device__ __forceinline__ E key(E element)
    {
        return element;
    }
    template <class E> static __host__ __device__ __forceinline__ E element(E key)
    {
        return key;
    }
    static __device__ __forceinline__ uint4 keys(const uint4 &elements)
    {
        return elements;
    }
    static __device__ __forceinline__ uint4 elements(const uint4 &keys)
    {
        return keys;
    }
};

// All bits of each half become its highest bit.
__device__ __forceinline__ uint32_t signs_of_halves(uint32_t halves)
{
    uint32_t signs;
    asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(signs) : "r"(halves));
    return signs;
}

// sk_order_f16() and sk_value_f16() of two halves. FIRST is subtracted and added without carries between them.
constexpr uint32_t HALF_SIGNS = 0x80008000u, HALF_FIRST = 0x03ff03ffu;

__device__ __forceinline__ uint32_t keys_of_halves(uint32_t bits)
{
    return (((bits ^ signs_of_halves(bits)) | HALF_SIGNS) - HALF_FIRST) ^ (bits & HALF_SIGNS);
}

__device__ __forceinline__ uint32_t halves_of_keys(uint32_t keys)
{
    uint32_t turned = ((keys & ~HALF_SIGNS) + HALF_FIRST) ^ (keys & HALF_SIGNS);
    return turned ^ (~signs_of_halves(turned) | HALF_SIGNS);
}

// Keys: an operator of on_keys (op.cuh).
template <class Keys> struct as_keys {
    using E = typename Keys::element;
    using word = typename word_of<sizeof(E)>::type;

    static __host__ __device__ __forceinline__ word key(word bits)
    {
        E element;
        memcpy(&element, &bits, sizeof element);
        return word(Keys::load(element));
    }

    static __host__ __device__ __forceinline__ word element(word key)
    {
        E element = Keys::template store<E>(key);
        word bits;
        memcpy(&bits, &element, sizeof bits);
        return bits;
    }

    static __device__ __forceinline__ uint4 keys(const uint4 &elements)
    {
        if constexpr (sizeof(E) == 2)
            return {keys_of_halves(elements.x), keys_of_halves(elements.y), keys_of_halves(elements.z),
                    keys_of_halves(elements.w)};
        else
            return each(elements, key);
    }

    static __device__ __forceinline__ uint4 elements(const uint4 &keys)
    {
        if constexpr (sizeof(E) == 2)
            return {halves_of_keys(keys.x), halves_of_keys(keys.y), halves_of_keys(keys.z), halves_of_keys(keys.w)};
        else
            return each(keys, element);
    }

  private:
    template <class F> static __device__ __forceinline__ uint4 each(uint4 vector, F f)
    {
        word words[16 / sizeof(word)];
        memcpy(words, &vector, sizeof words);
#pragma unroll
        for (word &w : words)
            w = f(w);
        memcpy(&vector, words, sizeof words);
        return vector;
    }
};

// op: what combines the words that `map` makes of elements.
template <class Op> struct in_words {
    using op = Op;
    using map = as_they_are;
};

template <template <class> class Op, class E>
requires(!std::is_same_v<typename on_keys<Op<E>>::type, Op<E>>) struct in_words<Op<E>> {
    using op = Op<typename word_of<sizeof(E)>::type>;
    using map = as_keys<typename on_keys<Op<E>>::type>;
};

// The initial value of a scan: the word of the element at `initial`, or the identity if that is NULL.
template <class Op, class Map> typename Op::type initial_word(const void *initial)
{
    typename Op::element first;
    if (initial == nullptr)
        return Op::identity();
    memcpy(&first, initial, sizeof first);
    return load_as<Op>(Map::key(first));
}

#endif
