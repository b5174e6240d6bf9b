// bucket_rounds.cuh - what sorts by buckets share. In each round, all segments that are too large for a block are
// split into at most BUCKETS buckets each: their keys are counted tile by tile, a scan of the counts says where each
// tile's share of each bucket begins, and the keys are scattered. Buckets that fit on chip are sorted there; the others
// are the next round's segments.
#ifndef SK_CUDA_GALLERY_BUCKET_ROUNDS_CUH
#define SK_CUDA_GALLERY_BUCKET_ROUNDS_CUH

#include "common/block_sum.cuh"
#include "gallery/grid/three_kernel.cuh"
#include "gallery/sort/sort_call.cuh"

constexpr int BUCKETS = 256, ROUND_THREADS = 512;
template <class K> constexpr int ON_CHIP = 32768 / sizeof(K); // keys of a tile, and of a bucket that a block sorts

struct segment {
    size_t begin, end;
    unsigned first_tile, tiles;
};

// Filled by a round: the next one's segments, and the buckets that fit on chip.
struct bucket_lists {
    segment *large, *small;
    struct lengths {
        unsigned large, small, tiles; // tiles of all large segments
    } * length;
};

// A tile's segment, and the counts of the tile: bucket b's is at(b). The tiles of a bucket stand beside each other.
template <class K> struct round_tile {
    segment of;
    size_t begin, end; // keys
    unsigned number;   // in the segment
    __device__ round_tile(const segment *segments, const unsigned *segment_of) : of(segments[segment_of[blockIdx.x]])
    {
        number = blockIdx.x - of.first_tile;
        begin = of.begin + size_t(number) * ON_CHIP<K>;
        end = of.end - begin < ON_CHIP<K> ? of.end : begin + ON_CHIP<K>;
    }
    __device__ size_t at(unsigned bucket) const
    {
        return size_t(of.first_tile) * BUCKETS + size_t(bucket) * of.tiles + number;
    }
};

// A block per segment: which tiles are its own.
static __global__ void __launch_bounds__(ROUND_THREADS) name_tiles(const segment *segments, unsigned *segment_of)
{
    segment own = segments[blockIdx.x];
    for (unsigned t = threadIdx.x; t < own.tiles; t += ROUND_THREADS)
        segment_of[own.first_tile + t] = blockIdx.x;
}

// classify.enter(segment) is called by all threads of a block; classify.bucket(key) is the key's bucket then.
template <class K, class Classify>
__global__ void __launch_bounds__(ROUND_THREADS)
    count_tile(const K *in, const segment *segments, const unsigned *segment_of, Classify classify, sk_u64 *counts)
{
    __shared__ unsigned count[BUCKETS];
    __shared__ typename Classify::shared_memory memory;
    round_tile<K> tile(segments, segment_of);
    if (threadIdx.x < BUCKETS)
        count[threadIdx.x] = 0;
    classify.enter(memory, segment_of[blockIdx.x]);
    __syncthreads();
    for (size_t i = tile.begin + threadIdx.x; i < tile.end; i += ROUND_THREADS)
        atomicAdd(&count[classify.bucket(memory, in[i])], 1);
    __syncthreads();
    if (threadIdx.x < BUCKETS)
        counts[tile.at(threadIdx.x)] = count[threadIdx.x];
}

template <class K, class Classify> struct scatter_memory {
    K key[ON_CHIP<K>];
    unsigned long long base[BUCKETS]; // place in the arrays less place in the tile
    unsigned next[BUCKETS];           // place in the tile
    block_sum<sk_u32, ROUND_THREADS> sums;
    typename Classify::shared_memory classify;
};

// places: the scan of the counts over all segments, and one entry more. The keys of a tile are brought together by
// buckets first, so that neighbours are written together. Keys of final buckets go to their place in the output at
// once.
template <class K, class Classify>
__global__ void __launch_bounds__(ROUND_THREADS)
    scatter_tile(const K *in, K *to, K *out, const segment *segments, const unsigned *segment_of, Classify classify,
                 const sk_u64 *places)
{
    __shared__ scatter_memory<K, Classify> shared;
    round_tile<K> tile(segments, segment_of);
    unsigned b = threadIdx.x, count = 0;
    size_t place = 0;
    if (b < BUCKETS) {
        place = tile.of.begin + places[tile.at(b)] - places[size_t(tile.of.first_tile) * BUCKETS];
        count = unsigned(places[tile.at(b) + 1] - places[tile.at(b)]);
    }
    classify.enter(shared.classify, segment_of[blockIdx.x]);
    unsigned begin = shared.sums.exclusive(count);
    if (b < BUCKETS) {
        shared.next[b] = begin;
        shared.base[b] = place - begin;
    }
    __syncthreads();
    for (size_t i = tile.begin + threadIdx.x; i < tile.end; i += ROUND_THREADS) {
        K key = in[i];
        shared.key[atomicAdd(&shared.next[classify.bucket(shared.classify, key)], 1)] = key;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < tile.end - tile.begin; i += ROUND_THREADS) {
        K key = shared.key[i];
        unsigned bucket = classify.bucket(shared.classify, key);
        (classify.is_final(bucket) ? out : to)[shared.base[bucket] + i] = key;
    }
}

// A block per segment, a thread per bucket: to which list it goes.
template <class K, class Classify>
__global__ void __launch_bounds__(BUCKETS)
    list_buckets(const segment *segments, Classify classify, const sk_u64 *places, bucket_lists lists)
{
    segment own = segments[blockIdx.x];
    unsigned b = threadIdx.x;
    const sk_u64 *place = places + size_t(own.first_tile) * BUCKETS;
    size_t before = place[0];
    segment bucket = {own.begin + place[size_t(b) * own.tiles] - before,
                      own.begin + place[size_t(b + 1) * own.tiles] - before, 0, 0};
    if (bucket.begin == bucket.end || classify.is_final(b))
        return;
    if (bucket.end - bucket.begin <= ON_CHIP<K>) {
        lists.small[atomicAdd(&lists.length->small, 1)] = bucket;
    } else {
        bucket.tiles = unsigned((bucket.end - bucket.begin - 1) / ON_CHIP<K> + 1);
        bucket.first_tile = atomicAdd(&lists.length->tiles, bucket.tiles);
        lists.large[atomicAdd(&lists.length->large, 1)] = bucket;
    }
}

// Sorts `size` keys in shared memory, a power of two, by Batcher's bitonic network.
template <class K> __device__ __forceinline__ void sort_shared(K *key, int size)
{
    for (int run = 1; run < size; run *= 2)
        for (int distance = run; distance > 0; distance /= 2) {
            __syncthreads();
            for (int c = threadIdx.x; c < size / 2; c += blockDim.x) {
                int low = c / distance * 2 * distance + c % distance;
                int high = distance == run ? low + 2 * (run - c % run) - 1 : low + distance;
                compare_exchange(key[low], key[high]);
            }
        }
    __syncthreads();
}

// A block per bucket.
template <class K>
__global__ void __launch_bounds__(ROUND_THREADS) sort_small(const K *in, K *out, const segment *buckets)
{
    __shared__ K key[ON_CHIP<K>];
    segment own = buckets[blockIdx.x];
    int n = int(own.end - own.begin), size = 1;
    while (size < n)
        size *= 2;
    for (int i = threadIdx.x; i < size; i += ROUND_THREADS)
        key[i] = i < n ? in[own.begin + i] : ABSENT<K>;
    sort_shared(key, size);
    for (int i = threadIdx.x; i < n; i += ROUND_THREADS)
        out[own.begin + i] = key[i];
}

// The rounds of one sort.
template <class K> struct bucket_rounds {
    cuda_device *gpu;
    const sort_call<K, no_value> &call;
    K *array[2] = {};
    bucket_lists lists[2] = {};
    unsigned *segment_of = nullptr;
    sk_u64 *counts = nullptr;

    bool take(workspace &scratch)
    {
        size_t n = call.n, large = n / ON_CHIP<K> + 1, tiles = n / ON_CHIP<K> + large;
        for (int i = 0; i < 2; i++)
            if (!scratch.take(&array[i], n) || !scratch.take(&lists[i].large, large) ||
                !scratch.take(&lists[i].length, 1))
                return false;
        bool has_small = scratch.take(&lists[0].small, large * BUCKETS);
        lists[1].small = lists[0].small;
        return has_small && scratch.take(&segment_of, tiles) && scratch.take(&counts, tiles * BUCKETS + 1);
    }

    // One round, from one array to the other. *length: of the lists before, and after.
    template <class Classify>
    scankit_error run(const K *from, K *to, bucket_lists now, bucket_lists next, Classify classify,
                      bucket_lists::lengths *length)
    {
        unsigned large = length->large, tiles = length->tiles;
        CHECK(cudaMemsetAsync(next.length, 0, sizeof *next.length, gpu->stream));
        name_tiles<<<large, ROUND_THREADS, 0, gpu->stream>>>(now.large, segment_of);
        CHECK_LAUNCH();
        count_tile<<<tiles, ROUND_THREADS, 0, gpu->stream>>>(from, now.large, segment_of, classify, counts);
        CHECK_LAUNCH();
        TRY(three_kernel<op_sum<sk_u64>>(gpu, {counts, counts, size_t(tiles) * BUCKETS + 1, false, 0}));
        scatter_tile<<<tiles, ROUND_THREADS, 0, gpu->stream>>>(from, to, call.out.keys, now.large, segment_of, classify,
                                                               counts);
        CHECK_LAUNCH();
        list_buckets<K><<<large, BUCKETS, 0, gpu->stream>>>(now.large, classify, counts, next);
        CHECK_LAUNCH();
        TRY(cuda_fetch(gpu, length, next.length, sizeof *length));
        if (length->small == 0)
            return SCANKIT_OK;
        sort_small<<<length->small, ROUND_THREADS, 0, gpu->stream>>>(to, call.out.keys, next.small);
        CHECK_LAUNCH();
        return SCANKIT_OK;
    }

    // begin(keys, segments, count, round, &classify) gives the round's buckets: it queues what finds them.
    template <class Classify, class Begin> scankit_error sort(Begin begin)
    {
        segment all = {0, call.n, 0, unsigned((call.n - 1) / ON_CHIP<K> + 1)};
        if (call.n <= ON_CHIP<K>) {
            CHECK(cudaMemcpyAsync(lists[0].small, &all, sizeof all, cudaMemcpyHostToDevice, gpu->stream));
            sort_small<<<1, ROUND_THREADS, 0, gpu->stream>>>(call.in.keys, call.out.keys, lists[0].small);
            CHECK_LAUNCH();
            return SCANKIT_OK;
        }
        // Final buckets go to the output while the first round still reads the input.
        const K *from = call.in.keys;
        if (from == call.out.keys) {
            TRY(copy_keys(gpu, from, array[1], call.n));
            from = array[1];
        }
        CHECK(cudaMemcpyAsync(lists[0].large, &all, sizeof all, cudaMemcpyHostToDevice, gpu->stream));
        bucket_lists::lengths length = {1, 0, all.tiles};
        for (unsigned round = 0; length.large > 0; round++) {
            Classify classify;
            TRY(begin(from, lists[round % 2].large, length.large, round, &classify));
            TRY(run(from, array[round % 2], lists[round % 2], lists[(round + 1) % 2], classify, &length));
            from = array[round % 2];
        }
        return SCANKIT_OK;
    }
};

#endif
