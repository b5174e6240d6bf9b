// picture.cuh - the images of the library as kernels see them.
#ifndef SK_CUDA_PICTURE_CUH
#define SK_CUDA_PICTURE_CUH

#include <type_traits>

#include "device/tuning.cuh"
#include "image.h"

// Rows of elements of type E, `channels` a pixel.
template <class E> struct picture {
    unsigned char *data;
    size_t pitch, width, height;
    unsigned channels;

    __host__ __device__ E *row(size_t y) const
    {
        return reinterpret_cast<E *>(data + y * pitch);
    }
};

template <class E> picture<E> picture_of(const scankit_image *image)
{
    return {static_cast<unsigned char *>(image->data), image->pitch, image->width, image->height, image->channels};
}

// A picture without gaps.
template <class E> picture<E> dense_picture(void *data, size_t width, size_t height, unsigned channels)
{
    return {static_cast<unsigned char *>(data), width * channels * sizeof(E), width, height, channels};
}

// Calls f(E()) for the type of a picture's elements.
template <class F> scankit_error dispatch_picture(scankit_type type, F f)
{
    switch (type) {
    case SCANKIT_U8: return f(uint8_t());
    case SCANKIT_U16: return f(uint16_t());
    case SCANKIT_F16: return f(scankit_f16());
    case SCANKIT_F32: return f(float());
    default: return SCANKIT_E_ARGUMENT;
    }
}

// ---- floats, and halves as floats ----

__device__ __forceinline__ float float_of(float value)
{
    return value;
}

__device__ __forceinline__ float float_of(scankit_f16 value)
{
    return sk_f32_from_f16(value);
}

__device__ __forceinline__ void store_float(float *to, float value)
{
    *to = value;
}

__device__ __forceinline__ void store_float(scankit_f16 *to, float value)
{
    *to = sk_f16_from_f32(value);
}

// ---- one thread for each place of a matrix, over a grid of any size ----

constexpr unsigned PLACE_COLUMNS = 32, PLACE_ROWS = 8; // of a block

template <class F>
__global__ void __launch_bounds__(PLACE_COLUMNS *PLACE_ROWS) places_kernel(size_t width, size_t height, F f)
{
    for (size_t y = size_t(blockIdx.y) * PLACE_ROWS + threadIdx.y; y < height; y += size_t(gridDim.y) * PLACE_ROWS)
        for (size_t x = size_t(blockIdx.x) * PLACE_COLUMNS + threadIdx.x; x < width;
             x += size_t(gridDim.x) * PLACE_COLUMNS)
            f(x, y);
}

// The grid: a side has at most 2^15 blocks.
inline dim3 places_grid(size_t width, size_t height)
{
    size_t columns = (width - 1) / PLACE_COLUMNS + 1, rows = (height - 1) / PLACE_ROWS + 1, most = 1 << 15;
    return dim3(unsigned(columns < most ? columns : most), unsigned(rows < most ? rows : most));
}

#define PLACE_BLOCK dim3(PLACE_COLUMNS, PLACE_ROWS)

#endif
