// split_chunks.cuh - a block sorts its chunk by splits of one bit, each a scan, in shared memory (Harris, Sengupta and
// Owens, GPU Gems 3, 2007, chapter 39, section 3.3). Any block scan of the gallery serves.
#ifndef SK_CUDA_GALLERY_SPLIT_CHUNKS_CUH
#define SK_CUDA_GALLERY_SPLIT_CHUNKS_CUH

#include "gallery/block/block_scan.cuh"
#include "gallery/sort/sort_call.cuh"

template <template <class> class Scan, class K, class V> struct split_chunk {
    using scan = Scan<op_sum<sk_u32>>;
    static constexpr int SIZE = scan::SIZE, ITEMS = SIZE / BLOCK_SCAN_THREADS;
    static_assert(SIZE % BLOCK_SCAN_THREADS == 0, "all threads have as many elements");
    struct shared_memory {
        K key[SIZE];
        V value[HAS_VALUE<V> ? SIZE : 1];
        alignas(16) sk_u32 place[SIZE]; // first 1 for each 0 bit; then how many of them stand before
        typename scan::shared_memory scan_memory;
    };

    static __device__ int element(int i)
    {
        return i * BLOCK_SCAN_THREADS + threadIdx.x;
    }

    // Keys past the end come last, and the splits are stable: so they stay behind the others.
    static __device__ void load(shared_memory &shared, key_columns<const K, const V> in, size_t valid)
    {
        for (int i = threadIdx.x; i < SIZE; i += BLOCK_SCAN_THREADS) {
            shared.key[i] = i < valid ? in.keys[i] : ABSENT<K>;
            if constexpr (HAS_VALUE<V>)
                if (i < valid)
                    shared.value[i] = in.values[i];
        }
        __syncthreads();
    }

    static __device__ void store(const shared_memory &shared, key_columns<K, V> out, size_t valid)
    {
        for (int i = threadIdx.x; i < SIZE && i < valid; i += BLOCK_SCAN_THREADS)
            move_element<K, V>({shared.key, shared.value}, i, {out.keys, out.values}, i);
    }

    static __device__ bool is_sorted(const shared_memory &shared)
    {
        bool descends = false;
        for (int i = threadIdx.x; i + 1 < SIZE; i += BLOCK_SCAN_THREADS)
            descends = descends || shared.key[i + 1] < shared.key[i];
        return !__syncthreads_or(descends);
    }

    // Keys with a 0 at the bit come first, each kind in its order. A 0 goes to the number of 0s before it; a 1 behind
    // all 0s, to the number of 1s before it.
    static __device__ void split(shared_memory &shared, unsigned bit)
    {
        K key[ITEMS];
        V value[ITEMS];
        for (int i = threadIdx.x; i < SIZE; i += BLOCK_SCAN_THREADS)
            shared.place[i] = !(shared.key[i] >> bit & 1);
        __syncthreads();
        block_tile<op_sum<sk_u32>> tile = {shared.place, shared.place, SIZE, false, 0};
        unsigned zeros = scan::scan(tile, shared.scan_memory);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            key[i] = shared.key[element(i)];
            if constexpr (HAS_VALUE<V>)
                value[i] = shared.value[element(i)];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            unsigned before = shared.place[element(i)];
            unsigned to = key[i] >> bit & 1 ? zeros + element(i) - before : before;
            shared.key[to] = key[i];
            if constexpr (HAS_VALUE<V>)
                shared.value[to] = value[i];
        }
        __syncthreads();
    }
};

// The chapter's test for sorted chunks stops before the last bits where keys are few or small.
template <template <class> class Scan, class K, class V>
__global__ void __launch_bounds__(BLOCK_SCAN_THREADS)
    split_chunks(key_columns<const K, const V> in, key_columns<K, V> out, size_t n)
{
    using chunk = split_chunk<Scan, K, V>;
    extern __shared__ __align__(16) char dynamic_memory[];
    auto &shared = *reinterpret_cast<typename chunk::shared_memory *>(dynamic_memory);
    size_t begin = size_t(blockIdx.x) * chunk::SIZE;
    chunk::load(shared, {in.keys + begin, in.values + begin}, n - begin);
    for (unsigned bit = 0; bit < 8 * sizeof(K) && !chunk::is_sorted(shared); bit++)
        chunk::split(shared, bit);
    chunk::store(shared, {out.keys + begin, out.values + begin}, n - begin);
}

// in may be out.
template <template <class> class Scan, class K, class V>
scankit_error sort_chunks_by_splits(cuda_device *gpu, key_columns<const K, const V> in, key_columns<K, V> out, size_t n)
{
    using chunk = split_chunk<Scan, K, V>;
    constexpr int BYTES = sizeof(typename chunk::shared_memory);
    CHECK(cudaFuncSetAttribute(split_chunks<Scan, K, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    split_chunks<Scan, K, V><<<chunks_of(n, chunk::SIZE), BLOCK_SCAN_THREADS, BYTES, gpu->stream>>>(in, out, n);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

#endif
