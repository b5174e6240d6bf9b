// reduce_runs.cuh - reduction by key: a segmented scan in a single pass with look-back that keeps the last value of
// each run. Tiles pass on the number of runs and the partial result of the open run.
//
// Phases of a tile: find the heads of runs and move their keys together in shared memory; reduce between heads, and
// move the results together there, each to the place of the head that ends it; look back for their places in the output
// and for the begin of the first run; store. It works in place as compaction does (compact_tiles.cuh). The key before a
// tile may be read while it is overwritten, but only by itself (encode_runs.cuh).
#ifndef SK_CUDA_REDUCE_RUNS_CUH
#define SK_CUDA_REDUCE_RUNS_CUH

#include "common/block_sum.cuh"
#include "common/row_ranks.cuh"
#include "common/thread.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"
#include "rle/run_heads.cuh"
#include "scan/segment.cuh"

// The values: an array (which the results may replace), or ones.
template <class T> struct array_source {
    const T *array;
    __device__ __forceinline__ void send_to(T *shared, size_t i) const
    {
        send(shared, array + i);
    }
};

// The same for elements that are narrower than partial results.
template <class Op> struct widened_source {
    const typename Op::element *array;
    __device__ __forceinline__ void send_to(typename Op::type *shared, size_t i) const
    {
        *shared = load_as<Op>(array[i]);
    }
};

struct ones_source {
    __device__ __forceinline__ void send_to(sk_u64 *shared, size_t) const
    {
        *shared = 1;
    }
};

template <class T> struct reduce_runs_arguments {
    const void *keys;
    unsigned key_size; // 1, 2, 4 or 8
    bool flags;        // keys are flags of size 1 that are set at heads
    void *first_keys;  // of the runs; NULL if not wanted
    void *out;         // elements
    size_t n;
    bool ordered;                     // the order of operations depends on n and the size of keys alone
    lookback_state<segment<T>> state; // its result is the number of runs
};

// Elements of a tile, if threads have ITEMS.
template <int ITEMS> constexpr unsigned REDUCE_RUNS_TILE = REDUCE_RUNS_THREADS *ITEMS;

// Shared memory: the values and keys of each warp.
template <class T, int ITEMS> constexpr unsigned reduce_runs_bytes(unsigned key_size)
{
    return REDUCE_RUNS_TILE<ITEMS> * unsigned(sizeof(T) + key_size);
}

// Calls f(K()) for the type that compares keys whole.
template <class F> __device__ __forceinline__ void with_key(unsigned size, F f)
{
    switch (size) {
    case 1: f(uint8_t()); break;
    case 2: f(uint16_t()); break;
    case 4: f(uint32_t()); break;
    default: f(uint64_t());
    }
}

// A warp's part of a tile: the elements [first, first + valid).
template <class Op, int ITEMS> struct reduce_runs_part {
    using T = typename Op::type;
    size_t first;
    unsigned valid;
    run_heads<ITEMS> heads;
    T *ended;            // staged: the values, then the result of the run that each head ends
    unsigned char *keys; // staged

    __device__ __forceinline__ reduce_runs_part(const reduce_runs_arguments<T> &to, unsigned char *staging,
                                                unsigned tile)
    {
        constexpr unsigned PART = WARP * ITEMS, TILE = REDUCE_RUNS_TILE<ITEMS>;
        unsigned warp = threadIdx.x / WARP;
        first = size_t(tile) * TILE + warp * PART;
        valid = first >= to.n ? 0 : to.n - first < PART ? unsigned(to.n - first) : PART;
        ended = reinterpret_cast<T *>(staging) + warp * PART;
        keys = staging + sizeof(T) * TILE + warp * PART * to.key_size;
    }

    template <class Source>
    __device__ __forceinline__ void load(const Source &source, const reduce_runs_arguments<T> &to)
    {
#pragma unroll
        for (int row = 0; row < ITEMS; row++)
            if (unsigned at = row * WARP + lane_id(); at < valid)
                source.send_to(ended + at, first + at);
            else
                ended[at] = Op::identity();
        with_key(to.key_size, [&](auto key) {
            using K = decltype(key);
            const K *from = static_cast<const K *>(to.keys) + first;
            K *staged = reinterpret_cast<K *>(keys), left = first > 0 && valid > 0 ? from[-1] : K(0);
#pragma unroll
            for (int row = 0; row < ITEMS; row++)
                if (unsigned at = row * WARP + lane_id(); at < valid)
                    send(staged + at, from + at);
            wait_for_sent();
            heads.find(staged, valid, first == 0, left, to.flags);
        });
    }

    // Upsweep: the part's runs and the partial result of the last one, to the last lane. The run that the first head
    // ends still lacks its elements before the part.
    __device__ __forceinline__ segment<T> reduce()
    {
        T own[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            own[i] = ended[lane_id() * ITEMS + i];
        __syncwarp();
        T open = Op::identity();
        unsigned rank = heads.rank;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            bool head = heads.bits >> i & 1;
            if (head)
                ended[rank++] = open;
            open = head || i == 0 ? own[i] : Op::combine(open, own[i]);
        }
        unsigned with_heads = __ballot_sync(FULL_WARP, heads.bits != 0);
        open = warp_scan_open<Op>(open, with_heads);
        T before = warp_before<Op>(open);
        if (heads.bits != 0)
            ended[heads.rank] = Op::combine(before, ended[heads.rank]);
        return {heads.count, open};
    }

    // Stores the results of the runs that the heads from `skip` on end.
    __device__ __forceinline__ void write_ended(typename Op::element *out, unsigned skip) const
    {
        using E = typename Op::element;
        using word = typename word_of<sizeof(E)>::type;
        if constexpr (WIDENS<Op>)
            store_run(out, heads.count - skip, [&](unsigned k) { return Op::template store<E>(ended[skip + k]); });
        else
            copy_run(reinterpret_cast<word *>(out), reinterpret_cast<const word *>(ended + skip), heads.count - skip);
    }

    // Downsweep: completes the run that the part's first head ends, and stores. The array's first head ends no run.
    __device__ __forceinline__ void write(const reduce_runs_arguments<T> &to, segment<T> before) const
    {
        using E = typename Op::element;
        if (lane_id() == 0 && heads.count > 0)
            ended[0] = Op::combine(before.open, ended[0]);
        __syncwarp();
        unsigned skip = before.runs == 0;
        if (heads.count > skip)
            write_ended(static_cast<E *>(to.out) + (before.runs + skip - 1), skip);
        if (to.first_keys != nullptr)
            with_key(to.key_size, [&](auto key) {
                using K = decltype(key);
                copy_run(static_cast<K *>(to.first_keys) + before.runs, reinterpret_cast<const K *>(keys), heads.count);
            });
    }
};

// By the first warp: the runs before the tile. The last tile stores the number of runs, and the result of the last one.
template <class Op, int ITEMS>
__device__ __forceinline__ segment<typename Op::type> look_back_runs(const reduce_runs_arguments<typename Op::type> &to,
                                                                     lookback_ticket ticket,
                                                                     segment<typename Op::type> aggregate)
{
    using E = typename Op::element;
    using T = typename Op::type;
    using op = op_segment<Op>;
    segment<T> before = to.ordered ? look_back_in_groups<op>(to.state.descriptors, ticket, aggregate, op::identity())
                                   : look_back<op>(to.state.descriptors, ticket, aggregate, op::identity());
    if (threadIdx.x == 0 && size_t(ticket.tile + 1) * REDUCE_RUNS_TILE<ITEMS> >= to.n) {
        segment<T> all = op::combine(before, aggregate);
        *to.state.result = all.runs;
        static_cast<E *>(to.out)[all.runs - 1] = Op::template store<E>(all.open);
    }
    return before;
}

template <class Op, class Source, int ITEMS>
static __global__ void __launch_bounds__(REDUCE_RUNS_THREADS, REDUCE_RUNS_BLOCKS<typename Op::type>)
    reduce_runs(Source source, reduce_runs_arguments<typename Op::type> to)
{
    using T = typename Op::type;
    using op = op_segment<Op>;
    extern __shared__ __align__(16) unsigned char staging[];
    __shared__ warp_totals<op, REDUCE_RUNS_THREADS> totals;
    __shared__ segment<T> before_tile;
    wait_for_launches();
    lookback_ticket ticket = take_ticket(to.state.tickets);
    reduce_runs_part<Op, ITEMS> part(to, staging, ticket.tile);

    // Load, and find the heads
    part.load(source, to);

    // Upsweep
    totals.publish(part.reduce());
    __syncthreads();
    warp_share<segment<T>> share = totals.fold();

    // Look-back
    if (threadIdx.x < WARP) {
        segment<T> before = look_back_runs<Op, ITEMS>(to, ticket, share.total);
        if (threadIdx.x == 0)
            before_tile = before;
    }
    __syncthreads();

    // Downsweep and store
    part.write(to, op::combine(before_tile, share.before));
}

#endif
