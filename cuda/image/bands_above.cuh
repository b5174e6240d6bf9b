// bands_above.cuh - the sum of all bands of rows above a band, for each column: decoupled look-back (Merrill and
// Garland 2016; common/lookback.cuh) over a tree of bands (Fenwick 1994), in a fixed order of additions.
//
// Bands are in groups of 4, these in groups of 16, and so on. A band publishes one sum for each column: that of the
// largest group that it ends, or its own. A band adds at most three sums of each size to get all bands above. So few
// sums are read, bands wait for each other in a chain as long as the logarithm of their number, and floats have the
// same bits on every run.
#ifndef SK_CUDA_BANDS_ABOVE_CUH
#define SK_CUDA_BANDS_ABOVE_CUH

#include <type_traits>

#include "common/lookback.cuh"

constexpr unsigned BAND_GROUP = 4, BANDS_READ = 3 * 16;

// Before a launch, the host sets tickets and descriptors to bytes of this value.
constexpr int BANDS_CLEARED = 0xff;

// Bands by ticket: all bands above have started. One thread calls this.
__device__ __forceinline__ unsigned take_next_band(unsigned *tickets)
{
    return atomicAdd(tickets, 1u) + 1;
}

// ---- descriptors: what bands publish for a column ----

// Integers have a mark. Epoch 1 is not that of a cleared word.
template <class T, bool = std::is_floating_point_v<T>> struct band_sum {
    descriptor<T> sum;

    static __device__ __forceinline__ void publish(band_sum *at, T value)
    {
        descriptor<T>::publish(&at->sum, 1, value, AGGREGATE);
    }

    static __device__ __forceinline__ described<T> look(const band_sum *at, bool wanted)
    {
        return descriptor<T>::look(&at->sum, 1, wanted);
    }
};

// Floats need none: a cleared word is a NaN, and a sum with its bits is published as another NaN. Half as many bytes
// take 211 us instead of 218 for 8192 x 8192 f32 on an H100.
template <class T> struct band_sum<T, true> {
    using word = std::conditional_t<sizeof(T) == 4, uint32_t, unsigned long long>;
    static constexpr word CLEARED = ~word(0);
    word bits;

    static __device__ __forceinline__ void publish(band_sum *at, T value)
    {
        word bits;
        memcpy(&bits, &value, sizeof bits);
        bits = bits == CLEARED ? CLEARED >> 1 : bits;
        if constexpr (sizeof(T) == 4)
            asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(bits) : "memory");
        else
            asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(bits) : "memory");
    }

    static __device__ __forceinline__ described<T> look(const band_sum *at, bool wanted)
    {
        word bits = CLEARED;
        if constexpr (sizeof(T) == 4)
            asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0;\n"
                         "@wanted ld.relaxed.gpu.global.u32 %0, [%1]; }"
                         : "+r"(bits)
                         : "l"(at), "r"(unsigned(wanted))
                         : "memory");
        else
            asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0;\n"
                         "@wanted ld.relaxed.gpu.global.u64 %0, [%1]; }"
                         : "+l"(bits)
                         : "l"(at), "r"(unsigned(wanted))
                         : "memory");
        described<T> found;
        memcpy(&found.value, &bits, sizeof found.value);
        found.status = bits == CLEARED ? NOTHING : AGGREGATE;
        return found;
    }
};

// ---- which bands, and their sum ----

// Descriptors that are read at a time, to overlap their latencies. More would spill registers.
constexpr int BAND_WINDOW = 3;

// The sums that a band adds, nearest first, as offsets of their rows of descriptors. The first ones, its siblings,
// belong to the group that it ends: with its own sum they make the sum that it publishes.
struct bands_above {
    size_t row[BANDS_READ];
    unsigned siblings, count;
};

// One thread calls this. length: descriptors of a row.
__device__ __forceinline__ void find_bands_above(bands_above &above, unsigned band, size_t length)
{
    bool ends = true;
    unsigned count = 0, siblings = 0;
    unsigned long long size = 1;
    for (unsigned rest = band; rest > 0; rest /= BAND_GROUP, size *= BAND_GROUP) {
        unsigned digit = rest % BAND_GROUP;
        for (unsigned i = 0; i < digit; i++)
            above.row[count++] = ((rest - i) * size - 1) * length;
        ends = ends && digit == BAND_GROUP - 1;
        siblings = ends ? count : siblings;
    }
    above.siblings = siblings;
    above.count = count;
}

// The same number, but the compiler does not know it. So it computes addresses again for each chunk, instead of an
// address a row in registers.
__device__ __forceinline__ size_t opaque(size_t step)
{
    asm volatile("" : "+l"(step));
    return step;
}

// Adds the sums of `count` bands to that of a column. at: the column's descriptor for band 0. Waits for each sum, if it
// is wanted. The whole warp calls this.
template <class T>
__device__ __forceinline__ void add_bands(T &sum, const band_sum<T> *at, const size_t *row, unsigned count, bool wanted)
{
    for (unsigned first = 0; first < count; first += BAND_WINDOW) {
        described<T> found[BAND_WINDOW] = {};
        bool missing;
        do {
            described<T> read[BAND_WINDOW];
#pragma unroll
            for (unsigned i = 0; i < BAND_WINDOW; i++)
                read[i] = band_sum<T>::look(at + row[min(first + i, count - 1)],
                                            wanted && first + i < count && found[i].status == NOTHING);
            missing = false;
#pragma unroll
            for (unsigned i = 0; i < BAND_WINDOW; i++) {
                found[i] = read[i].status == NOTHING ? found[i] : read[i];
                missing = missing || (wanted && first + i < count && found[i].status == NOTHING);
            }
        } while (__any_sync(FULL_WARP, missing));
#pragma unroll
        for (unsigned i = 0; i < BAND_WINDOW; i++)
            sum += found[i].value;
    }
}

#endif
