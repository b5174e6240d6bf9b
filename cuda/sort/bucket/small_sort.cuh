// small_sort.cuh - few keys sorted in one launch: every block looks at all of them, of which the second-level cache
// holds many copies' worth of bandwidth, keeps those of its range, and writes them where the lesser ones end. No block
// waits for another. Ranges come from a sample that each block sorts itself (samplesort, Frazer and McKellar 1970); a
// key that is frequent is a range alone.
#ifndef SK_CUDA_GRID_SMALL_SORT_CUH
#define SK_CUDA_GRID_SMALL_SORT_CUH

#include "device/launch.cuh"
#include "sort/bucket/bucket_sort.cuh"
#include "sort/bucket/window_sort.cuh"

// Keys from first to last.
template <class K> struct key_range {
    K first, last;
    bool is_empty;
};

template <class K> using small_tile = any_bucket_tile<K, SMALL_THREADS, SMALL_ITEMS<K>>;

template <class K> struct small_sort_memory {
    union {
        typename small_tile<K>::shared_memory bucket;
        alignas(16) K run[2][small_tile<K>::SIZE]; // where bins are crowded
    };
    unsigned taken, below;
    __device__ small_sort_memory()
    {
    }
};

// Any number of keys in shared memory, by a bitonic network of which all comparisons point the same way, so that it may
// be cut off at any size (Batcher 1968).
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

// Cut number `cut` is a sampled key, one of `each` for a block; of equal ones only the first lies before it, so that a
// range is left to it alone.
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
        unsigned stride = n / samples, jitter = (i * 2654435761u >> 16) % stride;
        sample[i] = order.key(in[i * stride + jitter]);
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

// Brings the keys of the range to shared memory, as far as there is room; counts them, and those below.
template <class K, class Order>
__device__ __forceinline__ void take_range(small_sort_memory<K> &shared, const K *in, unsigned n, const Order &order,
                                           const key_range<K> &range)
{
    using tile = small_tile<K>;
    constexpr int BATCH = 8, EACH = key_vectors<K>::EACH, COUNT = BATCH * EACH;
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
    auto load = [&](unsigned begin) {
#pragma unroll
        for (int i = 0; i < BATCH; i++) {
            unsigned at = begin + i * tile::THREADS + threadIdx.x;
            if (at < vectors.whole)
                next[i] = vectors.first[at];
        }
    };
    load(0);
    K width = range.last - range.first;
    for (unsigned begin = 0; begin < vectors.whole; begin += tile::THREADS * BATCH) {
        unsigned mask = 0, mine = begin + threadIdx.x;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            bool is_there = mine + i / EACH * tile::THREADS < vectors.whole;
            K key = order.key(reinterpret_cast<const K *>(&next[i / EACH])[i % EACH]);
            below += is_there && key < range.first;
            mask |= unsigned(is_there && K(key - range.first) <= width) << i;
        }
        load(begin + tile::THREADS * BATCH);
        unsigned inclusive = warp_scan<op_sum<sk_u32>>(unsigned(__popc(mask))), place = 0;
        if (lane_id() == WARP - 1 && inclusive > 0)
            place = atomicAdd(&shared.taken, inclusive);
        place = warp_from(place, WARP - 1) + inclusive - __popc(mask);
        // Few are taken: reading them again is less than a test for each.
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

// Sorts what was taken, and writes it behind the keys below.
template <class K, class Order>
__device__ __forceinline__ void write_range(small_sort_memory<K> &shared, K *out, const Order &order, K first)
{
    using tile = small_tile<K>;
    unsigned taken = shared.taken;
    K *keys = shared.bucket.key;
    out += shared.below;
    if (taken > tile::SIZE) { // a key alone
        for (unsigned i = threadIdx.x; i < taken; i += tile::THREADS)
            out[i] = order.value(first);
    } else if (!sort_bucket<tile, 0, true>(shared.bucket, keys, out, 0, taken, order, key_span<K>{})) {
        if (taken > 2 * tile::THREADS) {
            sort_windows<tile::THREADS, true>(shared.run, keys, out, int(taken), order);
        } else { // a pair a thread, which is less to wait for
            sort_by_network<tile::THREADS>(keys, taken);
            for (unsigned i = threadIdx.x; i < taken; i += tile::THREADS)
                out[i] = order.value(keys[i]);
        }
    }
    __syncthreads();
}

// A block writes the keys of its range, in several turns where they are more than it has room for. in is not out.
// samples: of a block.
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
