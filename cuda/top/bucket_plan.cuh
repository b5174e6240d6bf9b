// bucket_plan.cuh - a plan from a sample: a threshold that the first elements pass, and the edges of buckets for them.
// Each block keeps the first keys of a part of the sample. The last block sorts these.
#ifndef SK_CUDA_BUCKET_PLAN_CUH
#define SK_CUDA_BUCKET_PLAN_CUH

#include "common/lookback.cuh"
#include "device/overlap.cuh"
#include "sort/bucket/spread_again.cuh"
#include "sort/survey/jitter.cuh"
#include "top/element_order.cuh"
#include "top/narrowing.cuh"

constexpr int PLAN_EACH = 4; // sampled elements of a thread
constexpr unsigned PLAN_PART = PLAN_EACH * TOP_THREADS, PLAN_KEPT = 2048, PLAN_BUCKETS = 4096;
constexpr unsigned COUNTED_MOST = 1 << 13; // sampled elements that are compared with a frequent threshold
constexpr unsigned EDGES_BELOW = 64;       // edges below the least key that was sampled

// Each bucket's count has a cache line of its own. Counts side by side would share few slices of the L2 cache, which
// then limit the atomic additions.
constexpr unsigned COUNT_DISTANCE = 32;

// In the device's memory, for the launches that follow. Bucket b has keys from edge[b] on.
template <class K> struct bucket_plan {
    K last;                   // the threshold: greater keys are not taken
    bool is_frequent;         // keys that equal it are not taken either, but counted
    bool collects;            // false if the sample tells that a bucket would be overfull
    bool are_enough;          // k elements or more were taken or counted
    bool is_done;             // and each bucket had room
    unsigned found;           // if not all had room: elements that were taken, but 0 if some of them are lost
    unsigned spilled;         // those without room in their buckets
    unsigned sampled_equal;   // sampled keys that equal a frequent threshold, if it does not collect
    unsigned long long equal; // count of keys that equal it
    K edge[PLAN_BUCKETS];
    unsigned start[PLAN_BUCKETS + 1]; // of each bucket, and the end of the last
    unsigned count[PLAN_BUCKETS * COUNT_DISTANCE];
};

// A sample of `size` elements. In order, the one at `place` is the threshold. It is frequent if the one at `end` - 1
// equals it. More than `alike` equal ones before it would overfill a bucket. `cells` + 1 of them up to the threshold
// are the ends of cells. Each cell is divided into `each` buckets of equal width.
struct plan_sizes {
    uint64_t step; // distance of sampled elements, times 2^32
    unsigned size, place, end, alike, cells, each;

    __host__ __device__ unsigned blocks() const
    {
        return (size - 1) / PLAN_PART + 1;
    }
    // The position of sampled element i. It is moved at random, as data may have a period.
    __device__ __forceinline__ size_t sampled(unsigned i) const
    {
        return (i * step >> 32) + __umulhi(jitter_hash(i), unsigned(step >> 32));
    }
    // The distance of sampled elements that are compared with a frequent threshold.
    __host__ __device__ unsigned counted_step() const
    {
        return (size - 1) / COUNTED_MOST + 1;
    }
    __host__ __device__ unsigned counted() const
    {
        return (size - 1) / counted_step() + 1;
    }
    // Keys that each block keeps.
    __host__ __device__ unsigned kept() const
    {
        return PLAN_KEPT / blocks() < PLAN_PART ? PLAN_KEPT / blocks() : PLAN_PART;
    }
    __host__ __device__ unsigned buckets() const
    {
        return EDGES_BELOW + cells * each;
    }
};

template <class K> struct plan_memory {
    narrowing<K> narrow;
    unsigned taken;
    bool is_last, is_alike;
};

template <class K> using plan_tile = any_bucket_tile<K, TOP_THREADS, PLAN_KEPT / TOP_THREADS, true>;

// Bytes of dynamic memory: the memory of the sort, then the sorted keys.
template <class K> constexpr size_t PLAN_ROOM = sizeof(bucket_memory<plan_tile<K>>) + PLAN_KEPT * sizeof(K);

// Writes `most` keys: the first ones of the block's part, and copies of a key that is not less. That key is near, as
// the sort's bins divide the range of all keys.
template <class K>
__device__ __forceinline__ void keep_some(plan_memory<K> &shared, const K (&key)[PLAN_EACH], K *kept, unsigned most)
{
    auto for_keys = [&](auto act) {
#pragma unroll
        for (int i = 0; i < PLAN_EACH; i++)
            act(key[i]);
    };
    if (threadIdx.x == 0)
        shared.taken = 0;
    ranked_span<K> span = shared.narrow.find(for_keys, PLAN_PART, most - 1 - most / 4, 8 * int(sizeof(K)),
                                             [&](const ranked_span<K> &span) { return span.count() <= most; });
    bool overfull = span.count() > most; // with one key, of which some are kept
    unsigned count = overfull ? span.below : span.count();
    __syncthreads();
    for_keys([&](K own) {
        if (overfull ? own < span.prefix : own <= span.last())
            kept[atomicAdd(&shared.taken, 1)] = own;
    });
    for (unsigned i = count + threadIdx.x; i < most; i += TOP_THREADS)
        kept[i] = overfull ? span.prefix : span.last();
}

constexpr float LOG2_OF_RATIO = .32192809f; // of 5/4

// The edges, from sorted keys of the sample.
template <class K> __device__ __forceinline__ void make_edges(const K *sorted, const plan_sizes &sizes, K *edge)
{
    auto end_of = [&](unsigned cell) { return sorted[cell * sizes.place / sizes.cells]; };
    double share = 1.0 / sizes.each;
    for (unsigned b = threadIdx.x; b < sizes.cells * sizes.each; b += TOP_THREADS) {
        unsigned cell = b / sizes.each;
        K first = end_of(cell);
        double width = double(K(end_of(cell + 1) - first)) * share;
        edge[EDGES_BELOW + b] = first + K(width * (b - cell * sizes.each));
    }
    // Below the least sampled key: ten times as many keys as between two sampled ones are possible. Each edge is 5/4
    // times as far from that key as the next edge, so a bucket gets about a fifth of these keys.
    if (threadIdx.x < EDGES_BELOW) {
        K first = end_of(0);
        double width = fmax(double(K(end_of(1) - first)) * share, 1.);
        double below = width * exp2f(LOG2_OF_RATIO * (EDGES_BELOW - 1 - threadIdx.x));
        edge[threadIdx.x] = threadIdx.x > 0 && below < double(first) ? first - K(below) : K(0);
    }
}

template <class K>
__device__ __forceinline__ void make_plan(plan_memory<K> &shared, const K *sorted, const plan_sizes &sizes,
                                          bool for_positions, bucket_plan<K> *plan)
{
    K last = sorted[sizes.place];
    bool is_frequent = sorted[sizes.end - 1] == last;
    for (unsigned i = threadIdx.x; i + sizes.alike < sizes.end; i += TOP_THREADS)
        if (sorted[i] == sorted[i + sizes.alike] && (is_frequent ? sorted[i] < last : sorted[i] <= last))
            shared.is_alike = true;
    make_edges(sorted, sizes, plan->edge);
    __syncthreads();
    if (threadIdx.x == 0) {
        plan->last = last;
        plan->is_frequent = is_frequent;
        plan->collects = !shared.is_alike && !(for_positions && is_frequent);
        plan->spilled = plan->sampled_equal = 0;
        plan->equal = 0;
    }
}

// kept: PLAN_KEPT keys.
template <class U>
__global__ void __launch_bounds__(TOP_THREADS)
    plan_buckets(const U *in, plan_sizes sizes, element_order<U> order, bool for_positions,
                 typename element_order<U>::key_type *kept, bucket_plan<typename element_order<U>::key_type> *plan,
                 unsigned long long *tickets)
{
    using K = typename element_order<U>::key_type;
    __shared__ plan_memory<K> shared;
    wait_for_launches();
    K key[PLAN_EACH];
#pragma unroll
    for (int i = 0; i < PLAN_EACH; i++) {
        // Each block's part is spread over all elements, as these may be in order.
        unsigned at = (i * TOP_THREADS + threadIdx.x) * gridDim.x + blockIdx.x;
        key[i] = at < sizes.size ? order.key(in[sizes.sampled(at)]) : K(~K(0));
    }
    for (unsigned b = blockIdx.x * TOP_THREADS + threadIdx.x; b < sizes.buckets(); b += gridDim.x * TOP_THREADS)
        plan->count[b * COUNT_DISTANCE] = 0;
    keep_some(shared, key, kept + blockIdx.x * sizes.kept(), sizes.kept());
    let_next_begin();
    __syncthreads();
    if (threadIdx.x == 0) {
        shared.is_last = is_last_to_finish(tickets, gridDim.x);
        shared.is_alike = false;
    }
    __syncthreads();
    if (!shared.is_last)
        return;
    using tile = plan_tile<K>;
    K *sorted = reinterpret_cast<K *>(&memory_of_bucket<tile>() + 1);
    sort_bucket<tile, 0, true>(memory_of_bucket<tile>().bucket, kept, sorted, 0, gridDim.x * sizes.kept(),
                               same_order<K>(), 0, uneven_in_rounds<tile>());
    __syncthreads();
    make_plan(shared, sorted, sizes, for_positions, plan);
}

#endif
