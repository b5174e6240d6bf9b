// gems.cuh - the sort of GPU Gems 3, chapter 39, section 3.3 (Harris, Sengupta and Owens 2007), as it was published:
// chunks sorted by splits of one bit, and then pairs of runs merged, each by one block (figures 39-13 to 39-15). The
// block keeps a buffer of each run. The p smallest elements of both buffers are the lesser ones of a[i] and b[p - 1 -
// i]. They form a bitonic sequence, which log2 p steps sort. The places that became free are filled again. So each
// element is read once and written once in a pass, but the last pass has a single block.
#ifndef SK_CUDA_GALLERY_GEMS_CUH
#define SK_CUDA_GALLERY_GEMS_CUH

#include "gallery/block/conflict_free.cuh"
#include "gallery/sort/runs.cuh"
#include "gallery/sort/split_chunks.cuh"

constexpr int GEMS_BUFFER = 512; // elements of a buffer, and threads of a block

// The next elements of a run, in a ring: element i is at (head + i) % GEMS_BUFFER.
template <class K> struct run_buffer {
    K *key;
    const K *next, *end; // of the run: what is not loaded
    int head = 0;

    __device__ run_buffer(K *shared, const K *begin, const K *end) : key(shared), next(begin), end(end)
    {
        load(0, GEMS_BUFFER);
    }
    __device__ K at(int i) const
    {
        return key[(head + i) % GEMS_BUFFER];
    }
    __device__ void load(int place, int count)
    {
        int i = threadIdx.x;
        if (i < count)
            key[(place + i) % GEMS_BUFFER] = i < end - next ? next[i] : ABSENT<K>;
        next += end - next < count ? end - next : count;
    }
    // The first `count` elements leave, and as many follow.
    __device__ void refill(int count)
    {
        load(head, count);
        head = (head + count) % GEMS_BUFFER;
    }
};

// Sorts a bitonic sequence, an element a thread.
template <class K> __device__ __forceinline__ void sort_bitonic(K *key)
{
    int i = threadIdx.x;
    for (int distance = GEMS_BUFFER / 2; distance > 0; distance /= 2) {
        if ((i & distance) == 0)
            compare_exchange(key[i], key[i + distance]);
        __syncthreads();
    }
}

// A block per pair of runs.
template <class K>
__global__ void __launch_bounds__(GEMS_BUFFER) merge_buffers(const K *in, K *out, size_t n, size_t run)
{
    __shared__ K keys_a[GEMS_BUFFER], keys_b[GEMS_BUFFER], least[GEMS_BUFFER];
    run_pair pair = pair_at(blockIdx.x, run, n);
    run_buffer<K> a(keys_a, in + pair.begin, in + pair.middle), b(keys_b, in + pair.middle, in + pair.end);
    int i = threadIdx.x;
    for (size_t at = pair.begin; at < pair.end; at += GEMS_BUFFER) {
        __syncthreads();
        K of_a = a.at(i), of_b = b.at(GEMS_BUFFER - 1 - i);
        bool from_a = !(of_b < of_a);
        least[i] = from_a ? of_a : of_b;
        int count = __syncthreads_count(from_a);
        a.refill(count);
        b.refill(GEMS_BUFFER - count);
        sort_bitonic(least);
        if (at + i < pair.end)
            out[at + i] = least[i];
    }
}

template <class K> scankit_error gems_sort(cuda_device *gpu, const sort_call<K, no_value> &call)
{
    auto chunks = [&](key_columns<K, no_value> to) {
        return sort_chunks_by_splits<conflict_free, K, no_value>(gpu, call.in, to, call.n);
    };
    auto merge = [&](auto from, auto to, size_t run) -> scankit_error {
        merge_buffers<<<unsigned(pairs_of(call.n, run)), GEMS_BUFFER, 0, gpu->stream>>>(from.keys, to.keys, call.n,
                                                                                        run);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    };
    return sort_by_runs(gpu, call, split_chunk<conflict_free, K, no_value>::SIZE, chunks, merge);
}

#endif
