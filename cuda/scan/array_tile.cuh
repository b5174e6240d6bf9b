// array_tile.cuh - tiles of the scan of an array (scan.cuh), in two layouts. Map: words.cuh.
//
// In rows, as scan_tile.cuh: elements stay in registers, and a warp scans once a row. In lanes: elements are in shared
// memory, where each lane has adjacent vectors, so a warp scans once. The second needs fewer instructions for wide
// elements, of which a row has few, and fewer registers.
#ifndef SK_CUDA_ARRAY_TILE_CUH
#define SK_CUDA_ARRAY_TILE_CUH

#include "common/scan_tile.cuh"
#include "device/tuning.cuh"
#include "scan/unaligned_tile.cuh"
#include "scan/words.cuh"

template <class Op, class Map> __device__ __forceinline__ typename Op::element fill_of()
{
    return Map::element(Op::template store<typename Op::element>(Op::identity()));
}

// before: elements of the array before the tile; valid: from there on.
template <class Op, class Map> struct tile_in_rows {
    using T = typename Op::type;
    using E = typename Op::element;
    using block = scan_tile<Op, SCAN_THREADS, SCAN_VECTORS<E>>;
    using elements = typename block::elements;
    using shared_memory = typename block::shared_memory;

    block scan;

    __device__ __forceinline__ void load(const E *in, size_t before, size_t valid, shared_memory &)
    {
        unaligned_tile<E, SCAN_THREADS, elements::ROWS>{scan.data}.load(in, before, valid, fill_of<Op, Map>());
#pragma unroll
        for (auto &row : scan.data.row)
            row.raw = Map::keys(row.raw);
    }

    // Returns the tile's aggregate to every thread. It contains a barrier.
    __device__ __forceinline__ T upsweep(shared_memory &shared)
    {
        return scan.upsweep(shared);
    }

    __device__ __forceinline__ void downsweep(shared_memory &shared, bool inclusive)
    {
        scan.downsweep(shared.before_tile, inclusive);
    }

    __device__ __forceinline__ void store(E *out, size_t valid, shared_memory &)
    {
#pragma unroll
        for (auto &row : scan.data.row)
            row.raw = Map::elements(row.raw);
        unaligned_tile<E, SCAN_THREADS, elements::ROWS>{scan.data}.store(out, valid);
    }
};

// The number of vectors is odd, which avoids bank conflicts.
template <class Op, class Map> struct tile_in_lanes {
    using T = typename Op::type;
    using E = typename Op::element;
    static constexpr int VECTORS = SCAN_VECTORS<E>;
    using elements = tile<E, SCAN_THREADS, VECTORS>;
    using vector = typename elements::vector;
    static_assert(VECTORS % 2 == 1);

    struct shared_memory : scan_tile_memory<Op, SCAN_THREADS> {
        uint4 vectors[SCAN_THREADS * VECTORS];
    };

    T before_lane; // in the warp's part; after upsweep() in the tile

    static __device__ __forceinline__ uint4 *part_of(shared_memory &shared)
    {
        return shared.vectors + threadIdx.x / WARP * WARP * VECTORS;
    }

    static __device__ __forceinline__ uint4 *lane_of(shared_memory &shared)
    {
        return part_of(shared) + lane_id() * VECTORS;
    }

    __device__ __forceinline__ void load(const E *in, size_t before, size_t valid, shared_memory &shared)
    {
        elements data;
        unaligned_tile<E, SCAN_THREADS, VECTORS>{data}.load(in, before, valid, fill_of<Op, Map>());
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            part_of(shared)[r * WARP + lane_id()] = data.row[r].raw;
        __syncwarp();
    }

    __device__ __forceinline__ T upsweep(shared_memory &shared)
    {
        T sum = Op::identity();
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            vector v;
            v.raw = Map::keys(lane_of(shared)[r]);
            if constexpr (!std::is_same_v<Map, as_they_are>)
                lane_of(shared)[r] = v.raw;
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++)
                sum = r + i == 0 ? load_as<Op>(v.item[0]) : Op::combine(sum, load_as<Op>(v.item[i]));
        }
        T inclusive = warp_scan<Op>(sum);
        shared.totals.publish(inclusive);
        __syncthreads();
        warp_share<T> share = shared.totals.fold();
        before_lane = Op::combine(share.before, warp_before<Op>(inclusive));
        return share.total;
    }

    __device__ __forceinline__ void downsweep(shared_memory &shared, bool inclusive)
    {
        T running = Op::combine(shared.before_tile, before_lane);
#pragma unroll
        for (int r = 0; r < VECTORS; r++) {
            vector v;
            v.raw = lane_of(shared)[r];
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++) {
                T next = Op::combine(running, load_as<Op>(v.item[i]));
                v.item[i] = Op::template store<E>(inclusive ? next : running);
                running = next;
            }
            lane_of(shared)[r] = Map::elements(v.raw);
        }
    }

    __device__ __forceinline__ void store(E *out, size_t valid, shared_memory &shared)
    {
        __syncwarp();
        elements data;
#pragma unroll
        for (int r = 0; r < VECTORS; r++)
            data.row[r].raw = part_of(shared)[r * WARP + lane_id()];
        unaligned_tile<E, SCAN_THREADS, VECTORS>{data}.store(out, valid);
    }
};

template <class Op, class Map>
using array_tile =
    std::conditional_t<SCAN_IN_LANES<typename Op::element>, tile_in_lanes<Op, Map>, tile_in_rows<Op, Map>>;

#endif
