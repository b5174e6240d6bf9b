// small_sort.cuh - sorts few keys in one launch (block-ranges): every block reads all keys, which the L2 cache serves,
// keeps the keys of its range, sorts them and writes them after the keys below. No block waits for another. Each block
// finds its range in a sample that it sorts itself (sample sort, Frazer and McKellar 1970); a frequent key is a range
// of its own.
#ifndef SK_CUDA_SMALL_SORT_CUH
#define SK_CUDA_SMALL_SORT_CUH

#include "common/aggregate.cuh"
#include "device/launch.cuh"
#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/window_sort.cuh"
#include "sort/survey/jitter.cuh"

// Keys from first to last.
template <class K> struct key_range {
    K first, last;
    bool is_empty;
};

template <class K> using small_tile = any_bucket_tile<K, SMALL_THREADS, SMALL_ITEMS<K>>;

template <class K> struct small_sort_memory {
    union {
        typename small_tile<K>::shared_memory bucket;
        alignas(16) K run[2][small_tile<K>::SIZE]; // if a bin is overfull
    };
    unsigned taken, below; // keys of the range, and below it
    __device__ small_sort_memory()
    {
    }
};

// Sorts any number of keys in shared memory, by a bitonic network with all comparisons in one direction: so it may be
// cut off at any size (Batcher 1968).
template <int THREADS, class K> __device__ __forceinline__ void sort_by_network(K *keys, unsigned size)
{
    unsigned pairs = 1;
    while (2 * pairs < size)
        pairs *= 2;
    for (unsigned width = 2; width <= 2 * pairs; width *= 2) {
        for (unsigned distance = width / 2; distance > 0; distance /= 2) {
            for (unsigned pair = threadIdx.x; pair < pairs; pair += THREADS) {
                unsigned low = 2 * pair - (pair & (distance - 1));
                unsigned high = distance == width / 2 ? low ^ (width - 1) : low + distance;
                if (high < size && keys[high] < keys[low]) {
                    K moved = keys[low];
                    keys[low] = keys[high];
                    keys[high] = moved;
                }
            }
            __syncthreads();
        }
    }
}

// The block's range lies between two of the sampled keys, every each-th of which is a cut. If cuts are equal, only the
// first lies before its key, so that one range has that key alone.
template <class K, class Order>
__device__ __forceinline__ key_range<K> range_of_block(K *sample, const K *in, unsigned n, const Order &order,
                                                       unsigned each)
{
    constexpr int THREADS = small_tile<K>::THREADS;
    unsigned block = blockIdx.x, blocks = gridDim.x, samples = each * blocks;
    key_range<K> range = {0, K(~K(0)), false};
    if (blocks == 1)
        return range;
    for (unsigned i = threadIdx.x; i < samples; i += THREADS) {
        sample[i] = order.key(in[sampled_place(i, n, samples)]);
    }
    __syncthreads();
    sort_by_network<THREADS>(sample, samples);
    auto repeats = [&](unsigned cut) { return cut > 1 && sample[cut * each] == sample[(cut - 1) * each]; };
    if (block > 0) {
        range.first = sample[block * each];
        if (repeats(block)) {
            range.is_empty = range.first == K(~K(0));
            range.first++;
        }
    }
    if (block + 1 < blocks) {
        range.last = sample[(block + 1) * each];
        if (!repeats(block + 1)) {
            range.is_empty = range.is_empty || range.last == 0;
            range.last--;
        }
    }
    range.is_empty = range.is_empty || range.last < range.first;
    __syncthreads();
    return range;
}

// Loads a thread's vectors of one step of the block over all keys.
template <int BATCH, class K>
__device__ __forceinline__ void load_batch(const key_vectors<K> &vectors, unsigned begin, uint4 (&vector)[BATCH])
{
#pragma unroll
    for (int i = 0; i < BATCH; i++) {
        unsigned at = begin + i * small_tile<K>::THREADS + threadIdx.x;
        if (at < vectors.whole)
            vector[i] = vectors.first[at];
    }
}

// Bit i of the result: key i of the vectors is in the range. *below += keys below it.
template <int BATCH, class K, class Order>
__device__ __forceinline__ unsigned keys_in_range(const key_vectors<K> &vectors, unsigned mine,
                                                  const uint4 (&vector)[BATCH], const Order &order,
                                                  const key_range<K> &range, unsigned *below)
{
    constexpr int EACH = key_vectors<K>::EACH;
    unsigned mask = 0;
    K width = range.last - range.first;
#pragma unroll
    for (int i = 0; i < BATCH * EACH; i++) {
        bool is_there = mine + i / EACH * small_tile<K>::THREADS < vectors.whole;
        K key = order.key(reinterpret_cast<const K *>(&vector[i / EACH])[i % EACH]);
        *below += is_there && key < range.first;
        mask |= unsigned(is_there && K(key - range.first) <= width) << i;
    }
    return mask;
}

// Brings the keys of the range to shared memory, as far as there is room; counts them, and the keys below. The next
// batch is loaded before the last one is used. Few keys of a batch are in the range: reading those again costs less
// than a test for each key.
template <class K, class Order>
__device__ __forceinline__ void take_range(small_sort_memory<K> &shared, const K *in, unsigned n, const Order &order,
                                           const key_range<K> &range)
{
    using tile = small_tile<K>;
    constexpr int BATCH = 8, EACH = key_vectors<K>::EACH;
    unsigned below = 0;
    if (threadIdx.x == 0)
        shared.taken = shared.below = 0;
    __syncthreads();
    auto put = [&](unsigned at, K key) {
        if (at < tile::SIZE)
            shared.bucket.key[at] = key;
    };
    key_vectors<K> vectors(in, n);
    vectors.for_ends([&](K value) {
        K key = order.key(value);
        below += key < range.first;
        if (key >= range.first && key <= range.last)
            put(atomicAdd(&shared.taken, 1), key);
    });
    uint4 next[BATCH];
    load_batch(vectors, 0, next);
    for (unsigned begin = 0; begin < vectors.whole; begin += tile::THREADS * BATCH) {
        unsigned mine = begin + threadIdx.x, mask = keys_in_range(vectors, mine, next, order, range, &below);
        load_batch(vectors, begin + tile::THREADS * BATCH, next);
        unsigned place = warp_take_places(&shared.taken, unsigned(__popc(mask)));
        for (; mask != 0; mask &= mask - 1) {
            unsigned i = __ffs(mask) - 1;
            size_t at = size_t(mine + i / EACH * tile::THREADS) * EACH + i % EACH;
            put(place++, order.key(reinterpret_cast<const K *>(vectors.first)[at]));
        }
    }
    below = warp_sum(below);
    if (lane_id() == 0)
        atomicAdd(&shared.below, below);
    __syncthreads();
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
    } else if (!sort_bucket<tile, 0, true>(shared.bucket, keys, out, 0, taken, order, 0)) {
        if (taken > 2 * tile::THREADS) {
            sort_windows<tile::THREADS, true>(shared.run, keys, out, int(taken), order);
        } else { // a comparison per thread and step, with fewer barriers
            sort_by_network<tile::THREADS>(keys, taken);
            for (unsigned i = threadIdx.x; i < taken; i += tile::THREADS)
                out[i] = order.value(keys[i]);
        }
    }
    __syncthreads();
}

// Each block sorts its range, in several turns if the block has no room for all of it. in is not out. samples: per
// block.
template <class K, class Order>
__global__ void __launch_bounds__(small_tile<K>::THREADS)
    sort_in_blocks(const K *in, K *out, unsigned n, Order order, unsigned samples)
{
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<small_sort_memory<K> *>(dynamic_memory);
    wait_for_launches();
    key_range<K> rest = range_of_block(shared.bucket.key, in, n, order, samples);
    while (!rest.is_empty) {
        key_range<K> range = rest;
        take_range(shared, in, n, order, range);
        while (shared.taken > small_tile<K>::SIZE && range.first < range.last) {
            range.last = range.first + (range.last - range.first) / 2;
            __syncthreads();
            take_range(shared, in, n, order, range);
        }
        write_range(shared, out, order, range.first);
        rest.is_empty = range.last == rest.last;
        rest.first = range.last + 1;
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
