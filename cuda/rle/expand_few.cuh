// expand_few.cuh - run-length decoding of few runs in one launch: every block adds up all lengths, which the L2 cache
// serves, and expands one tile. No block waits for another.
#ifndef SK_CUDA_EXPAND_FEW_CUH
#define SK_CUDA_EXPAND_FEW_CUH

#include "device/overlap.cuh"
#include "rle/expand.cuh"

// A chunk has as many runs for each lane. Its lengths are added up by a warp, and its begin is kept by a thread.
constexpr int FEW_EACH = 4, FEW_CHUNK = FEW_EACH * WARP;
static_assert(FEW_RUNS_MOST <= EXPAND_FEW_THREADS * FEW_CHUNK && FEW_RUNS_MOST <= MOST_MARKS + 1);

template <class U> using few_tile = few_elements_tile<U, EXPAND_FEW_THREADS, EXPAND_FEW_VECTORS>;

// Lengths of a chunk: lane by lane, then step by step.
struct chunk_lengths {
    sk_u64 length[FEW_EACH];
    __device__ __forceinline__ void load(const sk_u64 *counts, unsigned runs, unsigned chunk)
    {
#pragma unroll
        for (int i = 0; i < FEW_EACH; i++) {
            unsigned run = chunk * FEW_CHUNK + i * WARP + lane_id();
            length[i] = run < runs ? counts[run] : 0;
        }
    }
};

// sums[c] = the elements of chunk c. All loads of a batch are on their way before the first one is used.
__device__ __forceinline__ void sum_chunks(const sk_u64 *counts, unsigned runs, unsigned chunks, sk_u64 *sums)
{
    constexpr unsigned WARPS = EXPAND_FEW_THREADS / WARP, BATCH = 8;
    for (unsigned first = threadIdx.x / WARP; first < chunks; first += BATCH * WARPS) {
        chunk_lengths lengths[BATCH];
#pragma unroll
        for (unsigned b = 0; b < BATCH; b++)
            lengths[b].load(counts, runs, first + b * WARPS);
#pragma unroll
        for (unsigned b = 0; b < BATCH; b++) {
            sk_u64 sum = 0;
#pragma unroll
            for (int i = 0; i < FEW_EACH; i++)
                sum = op_saturating_sum::combine(sum, lengths[b].length[i]);
            sum = warp_scan<op_saturating_sum>(sum);
            if (lane_id() == WARP - 1 && first + b * WARPS < chunks)
                sums[first + b * WARPS] = sum;
        }
    }
}

// A tile's elements [first, end) of the output, and the chunks that have some.
struct few_part {
    unsigned first, end, first_chunk, last_chunk;
};

// Marks the places of the tile where runs of its chunks begin, and its first place, with the numbers of the runs after
// the first chunk's first one.
__device__ __forceinline__ void mark_few(const sk_u64 *counts, unsigned runs, const sk_u64 *begins,
                                         const few_part &part, unsigned low, uint16_t *marks)
{
    constexpr unsigned WARPS = EXPAND_FEW_THREADS / WARP;
    for (unsigned c = part.first_chunk + threadIdx.x / WARP; c <= part.last_chunk; c += WARPS) {
        chunk_lengths lengths;
        lengths.load(counts, runs, c);
        unsigned begin = unsigned(begins[c]), mark = (c - part.first_chunk) * FEW_CHUNK + lane_id();
#pragma unroll
        for (int i = 0; i < FEW_EACH; i++) {
            unsigned length = unsigned(lengths.length[i]), end = begin + warp_scan<plain_sum<unsigned>>(length);
            unsigned from = end - length < part.first ? part.first : end - length;
            if (from < end && from < part.end)
                marks[low + (from - part.first)] = uint16_t(mark + i * WARP);
            begin = warp_from(end, WARP - 1);
        }
    }
}

// A block per tile of the room. `to` has no ends; to.n is the room, and at most FEW_ROOM_MOST.
template <class Source>
static __global__ void __launch_bounds__(EXPAND_FEW_THREADS)
    expand_few(expand_arguments to, const sk_u64 *counts, Source source)
{
    using U = typename Source::type;
    using elements = few_tile<U>;
    __shared__ __align__(16) uint16_t marks[elements::SIZE];
    __shared__ sk_u64 begins[EXPAND_FEW_THREADS]; // of chunks; at first their sums
    __shared__ warp_totals<op_saturating_sum, EXPAND_FEW_THREADS> totals;
    __shared__ unsigned chunk[2];
    const unsigned runs = unsigned(to.runs), chunks = (runs - 1) / FEW_CHUNK + 1, begin = blockIdx.x * elements::SIZE;
    wait_for_launches();
    clear_marks<EXPAND_FEW_THREADS>(marks);
    if (threadIdx.x == 0) {
        chunk[0] = chunks;
        chunk[1] = 0;
    }

    // Sum: the chunks, then those before each.
    sum_chunks(counts, runs, chunks, begins);
    __syncthreads();
    sk_u64 sum = threadIdx.x < chunks ? begins[threadIdx.x] : 0, inclusive = warp_scan<op_saturating_sum>(sum);
    totals.publish(inclusive);
    __syncthreads();
    const auto share = totals.fold();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *to.total = share.total;
    if (share.total == 0 || share.total > to.n || begin >= to.lead + share.total)
        return;

    // Search: the chunks of the tile.
    const unsigned total = unsigned(share.total), low = begin < to.lead ? to.lead - begin : 0;
    const unsigned high = min(unsigned(elements::SIZE), to.lead + total - begin);
    few_part part = {begin + low - to.lead, begin + high - to.lead, 0, 0};
    const unsigned before = unsigned(share.before + inclusive - sum);
    begins[threadIdx.x] = before;
    if (sum > 0 && before < part.end && before + unsigned(sum) > part.first) {
        atomicMin(&chunk[0], threadIdx.x);
        atomicMax(&chunk[1], threadIdx.x);
    }
    __syncthreads();
    part.first_chunk = chunk[0];
    part.last_chunk = chunk[1];

    // Mark
    mark_few(counts, runs, begins, part, low, marks);
    __syncthreads();

    // Scan and store
    U *out = static_cast<U *>(to.out) - to.lead + begin;
    show_runs<elements>(source, marks, size_t(part.first_chunk) * FEW_CHUNK, out, low, high);
}

#endif
