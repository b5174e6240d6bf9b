// reduce_runs.cuh - reduction by key: a segmented scan in a single pass with look-back, of which the last value of each
// run is kept. What crosses tiles is the number of runs and what the open one has come to.
//
// Phases of a tile: find the heads of runs and put their keys together in shared memory; reduce between heads, and put
// the results together there, each in the place of the head that ends it; learn from the tiles before where they go and
// what the first of them lacks; write them. It works in place as compaction does (compact.cuh), and the key in front of
// a tile's may be read while it is overwritten, by itself (encode_runs.cuh).
#ifndef SK_CUDA_GRID_REDUCE_RUNS_CUH
#define SK_CUDA_GRID_REDUCE_RUNS_CUH

#include "common/row_ranks.cuh"
#include "rle/run_heads.cuh"
#include "scan/segment.cuh"
#include "common/thread.cuh"
#include "device/tuning.cuh"

// What is reduced: an array (which the results may replace), or ones.
template <class T> struct array_source {
    const T *array;
    __device__ __forceinline__ void send_to(T *shared, size_t i) const
    {
        send(shared, array + i);
    }
};

// The same of elements that partial results are wider than.
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
    bool flags;        // keys are flags, of size 1: set where a run begins
    void *first_keys;  // of the runs; NULL where not wanted
    void *out;         // elements
    size_t n;
    bool ordered;                     // the order of operations depends on n alone
    lookback_state<segment<T>> state; // its result is the number of runs
};

constexpr int REDUCE_RUNS_WARPS = REDUCE_RUNS_THREADS / WARP;
template <class T> constexpr unsigned REDUCE_RUNS_PART = WARP *REDUCE_RUNS_ITEMS<T>; // a warp's elements of a tile
template <class T> constexpr unsigned REDUCE_RUNS_TILE = REDUCE_RUNS_WARPS *REDUCE_RUNS_PART<T>;

// Of shared memory: each warp's values and keys.
template <class T> constexpr unsigned reduce_runs_bytes(unsigned key_size)
{
    return REDUCE_RUNS_TILE<T> * unsigned(sizeof(T) + key_size);
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
template <class Op> struct reduce_runs_part {
    using T = typename Op::type;
    static constexpr int ITEMS = REDUCE_RUNS_ITEMS<T>;
    size_t first;
    unsigned valid;
    run_heads<ITEMS> heads;
    T *ended;            // what each head of the part ends: staged, as the values are before
    unsigned char *keys; // staged

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

    // Upsweep: the part's runs and what the last one has come to, to the last lane. What the first head ends lacks what
    // stands before the part.
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

    // Stores what the heads from `skip` on end.
    __device__ __forceinline__ void write_ended(typename Op::element *out, unsigned skip) const
    {
        using E = typename Op::element;
        using word = typename word_of<sizeof(E)>::type;
        if constexpr (WIDENS<Op>)
            store_run(out, heads.count - skip, [&](unsigned k) { return Op::template store<E>(ended[skip + k]); });
        else
            copy_run(reinterpret_cast<word *>(out), reinterpret_cast<const word *>(ended + skip), heads.count - skip);
    }

    // Downsweep: the run that the part's first head ends is complete now. No run ends where the array begins.
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

template <class Op, class Source>
static __global__ void __launch_bounds__(REDUCE_RUNS_THREADS, REDUCE_RUNS_BLOCKS<typename Op::type>)
    reduce_runs(Source source, reduce_runs_arguments<typename Op::type> to)
{
    using T = typename Op::type;
    using op = op_segment<Op>;
    constexpr unsigned PART = REDUCE_RUNS_PART<T>, TILE = REDUCE_RUNS_TILE<T>;
    extern __shared__ __align__(16) unsigned char staging[];
    __shared__ segment<T> warp_totals[REDUCE_RUNS_WARPS], before_tile;

    lookback_ticket ticket = take_ticket(to.state.tickets);
    unsigned warp = threadIdx.x / WARP;
    size_t begin = size_t(ticket.tile) * TILE;
    reduce_runs_part<Op> part;
    part.first = begin + warp * PART;
    part.valid = part.first >= to.n ? 0 : to.n - part.first < PART ? unsigned(to.n - part.first) : PART;
    part.ended = reinterpret_cast<T *>(staging) + warp * PART;
    part.keys = staging + sizeof(T) * TILE + warp * PART * to.key_size;

    part.load(source, to);
    segment<T> total = part.reduce();
    if (lane_id() == WARP - 1)
        warp_totals[warp] = total;
    __syncthreads();

    segment<T> before_warp = op::identity(), aggregate = op::identity();
#pragma unroll
    for (int w = 0; w < REDUCE_RUNS_WARPS; w++) {
        if (w == warp)
            before_warp = aggregate;
        aggregate = op::combine(aggregate, warp_totals[w]);
    }
    if (warp == 0) {
        segment<T> before = to.ordered
                                ? look_back_in_groups<op>(to.state.descriptors, ticket, aggregate, op::identity())
                                : look_back<op>(to.state.descriptors, ticket, aggregate, op::identity());
        if (threadIdx.x == 0) {
            before_tile = before;
            if (begin + TILE >= to.n) {
                segment<T> all = op::combine(before, aggregate);
                *to.state.result = all.runs;
                using E = typename Op::element;
                static_cast<E *>(to.out)[all.runs - 1] = Op::template store<E>(all.open);
            }
        }
    }
    __syncthreads();
    part.write(to, op::combine(before_tile, before_warp));
}

#endif
