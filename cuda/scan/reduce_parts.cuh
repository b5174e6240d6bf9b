// reduce_parts.cuh - reduction of a whole array in one kernel: each block reduces a contiguous part, and the block that
// finishes last reduces their results. The order of operations depends on n alone.
#ifndef SK_CUDA_REDUCE_PARTS_CUH
#define SK_CUDA_REDUCE_PARTS_CUH

#include "common/lookback.cuh"
#include "common/lookback_state.cuh"
#include "common/scan_tile.cuh"
#include "device/host_word.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "scan/narrow_sum.cuh"
#include "scan/unaligned_tile.cuh"
#include "scan/words.cuh"

template <class Op, class E = typename Op::element>
using reduce_tile = scan_tile<Op, REDUCE_THREADS, REDUCE_VECTORS, E>;

// Pairs first, then pairs of their results, and so on: N is a power of two.
template <class Op, int N> __device__ __forceinline__ typename Op::type combine_all(typename Op::type (&values)[N])
{
    if constexpr (N > 1) {
        typename Op::type half[N / 2];
#pragma unroll
        for (int i = 0; i < N / 2; i++)
            half[i] = Op::combine(values[i], values[i + N / 2]);
        return combine_all<Op>(half);
    }
    return values[0];
}

// Commutative operators: a thread's results. Every place of a vector accumulates its own.
template <class Op, class Map, bool NARROW = (sizeof(typename Op::element) < 4)> struct reduce_sums {
    using T = typename Op::type;
    using E = typename Op::element;
    using elements = tile<E, REDUCE_THREADS, REDUCE_VECTORS>;
    static constexpr int SUMS = REDUCE_VECTORS * elements::PER_VECTOR;

    T sum[SUMS];

    __device__ reduce_sums()
    {
#pragma unroll
        for (T &one : sum)
            one = Op::identity();
    }

    // The array has `before` elements before the tile, and `valid` from there on.
    __device__ __forceinline__ void add(const E *in, size_t before, size_t valid)
    {
        elements next;
        unaligned_tile<E, REDUCE_THREADS, REDUCE_VECTORS>{next}.load(
            in, before, valid, Map::element(Op::template store<E>(Op::identity())));
#pragma unroll
        for (int r = 0; r < REDUCE_VECTORS; r++) {
            next.row[r].raw = Map::keys(next.row[r].raw);
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++) {
                T &one = sum[r * elements::PER_VECTOR + i];
                one = Op::combine(one, load_as<Op>(next.row[r].item[i]));
            }
        }
    }

    __device__ __forceinline__ T total()
    {
        return combine_all<Op>(sum);
    }
};

// Narrow elements: every word of a vector.
template <class Op, class Map> struct reduce_sums<Op, Map, true> {
    using T = typename Op::type;
    using E = typename Op::element;
    using elements = tile<E, REDUCE_THREADS, REDUCE_VECTORS>;

    narrow_sum<Op> sum[4];

    __device__ __forceinline__ void add_vector(const typename elements::vector &v)
    {
        uint4 keys = Map::keys(v.raw);
        sum[0].add(keys.x);
        sum[1].add(keys.y);
        sum[2].add(keys.z);
        sum[3].add(keys.w);
    }

    __device__ __forceinline__ void add(const E *in, size_t before, size_t valid)
    {
        E fill = Map::element(Op::template store<E>(Op::identity()));
        if (valid >= elements::SIZE) {
            elements next;
            unaligned_tile<E, REDUCE_THREADS, REDUCE_VECTORS>{next}.load(in, before, valid, fill);
#pragma unroll
            for (auto &row : next.row)
                add_vector(row);
            return;
        }
#pragma unroll 1
        for (int r = 0; r < REDUCE_VECTORS; r++) {
            typename elements::vector v;
#pragma unroll
            for (int i = 0; i < elements::PER_VECTOR; i++)
                v.item[i] = elements::place(r) + i < valid ? in[elements::place(r) + i] : fill;
            add_vector(v);
        }
    }

    __device__ __forceinline__ T total() const
    {
        return Op::combine(Op::combine(sum[0].total(), sum[1].total()), Op::combine(sum[2].total(), sum[3].total()));
    }
};

// Commutative operators: the result of the block's threads, for its first one. The shared memory may be used again
// after a barrier.
template <class Op>
__device__ __forceinline__ typename Op::type reduce_block(typename Op::type value,
                                                          typename reduce_tile<Op>::shared_memory &shared)
{
    using T = typename Op::type;
    constexpr int WARPS = REDUCE_THREADS / WARP;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = Op::combine(value, warp_down(value, distance));
    if (lane_id() == 0)
        shared.totals.of_warp[threadIdx.x / WARP] = value;
    __syncthreads();
    T total[WARPS];
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        total[w] = shared.totals.of_warp[w];
    return combine_all<Op>(total);
}

// Elements [begin, end) of n. Parts are whole tiles.
template <class Op, class Map>
__device__ __forceinline__ typename Op::type reduce_part(const typename Op::element *in, size_t begin, size_t end,
                                                         size_t n, typename reduce_tile<Op>::shared_memory &shared)
{
    using T = typename Op::type;
    using block = reduce_tile<Op>;
    constexpr size_t SIZE = block::elements::SIZE;
    if constexpr (is_commutative<Op>) {
        reduce_sums<Op, Map> sums;
#pragma unroll 1
        for (size_t at = begin; at < end; at += SIZE)
            sums.add(in + at, at, n - at);
        return reduce_block<Op>(sums.total(), shared);
    } else {
        T result = Op::identity();
        for (size_t at = begin; at < end; at += SIZE) {
            block tile;
            tile.load(in + at, n - at);
            result = Op::combine(result, tile.upsweep(shared));
            __syncthreads(); // the shared totals are read before the next tile writes them
        }
        return result;
    }
}

template <class Op>
__device__ __forceinline__ typename Op::type reduce_results(const typename Op::type *results, unsigned parts,
                                                            typename reduce_tile<Op>::shared_memory &shared)
{
    using T = typename Op::type;
    if constexpr (is_commutative<Op>) {
        constexpr int EACH = REDUCE_BLOCKS / REDUCE_THREADS;
        T own[EACH], sum = Op::identity();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            unsigned part = i * REDUCE_THREADS + threadIdx.x;
            own[i] = part < parts ? results[part] : Op::identity();
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            sum = Op::combine(sum, own[i]);
        __syncthreads();
        return reduce_block<Op>(sum, shared);
    } else {
        T result = Op::identity();
        using block = reduce_tile<Op, T>;
        for (unsigned at = 0; at < parts; at += block::elements::SIZE) {
            block tile;
            tile.load(results + at, parts - at);
            __syncthreads();
            result = Op::combine(result, tile.upsweep(shared));
        }
        return result;
    }
}

// Where the total goes: an element in the device's memory, or the host's, which waits for the word.
template <class Op> struct total_place {
    typename Op::element *element;
    host_word word; // used if element is NULL

    __device__ void put(typename Op::element total) const
    {
        if (element != nullptr)
            *element = total;
        else
            word.put(total);
    }
};

// The tiles of an array are shared out among parts: `each` of them, and one more for the first `more`.
struct reduce_shares {
    unsigned parts;
    size_t each, more;

    __device__ __forceinline__ size_t before(size_t part) const
    {
        return part * each + (part < more ? part : more);
    }
};

// results: one per block.
template <class Op, class Map>
__global__ void __launch_bounds__(REDUCE_THREADS, REDUCE_RESIDENT)
    reduce_parts(const typename Op::element *in, size_t n, const reduce_shares shares, typename Op::type *results,
                 unsigned long long *tickets, const total_place<Op> place)
{
    using T = typename Op::type;
    using E = typename Op::element;
    constexpr size_t SIZE = reduce_tile<Op>::elements::SIZE;
    __shared__ typename reduce_tile<Op>::shared_memory shared;
    __shared__ bool last;
    wait_for_launches();
    size_t begin = shares.before(blockIdx.x) * SIZE, end = shares.before(blockIdx.x + 1) * SIZE;
    T result = reduce_part<Op, Map>(in, begin, end < n ? end : n, n, shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            results[blockIdx.x] = result;
            last = is_last_to_finish(tickets, gridDim.x);
        }
        __syncthreads();
        if (!last)
            return;
        result = reduce_results<Op>(results, gridDim.x, shared);
    }
    if (threadIdx.x == 0)
        place.put(Map::element(Op::template store<E>(result)));
}

#endif
