// sample_bins.cuh - bins between splitters from a sorted sample, whatever the distribution, and the bin of each key
// (sample sort, Frazer and McKellar 1970; on GPUs Leischner, Osipov and Sanders 2010). All findings stay on the device,
// so the host does not wait.
#ifndef SK_CUDA_SAMPLE_BINS_CUH
#define SK_CUDA_SAMPLE_BINS_CUH

#include "sort/bucket/small_sort.cuh"
#include "sort/choose/choose.h"
#include "sort/survey/jitter.cuh"

constexpr unsigned NO_BIN = 0xffff; // for keys that need not move: all keys of their bin are equal

struct sample_findings {
    unsigned descends, ascends; // somewhere
    unsigned wide;
};

template <class K> struct sample_lists {
    K *sample;               // in order
    unsigned *count, *taken; // per bin: its keys, and the places that tiles have taken so far
    unsigned *start;         // of each bin, and the end of the last
    unsigned *wide;          // bins of one value that all blocks write together
    uint16_t *bin;           // per key
    sample_findings *found;
};

// Bin b holds the keys above edge b, up to edge b + 1; the first and the last bin are open on one side. An edge is just
// below its splitter, or on it if the splitter before is the same: so a value that several splitters have is a bin of
// its own.
template <class K> struct bin_edges {
    const K *sample;
    unsigned each, bins;
    __device__ __forceinline__ bin_edges(const K *sorted, const sample_sizes &sizes)
        : sample(sorted), each(sizes.samples >> sizes.bin_bits), bins(sizes.bins())
    {
    }
    __device__ __forceinline__ K operator()(unsigned i) const
    {
        K cut = sample[i * each];
        bool repeats = i > 1 && sample[(i - 1) * each] == cut;
        return repeats || cut == 0 ? cut : cut - 1;
    }
    __device__ __forceinline__ key_range<K> range(unsigned b) const
    {
        key_range<K> range = {0, K(~K(0)), false};
        if (b > 0) {
            range.first = (*this)(b);
            range.is_empty = range.first == K(~K(0));
            range.first++;
        }
        if (b + 1 < bins)
            range.last = (*this)(b + 1);
        range.is_empty = range.is_empty || range.last < range.first;
        return range;
    }
    __device__ __forceinline__ bool is_single(unsigned b) const
    {
        key_range<K> range = this->range(b);
        return !range.is_empty && range.first == range.last;
    }
};

// ---- the sample ----

template <class K> __device__ __forceinline__ void clear_findings(const sample_sizes &sizes, const sample_lists<K> &to)
{
    unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned b = mine; b < sizes.bins(); b += gridDim.x * blockDim.x)
        to.count[b] = to.taken[b] = 0;
    if (mine == 0)
        *to.found = {};
}

// Sorts a small sample: for each key, counts the keys that are less. A warp ranks RANKED neighbours. Of equal keys the
// first is less, so no comparison but those with the keys near its own needs places.
template <class K, class Order>
__global__ void __launch_bounds__(RANK_THREADS)
    rank_sample(const K *in, Order order, sample_sizes sizes, sample_lists<K> to)
{
    __shared__ K sample[RANKED_MOST];
    let_next_begin();
    clear_findings(sizes, to);

    // Load: the whole sample.
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < sizes.samples; i += RANK_THREADS)
        sample[i] = order.key(in[sampled_place(i, size_t(sizes.n), sizes.samples)]);
    __syncthreads();
    unsigned first = (blockIdx.x * (RANK_THREADS / WARP) + threadIdx.x / WARP) * RANKED, own = first / WARP * WARP;
    K key[RANKED];
    unsigned below[RANKED] = {};
    auto count = [&](unsigned at, auto is_below) {
        K other = sample[at];
#pragma unroll
        for (int k = 0; k < RANKED; k++)
            below[k] += is_below(other, k);
    };
#pragma unroll
    for (int k = 0; k < RANKED; k++)
        key[k] = sample[first + k];

        // Count: keys before the warp's own 32, those behind, and those among them.
#pragma unroll 4
    for (unsigned at = lane_id(); at < own; at += WARP)
        count(at, [&](K other, int k) { return other <= key[k]; });
#pragma unroll 4
    for (unsigned at = own + WARP + lane_id(); at < sizes.samples; at += WARP)
        count(at, [&](K other, int k) { return other < key[k]; });
    count(own + lane_id(),
          [&](K other, int k) { return other < key[k] || (other == key[k] && own + lane_id() < first + k); });

    // Store: each key to its rank.
#pragma unroll
    for (int k = 0; k < RANKED; k++) {
        unsigned rank = warp_sum(below[k]);
        if (lane_id() == 0)
            to.sample[rank] = key[k];
    }
}

// Takes a large sample, which block-ranges then sorts.
template <class K, class Order>
__global__ void __launch_bounds__(MAP_THREADS)
    take_sample(const K *in, Order order, sample_sizes sizes, K *sample, sample_lists<K> to)
{
    clear_findings(sizes, to);
    unsigned i = blockIdx.x * MAP_THREADS + threadIdx.x;
    if (i < sizes.samples)
        sample[i] = order.key(in[sampled_place(i, size_t(sizes.n), sizes.samples)]);
}

// ---- which key is in which bin ----

// Splitters as a search tree, level by level, so that the searches of a warp begin without bank conflicts. Bit b % 32
// of single[b / 32]: bin b has one value. Returns true if any has.
template <class K>
__device__ __forceinline__ bool load_tree(const bin_edges<K> &edges, unsigned bin_bits, K *tree, unsigned *single)
{
    bool any = false;
    for (unsigned b = threadIdx.x; b < edges.bins; b += CLASSIFY_THREADS) {
        if (b > 0) {
            unsigned level = __ffs(b) - 1;
            tree[(1u << (bin_bits - 1 - level)) + (b >> (level + 1))] = edges(b);
        }
        unsigned votes = __ballot_sync(FULL_WARP, edges.is_single(b));
        if (lane_id() == 0)
            single[b / WARP] = votes;
        any = any || votes != 0;
    }
    return __syncthreads_or(any);
}

// Whether keys rise or fall from a place of this thread to the next place of the array.
template <int BATCH, class K, class Order>
__device__ __forceinline__ void see_neighbours(const K *in, unsigned n, unsigned first, const K (&key)[BATCH],
                                               const Order &order, bool *descends, bool *ascends)
{
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        unsigned at = first + i * CLASSIFY_THREADS;
        K next = at + 1 < n ? order.key(in[at + 1]) : key[i];
        *descends = *descends || (next < key[i] && at < n);
        *ascends = *ascends || (next > key[i] && at < n);
    }
}

// All keys of the thread go down the tree together, so that their loads overlap.
template <int BATCH, class K>
__device__ __forceinline__ void find_bins(const K *tree, unsigned bin_bits, const K (&key)[BATCH],
                                          unsigned (&bin)[BATCH])
{
#pragma unroll
    for (int i = 0; i < BATCH; i++)
        bin[i] = 1;
    for (unsigned level = 0; level < bin_bits; level++)
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            bin[i] = 2 * bin[i] + (tree[bin[i]] < key[i]);
#pragma unroll
    for (int i = 0; i < BATCH; i++)
        bin[i] -= 1u << bin_bits;
}

// Counts each lane's bin, by one atomic for all lanes whose bin is the first lane's. Absent keys are in the last lanes.
__device__ __forceinline__ void count_bin(unsigned *count, unsigned bin, bool is_there)
{
    unsigned first = warp_from(bin, 0), same = __ballot_sync(FULL_WARP, is_there && bin == first);
    if (lane_id() == 0 && is_there)
        atomicAdd(&count[first], unsigned(__popc(same)));
    else if (is_there && bin != first)
        atomicAdd(&count[bin], 1);
}

// Adds the block's counts to the counts of all blocks, and says which directions it has seen.
template <class K>
__device__ __forceinline__ void tell_bins(const unsigned *count, unsigned bins, bool descends, bool ascends,
                                          const sample_lists<K> &to)
{
    descends = __syncthreads_or(descends);
    ascends = __syncthreads_or(ascends);
    for (unsigned b = threadIdx.x; b < bins; b += CLASSIFY_THREADS)
        if (count[b] > 0)
            atomicAdd(&to.count[b], count[b]);
    if (threadIdx.x == 0 && descends)
        to.found->descends = 1;
    if (threadIdx.x == 0 && ascends)
        to.found->ascends = 1;
}

// Finds and counts the bins of all keys, and whether the keys are in order.
template <class K, class Order>
__global__ void __launch_bounds__(CLASSIFY_THREADS)
    classify_keys(const K *in, Order order, sample_sizes sizes, sample_lists<K> to)
{
    constexpr int BATCH = sizeof(K) == 8 ? 4 : 8;
    constexpr unsigned EACH = CLASSIFY_THREADS * BATCH;
    extern __shared__ __align__(16) char dynamic_memory[];
    K *tree = reinterpret_cast<K *>(dynamic_memory);
    unsigned bins = sizes.bins(), *count = reinterpret_cast<unsigned *>(tree + bins), *single = count + bins;
    for (unsigned b = threadIdx.x; b < bins; b += CLASSIFY_THREADS)
        count[b] = 0;
    wait_for_launches();
    let_next_begin();

    // Load: the splitters.
    bool any_single = load_tree(bin_edges<K>(to.sample, sizes), sizes.bin_bits, tree, single);
    bool descends = false, ascends = false, is_clear = false;

    // Classify: BATCH keys per thread at a time.
    for (unsigned begin = blockIdx.x * EACH; begin < sizes.n; begin += gridDim.x * EACH) {
        K key[BATCH];
        unsigned bin[BATCH], mine = begin + threadIdx.x;
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            key[i] = mine + i * CLASSIFY_THREADS < sizes.n ? order.key(in[mine + i * CLASSIFY_THREADS]) : 0;
        if (!is_clear) {
            see_neighbours(in, sizes.n, mine, key, order, &descends, &ascends);
            is_clear = __any_sync(FULL_WARP, descends) && __any_sync(FULL_WARP, ascends);
        }
        find_bins(tree, sizes.bin_bits, key, bin);
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            unsigned at = mine + i * CLASSIFY_THREADS;
            count_bin(count, bin[i], at < sizes.n);
            if (at < sizes.n)
                to.bin[at] = any_single && (single[bin[i] / WARP] >> bin[i] % WARP & 1) ? NO_BIN : uint16_t(bin[i]);
        }
    }

    tell_bins(count, bins, descends, ascends, to);
}

#endif
