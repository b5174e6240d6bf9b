// bands_above.cuh - the sum of all bands of rows above a band, for each column: decoupled look-back (Merrill and
// Garland 2016; common/lookback.cuh) in a fixed order of additions.
//
// Bands are in groups. Each publishes its own sums, but the last one of a group publishes the sums of all bands
// up to it. A band adds the bands of its group from top to bottom, then the sum of the groups before. So floats have
// the same bits on every run.
#ifndef SK_CUDA_BANDS_ABOVE_CUH
#define SK_CUDA_BANDS_ABOVE_CUH

#include "common/lookback.cuh"

// On an H200, tables of 8192 x 8192 f32 take 236, 273 and 371 us with groups of 8, 16 and 32 bands: a band reads fewer
// descriptors, and the chain of groups costs less than that.
constexpr unsigned BAND_GROUP = 8;
constexpr unsigned BAND_EPOCH = 1; // the only one: descriptors are cleared before each launch

// Descriptors that are read at a time, to overlap their latencies. More would spill registers.
template <class T> constexpr unsigned BAND_WINDOW = 8;

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

template <class T> __device__ __forceinline__ void wait_for_band(const descriptor<T> *at, bool wanted)
{
    while (__any_sync(FULL_WARP, wanted && descriptor<T>::look(at, BAND_EPOCH, wanted).status == NOTHING))
        ;
}

// Adds the sums of `count` bands, at most BAND_WINDOW, from `at` on; a row has `length` descriptors. If one is missing,
// waits for that one alone, which keeps the traffic of waiting blocks low, and then reads all again: to keep the others
// would take more registers. The whole warp calls this.
template <class T> __device__ __forceinline__ T add_bands(T sum, const descriptor<T> *at, size_t length, unsigned count)
{
    constexpr unsigned WINDOW = BAND_WINDOW<T>;
    for (;;) {
        described<T> found[WINDOW];
        const descriptor<T> *row = at;
        size_t step = opaque(length);
#pragma unroll
        for (unsigned i = 0; i < WINDOW; i++) {
            found[i] = descriptor<T>::look(row, BAND_EPOCH, i < count);
            row += step;
        }
        T total = sum;
        unsigned missing = WINDOW;
#pragma unroll
        for (unsigned i = 0; i < WINDOW; i++) {
            missing = i < count && found[i].status == NOTHING ? i : missing;
            total += i < count ? found[i].value : T(0);
        }
        if (!__any_sync(FULL_WARP, missing < WINDOW))
            return total;
        wait_for_band(at + missing * length, missing < WINDOW);
    }
}

// The sum of all bands above `band`: of the groups before, plus that of the band's group. column: the descriptor of the
// first band. wanted: false in lanes without a column. The sum of the groups before is read with the
// others, but waited for alone: it mostly arrives last.
template <class T>
__device__ __forceinline__ T sum_of_bands_above(const descriptor<T> *column, size_t length, unsigned band, bool wanted)
{
    unsigned group = band / BAND_GROUP * BAND_GROUP, count = band - group;
    bool follows = wanted && group > 0;
    const descriptor<T> *row = column + group * length;
    described<T> before = descriptor<T>::look(row - length, BAND_EPOCH, follows);
    T sum = 0;
#pragma unroll
    for (unsigned i = 0; i < BAND_GROUP; i += BAND_WINDOW<T>)
        if (count > i)
            sum = add_bands(sum, row + i * length, length, wanted ? min(count - i, BAND_WINDOW<T>) : 0);
    while (__any_sync(FULL_WARP, follows && before.status == NOTHING))
        before = descriptor<T>::look(row - length, BAND_EPOCH, follows);
    return group > 0 ? before.value + sum : sum;
}

#endif
