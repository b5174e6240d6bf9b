// light.cuh - the light of elements of a picture, and back (lib/image.h), with tables in the GPU's memory.
#ifndef SK_CUDA_LIGHT_CUH
#define SK_CUDA_LIGHT_CUH

#include "device/arena.cuh"
#include "device/check.cuh"
#include "image/picture.cuh"

// As sk_light, in the memory of the device. Both NULL: integers are linear.
struct light_tables {
    const float *decode, *bounds;
};

template <class E> __device__ __forceinline__ float light_of(const light_tables &light, E value, bool alpha)
{
    if constexpr (std::is_integral_v<E>)
        return light.decode != nullptr && !alpha ? light.decode[value] : sk_linear_decode(value, E(~E()));
    else
        return float_of(value);
}

template <class E> __device__ __forceinline__ E from_light(const light_tables &light, float value, bool alpha)
{
    if constexpr (std::is_integral_v<E>) {
        return E(light.bounds != nullptr && !alpha ? sk_bounds_encode(light.bounds, value, E(~E()))
                                                   : sk_linear_encode(value, E(~E())));
    } else {
        E element;
        store_float(&element, value);
        return element;
    }
}

// Brings a table of a float for each value of E to the workspace.
template <class E>
scankit_error take_table(cuda_device *gpu, workspace &scratch, const float *host, const float **table)
{
    constexpr size_t VALUES = size_t(1) << 8 * sizeof(E);
    float *memory;
    *table = nullptr;
    if (host == nullptr)
        return SCANKIT_OK;
    if (!scratch.take(&memory, VALUES))
        return SCANKIT_E_MEMORY;
    *table = memory;
    return cuda_put(gpu, memory, host, VALUES * sizeof *memory);
}

// light: used for integers alone.
template <class E>
scankit_error take_light(cuda_device *gpu, workspace &scratch, const sk_light *light, light_tables *tables)
{
    *tables = {};
    if constexpr (std::is_integral_v<E>) {
        TRY(take_table<E>(gpu, scratch, light->decode, &tables->decode));
        TRY(take_table<E>(gpu, scratch, light->bounds, &tables->bounds));
    }
    return SCANKIT_OK;
}

#endif
