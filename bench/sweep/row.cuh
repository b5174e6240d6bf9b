// row.cuh - a row of the sweep: two calls for the same work, measured by turns. And the arrays and data of all rows.
#ifndef BENCH_SWEEP_ROW_CUH
#define BENCH_SWEEP_ROW_CUH

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_fp16.h>

#include "scankit.h"
#include "sweep.h"

// ---- what all rows share ----

struct sweep_state {
    scankit_context *context;
    cudaStream_t stream; // of both libraries
    char *a, *b, *c, *d; // arrays of `most` elements of 8 bytes
    char *room;          // CUB's workspace
    size_t most, room_bytes;
    double below;
    size_t rows, behind;
};
extern sweep_state sweep;

template <class T> T *array(char *memory)
{
    return reinterpret_cast<T *>(memory);
}

// No powers of two, and odd, so that no size suits a tile.
std::vector<size_t> sweep_sizes(size_t most = ~size_t(0));

// ---- types ----

template <class T> struct type_of;
#define SWEEP_TYPE(T, enumerator, text)                             \
    template <> struct type_of<T> {                                 \
        static constexpr scankit_type value = SCANKIT_##enumerator; \
        static constexpr const char *name = text;                   \
    };
SWEEP_TYPE(uint8_t, U8, "u8")
SWEEP_TYPE(uint16_t, U16, "u16")
SWEEP_TYPE(uint32_t, U32, "u32")
SWEEP_TYPE(uint64_t, U64, "u64")
SWEEP_TYPE(int8_t, I8, "i8")
SWEEP_TYPE(int16_t, I16, "i16")
SWEEP_TYPE(int32_t, I32, "i32")
SWEEP_TYPE(int64_t, I64, "i64")
SWEEP_TYPE(__half, F16, "f16")
SWEEP_TYPE(float, F32, "f32")
SWEEP_TYPE(double, F64, "f64")

struct add {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct larger {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

// ---- data ----

// Bits that depend on all bits of x (Steele, Lea and Flood's SplitMix64).
__host__ __device__ inline uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

// Integers of all bits; floats from 0 to 1.
template <class T> __device__ T value_of(uint64_t bits)
{
    if constexpr (std::is_same_v<T, __half>)
        return __float2half(float(bits % 1024) / 1024);
    else if constexpr (std::is_same_v<T, float>)
        return float(bits >> 40) * 0x1p-24f;
    else if constexpr (std::is_same_v<T, double>)
        return double(bits >> 11) * 0x1p-53;
    else
        return T(bits);
}

template <class F> __global__ void for_each_place(size_t n, F f)
{
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        f(i);
}

// f(i) for all i below n.
template <class F> void for_places(size_t n, F f)
{
    for_each_place<<<1024, 256, 0, sweep.stream>>>(n, f);
}

template <class T> struct random_values {
    T *to;
    __device__ void operator()(size_t i) const
    {
        to[i] = value_of<T>(mixed(i));
    }
};
template <class T> void fill(T *to, size_t n)
{
    for_places(n, random_values<T>{to});
}

// ids[i] = the number of runs of random lengths, `length` on average, that begin up to i.
void number_runs(uint64_t *ids, size_t n, uint64_t length);

template <class T> struct run_values {
    const uint64_t *ids;
    T *to;
    __device__ void operator()(size_t i) const
    {
        to[i] = value_of<T>(sizeof(T) == 1 ? ids[i] * 37 : mixed(ids[i]));
    }
};
// Runs of equal values. `ids` has room for n.
template <class T> void fill_runs(T *to, uint64_t *ids, size_t n, uint64_t length)
{
    number_runs(ids, n, length);
    for_places(n, run_values<T>{ids, to});
}

// ---- rows ----

struct sweep_row {
    const char *primitive;
    std::string variant;
    const char *type;
    size_t n;
};

// own() returns the library's error. cub(memory, bytes) does what CUB's functions do: without memory, it says how many
// bytes it wants.
void measure(const sweep_row &row, const std::function<scankit_error()> &own,
             const std::function<cudaError_t(void *, size_t &)> &cub);

#endif
