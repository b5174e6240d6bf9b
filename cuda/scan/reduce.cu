// reduce.cu - reduction of a whole array in one kernel: a fixed number of blocks each reduce a contiguous part, and
// the block that finishes last reduces their results. The order of operations depends on n alone.
#include "common/lookback.cuh"
#include "common/lookback_state.cuh"
#include "common/scan_tile.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/host_word.cuh"
#include "device/launch.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"

template <class Op, class E = typename Op::element>
using reduce_tile = scan_tile<Op, REDUCE_THREADS, REDUCE_VECTORS, E>;

// Commutative operators: a thread's results of a part. E: elements, or the results of parts. Every place of a vector
// accumulates its own result.
template <class Op, class E, bool NARROW = (sizeof(E) < 4)> struct reduce_sums {
    using T = typename Op::type;
    using elements = tile<E, REDUCE_THREADS, REDUCE_VECTORS>;
    static constexpr int EACH = elements::PER_VECTOR;

    T sum[REDUCE_VECTORS * EACH];

    __device__ __forceinline__ void add(const E *in, size_t valid, bool first)
    {
        elements next;
        next.load(in, valid, Op::template store<E>(Op::identity()));
#pragma unroll
        for (int i = 0; i < REDUCE_VECTORS * EACH; i++) {
            T item = load_as<Op>(next.row[i / EACH].item[i % EACH]);
            sum[i] = first ? item : Op::combine(sum[i], item);
        }
    }

    __device__ __forceinline__ T total() const
    {
        T all = sum[0];
#pragma unroll
        for (int i = 1; i < REDUCE_VECTORS * EACH; i++)
            all = Op::combine(all, sum[i]);
        return all;
    }
};

// Narrow elements would need more results than fit registers, and have one.
template <class Op, class E> struct reduce_sums<Op, E, true> {
    using T = typename Op::type;
    using elements = tile<E, REDUCE_THREADS, REDUCE_VECTORS>;

    T sum;

    __device__ __forceinline__ void add_vector(const typename elements::vector &v)
    {
        T part = load_as<Op>(v.item[0]);
#pragma unroll
        for (int i = 1; i < elements::PER_VECTOR; i++)
            part = Op::combine(part, load_as<Op>(v.item[i]));
        sum = Op::combine(sum, part);
    }

    __device__ __forceinline__ void add(const E *in, size_t valid, bool first)
    {
        sum = first ? Op::identity() : sum;
        if (valid >= elements::SIZE && elements::is_aligned(in)) {
            elements next;
            next.load(in, valid, E());
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
                v.item[i] =
                    elements::place(r) + i < valid ? in[elements::place(r) + i] : Op::template store<E>(Op::identity());
            add_vector(v);
        }
    }

    __device__ __forceinline__ T total() const
    {
        return sum;
    }
};

// Returns the result to every thread. The shared memory may be used again after a barrier.
template <class Op, class E>
__device__ __forceinline__ typename Op::type reduce_part(const E *in, size_t begin, size_t end,
                                                         typename reduce_tile<Op>::shared_memory &shared)
{
    using T = typename Op::type;
    using block = reduce_tile<Op, E>;
    using elements = typename block::elements;
    T result = Op::identity();
    if constexpr (is_commutative<Op>) {
        reduce_sums<Op, E> sums;
        sums.add(in + begin, end - begin, true);
        for (size_t at = begin + elements::SIZE; at < end; at += elements::SIZE)
            sums.add(in + at, end - at, false);
        shared.totals.publish(warp_from(warp_scan<Op>(sums.total()), WARP - 1));
        __syncthreads();
        result = shared.totals.fold().total;
    } else {
        for (size_t at = begin; at < end; at += elements::SIZE) {
            block tile;
            tile.load(in + at, end - at);
            result = Op::combine(result, tile.upsweep(shared));
            __syncthreads(); // the shared totals are read before the next tile writes them
        }
    }
    return result;
}

// Where the total goes: an element in the device's memory, or the host's, which waits for the word.
template <class Op> struct total_place {
    typename Op::element *element;
    host_word word; // used if element is NULL

    __device__ void put(typename Op::type total) const
    {
        if (element != nullptr)
            *element = Op::template store<typename Op::element>(total);
        else
            word.put(total);
    }
};

// A part has `part` elements, whole tiles. results: one per block.
template <class Op>
__global__ void __launch_bounds__(REDUCE_THREADS, 2)
    reduce_parts(const typename Op::element *in, size_t n, size_t part, typename Op::type *results,
                 unsigned long long *tickets, const total_place<Op> place)
{
    using T = typename Op::type;
    __shared__ typename reduce_tile<Op>::shared_memory shared;
    __shared__ bool last;
    wait_for_launches();
    size_t begin = blockIdx.x * part;
    T result = reduce_part<Op>(in, begin, n - begin < part ? n : begin + part, shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            results[blockIdx.x] = result;
            last = is_last_to_finish(tickets, gridDim.x);
        }
        __syncthreads();
        if (!last)
            return;
        result = reduce_part<Op>(static_cast<const T *>(results), 0, gridDim.x, shared);
    }
    if (threadIdx.x == 0)
        place.put(result);
}

// ---- the launch ----

template <class Op>
static scankit_error launch_parts(cuda_device *gpu, const typename Op::element *in, size_t n,
                                  const total_place<Op> &place)
{
    using T = typename Op::type;
    using E = typename Op::element;
    constexpr size_t TILE = tile<E, REDUCE_THREADS, REDUCE_VECTORS>::SIZE;
    size_t tiles = (n - 1) / TILE + 1;
    size_t part = ((tiles - 1) / REDUCE_BLOCKS + 1) * TILE;
    size_t parts = (n - 1) / part + 1;
    workspace scratch(gpu);
    T *results;
    if (!scratch.take(&results, parts))
        return SCANKIT_E_MEMORY;
    lookback_state<T> state;
    TRY(take_state(gpu, 0, &state));
    return launch(gpu, reduce_parts<Op>, unsigned(parts), REDUCE_THREADS, 0, in, n, part, results, state.tickets,
                  place);
}

scankit_error cuda_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                          size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (gpu->captures)
        return cuda_refuse_capture(gpu, "a result in host memory");
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        using E = typename Op::element;
        typename Op::type total;
        const total_place<Op> place = {nullptr, cuda_next_word(gpu)};
        TRY(launch_parts<Op>(gpu, static_cast<const E *>(in), n, place));
        TRY(cuda_wait_word(gpu, &total, sizeof total));
        E rounded = Op::template store<E>(total);
        memcpy(result, &rounded, sizeof rounded);
        return SCANKIT_OK;
    });
}

scankit_error cuda_reduce_to(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                             size_t n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch(type, op, [&](auto chosen) {
        using Op = typename on_keys<decltype(chosen)>::type;
        using E = typename Op::element;
        const total_place<Op> place = {static_cast<E *>(result), host_word()};
        return launch_parts<Op>(gpu, static_cast<const E *>(in), n, place);
    });
}
