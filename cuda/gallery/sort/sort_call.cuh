// sort_call.cuh - the interface of the gallery's sorts:
//
//     template <class K, class V> scankit_error NAME(cuda_device *gpu, const sort_call<K, V> &call);
//
// K: unsigned keys of 4 or 8 bytes. V: values of 4 or 8 bytes, or no_value. Rows without values have K alone.
#ifndef SK_CUDA_SORT_CALL_CUH
#define SK_CUDA_SORT_CALL_CUH

#include "common/thread.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"

// Keys, and a value for each; without values the pointer is not used.
template <class K, class V> struct key_columns {
    K *keys;
    V *values;
};

// in may be out.
template <class K, class V> struct sort_call {
    key_columns<const K, const V> in;
    key_columns<K, V> out;
    size_t n;
};

template <class K, class V> key_columns<const K, const V> read_only(key_columns<K, V> columns)
{
    return {columns.keys, columns.values};
}

// A second array of keys, and one of values.
template <class K, class V> bool take_columns(workspace &scratch, size_t n, key_columns<K, V> *columns)
{
    columns->values = nullptr;
    if constexpr (HAS_VALUE<V>)
        if (!scratch.take(&columns->values, n))
            return false;
    return scratch.take(&columns->keys, n);
}

template <class K> scankit_error copy_keys(cuda_device *gpu, const K *in, K *out, size_t n)
{
    if (in != out)
        CHECK(cudaMemcpyAsync(out, in, n * sizeof(K), cudaMemcpyDeviceToDevice, gpu->stream));
    return SCANKIT_OK;
}

// Element `from` of in becomes element `to` of out.
template <class K, class V>
__device__ __forceinline__ void move_element(key_columns<const K, const V> in, size_t from, key_columns<K, V> out,
                                             size_t to)
{
    out.keys[to] = in.keys[from];
    if constexpr (HAS_VALUE<V>)
        out.values[to] = in.values[from];
}

// What stands for a key past the end: it comes last in every order of keys.
template <class K> constexpr K ABSENT = K(~K(0));

// Elements of a block's chunk, and the threads that sort it.
constexpr int CHUNK_THREADS = 256;
template <class K> constexpr int CHUNK = 8192 / sizeof(K);

inline unsigned chunks_of(size_t n, size_t chunk)
{
    return unsigned((n - 1) / chunk + 1);
}

#endif
