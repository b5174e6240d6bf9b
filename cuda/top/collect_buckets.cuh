// collect_buckets.cuh - moves the elements up to a threshold to buckets. Where few are, it costs a read of all: a warp
// keeps elements in shared memory until it has a batch, and finds the buckets of a batch together.
#ifndef SK_CUDA_COLLECT_BUCKETS_CUH
#define SK_CUDA_COLLECT_BUCKETS_CUH

#include "common/block_sum.cuh"
#include "common/key_vectors.cuh"
#include "compact/collect.cuh"
#include "top/bucket_plan.cuh"

// What is sorted: a key, or a key of 4 bytes above its position.
template <class U, bool POSITIONS>
using top_entry = std::conditional_t<POSITIONS, uint64_t, typename element_order<U>::key_type>;

// Bucket b has room from place b * room on. What has no room is spilled as an element or a position.
template <class E> struct bucket_rooms {
    E *first;
    unsigned room, buckets;
    unsigned half; // of the first power of two that is not less than `buckets`
    void *spill;
    unsigned spill_room;
};

constexpr unsigned NO_ENTRY = ~0u; // the place of a lane that has none

// Per multiprocessor. More would spill registers.
template <class U, bool POSITIONS> constexpr int TAKE_BLOCKS = sizeof(U) == 4 && !POSITIONS ? 4 : 3;

// Entries that a warp finds in a step at most, entries of a batch for each lane, and of a batch.
template <class U> constexpr unsigned TAKEN_STEP = COLLECT_VECTORS<U> * 16 / sizeof(U) * WARP;
constexpr unsigned TAKEN_EACH = 4, TAKEN_BATCH = TAKEN_EACH * WARP;

template <class U, bool POSITIONS> struct collect_memory {
    using K = typename element_order<U>::key_type;
    using E = top_entry<U, POSITIONS>;
    K edge[PLAN_BUCKETS];
    // Elements, or elements of 4 bytes above their positions.
    E room[COLLECT_THREADS / WARP][TAKEN_STEP<U> + TAKEN_BATCH];
    element_order<U> order;
    bucket_rooms<E> to;
    unsigned *count;   // of each bucket
    unsigned *spilled; // count
};

// The place of each lane's entry in its bucket. If all lanes have one bucket, as with sorted keys, they share one
// atomic.
template <class E>
__device__ __forceinline__ unsigned take_room(unsigned *counts, const bucket_rooms<E> &to, unsigned bucket,
                                              bool is_there)
{
    unsigned *count = &counts[bucket * COUNT_DISTANCE];
    int is_one;
    __match_all_sync(FULL_WARP, is_there ? bucket : to.buckets + lane_id(), &is_one);
    if (!is_one)
        return is_there ? atomicAdd(count, 1) : NO_ENTRY;
    unsigned first = lane_id() == 0 ? atomicAdd(count, WARP) : 0;
    return __shfl_sync(FULL_WARP, first, 0) + lane_id();
}

// What is spilled: elements, or keys above their positions.
template <class U, bool POSITIONS> using spilled_value = std::conditional_t<POSITIONS, uint64_t, U>;

// Entry i of each lane whose bit i is set.
template <class U, bool POSITIONS>
__device__ __noinline__ void spill_entries(const collect_memory<U, POSITIONS> &shared,
                                           const top_entry<U, POSITIONS> *entry, unsigned bits)
{
    unsigned own = __popc(bits), inclusive = warp_scan_fields(own);
    unsigned first = lane_id() == WARP - 1 ? atomicAdd(shared.spilled, inclusive) : 0;
    unsigned at = __shfl_sync(FULL_WARP, first, WARP - 1) + inclusive - own;
#pragma unroll 1
    for (unsigned i = 0; i < TAKEN_EACH; i++)
        if (bits >> i & 1) {
            top_entry<U, POSITIONS> taken = entry[i * WARP + lane_id()];
            spilled_value<U, POSITIONS> value;
            if constexpr (POSITIONS)
                value = uint64_t(shared.order.key(U(taken >> 32))) << 32 | uint32_t(taken);
            else
                value = taken;
            if (at < shared.to.spill_room)
                static_cast<spilled_value<U, POSITIONS> *>(shared.to.spill)[at] = value;
            at++;
        }
}

// Moves n entries of a warp, TAKEN_BATCH at most, to their buckets. It is called seldom. A call of its own leaves the
// registers to the loads.
template <class U, bool POSITIONS>
__device__ __noinline__ void put_entries(const collect_memory<U, POSITIONS> *memory,
                                         const top_entry<U, POSITIONS> *entry, unsigned n)
{
    using K = typename element_order<U>::key_type;
    using E = top_entry<U, POSITIONS>;
    __builtin_assume(__isShared(memory));
    const auto &shared = *memory;
    K key[TAKEN_EACH];
    unsigned bucket[TAKEN_EACH], place[TAKEN_EACH];
#pragma unroll
    for (unsigned i = 0; i < TAKEN_EACH; i++) {
        unsigned at = i * WARP + lane_id();
        E own = at < n ? entry[at] : E(0);
        bucket[i] = 0;
        key[i] = shared.order.key(POSITIONS ? U(own >> 32 % (8 * sizeof(E))) : U(own));
    }
#pragma unroll 1
    for (unsigned distance = shared.to.half; distance > 0; distance /= 2)
#pragma unroll
        for (unsigned i = 0; i < TAKEN_EACH; i++)
            if (shared.edge[bucket[i] + distance] <= key[i]) // edges behind the last are the greatest key
                bucket[i] += distance;
#pragma unroll
    for (unsigned i = 0; i < TAKEN_EACH; i++) {
        bucket[i] = min(bucket[i], shared.to.buckets - 1);
        place[i] = take_room(shared.count, shared.to, bucket[i], i * WARP + lane_id() < n);
    }
    unsigned spilled = 0;
#pragma unroll
    for (unsigned i = 0; i < TAKEN_EACH; i++) {
        if (place[i] < shared.to.room)
            shared.to.first[size_t(bucket[i]) * shared.to.room + place[i]] =
                POSITIONS ? E(key[i]) << 32 % (8 * sizeof(E)) | uint32_t(entry[i * WARP + lane_id()]) : E(key[i]);
        spilled |= unsigned(place[i] >= shared.to.room && place[i] != NO_ENTRY) << i;
    }
    if (__any_sync(FULL_WARP, spilled != 0))
        spill_entries<U, POSITIONS>(shared, entry, spilled);
}

// What a warp has found. EQUALS: elements that equal the threshold are counted, not taken.
template <class U, bool POSITIONS, bool EQUALS> class bucket_collector
{
  public:
    using K = typename element_order<U>::key_type;
    using E = top_entry<U, POSITIONS>;
    static constexpr int VECTORS = COLLECT_VECTORS<U>, EACH = 16 / sizeof(U);

    __device__ __forceinline__ bucket_collector(const element_order<U> &order, K last, const key_vectors<U> &from,
                                                collect_memory<U, POSITIONS> &shared)
        : filter{order.up_to(last), order.element(last)}, from(from), shared(shared),
          held(shared.room[threadIdx.x / WARP])
    {
    }

    // By all lanes: the vectors of a step, the first `valid` of each lane's.
    __device__ __forceinline__ void look(const uint4 (&found)[VECTORS], int valid)
    {
        unsigned bits = 0, first = 0;
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                bits |= unsigned(filter.takes(item(found[v], i), v < valid)) << (v * EACH + i);
        if constexpr (POSITIONS) // key_vectors::stream
            first = ((blockIdx.x + steps * gridDim.x) * VECTORS * COLLECT_THREADS + threadIdx.x) * EACH +
                    unsigned(from.head);
        keep(bits, [&](unsigned i) {
            return entry_of(chosen(found, i), first + i / EACH * COLLECT_THREADS * EACH + i % EACH);
        });
        steps++;
    }

    // One element of each lane.
    __device__ __forceinline__ void look_at(U element, size_t at, bool is_there)
    {
        keep(filter.takes(element, is_there), [&](unsigned) { return entry_of(element, unsigned(at)); });
    }

    // All that is held, and the count of equals.
    __device__ __forceinline__ void finish(unsigned long long *all_equal)
    {
        __syncwarp();
        put_entries<U, POSITIONS>(&shared, held, count);
        filter.add_equals(all_equal);
    }

  private:
    static __device__ __forceinline__ U item(const uint4 &vector, int i)
    {
        return reinterpret_cast<const U *>(&vector)[i];
    }

    // Item i of those from FIRST on, WIDTH of them: a tree of selections, as registers have no index.
    template <int FIRST = 0, int WIDTH = VECTORS *EACH>
    static __device__ __forceinline__ U chosen(const uint4 (&found)[VECTORS], unsigned i)
    {
        if constexpr (WIDTH == 1) {
            return item(found[FIRST / EACH], FIRST % EACH);
        } else {
            U low = chosen<FIRST, WIDTH / 2>(found, i), high = chosen<FIRST + WIDTH / 2, WIDTH / 2>(found, i);
            return i & WIDTH / 2 ? high : low;
        }
    }

    static __device__ __forceinline__ E entry_of(U element, unsigned at)
    {
        return POSITIONS ? E(element) << 32 % (8 * sizeof(E)) | at : E(element);
    }

    // Keeps entry(i) for each bit i that is set, one of each lane at a time: most lanes have none, and few have two.
    template <class Entry> __device__ __forceinline__ void keep(unsigned bits, Entry entry)
    {
        for (unsigned lanes; (lanes = __ballot_sync(FULL_WARP, bits != 0)) != 0; bits &= bits - 1) {
            if (bits != 0)
                held[count + __popc(lanes & lanes_below())] = entry(__ffs(int(bits)) - 1);
            count += __popc(lanes);
        }
        if (count >= TAKEN_BATCH)
            flush();
    }

    // Full batches, from the last one held on.
    __device__ __forceinline__ void flush()
    {
        __syncwarp();
#pragma unroll 1
        do {
            count -= TAKEN_BATCH;
            put_entries<U, POSITIONS>(&shared, held + count, TAKEN_BATCH);
        } while (count >= TAKEN_BATCH);
        __syncwarp();
    }

    element_filter<U, EQUALS> filter;
    const key_vectors<U> &from;
    collect_memory<U, POSITIONS> &shared;
    E *held;
    unsigned count = 0, steps = 0;
};

template <bool EQUALS, class U, bool POSITIONS>
__device__ __forceinline__ void collect_to(const key_vectors<U> &vectors, const element_order<U> &order,
                                           collect_memory<U, POSITIONS> &shared,
                                           bucket_plan<typename element_order<U>::key_type> *plan)
{
    using collector = bucket_collector<U, POSITIONS, EQUALS>;
    collector found(order, plan->last, vectors, shared);
    vectors.template stream<COLLECT_THREADS, collector::VECTORS, true>(
        [&](const uint4(&vector)[collector::VECTORS], int valid) { found.look(vector, valid); },
        [&](size_t at, bool is_there) { found.look_at(is_there ? vectors.keys[at] : U(0), at, is_there); });
    found.finish(&plan->equal);
}

// Finds the place of each bucket in the output, by one block.
template <class K, class E>
__device__ __forceinline__ void place_taken(bucket_plan<K> *plan, const bucket_rooms<E> &to, unsigned k)
{
    constexpr unsigned EACH = PLAN_BUCKETS / COLLECT_THREADS;
    __shared__ block_sum<unsigned, COLLECT_THREADS> sums;
    unsigned count[EACH], own = 0;
    bool overflows = false;
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned b = threadIdx.x * EACH + i;
        count[i] = b < to.buckets ? __ldcg(&plan->count[b * COUNT_DISTANCE]) : 0;
        overflows = overflows || count[i] > to.room;
        count[i] = min(count[i], to.room);
        own += count[i];
    }
    unsigned before = sums.exclusive(own);
    overflows = __syncthreads_or(overflows);
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned b = threadIdx.x * EACH + i;
        if (b < to.buckets)
            plan->start[b] = before;
        before += count[i];
    }
    if (threadIdx.x == COLLECT_THREADS - 1) {
        unsigned found = before + __ldcg(&plan->spilled);
        plan->start[to.buckets] = before;
        plan->are_enough = found >= k || __ldcg(&plan->equal) >= k - found;
        plan->is_done = !overflows && plan->are_enough;
        plan->found = overflows && found >= k && found <= to.spill_room ? found : 0;
    }
}

// Counts sampled elements that equal the threshold.
template <class U, class K>
__device__ __forceinline__ void count_sampled(const U *in, const plan_sizes &sizes, U last, bucket_plan<K> *plan)
{
    unsigned step = sizes.counted_step(), at = (blockIdx.x * COLLECT_THREADS + threadIdx.x) * step;
    unsigned equal = 0;
    for (; at < sizes.size; at += gridDim.x * COLLECT_THREADS * step)
        equal += in[sizes.sampled(at)] == last;
    equal = warp_sum(equal);
    if (lane_id() == 0 && equal > 0)
        atomicAdd(&plan->sampled_equal, equal);
}

// Moves the elements up to the threshold to their buckets. The last block checks the counts.
template <class U, bool POSITIONS>
__global__ void __launch_bounds__(COLLECT_THREADS, TAKE_BLOCKS<U, POSITIONS>)
    collect_buckets(const U *in, size_t n, plan_sizes sizes, element_order<U> order,
                    bucket_plan<typename element_order<U>::key_type> *plan, bucket_rooms<top_entry<U, POSITIONS>> to,
                    unsigned k, unsigned long long *tickets)
{
    using K = typename element_order<U>::key_type;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<collect_memory<U, POSITIONS> *>(dynamic_memory);
    __shared__ bool is_last;
    const key_vectors<U> vectors(in, n);
    wait_for_launches();
    let_next_begin();
    if (!plan->collects) {
        if (plan->is_frequent)
            count_sampled(in, sizes, order.element(plan->last), plan);
        return;
    }
    for (unsigned b = threadIdx.x; b < 2 * to.half; b += COLLECT_THREADS)
        shared.edge[b] = b < to.buckets ? plan->edge[b] : K(~K(0));
    if (threadIdx.x == 0) {
        shared.order = order;
        shared.to = to;
        shared.count = plan->count;
        shared.spilled = &plan->spilled;
    }
    __syncthreads();
    if (!POSITIONS && plan->is_frequent && plan->last == 0)
        count_until(vectors, order.element(0), k, &plan->equal);
    else if (!POSITIONS && plan->is_frequent)
        collect_to<true>(vectors, order, shared, plan);
    else
        collect_to<false>(vectors, order, shared, plan);
    __syncthreads(); // all warps have put theirs
    if (threadIdx.x == 0)
        is_last = is_last_to_finish(tickets, gridDim.x);
    __syncthreads();
    if (is_last)
        place_taken(plan, to, k);
}

#endif
