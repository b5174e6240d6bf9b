// small_sort.cuh - sorts few keys in one launch (block-ranges): every block reads all keys, which the L2 cache serves,
// keeps the keys of its range, sorts them and writes them after the keys below. No block waits for another. Each block
// finds its range in a sample that it sorts itself (sample sort, Frazer and McKellar 1970); a frequent key is a range
// of its own.
//
// What is sorted are words that the elements become. Elements are a struct with these members:
//
//     stored, word            types of what is read, and of the words
//     in                      the elements as stored
//     of(element, place)      the word of an element
//     order                   order.value(word) is what is written
//     GATHERED                false: words are written to `out`. true: no two are equal, they are gathered on chip, and
//     put(words, size, at)    writes the elements of `size` sorted words, from place `at` of the output on
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

// Keys alone: whole numbers in an order.
template <class K, class Order> struct ordered_keys {
    using stored = K;
    using word = K;
    static constexpr bool GATHERED = false;
    const K *in;
    K *out;
    Order order;
    __device__ __forceinline__ K of(K bits, unsigned) const
    {
        return order.key(bits);
    }
};

template <class Elements>
using small_tile = any_bucket_tile<typename Elements::word, SMALL_THREADS,
                                   SMALL_ITEMS<typename Elements::word, Elements::GATHERED>, true>;

// 64 KiB at most.
template <class Elements> struct small_sort_memory {
    using K = typename Elements::word;
    static constexpr int SIZE = small_tile<Elements>::SIZE;
    struct bucket_memory : small_tile<Elements>::shared_memory {
        K gathered[Elements::GATHERED ? SIZE : 1];
    };
    union {
        bucket_memory bucket;
        alignas(16) K run[2][SIZE]; // if a bin is overfull
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
template <class Elements, class K>
__device__ __forceinline__ key_range<K> range_of_block(few_keys<K> &sample, const Elements &elements, unsigned n,
                                                       unsigned each)
{
    constexpr int THREADS = SMALL_THREADS;
    unsigned block = blockIdx.x, blocks = gridDim.x, samples = each * blocks;
    key_range<K> range = {0, K(~K(0)), false};
    for (unsigned i = threadIdx.x; i < samples; i += THREADS) {
        unsigned place = sampled_place(i, n, samples);
        sample[i] = elements.of(elements.in[place], place);
    }
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

// A thread's vectors of one step of the block over all keys. A bit for each of their keys fits a word. More vectors of
// narrow keys would spill registers.
template <class S> constexpr int BATCH_VECTORS = sizeof(S) >= 4 ? SMALL_VECTORS : sizeof(S);
template <class S> using vector_batch = uint4[BATCH_VECTORS<S>];

template <class S>
__device__ __forceinline__ void load_batch(const key_vectors<S> &vectors, unsigned begin, vector_batch<S> &vector)
{
#pragma unroll
    for (int i = 0; i < BATCH_VECTORS<S>; i++) {
        unsigned at = begin + i * SMALL_THREADS + threadIdx.x;
        if (at < vectors.whole)
            vector[i] = vectors.first[at];
    }
}

// Bit i of the result: key i of the vectors is in the range. *below += keys below it.
template <class Elements, class S, class K>
__device__ __forceinline__ unsigned keys_in_range(const key_vectors<S> &vectors, unsigned mine,
                                                  const vector_batch<S> &vector, const Elements &elements,
                                                  const key_range<K> &range, unsigned *below)
{
    constexpr int EACH = key_vectors<S>::EACH;
    unsigned mask = 0, place = unsigned(vectors.head) + mine * EACH;
    K width = range.last - range.first;
#pragma unroll
    for (int i = 0; i < BATCH_VECTORS<S>; i++) {
        if (mine + i * SMALL_THREADS >= vectors.whole)
            break;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            K key = elements.of(reinterpret_cast<const S *>(&vector[i])[k], place + i * SMALL_THREADS * EACH + k);
            *below += key < range.first;
            mask |= unsigned(K(key - range.first) <= width) << (i * EACH + k);
        }
    }
    return mask;
}

// Brings the keys of the range to shared memory, as far as there is room; counts them, and the keys below. The first
// batch is in `next`; each further one is loaded before the last one is used. Few keys of a batch are in the range:
// reading those again costs less than a test for each key.
template <class Elements, class S, class K>
__device__ __forceinline__ void take_range(small_sort_memory<Elements> &shared, const key_vectors<S> &vectors,
                                           vector_batch<S> &next, const Elements &elements, const key_range<K> &range)
{
    using tile = small_tile<Elements>;
    constexpr int EACH = key_vectors<S>::EACH, STEP = tile::THREADS * BATCH_VECTORS<S>;
    unsigned below = 0;
    if (threadIdx.x == 0)
        shared.taken = shared.below = 0;
    __syncthreads();
    auto put = [&](unsigned at, K key) {
        if (at < tile::SIZE)
            shared.bucket.key[at] = key;
    };
    vectors.for_end_places([&](size_t place) {
        K key = elements.of(vectors.keys[place], unsigned(place));
        below += key < range.first;
        if (key >= range.first && key <= range.last)
            put(atomicAdd(&shared.taken, 1), key);
    });
    for (unsigned begin = 0; begin < vectors.whole; begin += STEP) {
        unsigned mine = begin + threadIdx.x, mask = keys_in_range(vectors, mine, next, elements, range, &below);
        load_batch(vectors, begin + STEP, next);
        unsigned to = warp_take_places(&shared.taken, unsigned(__popc(mask)));
        for (; mask != 0; mask &= mask - 1) {
            unsigned i = __ffs(mask) - 1;
            unsigned place = unsigned(vectors.head) + (mine + i / EACH * tile::THREADS) * EACH + i % EACH;
            put(to++, elements.of(vectors.keys[place], place));
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
    constexpr int THREADS = SMALL_THREADS;
    unsigned from = sort_few_keys<THREADS>(keys, size);
    for (unsigned i = threadIdx.x; i < size; i += THREADS)
        out[i] = order.value(keys[from + i]);
}

// Calls sort(out), which writes `size` sorted words to out, or returns where they are on chip. They belong to the
// output from place `at` on.
template <class Elements, class Sort>
__device__ __forceinline__ void write_sorted(small_sort_memory<Elements> &shared, const Elements &elements,
                                             unsigned size, unsigned at, Sort sort)
{
    if constexpr (Elements::GATHERED) {
        const auto *sorted = sort(shared.bucket.gathered);
        __syncthreads();
        elements.put(sorted, size, at);
    } else {
        sort(elements.out + at);
    }
}

// Sorts the keys that were taken, and writes them after the keys below.
template <class Elements, class K>
__device__ __forceinline__ void write_range(small_sort_memory<Elements> &shared, const Elements &elements, K first)
{
    using tile = small_tile<Elements>;
    const auto &order = elements.order;
    unsigned taken = shared.taken;
    K *keys = shared.bucket.key;
    write_sorted(shared, elements, taken, shared.below, [&](K *out) {
        if (!Elements::GATHERED && taken > tile::SIZE) { // a range of one value
            for (unsigned i = threadIdx.x; i < taken; i += tile::THREADS)
                out[i] = order.value(first);
        } else if (!sort_bucket<tile, 0, true>(shared.bucket, keys, out, 0, taken, order, 0,
                                               uneven_or_not<tile>{shared.bucket})) {
            if (taken <= FEW_KEYS) {
                write_few(shared.few(), out, taken, order);
            } else {
                out = Elements::GATHERED ? shared.run[0] : out; // windows need the room of the others
                sort_windows<tile::THREADS, true>(shared.run, keys, out, int(taken), order);
            }
        }
        return out;
    });
    __syncthreads();
}

// A single block sorts FEW_KEYS. Otherwise each sorts its range, in several turns if the block has no room for all of
// it. The input is not the output. samples: per block.
template <class Elements>
__global__ void __launch_bounds__(SMALL_THREADS, 1)
    sort_in_blocks(const __grid_constant__ Elements elements, unsigned n, unsigned samples)
{
    using K = typename Elements::word;
    using S = typename Elements::stored;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<small_sort_memory<Elements> *>(dynamic_memory);
    wait_for_launches();
    if (gridDim.x == 1) {
        for (unsigned i = threadIdx.x; i < n; i += SMALL_THREADS)
            shared.few()[i] = elements.of(elements.in[i], i);
        __syncthreads();
        write_sorted(shared, elements, n, 0, [&](K *out) {
            write_few(shared.few(), out, n, elements.order);
            return out;
        });
        return;
    }
    key_vectors<S> vectors(elements.in, n);
    vector_batch<S> first;
    load_batch(vectors, 0, first); // they come while the range is found
    key_range<K> rest = range_of_block(shared.few(), elements, n, samples);
    while (!rest.is_empty) {
        key_range<K> range = rest;
        take_range(shared, vectors, first, elements, range);
        while (shared.taken > small_tile<Elements>::SIZE && range.first < range.last) {
            range.last = range.first + (range.last - range.first) / 2;
            load_batch(vectors, 0, first);
            __syncthreads();
            take_range(shared, vectors, first, elements, range);
        }
        write_range(shared, elements, range.first);
        rest.is_empty = range.last == rest.last;
        rest.first = range.last + 1;
        if (!rest.is_empty)
            load_batch(vectors, 0, first);
    }
}

// Queues the one launch that sorts n elements. The input is not the output.
template <class Elements> scankit_error sort_ranges(cuda_device *gpu, const Elements &elements, size_t n)
{
    range_sizes sizes = ranges_for(n);
    unsigned blocks = unsigned((n - 1) / sizes.mean) + 1;
    constexpr size_t ROOM = sizeof(small_sort_memory<Elements>), OTHERS = 1024; // bytes that the kernel has otherwise
    if constexpr (ROOM + OTHERS <= USUAL_ROOM)
        return launch_usual(gpu, sort_in_blocks<Elements>, blocks, SMALL_THREADS, ROOM, elements, unsigned(n),
                            sizes.samples);
    return launch(gpu, sort_in_blocks<Elements>, blocks, SMALL_THREADS, ROOM, elements, unsigned(n), sizes.samples);
}

#endif
