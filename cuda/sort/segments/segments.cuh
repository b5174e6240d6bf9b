// segments.cuh - segments as kernels see them.
#ifndef SK_CUDA_SEGMENTS_CUH
#define SK_CUDA_SEGMENTS_CUH

#include <cstdint>

#include "backend.h"
#include "common/thread.cuh"
#include "sort/survey/key_order.cuh"

// The order of keys. A kernel asks once for many keys whether these are words, for which it has nothing to do then.
template <class K> struct segment_order : number_order<K> {
    bool are_words;
    K last; // no value is behind it

    // piece: NULL for words.
    explicit segment_order(const sk_piece *piece) : number_order<K>(order_of<K>(piece))
    {
        are_words = this->sign == 0 && this->flip == 0;
        last = this->value(K(~K(0)));
    }
    // For kernels of which each instance knows whether keys are words.
    template <bool ARE_WORDS> __device__ __forceinline__ void fix()
    {
        are_words = ARE_WORDS;
        if constexpr (ARE_WORDS) {
            this->fold = this->sign = this->first = this->flip = 0;
            last = K(~K(0));
        }
    }
    // act(order), with an order that does nothing for words.
    template <class Do> __device__ __forceinline__ void with(Do act) const
    {
        if (are_words)
            act(same_order<K>{});
        else
            act(static_cast<const number_order<K> &>(*this));
    }
    // Values become keys.
    template <class I, unsigned N> __device__ __forceinline__ void encode(I (&item)[N]) const
    {
        with([&](auto order) {
#pragma unroll
            for (unsigned i = 0; i < N; i++)
                item[i] = order.key(K(item[i]));
        });
    }
    // Keys become values.
    template <class I, unsigned N> __device__ __forceinline__ void decode(I (&item)[N]) const
    {
        with([&](auto order) {
#pragma unroll
            for (unsigned i = 0; i < N; i++)
                item[i] = order.value(K(item[i]));
        });
    }
};

// The elements: K without values (no_value), or with V.
template <class K, class V> struct segment_columns {
    const K *keys_in;
    const V *values_in;
    K *keys_out;
    V *values_out;
    const uint64_t *offsets;
    segment_order<K> order;
};

// Elements in columns, and the offsets of their segments. piece: the order of the keys, NULL for words.
struct segment_data {
    sk_shape shape;
    const sk_piece *piece;
    sk_const_columns in;
    sk_columns out;
    const uint64_t *offsets;
};

template <class K, class V> segment_columns<K, V> columns_of(const segment_data &data)
{
    return {static_cast<const K *>(data.in.keys),
            static_cast<const V *>(data.in.values),
            static_cast<K *>(data.out.keys),
            static_cast<V *>(data.out.values),
            data.offsets,
            segment_order<K>(data.piece)};
}

// Segments of one class, by number.
struct segment_list {
    const unsigned *segment;
    unsigned count;
};

#endif
