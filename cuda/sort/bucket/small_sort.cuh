// small_sort.cuh - sorts few keys in one launch (block-ranges): every block reads all keys, which the L2 cache serves,
// keeps the keys of its range, sorts them and writes them after the keys below. No block waits for another. Each block
// finds its range in a sample that it sorts itself (sample sort, Frazer and McKellar 1970); a frequent key is a range
// of its own.
#ifndef SK_CUDA_SMALL_SORT_CUH
#define SK_CUDA_SMALL_SORT_CUH

#include "common/aggregate.cuh"
#include "device/launch.cuh"
#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/few_keys.cuh"
#include "sort/bucket/window_sort.cuh"
#include "sort/survey/jitter.cuh"

// Keys from first to last.
template <class K> struct key_range {
    K first, last;
    bool is_empty;
};

template <class K> using small_tile = any_bucket_tile<K, SMALL_THREADS, SMALL_ITEMS<K>, true>;

template <class K> struct small_sort_memory {
    union {
        typename small_tile<K>::shared_memory bucket;
        alignas(16) K run[2][small_tile<K>::SIZE]; // if a bin is overfull
    };
    unsigned taken, below; // keys of the range, and below it

    // The first of the bucket's keys, and room behind them.
    __device__ __forceinline__ few_keys<K> &few()
    {
        static_assert(sizeof bucket.key >= sizeof(few_keys<K>));
        return reinterpret_cast<few_keys<K> &>(bucket.key);
    }
    __device__ small_sort_memory()
    {
    }
};

static_assert(range_samples(BLOCK_RANGES_MOST) <= FEW_KEYS, "samples are few keys");

// The block's range lies between two of the sampled keys, every each-th of which is a cut. If cuts are equal, only the
// first lies before its key, so that one range has that key alone.
template <class K, class Order>
__device__ __forceinline__ key_range<K> range_of_block(few_keys<K> &sample, const K *in, unsigned n, const Order &order,
                                                       unsigned each)
{
    constexpr int THREADS = small_tile<K>::THREADS;
    unsigned block = blockIdx.x, blocks = gridDim.x, samples = each * blocks;
    key_range<K> range = {0, K(~K(0)), false};
    for (unsigned i = threadIdx.x; i < samples; i += THREADS)
        sample[i] = order.key(in[sampled_place(i, n, samples)]);
    __syncthreads();
    unsigned from = sort_few_keys<THREADS>(sample, samples);
    auto key_of = [&](unsigned cut) { return sample[from + cut * each]; };
    auto repeats = [&](unsigned cut) { return cut > 1 && key_of(cut) == key_of(cut - 1); };
    if (block > 0) {
        range.first = key_of(block);
        if (repeats(block)) {
            range.is_empty = range.first == K(~K(0));
            range.first++;
        }
    }
    if (block + 1 < blocks) {
        range.last = key_of(block + 1);
        if (!repeats(block + 1)) {
            range.is_empty = range.is_empty || range.last == 0;
            range.last--;
        }
    }
    range.is_empty = range.is_empty || range.last < range.first;
    __syncthreads();
    return range;
}

// A thread's vectors of one step of the block over all keys.
using vector_batch = uint4[SMALL_VECTORS];

template <class K>
__device__ __forceinline__ void load_batch(const key_vectors<K> &vectors, unsigned begin, vector_batch &vector)
{
#pragma unroll
    for (int i = 0; i < SMALL_VECTORS; i++) {
        unsigned at = begin + i * small_tile<K>::THREADS + threadIdx.x;
        if (at < vectors.whole)
            vector[i] = vectors.first[at];
    }
}

// Bit i of the result: key i of the vectors is in the range. *below += keys below it.
template <class K, class Order>
__device__ __forceinline__ unsigned keys_in_range(const key_vectors<K> &vectors, unsigned mine,
                                                  const vector_batch &vector, const Order &order,
                                                  const key_range<K> &range, unsigned *below)
{
    constexpr int EACH = key_vectors<K>::EACH;
    unsigned mask = 0;
    K width = range.last - range.first;
#pragma unroll
    for (int i = 0; i < SMALL_VECTORS; i++) {
        if (mine + i * small_tile<K>::THREADS >= vectors.whole)
            break;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            K key = order.key(reinterpret_cast<const K *>(&vector[i])[k]);
            *below += key < range.first;
            mask |= unsigned(K(key - range.first) <= width) << (i * EACH + k);
        }
    }
    return mask;
}

// Brings the keys of the range to shared memory, as far as there is room; counts them, and the keys below. The first
// batch is in `next`; each further one is loaded before the last one is used. Few keys of a batch are in the range:
// reading those again costs less than a test for each key.
template <class K, class Order>
__device__ __forceinline__ void take_range(small_sort_memory<K> &shared, const key_vectors<K> &vectors,
                                           vector_batch &next, const Order &order, const key_range<K> &range)
{
    using tile = small_tile<K>;
    constexpr int EACH = key_vectors<K>::EACH, STEP = tile::THREADS * SMALL_VECTORS;
    unsigned below = 0;
    if (threadIdx.x == 0)
        shared.taken = shared.below = 0;
    __syncthreads();
    auto put = [&](unsigned at, K key) {
        if (at < tile::SIZE)
            shared.bucket.key[at] = key;
    };
    vectors.for_ends([&](K value) {
        K key = order.key(value);
        below += key < range.first;
        if (key >= range.first && key <= range.last)
            put(atomicAdd(&shared.taken, 1), key);
    });
    for (unsigned begin = 0; begin < vectors.whole; begin += STEP) {
        unsigned mine = begin + threadIdx.x, mask = keys_in_range(vectors, mine, next, order, range, &below);
        load_batch(vectors, begin + STEP, next);
        unsigned place = warp_take_places(&shared.taken, unsigned(__popc(mask)));
        for (; mask != 0; mask &= mask - 1) {
            unsigned i = __ffs(mask) - 1;
            unsigned at = (mine + i / EACH * tile::THREADS) * EACH + i % EACH;
            put(place++, order.key(reinterpret_cast<const K *>(vectors.first)[at]));
        }
    }
    below = warp_sum(below);
    if (lane_id() == 0)
        atomicAdd(&shared.below, below);
    __syncthreads();
}

// Sorts few keys in shared memory, and writes them.
template <class K, class Order>
__device__ __forceinline__ void write_few(few_keys<K> &keys, K *out, unsigned size, const Order &order)
{
    constexpr int THREADS = small_tile<K>::THREADS;
    unsigned from = sort_few_keys<THREADS>(keys, size);
    for (unsigned i = threadIdx.x; i < size; i += THREADS)
        out[i] = order.value(keys[from + i]);
}

// Sorts the keys that were taken, and writes them after the keys below.
template <class K, class Order>
__device__ __forceinline__ void write_range(small_sort_memory<K> &shared, K *out, const Order &order, K first)
{
    using tile = small_tile<K>;
    unsigned taken = shared.taken;
    K *keys = shared.bucket.key;
    out += shared.below;
    if (taken > tile::SIZE) { // a range of one value
        for (unsigned i = threadIdx.x; i < taken; i += tile::THREADS)
            out[i] = order.value(first);
    } else if (!sort_bucket<tile, 0, true>(shared.bucket, keys, out, 0, taken, order, 0,
                                           uneven_or_not<tile>{shared.bucket})) {
        if (taken > FEW_KEYS)
            sort_windows<tile::THREADS, true>(shared.run, keys, out, int(taken), order);
        else
            write_few(shared.few(), out, taken, order);
    }
    __syncthreads();
}

// A single block sorts FEW_KEYS. Otherwise each sorts its range, in several turns if the block has no room for all of
// it. in is not out. samples: per block.
template <class K, class Order>
__global__ void __launch_bounds__(small_tile<K>::THREADS)
    sort_in_blocks(const K *in, K *out, unsigned n, Order order, unsigned samples)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<small_sort_memory<K> *>(dynamic_memory);
    wait_for_launches();
    if (gridDim.x == 1) {
        for (unsigned i = threadIdx.x; i < n; i += small_tile<K>::THREADS)
            shared.few()[i] = order.key(in[i]);
        __syncthreads();
        write_few(shared.few(), out, n, order);
        return;
    }
    key_vectors<K> vectors(in, n);
    vector_batch first;
    load_batch(vectors, 0, first); // they come while the range is found
    key_range<K> rest = range_of_block(shared.few(), in, n, order, samples);
    while (!rest.is_empty) {
        key_range<K> range = rest;
        take_range(shared, vectors, first, order, range);
        while (shared.taken > small_tile<K>::SIZE && range.first < range.last) {
            range.last = range.first + (range.last - range.first) / 2;
            load_batch(vectors, 0, first);
            __syncthreads();
            take_range(shared, vectors, first, order, range);
        }
        write_range(shared, out, order, range.first);
        rest.is_empty = range.last == rest.last;
        rest.first = range.last + 1;
        if (!rest.is_empty)
            load_batch(vectors, 0, first);
    }
}

// Queues the one launch that sorts n keys. in is not out.
template <class K, class Order> scankit_error sort_ranges(cuda_device *gpu, Order order, const K *in, K *out, size_t n)
{
    range_sizes sizes = ranges_for(n);
    unsigned blocks = unsigned((n - 1) / sizes.mean) + 1;
    return launch(gpu, sort_in_blocks<K, Order>, blocks, small_tile<K>::THREADS, sizeof(small_sort_memory<K>), in, out,
                  unsigned(n), order, sizes.samples);
}

#endif
