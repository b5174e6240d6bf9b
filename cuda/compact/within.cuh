// within.cuh - elements that match because they are in one of a few ranges: predicates that compare an element, or some
// of its bits, with constants. They need neither an interpreter nor a compiler.
#ifndef SK_CUDA_WITHIN_CUH
#define SK_CUDA_WITHIN_CUH

#include <type_traits>

#include "compact/compact_part.cuh"
#include "program.h"

// What is compared: an integer, or the bits of a float as the WITHIN step takes them (program.h).
enum class within_kind { INTEGER, FLOAT, HALF };

struct within_test {
    within_kind kind;
    bool outside;        // elements outside of all ranges match
    uint64_t mask, sign; // of integers: the bits that count, and the sign bit of a narrow one
    unsigned count;
    sk_set_range range[SK_WITHIN_RANGES];
};

// True if the program is such a test of whole elements, which is then filled in.
bool is_within_test(const sk_program &program, within_test *test);

// Elements of 2, 4 and 8 bytes.
template <class U> struct match_within {
    using word = std::conditional_t<sizeof(U) == 8, uint64_t, uint32_t>;
    struct range {
        word low, width;
    };
    range ranges[SK_WITHIN_RANGES];
    word mask, sign;
    within_kind kind;
    bool is_single;

    // Missing ranges are copies of the first.
    explicit match_within(const within_test &test)
        : mask(word(test.mask)), sign(word(test.sign)), kind(test.kind), is_single(test.count == 1)
    {
        for (unsigned r = 0; r < SK_WITHIN_RANGES; r++) {
            const sk_set_range &own = test.range[r < test.count ? r : 0];
            ranges[r] = {word(own.low), word(own.high - own.low)};
        }
    }

    template <within_kind KIND> __device__ __forceinline__ word key_of(U element) const
    {
        constexpr word SIGN = word(1) << (8 * sizeof(word) - 1);
        word key = element;
        if constexpr (KIND == within_kind::INTEGER)
            return (sizeof(U) < sizeof(word) ? (key ^ sign) - sign : key) & mask;
        if constexpr (KIND == within_kind::HALF)
            key = __float_as_uint(loaded(scankit_f16{uint16_t(element)}));
        return (key & SIGN) != 0 ? key ^ (SIGN - 1) : key;
    }

    template <within_kind KIND, int RANGES, int THREADS, int VECTORS>
    __device__ __forceinline__ void decide(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                           unsigned (&bits)[VECTORS]) const
    {
        decide_rows(
            data, begin,
            [&](U element, size_t) {
                word key = key_of<KIND>(element);
                bool within = false;
#pragma unroll
                for (int r = 0; r < RANGES; r++)
                    within |= word(key - ranges[r].low) <= ranges[r].width;
                return within;
            },
            bits);
    }

    template <int RANGES, int THREADS, int VECTORS>
    __device__ __forceinline__ void decide_by_kind(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                                   unsigned (&bits)[VECTORS]) const
    {
        if constexpr (sizeof(U) >= 4)
            if (kind == within_kind::FLOAT)
                return decide<within_kind::FLOAT, RANGES>(data, begin, bits);
        if constexpr (sizeof(U) == 2)
            if (kind == within_kind::HALF)
                return decide<within_kind::HALF, RANGES>(data, begin, bits);
        decide<within_kind::INTEGER, RANGES>(data, begin, bits);
    }

    template <int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<U, THREADS, VECTORS> &data, size_t begin,
                                            const compact_arguments &, unsigned (&bits)[VECTORS]) const
    {
        if (is_single)
            decide_by_kind<1>(data, begin, bits);
        else
            decide_by_kind<SK_WITHIN_RANGES>(data, begin, bits);
    }
};

// Elements of 1 byte: a bit for each of 256 values, of which each lane has a word.
struct match_bytes {
    static constexpr unsigned WORDS = 8;
    uint32_t words[WORDS];

    explicit match_bytes(const within_test &test) : words()
    {
        const uint32_t mask = uint32_t(test.mask), sign = uint32_t(test.sign);
        for (uint32_t byte = 0; byte < 32 * WORDS; byte++) {
            uint32_t key = ((byte ^ sign) - sign) & mask;
            for (unsigned r = 0; r < test.count; r++)
                if (key - uint32_t(test.range[r].low) <= uint32_t(test.range[r].high - test.range[r].low))
                    words[byte / 32] |= 1u << byte % 32;
        }
    }

    // A row's bytes are taken from its words by instructions of their own. Otherwise nvcc keeps all bytes apart in
    // registers until they are moved, and spills.
    template <int THREADS, int VECTORS>
    __device__ __forceinline__ void scalars(const tile<uint8_t, THREADS, VECTORS> &data, size_t,
                                            const compact_arguments &, unsigned (&bits)[VECTORS]) const
    {
        const uint32_t own = words[lane_id() % WORDS];
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            const uint4 &raw = data.row[r].raw;
            bits[r] = decide(own, raw.x) | decide(own, raw.y) << 4 | decide(own, raw.z) << 8 | decide(own, raw.w) << 12;
        }
    }

  private:
    static __device__ __forceinline__ unsigned decide(uint32_t own, uint32_t bytes)
    {
        unsigned bits = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            unsigned element;
            asm("bfe.u32 %0, %1, %2, 8;" : "=r"(element) : "r"(bytes), "r"(8 * k));
            bits |= (__shfl_sync(FULL_WARP, own, element / 32) >> element % 32 & 1) << k;
        }
        return bits;
    }
};

template <class U> using match_ranges = std::conditional_t<sizeof(U) == 1, match_bytes, match_within<U>>;

#endif
