// count_pairs.cuh - counts pairs by the leading bits of their keys, or by digits, and places buckets or digits.
#ifndef SK_CUDA_COUNT_PAIRS_CUH
#define SK_CUDA_COUNT_PAIRS_CUH

#include "device/host_word.cuh"
#include "sort/bucket/buckets.cuh"
#include "sort/pairs/see_pairs.cuh"

// ---- counting ----

// Keys without their first `left` bits, which the sort is not by.
template <class K> struct shifted_projection {
    static constexpr unsigned BITS = 8 * sizeof(K);
    unsigned left;
    __device__ __forceinline__ K operator()(K key) const
    {
        return K(key << left);
    }
};

// Where counts go: of buckets, or of digits if the survey says so.
struct pair_counts {
    unsigned *buckets;
    unsigned long long *digits;
};

// Counts the leading bits or all digits of the keys; nothing if they are in order.
template <class K>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_pairs(const K *keys, size_t n, number_order<K> order, leading_bits leading, digit_range range,
                pair_findings *found, pair_counts to)
{
    extern __shared__ __align__(16) uint32_t counters[];
    wait_for_launches();
    let_next_begin();
    if (found->is_in_order())
        return;
    if (found->survey.by_digits) {
        auto &shared = *reinterpret_cast<digit_counters<K, COUNT_THREADS> *>(counters);
        count_all_digits<COUNT_THREADS, COUNT_VECTORS>(shared, keys, n, order, range, to.digits,
                                                       &found->constant_digits);
        return;
    }
    for (unsigned i = threadIdx.x; i < counters_room(leading.bits()) / sizeof *counters; i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
    count_projected(counters, keys, n, order, shifted_projection<K>{unsigned(8 * sizeof(K)) - leading.end},
                    bucket_levels{leading.bits(), 0}, 0, to.buckets);
}

// Whether keys descend, of vectors that a block streams, and between them and their neighbours. A warp that has seen a
// descent looks at no more of them.
template <class K> class descent
{
  public:
    __device__ __forceinline__ descent(const key_vectors<K> &vectors, const number_order<K> &order)
        : vectors(vectors), order(order), at(blockIdx.x * STEP + threadIdx.x), is_seen(false)
    {
    }

    // A step of the stream, by whole warps.
    __device__ __forceinline__ void look(const uint4 (&found)[COUNT_VECTORS])
    {
#pragma unroll
        for (int i = 0; i < COUNT_VECTORS; i++)
            if (!is_seen)
                is_seen = __any_sync(FULL_WARP, descends(found[i], at + i * COUNT_THREADS));
        at += gridDim.x * STEP;
    }
    // A key outside the vectors, by any thread.
    __device__ __forceinline__ void look_behind(size_t place)
    {
        is_seen = is_seen || descends_behind(place, order.key(vectors.keys[place]));
    }
    __device__ __forceinline__ bool found() const
    {
        return is_seen;
    }

  private:
    static constexpr size_t STEP = size_t(COUNT_THREADS) * COUNT_VECTORS;
    static constexpr int EACH = key_vectors<K>::EACH;

    __device__ __forceinline__ bool descends_behind(size_t place, K key) const
    {
        return place + 1 < vectors.n && order.key(vectors.keys[place + 1]) < key;
    }
    // The next lane has the next vector.
    __device__ __forceinline__ bool descends(const uint4 &vector, size_t number) const
    {
        K key[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            key[k] = order.key(reinterpret_cast<const K *>(&vector)[k]);
        K next = warp_down(key[0], 1), last = key[EACH - 1];
        if (number >= vectors.whole)
            return false;
        bool falls = lane_id() < WARP - 1 && number + 1 < vectors.whole
                         ? next < last
                         : descends_behind(vectors.head + number * EACH + EACH - 1, last);
#pragma unroll
        for (int k = 1; k < EACH; k++)
            falls = falls || key[k] < key[k - 1];
        return falls;
    }

    const key_vectors<K> &vectors;
    const number_order<K> &order;
    size_t at; // the thread's first vector of the step
    bool is_seen;
};

// Counts both buckets and digits of whole keys in one read, looks for a descent, and counts a sample by fine bins. For
// few pairs, for which a look before the count would take longer than the counts that are not needed.
template <class K>
__global__ void __launch_bounds__(COUNT_THREADS, 1)
    count_at_once(const K *keys, size_t n, number_order<K> order, pair_sample sample, pair_findings *found,
                  pair_counts to, unsigned *bins)
{
    __shared__ digit_counters<K, COUNT_THREADS> digits;
    __shared__ unsigned buckets[ONE_READ_BUCKETS];
    const leading_bits leading = sample.leading;
    let_next_begin();
    unsigned i = blockIdx.x * COUNT_THREADS + threadIdx.x; // of the sample; its first keys arrive during the count
    auto sampled = [&] { return i < sample.bin_samples ? order.key(keys[random_place(i, n)]) : K(0); };
    K of_sample = sampled();
    digits.clear();
    for (unsigned b = threadIdx.x; b < leading.buckets(); b += COUNT_THREADS)
        buckets[b] = 0;
    __syncthreads();

    const key_vectors<K> vectors(keys, n);
    descent<K> falls(vectors, order);
    auto count = [&](K value) {
        K key = order.key(value);
        digits.add(key);
        atomicAdd(&buckets[leading.of(key)], 1u);
    };
    vectors.template stream<COUNT_THREADS, COUNT_VECTORS>(
        [&](const uint4(&step)[COUNT_VECTORS], int valid) {
#pragma unroll
            for (int i = 0; i < COUNT_VECTORS; i++)
                if (i < valid)
                    key_vectors<K>::for_each(step[i], count);
            falls.look(step);
        },
        [&](size_t place, bool is_there) {
            if (is_there) {
                count(keys[place]);
                falls.look_behind(place);
            }
        });
    bins_found of_bins;
    for (; i - lane_id() < sample.bin_samples; i += gridDim.x * COUNT_THREADS, of_sample = sampled())
        add_alike(sample.fine.of(of_sample), i < sample.bin_samples,
                  [&](unsigned bin, unsigned added) { of_bins.add(sample, bins, bin, added); });
    tell_bins(of_bins, found);
    if (__syncthreads_or(falls.found()) && threadIdx.x == 0)
        found->survey.descends = 1;
    digits.tell(n, to.digits, &found->constant_digits);
    for (unsigned b = threadIdx.x; b < leading.buckets(); b += COUNT_THREADS)
        if (buckets[b] > 0)
            atomicAdd(&to.buckets[b], buckets[b]);
}

// ---- where digits and buckets begin ----

// The exclusive sum of the block's RADIX counts, behind what all threads have `before` them. *largest: the greatest of
// the counts. Once in a block.
__device__ __forceinline__ unsigned scan_counts(unsigned count, unsigned before, unsigned *largest)
{
    __shared__ block_sum<sk_u32, RADIX> sums, befores;
    __shared__ unsigned warp_largest[RADIX / WARP];
    unsigned most = warp_max(count), inclusive = sums.warp_inclusive(count);
    if (lane_id() == WARP - 1)
        warp_largest[threadIdx.x / WARP] = most;
    sums.publish(inclusive);
    befores.publish(warp_sum(before));
    __syncthreads();
    for (unsigned w = 0; w < RADIX / WARP; w++)
        most = max(most, warp_largest[w]);
    *largest = most;
    return befores.total() + sums.before(inclusive - count);
}

// A digit's count over all upper digits.
__device__ __forceinline__ unsigned count_last_digit(const unsigned *counts, unsigned uppers, unsigned digit)
{
    unsigned count = 0;
#pragma unroll 16
    for (unsigned upper = 0; upper < uppers; upper++)
        count += counts[upper * RADIX + digit];
    return count;
}

// Where the digits of the buckets' numbers begin: begin[0 .. RADIX) of the last digit, begin[RADIX .. 2 RADIX) of the
// digit before. A block each.
static __global__ void __launch_bounds__(RADIX)
    place_digits(const unsigned *counts, unsigned uppers, const pair_findings *found, unsigned long long *begin)
{
    unsigned count = 0, largest;
    wait_for_launches();
    let_next_begin();
    if (found->survey.by_digits)
        return;
    if (blockIdx.x == 0)
        count = count_last_digit(counts, uppers, threadIdx.x);
    else {
        __shared__ unsigned row[RADIX];
        row[threadIdx.x] = 0;
        __syncthreads();
#pragma unroll 8
        for (unsigned upper = threadIdx.x / WARP; upper < uppers; upper += RADIX / WARP) {
            unsigned of_lane = 0;
            for (unsigned lower = lane_id(); lower < RADIX; lower += WARP)
                of_lane += counts[upper * RADIX + lower];
            of_lane = warp_sum(of_lane);
            if (lane_id() == 0)
                row[upper] = of_lane;
        }
        __syncthreads();
        count = row[threadIdx.x];
    }
    begin[blockIdx.x * RADIX + threadIdx.x] = scan_counts(count, 0, &largest);
}

// With few upper digits the blocks of place_pair_buckets() add up what they need, and one more places the last digit.
// This takes less time than place_digits().
constexpr unsigned FEW_UPPERS = 16;
__host__ __device__ constexpr bool are_few_uppers(unsigned uppers)
{
    return uppers > 1 && uppers <= FEW_UPPERS;
}

// Where buckets begin: `uppers` blocks, one per upper digit, which also write where it begins if these are few. Returns
// the size of the largest bucket of the digit, for the first thread.
__device__ __forceinline__ unsigned place_buckets_of_digit(const unsigned *counts, unsigned buckets, unsigned uppers,
                                                           unsigned long long *begin, unsigned *start)
{
    unsigned bucket = blockIdx.x * RADIX + threadIdx.x, before = 0, largest;
    unsigned count = bucket < buckets ? counts[bucket] : 0;
    if (are_few_uppers(uppers))
        for (unsigned upper = 0; upper < blockIdx.x; upper++)
            before += counts[upper * RADIX + threadIdx.x];
    unsigned at = scan_counts(count, before, &largest);
    if (uppers == 1)
        begin[threadIdx.x] = at;
    else if (!are_few_uppers(uppers))
        at += unsigned(begin[RADIX + blockIdx.x]);
    else if (threadIdx.x == 0)
        begin[RADIX + blockIdx.x] = at;
    if (bucket < buckets)
        start[bucket] = at;
    if (bucket == buckets - 1)
        start[buckets] = at + count;
    return largest;
}

// Where the last digits begin: one block, if upper digits are few. No pair has an upper digit from `uppers` on.
__device__ __forceinline__ void place_last_digit(const unsigned *counts, unsigned uppers, unsigned long long *begin)
{
    unsigned largest;
    begin[threadIdx.x] = scan_counts(count_last_digit(counts, uppers, threadIdx.x), 0, &largest);
    if (threadIdx.x >= uppers)
        begin[RADIX + threadIdx.x] = 0;
}

// What is placed: buckets, after place_digits() if upper digits are many, or the digits of `positions`. at_once: both
// have been counted, and are placed; the largest bucket and the fine bins decide which are used.
struct pair_places {
    leading_bits leading;
    unsigned positions;
    bool at_once;
    unsigned room; // of a bucket

    __host__ __device__ unsigned bucket_blocks() const
    {
        return leading.uppers() + are_few_uppers(leading.uppers());
    }
    __host__ __device__ unsigned blocks() const
    {
        unsigned of_buckets = bucket_blocks();
        if (at_once)
            return of_buckets + positions;
        return of_buckets > positions ? of_buckets : positions;
    }
};

// The last block tells the host.
static __global__ void __launch_bounds__(RADIX)
    place_pair_buckets(pair_counts counted, pair_places places, pair_sample sample, pair_findings *found,
                       unsigned long long *begin, unsigned *start, host_word verdict)
{
    wait_for_launches();
    let_next_begin();
    key_survey &survey = found->survey;
    const unsigned uppers = places.leading.uppers();
    const bool by_digits = survey.by_digits;
    const unsigned for_buckets = by_digits ? 0 : places.bucket_blocks();
    if (blockIdx.x < for_buckets) {
        if (blockIdx.x < uppers) {
            unsigned largest = place_buckets_of_digit(counted.buckets, places.leading.buckets(), uppers, begin, start);
            if (threadIdx.x == 0)
                atomicMax(&found->largest, largest);
        } else
            place_last_digit(counted.buckets, uppers, begin);
    } else if ((by_digits || places.at_once) && blockIdx.x - for_buckets < places.positions)
        place_digits_of(counted.digits + (blockIdx.x - for_buckets) * RADIX);
    if (!is_last_block(&survey.estimators_done) || threadIdx.x > 0)
        return;
    unsigned largest = __ldcg(&found->largest);
    if (places.at_once)
        survey.by_digits = largest > places.room || found->has_full_bins(sample);
    bool all = survey.by_digits && !found->is_in_order() && found->constant_digits == 0;
    found->all_digits = all;
    verdict.put(pair_verdict{largest, survey.descends != 0, survey.by_digits != 0,
                             static_cast<unsigned char>(found->constant_digits), all});
}

#endif
