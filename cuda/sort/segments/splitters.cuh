// splitters.cuh - divides a segment into buckets of keys by the sorted keys of a sample (Frazer and McKellar,
// Samplesort, 1970). A key that the sample has often gets a bucket of its own, which needs no sort.
#ifndef SK_CUDA_SPLITTERS_CUH
#define SK_CUDA_SPLITTERS_CUH

#include "common/block_sum.cuh"
#include "device/overlap.cuh"
#include "sort/segments/block_segments.cuh"
#include "sort/survey/jitter.cuh"

// Most buckets of a segment: a bucket's number is a digit. Elements of a bucket on average, if there are enough
// buckets: few are as good as too many. Sampled keys for each, at least.
constexpr unsigned BUCKETS = RADIX, BUCKET_MEAN = 1500, BUCKET_SAMPLES = 32;
constexpr unsigned SPLITTER_THREADS = 512;

// The splitters of one segment, in ascending order, and its buckets, one more. Key k is in bucket b if b of the
// splitters are not above k.
template <class K> struct segment_split {
    K *splitter;       // room for wanted_buckets(), at least two
    unsigned *buckets; // how many

    __device__ unsigned splitters() const
    {
        return *buckets - 1;
    }
    // The value gets a bucket of its own, between two others. It may be the greatest.
    __device__ void isolate(K value) const
    {
        splitter[0] = value;
        splitter[1] = value + 1;
        *buckets = value == K(~K(0)) ? 2 : 3;
    }
    // The least key that may be in bucket b.
    __device__ K least(unsigned b) const
    {
        return b > 0 ? splitter[b - 1] : K(0);
    }
    // True if all keys of bucket b are the same.
    __device__ bool is_equal(unsigned b) const
    {
        unsigned count = splitters();
        if (b > count)
            return false;
        return b < count ? K(splitter[b] - 1) == least(b) : least(b) == K(~K(0));
    }
};

// Of many segments.
template <class K> struct segment_buckets {
    K *splitter;     // BUCKETS a segment
    unsigned *count; // of buckets, of each segment

    __device__ segment_split<K> of(unsigned s) const
    {
        return {splitter + size_t(s) * BUCKETS, count + s};
    }
};

template <class K> struct splitter_sample {
    sort_word<K> element[group_room(SPLITTER_THREADS)];
};

// How many buckets a segment gets, and how many threads sort its sample.
__device__ __forceinline__ unsigned wanted_buckets(uint64_t length)
{
    uint64_t wanted = (length - 1) / BUCKET_MEAN + 1;
    return wanted < BUCKETS ? unsigned(wanted) : BUCKETS;
}

__device__ __forceinline__ unsigned sample_threads(unsigned wanted)
{
    unsigned threads = WARP;
    while (threads < SPLITTER_THREADS && threads * BLOCK_EACH < wanted * BUCKET_SAMPLES)
        threads *= 2;
    return threads;
}

// Pick i of the sorted sample becomes a splitter if it is a value's first. A value's second pick stands for the next
// value: so the first one has a bucket. Returns false if the pick is neither.
template <class K, class Pick> __device__ __forceinline__ bool splitter_of(unsigned i, Pick pick, K *splitter)
{
    *splitter = pick(i);
    if (i == 1 || pick(i - 1) != *splitter)
        return true;
    bool is_second = i == 2 || pick(i - 2) != *splitter;
    return is_second && ++*splitter != 0;
}

// Finds the splitters of `length` keys, which are not zero. For a block of SPLITTER_THREADS; once in a kernel.
template <class K>
__device__ __forceinline__ void find_splitters_of(splitter_sample<K> &memory, const K *keys, uint64_t length,
                                                  const segment_split<K> &to)
{
    __shared__ block_sum<unsigned, SPLITTER_THREADS> sums;
    auto &sample = memory.element;
    unsigned wanted = wanted_buckets(length), threads = sample_threads(wanted), samples = threads * BLOCK_EACH;
    sort_word<K> mine[BLOCK_EACH];
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++)
        mine[e] = threadIdx.x < threads ? keys[sampled_place(e * threads + threadIdx.x, length, samples)] : K(~K(0));
    bool is_alike = true;
#pragma unroll
    for (unsigned e = 0; e < BLOCK_EACH; e++)
        is_alike = is_alike && (threadIdx.x >= threads || K(mine[e]) == keys[0]);
    if (__syncthreads_and(is_alike)) {
        if (threadIdx.x == 0)
            to.isolate(keys[0]);
        return;
    }
    group_sort(sample, whole_block<SPLITTER_THREADS>{}, threads, mine);

    unsigned i = threadIdx.x + 1;
    K splitter = 0;
    auto pick = [&](unsigned p) { return K(sample[p * samples / wanted]); };
    unsigned is_one = i < wanted && splitter_of(i, pick, &splitter), before = sums.exclusive(is_one);
    if (is_one)
        to.splitter[before] = splitter;
    if (threadIdx.x == SPLITTER_THREADS - 1)
        *to.buckets = before + 1;
}

// A block for each segment of the list.
template <class K>
__global__ void __launch_bounds__(SPLITTER_THREADS)
    find_splitters(const K *keys, const uint64_t *offsets, segment_list list, segment_buckets<K> buckets)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    wait_for_launches();
    const uint64_t *at = offsets + list.segment[blockIdx.x];
    find_splitters_of(*reinterpret_cast<splitter_sample<K> *>(dynamic_memory), keys + at[0], at[1] - at[0],
                      buckets.of(blockIdx.x));
}

// Four to a word: registers are short where keys and ranks are kept too.
template <int ITEMS> struct packed_buckets {
    unsigned word[(ITEMS + 3) / 4];
    __device__ __forceinline__ unsigned operator[](int i) const
    {
        return word[i / 4] >> i % 4 * 8 & (BUCKETS - 1);
    }
};

// The search for buckets, in shared memory.
template <class K> struct bucket_search {
    K splitter[BUCKETS]; // the greatest key where there are no more

    __device__ __forceinline__ void load(const segment_split<K> &split)
    {
        unsigned count = split.splitters();
        for (unsigned i = threadIdx.x; i < BUCKETS; i += blockDim.x)
            splitter[i] = i < count ? split.splitter[i] : K(~K(0));
    }

    // count: of splitters. Each thread searches for all its keys at once: their loads overlap.
    template <int ITEMS>
    __device__ __forceinline__ void find(const K (&key)[ITEMS], unsigned count, unsigned (&bucket)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            bucket[i] = 0;
        for (unsigned step = count > 0 ? 1u << (31 - __clz(count)) : 0; step > 0; step /= 2) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (splitter[bucket[i] + step - 1] <= key[i])
                    bucket[i] += step;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            bucket[i] = min(bucket[i], count);
    }

    template <int ITEMS>
    __device__ __forceinline__ packed_buckets<ITEMS> find_packed(const K (&key)[ITEMS], unsigned count) const
    {
        unsigned bucket[ITEMS];
        packed_buckets<ITEMS> packed = {};
        find(key, count, bucket);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            packed.word[i / 4] |= bucket[i] << i % 4 * 8;
        return packed;
    }
};

#endif
