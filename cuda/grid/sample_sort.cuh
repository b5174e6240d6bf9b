// sample_sort.cuh - keys brought into bins between splitters that a sorted sample gives, whatever their distribution
// (samplesort, Frazer and McKellar 1970; on GPUs Leischner, Osipov and Sanders 2010), and each bin sorted on chip. All
// that is found out stays on the device: a sort is four or five launches, and no wait.
#ifndef SK_CUDA_GRID_SAMPLE_SORT_CUH
#define SK_CUDA_GRID_SAMPLE_SORT_CUH

#include "block/long_sort.cuh"
#include "grid/bitonic_sort.cuh"
#include "grid/key_map.cuh"
#include "grid/small_sort.cuh"

constexpr unsigned NO_BIN = 0xffff; // of keys that need not be moved: all of their bin are equal

struct sample_plan {
    unsigned n, samples, bin_bits;
    __host__ __device__ unsigned bins() const
    {
        return 1u << bin_bits;
    }
};

struct sample_findings {
    unsigned descends, ascends; // somewhere
    unsigned wide;
};

template <class K> struct sample_lists {
    K *sample;               // in order
    unsigned *count, *taken; // of each bin: its keys; and the places that tiles have taken so far
    unsigned *start;         // where bins begin, and where the last ends
    unsigned *wide;          // bins of one value that all blocks write together
    uint16_t *bin;           // of a key
    sample_findings *found;
};

// Bin b is the keys above edge b, up to edge b + 1; the first and the last have no edge on one side. An edge is just
// below its splitter, but on it where the splitter before is the same: so a value that several have is a bin alone.
template <class K> struct bin_edges {
    const K *sample;
    unsigned each, bins;
    __device__ __forceinline__ bin_edges(const K *sorted, const sample_plan &plan)
        : sample(sorted), each(plan.samples >> plan.bin_bits), bins(plan.bins())
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

// Where launches overlap: all that is before has been done, and is seen; what comes next may begin.
__device__ __forceinline__ void wait_for_launches()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

__device__ __forceinline__ void let_next_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// ---- the sample ----

__device__ __forceinline__ unsigned sampled_place(unsigned i, unsigned n, unsigned samples)
{
    unsigned stride = n / samples;
    return i * stride + (i * 2654435761u >> 16) % stride;
}

template <class K> __device__ __forceinline__ void clear_findings(const sample_plan &plan, const sample_lists<K> &to)
{
    unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned b = mine; b < plan.bins(); b += gridDim.x * blockDim.x)
        to.count[b] = to.taken[b] = 0;
    if (mine == 0)
        *to.found = {};
}

// A small sample is put in order by counting, for each key of it, the others that are less: a warp has RANKED keys of
// the sample, neighbours. Of equal ones the first is less.
template <class K, class Order>
__global__ void __launch_bounds__(RANK_THREADS)
    rank_sample(const K *in, Order order, sample_plan plan, sample_lists<K> to)
{
    __shared__ K sample[RANKED_MOST];
    let_next_begin();
    clear_findings(plan, to);
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < plan.samples; i += RANK_THREADS)
        sample[i] = order.key(in[sampled_place(i, plan.n, plan.samples)]);
    __syncthreads();
    unsigned first = (blockIdx.x * (RANK_THREADS / WARP) + threadIdx.x / WARP) * RANKED, own = first / WARP * WARP;
    K key[RANKED];
    unsigned below[RANKED] = {};
#pragma unroll
    for (int k = 0; k < RANKED; k++)
        key[k] = sample[first + k];
#pragma unroll 4
    for (unsigned at = lane_id(); at < own; at += WARP) {
        K other = sample[at];
#pragma unroll
        for (int k = 0; k < RANKED; k++)
            below[k] += other <= key[k];
    }
#pragma unroll 4
    for (unsigned at = own + WARP + lane_id(); at < plan.samples; at += WARP) {
        K other = sample[at];
#pragma unroll
        for (int k = 0; k < RANKED; k++)
            below[k] += other < key[k];
    }
    K neighbour = sample[own + lane_id()];
#pragma unroll
    for (int k = 0; k < RANKED; k++) {
        below[k] += neighbour < key[k] || (neighbour == key[k] && own + lane_id() < first + k);
        unsigned rank = warp_sum(below[k]);
        if (lane_id() == 0)
            to.sample[rank] = key[k];
    }
}

// A large one is sorted as few keys are.
template <class K, class Order>
__global__ void __launch_bounds__(MAP_THREADS)
    take_sample(const K *in, Order order, sample_plan plan, K *sample, sample_lists<K> to)
{
    clear_findings(plan, to);
    unsigned i = blockIdx.x * MAP_THREADS + threadIdx.x;
    if (i < plan.samples)
        sample[i] = order.key(in[sampled_place(i, plan.n, plan.samples)]);
}

// ---- which key is in which bin ----

// Splitters as a search tree in the order of its levels, so that a warp's searches begin without bank conflicts.
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

// The places of a thread are a block's width apart: whether keys rise or fall from one of these to the next.
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

// All keys go down the tree together; they come out at its leaves.
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

// By one atomic for all lanes whose bin is the first lane's, of which those that are not there come last.
__device__ __forceinline__ void count_bin(unsigned *count, unsigned bin, bool is_there)
{
    unsigned first = warp_from(bin, 0), same = __ballot_sync(FULL_WARP, is_there && bin == first);
    if (lane_id() == 0 && is_there)
        atomicAdd(&count[first], unsigned(__popc(same)));
    else if (is_there && bin != first)
        atomicAdd(&count[bin], 1);
}

// Counts bins, and keeps each key's; sees whether keys are in order already.
template <class K, class Order>
__global__ void __launch_bounds__(CLASSIFY_THREADS)
    classify_keys(const K *in, Order order, sample_plan plan, sample_lists<K> to)
{
    constexpr int BATCH = sizeof(K) == 8 ? 4 : 8;
    constexpr unsigned EACH = CLASSIFY_THREADS * BATCH;
    extern __shared__ __align__(16) char dynamic_memory[];
    K *tree = reinterpret_cast<K *>(dynamic_memory);
    unsigned bins = plan.bins(), *count = reinterpret_cast<unsigned *>(tree + bins), *single = count + bins;
    for (unsigned b = threadIdx.x; b < bins; b += CLASSIFY_THREADS)
        count[b] = 0;
    wait_for_launches();
    let_next_begin();
    bool any_single = load_tree(bin_edges<K>(to.sample, plan), plan.bin_bits, tree, single);
    bool descends = false, ascends = false, is_clear = false;
    for (unsigned begin = blockIdx.x * EACH; begin < plan.n; begin += gridDim.x * EACH) {
        K key[BATCH];
        unsigned bin[BATCH], mine = begin + threadIdx.x;
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            key[i] = mine + i * CLASSIFY_THREADS < plan.n ? order.key(in[mine + i * CLASSIFY_THREADS]) : 0;
        if (!is_clear) {
            see_neighbours(in, plan.n, mine, key, order, &descends, &ascends);
            is_clear = __any_sync(FULL_WARP, descends) && __any_sync(FULL_WARP, ascends);
        }
        find_bins(tree, plan.bin_bits, key, bin);
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            unsigned at = mine + i * CLASSIFY_THREADS;
            count_bin(count, bin[i], at < plan.n);
            if (at < plan.n)
                to.bin[at] = any_single && (single[bin[i] / WARP] >> bin[i] % WARP & 1) ? NO_BIN : uint16_t(bin[i]);
        }
    }
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

// ---- keys to their bins ----

// What is in order already is copied, or turned round; both ways a block has its share.
template <class K> __device__ __forceinline__ void copy_in_order(const K *in, K *out, unsigned n, bool descends)
{
    unsigned first = blockIdx.x * DEAL_THREADS + threadIdx.x, step = gridDim.x * DEAL_THREADS;
    if (descends) {
        for (unsigned at = first; at < (n + 1) / 2; at += step) {
            K front = in[at], back = in[n - 1 - at];
            out[at] = back;
            out[n - 1 - at] = front;
        }
    } else if (in != out) {
        for (unsigned at = first; at < n; at += step)
            out[at] = in[at];
    }
}

// A tile's keys, bins of its own size, all behind one another in dynamic shared memory.
template <class K, int ITEMS> struct deal_tile {
    static constexpr unsigned SIZE = DEAL_THREADS * ITEMS;
    K key[SIZE];
    uint16_t bin[SIZE];
    unsigned long long warp_total[DEAL_THREADS / WARP];
    unsigned of_bins[1]; // counts, which become places in the tile; then where place 0 of the tile would go
    static size_t bytes(unsigned bins)
    {
        return sizeof(deal_tile) + 2 * bins * sizeof(unsigned);
    }
};

// Counts of the tile's bins become where they begin in it; to: where place 0 would go, were it of the bin. Answers how
// many keys the tile has. Bins begin where the counts of all tiles say, which the first block tells others that come
// later.
template <class K>
__device__ __forceinline__ unsigned reserve_places(unsigned *count, unsigned *to, unsigned bins,
                                                   const sample_lists<K> &lists, unsigned long long *warp_total)
{
    unsigned each = (bins + DEAL_THREADS - 1) / DEAL_THREADS, warp = threadIdx.x / WARP;
    unsigned first = threadIdx.x * each, end = min(first + each, bins);
    unsigned long long own = 0, before = 0, total = 0; // of all tiles, and of this one in the lower half
#pragma unroll 4
    for (unsigned b = threadIdx.x; b < bins; b += DEAL_THREADS)
        to[b] = count[b] > 0 ? atomicAdd(&lists.taken[b], count[b]) : 0;
    for (unsigned b = first; b < end; b++)
        own += (unsigned long long)lists.count[b] << 32 | count[b];
    unsigned long long inclusive = warp_scan<op_sum<sk_u64>>(own);
    if (lane_id() == WARP - 1)
        warp_total[warp] = inclusive;
    __syncthreads();
    for (unsigned w = 0; w < DEAL_THREADS / WARP; w++) {
        before += w < warp ? warp_total[w] : 0;
        total += warp_total[w];
    }
    before += inclusive - own;
    unsigned start = unsigned(before >> 32), place = unsigned(before);
    for (unsigned b = first; b < end; b++) {
        unsigned found = count[b];
        count[b] = place;
        to[b] += start - place;
        if (blockIdx.x == 0)
            lists.start[b] = start;
        place += found;
        start += lists.count[b];
    }
    __syncthreads();
    return unsigned(total);
}

// Bins of one value that are too large to be written by one block.
template <class K> __device__ __forceinline__ void list_wide(const sample_plan &plan, const sample_lists<K> &lists)
{
    const bin_edges<K> edges(lists.sample, plan);
    for (unsigned b = threadIdx.x; b < plan.bins(); b += DEAL_THREADS)
        if (lists.count[b] > FILL_ALONE && edges.is_single(b))
            lists.wide[atomicAdd(&lists.found->wide, 1)] = b;
    if (threadIdx.x == 0)
        lists.start[plan.bins()] = plan.n;
}

// How many of its bin's keys took their turn before each. Lanes that are alike would wait for one another.
template <int ITEMS>
__device__ __forceinline__ void rank_in_bins(unsigned *count, const unsigned (&bin)[ITEMS], unsigned (&rank)[ITEMS])
{
    bool are_alike = __all_sync(FULL_WARP, bin[0] == warp_from(bin[0], 0) && bin[0] != NO_BIN);
    if (!are_alike) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            rank[i] = bin[i] != NO_BIN ? atomicAdd(&count[bin[i]], 1) : 0;
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned first = warp_from(bin[i], 0), same = __ballot_sync(FULL_WARP, bin[i] == first), place = 0;
        if (lane_id() == 0 && first != NO_BIN)
            place = atomicAdd(&count[first], unsigned(__popc(same)));
        rank[i] = warp_from(place, 0) + __popc(same & lanes_below());
        if (bin[i] != first && bin[i] != NO_BIN)
            rank[i] = atomicAdd(&count[bin[i]], 1);
    }
}

// A block a tile: keys to their bins, in any order, but for those of bins of one value.
template <int ITEMS, class K, class Order>
__global__ void __launch_bounds__(DEAL_THREADS, 2)
    deal_keys(const K *in, K *other, K *out, Order order, sample_plan plan, sample_lists<K> lists)
{
    using tile = deal_tile<K, ITEMS>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<tile *>(dynamic_memory);
    wait_for_launches();
    let_next_begin();
    if (!lists.found->descends || !lists.found->ascends) {
        copy_in_order(in, out, plan.n, lists.found->descends);
        return;
    }
    unsigned bins = plan.bins(), *count = shared.of_bins, *to = count + bins;
    unsigned mine = blockIdx.x * tile::SIZE + threadIdx.x, bin[ITEMS], rank[ITEMS];
    K key[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        unsigned at = mine + i * DEAL_THREADS;
        bin[i] = at < plan.n ? lists.bin[at] : NO_BIN;
        key[i] = at < plan.n ? order.key(in[at]) : 0;
    }
    for (unsigned b = threadIdx.x; b < bins; b += DEAL_THREADS)
        count[b] = 0;
    __syncthreads();
    rank_in_bins(count, bin, rank);
    __syncthreads();
    unsigned total = reserve_places(count, to, bins, lists, shared.warp_total);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (bin[i] != NO_BIN) {
            unsigned place = count[bin[i]] + rank[i];
            shared.key[place] = key[i];
            shared.bin[place] = uint16_t(bin[i]);
        }
    }
    __syncthreads();
    for (unsigned at = threadIdx.x; at < total; at += DEAL_THREADS)
        other[at + to[shared.bin[at]]] = shared.key[at];
    if (blockIdx.x == 0)
        list_wide(plan, lists);
}

// ---- bins on chip ----

// A warp sorts a window; windows are merged two and two.
template <class K> struct bin_tile {
    static constexpr int ITEMS = warp_network<K>::ITEMS, VECTOR = warp_network<K>::VECTOR;
    static constexpr int THREADS = BIN_THREADS<K>;
    static constexpr unsigned SIZE = THREADS * ITEMS;
    union shared_memory {
        K run[2][SIZE];
        typename long_sort<K, THREADS>::shared_memory passes;
    };
};

// The warp's keys, in order, to where the warp's window is in shared memory.
template <class K> __device__ __forceinline__ void sort_window(const K *in, int valid, K *to)
{
    constexpr int ITEMS = bin_tile<K>::ITEMS, VECTOR = bin_tile<K>::VECTOR;
    K key[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * WARP + int(lane_id());
        key[i] = at < valid ? in[at] : K(~K(0));
    }
    sort_registers(key);
    sort_lanes(key);
    struct alignas(16) vector {
        K key[VECTOR];
    };
#pragma unroll
    for (int v = 0; v < ITEMS / VECTOR; v++) {
        vector some;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            some.key[i] = key[v * VECTOR + i];
        reinterpret_cast<vector *>(to + lane_id() * ITEMS)[v] = some;
    }
}

// Batcher's networks whatever the keys are, so that no distribution within a bin is slower than others.
template <class K, class Order>
__device__ __forceinline__ void sort_bin(K (&run)[2][bin_tile<K>::SIZE], const K *in, K *out, int size,
                                         const Order &order)
{
    constexpr int THREADS = bin_tile<K>::THREADS;
    int at = int(threadIdx.x / WARP) * WINDOW<K>, all = (size + WINDOW<K> - 1) / WINDOW<K> * WINDOW<K>, of = 0;
    auto same = [](K own) { return own; };
    if (at < size)
        sort_window(in + at, size - at, run[0] + at);
    __syncthreads();
#pragma unroll 1
    for (int length = WINDOW<K>; length < all; length *= 2, of ^= 1) {
        if (at < size) {
            int diagonal = at % (2 * length), begin = at - diagonal;
            int na = min(length, all - begin), nb = min(length, all - begin - na);
            K key[bin_tile<K>::ITEMS];
            merge_window(key, run[of] + begin, na, run[of] + begin + na, nb, diagonal, same);
            store_window(key, run[of ^ 1] + at, same);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < size; i += THREADS)
        out[i] = order.value(run[of][i]);
}

template <class K>
__device__ __forceinline__ void fill(K *out, unsigned begin, unsigned end, K value, unsigned first, unsigned step)
{
    for (unsigned at = begin + first; at < end; at += step)
        out[at] = value;
}

// A block a bin. What it finds in bins is written over.
template <class K, class Order>
__global__ void __launch_bounds__(BIN_THREADS<K>, BIN_BLOCKS<K>)
    sort_bins(K *in, K *second, K *out, Order order, sample_plan plan, sample_lists<K> lists)
{
    using tile = bin_tile<K>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename tile::shared_memory *>(dynamic_memory);
    wait_for_launches();
    if (!lists.found->descends || !lists.found->ascends)
        return;
    const bin_edges<K> edges(lists.sample, plan);
    unsigned begin = lists.start[blockIdx.x], end = lists.start[blockIdx.x + 1], size = end - begin;
    if (size > 0 && edges.is_single(blockIdx.x)) {
        if (size <= FILL_ALONE)
            fill(out, begin, end, order.value(edges.range(blockIdx.x).first), threadIdx.x, tile::THREADS);
    } else if (size <= tile::SIZE) {
        sort_bin(shared.run, in + begin, out + begin, int(size), order);
    } else {
        long_sort<K, tile::THREADS>::sort(shared.passes, in + begin, second + begin, out + begin, size, order);
    }
    for (unsigned i = 0; i < lists.found->wide; i++) {
        unsigned wide = lists.wide[i];
        fill(out, lists.start[wide], lists.start[wide + 1], order.value(edges.range(wide).first),
             blockIdx.x * tile::THREADS + threadIdx.x, gridDim.x * tile::THREADS);
    }
}

#endif
