// ring_scan.cuh - the scan on the ring.
#ifndef SK_CUDA_RING_SCAN_CUH
#define SK_CUDA_RING_SCAN_CUH

#include "common/op.cuh"
#include "common/ring.cuh"
#include "common/row_ranks.cuh"
#include "common/thread.cuh"
#include "scan/words.cuh"

// A lane has VECTORS adjacent vectors. Map: words.cuh.
template <class Op, class Map = as_they_are> struct ring_scan_work {
    using T = typename Op::type;
    using E = typename Op::element;
    using saved = T; // the prefix of the lane in the warp's part
    static constexpr int VECTORS = scan_shape::VECTORS;
    static constexpr int PER_VECTOR = 16 / sizeof(E);

    union vector {
        uint4 raw;
        E item[PER_VECTOR];
        __device__ vector()
        {
        }
    };

    ring_arguments to;
    bool inclusive;

    static __device__ __forceinline__ uint4 *vectors_of(unsigned char *part)
    {
        return reinterpret_cast<uint4 *>(part) + lane_id() * VECTORS;
    }

    // Loads the part, if the copier did not: at the array's ends.
    __device__ __forceinline__ void load(unsigned char *part, const ring_place &place) const
    {
        bool aligned = reinterpret_cast<uintptr_t>(to.in) % 16 == 0; // on the ring it always is
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            unsigned at = (i * WARP + lane_id()) * 16;
            vector v;
            if (aligned && at >= place.low && at + 16 <= place.high) {
                v.raw = *reinterpret_cast<const uint4 *>(to.in + place.begin + at);
            } else {
#pragma unroll
                for (int k = 0; k < PER_VECTOR; k++) {
                    unsigned byte = at + k * unsigned(sizeof(E));
                    bool inside = byte >= place.low && byte < place.high;
                    v.item[k] = inside ? *reinterpret_cast<const E *>(to.in + place.begin + byte)
                                       : Map::element(Op::template store<E>(Op::identity()));
                }
            }
            *reinterpret_cast<uint4 *>(part + at) = v.raw;
        }
        __syncwarp();
    }

    // The same for stores.
    __device__ __forceinline__ void store(const unsigned char *part, const ring_place &place) const
    {
        using word = typename word_of<sizeof(E)>::type;
        __syncwarp();
        if (place.low < place.high)
            copy_run(reinterpret_cast<word *>(to.out + place.begin + place.low),
                     reinterpret_cast<const word *>(part + place.low), (place.high - place.low) / unsigned(sizeof(E)));
    }

    __device__ __forceinline__ T reduce(unsigned char *part, const ring_place &place, bool whole, T &before) const
    {
        if (!whole)
            load(part, place);
        const uint4 *mine = vectors_of(part);
        T sum = Op::identity();
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            vector v;
            v.raw = Map::keys(mine[i]);
#pragma unroll
            for (int k = 0; k < PER_VECTOR; k++)
                sum = i + k == 0 ? load_as<Op>(v.item[0]) : Op::combine(sum, load_as<Op>(v.item[k]));
        }
        T scanned = warp_scan<Op>(sum);
        before = warp_before<Op>(scanned);
        return scanned;
    }

    __device__ __forceinline__ void complete(unsigned char *part, const ring_place &place, bool whole, T before_part,
                                             T before) const
    {
        uint4 *mine = vectors_of(part);
        T running = Op::combine(before_part, before);
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            vector v;
            v.raw = Map::keys(mine[i]);
#pragma unroll
            for (int k = 0; k < PER_VECTOR; k++) {
                T next = Op::combine(running, load_as<Op>(v.item[k]));
                v.item[k] = Op::template store<E>(inclusive ? next : running);
                running = next;
            }
            mine[i] = Map::elements(v.raw);
        }
        if (!whole || !to.bulk_out)
            store(part, place);
    }
};

template <class Op, class Map>
__global__ void __launch_bounds__(scan_shape::THREADS, 1)
    scan_ring(ring_arguments to, lookback_state<typename Op::type> state, bool inclusive, typename Op::type initial)
{
    ring_run<Op, scan_shape>(to, state, initial, ring_scan_work<Op, Map>{to, inclusive});
}

#endif
