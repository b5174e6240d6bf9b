// segmented_scan.cu - segmented scans of whole arrays in a single pass with look-back, one block per tile: as
// scan.cuh, but every step stops at heads (Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007).
// The aggregate of a tile with a head is already its inclusive prefix, so no look-back goes beyond such a tile. Tiles
// look back in groups: with heads that is no slower, and the order of operations depends on n and the heads alone.
#include <type_traits>

#include "common/block_sum.cuh"
#include "common/lookback_state.cuh"
#include "common/tile.cuh"
#include "device/check.cuh"
#include "device/tuning.cuh"
#include "scan/choose.h"
#include "scan/segment.cuh"
#include "scan/words.cuh"

// Heads of a vector's elements, as bits.
template <int COUNT> struct head_vector {
    static constexpr int WORDS = COUNT < 4 ? 1 : COUNT / 4;
    union {
        uint32_t word[WORDS];
        uint16_t two;
        uint2 eight;
        uint4 sixteen;
        uint8_t byte[4 * WORDS];
    };

    __device__ __forceinline__ void load(const uint8_t *from)
    {
        if constexpr (COUNT == 2)
            word[0] = *reinterpret_cast<const uint16_t *>(from);
        else if constexpr (COUNT == 4)
            word[0] = *reinterpret_cast<const uint32_t *>(from);
        else if constexpr (COUNT == 8)
            eight = *reinterpret_cast<const uint2 *>(from);
        else
            sixteen = *reinterpret_cast<const uint4 *>(from);
    }

    // The first `valid` bytes; the others are no heads.
    __device__ __forceinline__ void load(const uint8_t *from, size_t valid)
    {
#pragma unroll
        for (int i = 0; i < 4 * WORDS; i++)
            byte[i] = i < COUNT && i < valid ? from[i] : 0;
    }

    // Sets the highest bit of each byte that is not 0, then gathers these four bits by a product.
    __device__ __forceinline__ unsigned bits() const
    {
        unsigned all = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            uint32_t set = (((word[w] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word[w]) & 0x80808080u;
            all |= (set >> 7) * 0x01020408u >> 24 << 4 * w;
        }
        return all;
    }
};

// Map: words.cuh.
template <class Op, class Map> struct segmented_tile {
    using T = typename Op::type;
    using E = typename Op::element;
    using op = op_open_segment<Op>;
    static constexpr int ROWS = SEGMENTED_SCAN_VECTORS<E>;
    using elements = tile<E, SCAN_THREADS, ROWS>;
    static constexpr int PER_VECTOR = elements::PER_VECTOR;

    struct shared_memory {
        warp_totals<op, SCAN_THREADS> totals;
        T before_tile;
    };

    using row_bits = std::conditional_t<(ROWS * PER_VECTOR > 32), uint64_t, uint32_t>;

    elements data;
    row_bits heads;     // of this lane's elements, row by row
    T before_row[ROWS]; // the open segment before this lane's vector, reduced
    unsigned known;     // rows whose before_row does not depend on earlier tiles: there is a head before it in the tile

    __device__ __forceinline__ bool is_head(int r, int i) const
    {
        return heads >> (r * PER_VECTOR + i) & 1;
    }

    __device__ __forceinline__ bool has_head(int r) const
    {
        return (heads >> r * PER_VECTOR & ((1u << PER_VECTOR) - 1)) != 0;
    }

    __device__ __forceinline__ T item(int r, int i) const
    {
        return load_as<Op>(data.row[r].item[i]);
    }

    __device__ __forceinline__ void load(const E *in, const uint8_t *marks, size_t valid)
    {
        head_vector<PER_VECTOR> vector[ROWS];
        bool whole = valid >= elements::SIZE && reinterpret_cast<uintptr_t>(marks) % PER_VECTOR == 0;
        data.load(in, valid, Map::element(Op::template store<E>(Op::identity())));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            size_t at = elements::place(r);
            if (whole)
                vector[r].load(marks + at);
            else
                vector[r].load(marks + at, valid > at ? valid - at : 0);
        }
        heads = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            data.row[r].raw = Map::keys(data.row[r].raw);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            heads |= row_bits(vector[r].bits()) << r * PER_VECTOR;
    }

    // Upsweep: returns the open segment at the tile's end to every thread. It contains a barrier.
    __device__ __forceinline__ segment<T> upsweep(shared_memory &shared)
    {
        T warp_open = Op::identity();
        unsigned warp_begins = 0;
        known = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            T open = item(r, 0);
#pragma unroll
            for (int i = 1; i < PER_VECTOR; i++)
                open = is_head(r, i) ? item(r, i) : Op::combine(open, item(r, i));
            unsigned begins = __ballot_sync(FULL_WARP, has_head(r)), begins_before = begins & lanes_below();
            open = warp_scan_open<Op>(open, begins);
            T before = warp_before<Op>(open), row_open = warp_from(open, WARP - 1);
            before_row[r] = begins_before != 0 ? before : Op::combine(warp_open, before);
            known |= unsigned((warp_begins | begins_before) != 0) << r;
            warp_open = begins != 0 ? row_open : Op::combine(warp_open, row_open);
            warp_begins |= begins;
        }
        shared.totals.publish({warp_begins, warp_open});
        __syncthreads();
        warp_share<segment<T>> share = shared.totals.fold();
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            before_row[r] = known >> r & 1 ? before_row[r] : Op::combine(share.before.open, before_row[r]);
        known = share.before.runs > 0 ? ~0u : known;
        return share.total;
    }

    // Downsweep: every element becomes its scan.
    __device__ __forceinline__ void downsweep(T before_tile, bool inclusive)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            T running = known >> r & 1 ? before_row[r] : Op::combine(before_tile, before_row[r]);
#pragma unroll
            for (int i = 0; i < PER_VECTOR; i++) {
                T own = item(r, i);
                bool head = is_head(r, i);
                T next = head ? own : Op::combine(running, own);
                data.row[r].item[i] = Op::template store<E>(inclusive ? next : head ? Op::identity() : running);
                running = next;
            }
            data.row[r].raw = Map::elements(data.row[r].raw);
        }
    }
};

template <class Op, class Map>
__global__ void __launch_bounds__(SCAN_THREADS, SEGMENTED_SCAN_BLOCKS)
    scan_segments(const typename Op::element *in, const uint8_t *heads, typename Op::element *out, size_t n,
                  bool inclusive, typename Op::type initial, lookback_state<segment<typename Op::type>> state)
{
    using T = typename Op::type;
    using block = segmented_tile<Op, Map>;
    using op = op_open_segment<Op>;
    __shared__ typename block::shared_memory shared;

    lookback_ticket ticket = take_ticket(state.tickets);
    size_t begin = size_t(ticket.tile) * block::elements::SIZE;

    // Load
    block scan;
    scan.load(in + begin, heads + begin, n - begin);

    // Upsweep
    segment<T> aggregate = scan.upsweep(shared), first = {0, initial};

    // Look-back
    if (threadIdx.x < WARP) {
        segment<T> before = look_back_in_groups<op>(state.descriptors, ticket, aggregate, first);
        if (threadIdx.x == 0)
            shared.before_tile = before.open;
    }
    __syncthreads();

    // Downsweep
    scan.downsweep(shared.before_tile, inclusive);

    // Store
    scan.data.store(out + begin, n - begin);
}

// ---- the launch ----

template <class Op, class Map>
static scankit_error scan(cuda_device *gpu, bool inclusive, const void *initial, const void *in, const uint8_t *heads,
                          void *out, size_t n)
{
    using E = typename Op::element;
    size_t tiles = (n - 1) / segmented_tile<Op, Map>::elements::SIZE + 1;
    lookback_state<segment<typename Op::type>> state;
    TRY(take_state(gpu, tiles, &state));
    END_REHEARSAL(gpu);
    scan_segments<Op, Map><<<unsigned(tiles), SCAN_THREADS, 0, gpu->stream>>>(
        static_cast<const E *>(in), heads, static_cast<E *>(out), n, inclusive, initial_word<Op, Map>(initial), state);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error cuda_segmented_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                  const void *initial, const void *in, const uint8_t *heads, void *out, size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    report(gpu, scan_algorithm::LOOKBACK);
    return dispatch(type, op, [&](auto chosen) {
        using words = in_words<decltype(chosen)>;
        return scan<typename words::op, typename words::map>(gpu, kind == SCANKIT_INCLUSIVE, initial, in, heads, out,
                                                             n);
    });
}
