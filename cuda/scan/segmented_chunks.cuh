// segmented_chunks.cuh - reduces segments of middle lengths. Segments are cut into chunks of the vectors that a few
// lanes load at a time, and the chunks of up to 256 segments are shared out among all such lanes of the block. Then a
// thread for each segment combines the results of its chunks. The operator must be commutative.
#ifndef SK_CUDA_SEGMENTED_CHUNKS_CUH
#define SK_CUDA_SEGMENTED_CHUNKS_CUH

#include "scan/segmented_input.cuh"

template <class Op> struct segmented_chunks {
    using T = typename Op::type;
    using E = typename Op::element;
    using vector = element_vector<E>;
    static constexpr int THREADS = SEGMENTED_THREADS;
    static constexpr unsigned EACH = vector::EACH, VECTORS = SEGMENTED_LOADS<E>, MOST = SEGMENTED_CHUNKS;
    static constexpr unsigned EACH_BITS = EACH == 16 ? 4 : EACH == 8 ? 3 : EACH == 4 ? 2 : 1;

    struct shared_memory {
        unsigned lane_bits, bits;       // a chunk has 2^lane_bits lanes and 2^bits elements
        size_t base;                    // the element from which on others are counted, where a vector begins
        unsigned all;                   // chunks
        unsigned outer_low, outer_high; // vectors between may be loaded
        unsigned edge[THREADS + 1];     // where segments begin, and the last one ends, counted from `base`
        unsigned first[THREADS + 1];    // chunk of each segment, and the number of chunks
        unsigned char segment[MOST];    // of each chunk
        T result[MOST];                 // of each chunk
        block_sum<unsigned, THREADS> chunks;
    };

    const segmented_input<Op> &in;
    shared_memory &shared;
    const size_t &front, &back; // where the first segment of all begins, and the last one ends

    // Chooses chunks for `count` segments in `steps` steps. All threads shall have work, and a segment of mean length
    // is one chunk, of as few lanes as will do. Contains a barrier.
    __device__ __forceinline__ void choose(size_t steps, size_t count)
    {
        size_t vectors = steps / EACH + 1;
        unsigned each_bits = 0, lane_bits = 0; // vectors of a lane; lanes
        while (1u << each_bits < VECTORS && vectors > THREADS << each_bits)
            each_bits++;
        while (1u << lane_bits < WARP && count << (lane_bits + each_bits) < vectors)
            lane_bits++;
        if (threadIdx.x == 0) {
            shared.lane_bits = lane_bits;
            shared.bits = each_bits + lane_bits + EACH_BITS;
        }
        __syncthreads();
    }

    // One chunk: elements [low, high) of those from `from` on, which is the place of a vector in the array. Vectors
    // within [outer_low, outer_high) may be loaded. Returns the result to the first of the lanes.
    __device__ __forceinline__ T reduce_chunk(const E *from, unsigned low, unsigned high, unsigned outer_low,
                                              unsigned outer_high) const
    {
        unsigned lanes = 1u << shared.lane_bits, at = (threadIdx.x & (lanes - 1)) * EACH, step = lanes * EACH;
        vector several[VECTORS];
#pragma unroll
        for (unsigned i = 0; i < VECTORS; i++)
            if (at + i * step < high && at + i * step >= outer_low && at + i * step + EACH <= outer_high)
                several[i].raw = *reinterpret_cast<const uint4 *>(from + at + i * step);
        T result = Op::identity();
#pragma unroll
        for (unsigned i = 0; i < VECTORS; i++, at += step) {
            if (at >= high)
                break;
            if (at < outer_low || at + EACH > outer_high) {
#pragma unroll(EACH < 4 ? EACH : 4)
                for (unsigned j = 0; j < EACH; j++)
                    if (at + j >= low && at + j < high)
                        result = Op::combine(result, load_as<Op>(from[at + j]));
            } else if (at >= low && at + EACH <= high) {
#pragma unroll
                for (unsigned j = 0; j < EACH; j++)
                    result = Op::combine(result, load_as<Op>(several[i].item[j]));
            } else {
#pragma unroll
                for (unsigned j = 0; j < EACH; j++) {
                    T next = Op::combine(result, load_as<Op>(several[i].item[j]));
                    result = at + j >= low && at + j < high ? next : result;
                }
            }
        }
        for (unsigned distance = 1; distance < lanes; distance *= 2)
            result = Op::combine(result, warp_down(result, int(distance)));
        return result;
    }

    // All chunks of a batch.
    __device__ __forceinline__ void reduce_chunks()
    {
        for (unsigned chunk = threadIdx.x >> shared.lane_bits;; chunk += THREADS >> shared.lane_bits) {
            bool there = chunk < shared.all;
            if (!__any_sync(FULL_WARP, there))
                break;
            unsigned segment = there ? shared.segment[chunk] : 0, first = shared.edge[segment];
            unsigned begin = first / EACH * EACH + ((chunk - shared.first[segment]) << shared.bits);
            unsigned low = first > begin ? first - begin : 0, high = there ? shared.edge[segment + 1] - begin : 0;
            high = high < 1u << shared.bits ? high : 1u << shared.bits;
            T result = reduce_chunk(in.in + shared.base + begin, low, high,
                                    shared.outer_low > begin ? shared.outer_low - begin : 0, shared.outer_high - begin);
            if (there && threadIdx.x == threadIdx.x >> shared.lane_bits << shared.lane_bits)
                shared.result[chunk] = result;
        }
    }

    // Reduces some of the segments from `segment` to `behind` and returns their number: 0 if the first one is too long.
    __device__ __forceinline__ unsigned reduce_batch(size_t segment, size_t behind)
    {
        unsigned i = threadIdx.x, count = behind - segment < THREADS ? unsigned(behind - segment) : THREADS, chunks = 0;
        size_t base = in.offsets[segment] / EACH * EACH;
        if (i < count) {
            size_t first = in.offsets[segment + i] - base, end = in.offsets[segment + i + 1] - base;
            size_t needed = first < end ? ((end - first / EACH * EACH - 1) >> shared.bits) + 1 : 0;
            chunks = needed < MOST + 1 ? unsigned(needed) : MOST + 1;
            shared.edge[i] = unsigned(first);
            if (i + 1 == count)
                shared.edge[count] = unsigned(end);
        }
        unsigned before = shared.chunks.exclusive(chunks);
        bool fits = i < count && before + chunks <= MOST;
        if (i == 0) {
            bool aligned = uintptr_t(in.in) % 16 == 0;
            shared.first[0] = 0;
            shared.base = base;
            shared.outer_low = !aligned ? UINT_MAX : front > base ? unsigned(front - base) : 0;
            shared.outer_high = back - base < UINT_MAX ? unsigned(back - base) : UINT_MAX;
        }
        if (fits) {
            shared.first[i + 1] = before + chunks;
            for (unsigned c = 0; c < chunks; c++)
                shared.segment[before + c] = (unsigned char)i;
        }
        count = __syncthreads_count(fits);
        if (threadIdx.x == 0)
            shared.all = count > 0 ? shared.first[count] : 0;
        __syncthreads();
        reduce_chunks();
        __syncthreads();
        if (threadIdx.x < count) {
            T result = Op::identity();
            for (unsigned c = shared.first[threadIdx.x]; c < shared.first[threadIdx.x + 1]; c++)
                result = Op::combine(result, shared.result[c]);
            in.put(segment + threadIdx.x, result);
        }
        __syncthreads();
        return count;
    }
};

#endif
