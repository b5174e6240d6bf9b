// bands_above.cuh - the sum of all bands of rows above a band, for each column: decoupled look-back (Merrill and
// Garland 2016; common/lookback.cuh) in a fixed order of additions.
//
// Bands are in groups of 16. Each publishes its own sums, but the last one of a group publishes those of all bands up
// to it. A band adds the sums of the group before, then the bands of its group from top to bottom. So floats have the
// same bits on every run.
#ifndef SK_CUDA_BANDS_ABOVE_CUH
#define SK_CUDA_BANDS_ABOVE_CUH

#include "common/lookback.cuh"

constexpr unsigned BAND_GROUP = 16;
constexpr unsigned BAND_EPOCH = 1; // the only one: descriptors are cleared before each launch

// Descriptors that are read at a time, to overlap their latencies. More would spill registers.
template <class T> constexpr unsigned BAND_WINDOW = sizeof(T) > 4 ? 8 : 16;

// The same number, but the compiler does not know it. So it computes addresses again for each chunk, instead of an
// address a row in registers.
__device__ __forceinline__ size_t opaque(size_t step)
{
    asm volatile("" : "+l"(step));
    return step;
}

__device__ __forceinline__ bool ends_band_group(unsigned band)
{
    return band % BAND_GROUP == BAND_GROUP - 1;
}

// Adds the sums of `count` bands, at most BAND_WINDOW, from `at` on; a row has `length` descriptors. All are read again
// until none is missing: to keep those that have arrived would take more registers. The whole warp calls this.
template <class T> __device__ __forceinline__ T add_bands(T sum, const descriptor<T> *at, size_t length, unsigned count)
{
    constexpr unsigned WINDOW = BAND_WINDOW<T>;
    T total;
    bool waits;
    do {
        described<T> found[WINDOW];
        const descriptor<T> *row = at;
        size_t step = opaque(length);
#pragma unroll
        for (unsigned i = 0; i < WINDOW; i++) {
            found[i] = descriptor<T>::look(row, BAND_EPOCH, i < count);
            row += step;
        }
        total = sum;
        waits = false;
#pragma unroll
        for (unsigned i = 0; i < WINDOW; i++) {
            waits = waits || (i < count && found[i].status == NOTHING);
            total += i < count ? found[i].value : T(0);
        }
    } while (__any_sync(FULL_WARP, waits));
    return total;
}

// The sum of all bands above `band`. column: the descriptor of the first band. wanted: false in lanes without a column.
template <class T>
__device__ __forceinline__ T sum_of_bands_above(const descriptor<T> *column, size_t length, unsigned band, bool wanted)
{
    unsigned group = band / BAND_GROUP * BAND_GROUP, first = group > 0 ? group - 1 : 0, count = band - first;
    T sum = 0;
#pragma unroll
    for (unsigned i = 0; i < BAND_GROUP; i += BAND_WINDOW<T>) {
        unsigned here = wanted && count > i ? min(count - i, BAND_WINDOW<T>) : 0;
        sum = add_bands(sum, column + (first + i) * length, length, here);
    }
    return sum;
}

#endif
