// records.cu - maps elements to key words and back, gathers by positions, and checks an order.
#include "common/map.cuh"
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "common/warp.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "sort/records/key_words.cuh"

template <class W> struct encode_element {
    sk_word word;
    const uint8_t *elements;
    size_t stride;
    W *words;
    __device__ void operator()(size_t i) const
    {
        words[i] = W(word_of_element(word, elements + i * stride));
    }
};

scankit_error cuda_encode(sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size,
                          void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_word(word_size, [&](auto type) {
        using W = decltype(type);
        return map_elements(gpu, n,
                            encode_element<W>{*word, static_cast<const uint8_t *>(in), stride, static_cast<W *>(out)});
    });
}

template <class W> struct decode_word {
    sk_piece piece;
    const W *words;
    W *elements;
    __device__ void operator()(size_t i) const
    {
        elements[i] = W(from_order(piece, words[i]));
    }
};

scankit_error cuda_decode(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_word(piece->size, [&](auto type) {
        using W = decltype(type);
        return map_elements(gpu, n, decode_word<W>{*piece, static_cast<const W *>(in), static_cast<W *>(out)});
    });
}

template <class I> struct count_up {
    uint64_t first;
    I *index;
    __device__ void operator()(size_t i) const
    {
        index[i] = I(first + i);
    }
};

scankit_error cuda_iota(sk_device *device, unsigned index_size, uint64_t first, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_word(index_size, [&](auto type) {
        using I = decltype(type);
        return map_elements(gpu, n, count_up<I>{first, static_cast<I *>(out)});
    });
}

// ---- gather: elements move in the largest units that divide and align all of them; a thread per unit ----

template <class U, class I> struct gather_unit {
    const U *a, *b;
    size_t na, units; // elements of a, units per element
    const I *index;
    U *out;
    __device__ void operator()(size_t i) const
    {
        size_t element = units == 1 ? i : i / units, unit = i - element * units, from = index[element];
        out[i] = from < na ? a[from * units + unit] : b[(from - na) * units + unit];
    }
};

template <class U>
static scankit_error gather_units(cuda_device *gpu, size_t element_size, const void *a, size_t na, const void *b,
                                  unsigned index_size, const void *index, void *out, size_t n)
{
    return dispatch_word(index_size, [&](auto type) {
        using I = decltype(type);
        size_t units = element_size / sizeof(U);
        return map_elements(gpu, n * units,
                            gather_unit<U, I>{static_cast<const U *>(a), static_cast<const U *>(b), na, units,
                                              static_cast<const I *>(index), static_cast<U *>(out)});
    });
}

scankit_error cuda_gather(sk_device *device, size_t element_size, const void *a, size_t na, const void *b,
                          unsigned index_size, const void *index, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    uintptr_t places = uintptr_t(a) | uintptr_t(b) | uintptr_t(out) | element_size;
    return with_unit(places, [&](auto unit) {
        return gather_units<decltype(unit)>(gpu, element_size, a, na, b, index_size, index, out, n);
    });
}

// ---- the check of an order ----

// Each thread stops at the first descent that it finds.
template <class W>
static __global__ void __launch_bounds__(MAP_THREADS)
    find_descent(const W *words, unsigned columns, size_t n, unsigned long long *first)
{
    for (size_t i = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x + 1; i < n; i += size_t(gridDim.x) * MAP_THREADS) {
        bool descends = false;
        for (unsigned c = 0; c < columns; c++) {
            W before = words[c * n + i - 1], here = words[c * n + i];
            descends = here < before;
            if (here != before)
                break;
        }
        if (descends) {
            atomicMin(first, (unsigned long long)i);
            return;
        }
    }
}

scankit_error cuda_first_descent(sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n,
                                 size_t *first)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    unsigned long long *found;
    if (!scratch.take(&found, 1))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(found, 0xff, sizeof *found, gpu->stream));
    TRY(dispatch_word(word_size, [&](auto type) {
        using W = decltype(type);
        find_descent<W>
            <<<map_blocks(n), MAP_THREADS, 0, gpu->stream>>>(static_cast<const W *>(words), columns, n, found);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    }));
    TRY(cuda_fetch(gpu, first, found, sizeof *first));
    *first = *first < n ? *first : n;
    return SCANKIT_OK;
}
