// segmented_reduce.cuh - reductions of segments between offsets, of any lengths. The work is divided along the merge
// path of elements and ends of segments, on which an element comes before the end of its segment. The path is cut into
// tiles of one length, and each of a fixed number of blocks gets a contiguous part of them (Merrill and Garland,
// Merge-based Parallel Sparse Matrix-Vector Multiplication, 2016). The block that finishes last completes the first
// result of each part with the results that earlier parts left open. So no block waits, and the order of operations
// depends on the offsets alone.
//
// Phases of a tile: load the elements to shared memory, and mark the last element of each segment; reduce between
// marks; scan the open results of threads; store each result at the place of its mark, and from there, one thread per
// segment, to the output. Tiles in which no segment ends need none of this: if the operator is commutative, threads
// accumulate their own sums until a segment ends.
#ifndef SK_CUDA_SEGMENTED_REDUCE_CUH
#define SK_CUDA_SEGMENTED_REDUCE_CUH

#include <cuda_pipeline.h>

#include "common/block_sum.cuh"
#include "device/tuning.cuh"
#include "scan/segment.cuh"

// The result of a part of the path.
template <class T> struct segmented_part {
    T open;     // the partial result of the segment that goes on after the part
    bool ends;  // a segment ends in the part; the first one is `first`
    bool joins; // and that one began before the part
    size_t first;
};

template <class T, class E> struct segmented_reduce_arguments {
    const E *in;
    const uint64_t *offsets;
    T *results;
    size_t segments;
    segmented_part<T> *parts;
    unsigned long long *tickets; // of finished parts
};

template <class Op> struct segmented_reducer {
    using T = typename Op::type;
    using E = typename Op::element;
    static constexpr int THREADS = SEGMENTED_THREADS, STEPS = SEGMENTED_STEPS<T>;
    static constexpr unsigned TILE = THREADS * STEPS, PER_VECTOR = 16 / sizeof(T);
    static constexpr unsigned BATCH = THREADS / 2 - 1; // tiles whose begins are searched together
    static constexpr int LOOKS = 4;                    // offsets that a thread loads together

    static constexpr unsigned EACH = 16 / sizeof(E); // elements of a vector of the array

    union vector {
        uint4 raw;
        E item[EACH];
        __device__ vector()
        {
        }
    };

    struct shared_memory {
        alignas(16) T items[TILE + PER_VECTOR]; // the first one at its phase_of()
        unsigned marks[TILE / WARP + 1];
        size_t ends[BATCH + 1]; // ends of segments before each tile, and before the end of the last tile
        warp_totals<op_open_segment<Op>, THREADS> totals;
        bool last;
    };

    const segmented_reduce_arguments<T, E> &to;
    shared_memory &shared;
    size_t front; // elements before all segments
    T open;       // the partial result of the segment that is open after the tiles so far, without `own`
    T own;        // this thread's result of tiles in which no segment ended
    bool has_own; // there were such tiles
    bool ends;    // a segment has ended

    // Elements before the end of a segment.
    __device__ __forceinline__ size_t end_of(size_t segment) const
    {
        return to.offsets[segment + 1] - front;
    }

    // Counts the ends of segments before the begins of tiles [tile, tile + count] of the path: segment s ends at step
    // end_of(s) + s. The lanes are divided evenly among these searches. Contains a barrier.
    __device__ __forceinline__ void find_ends(size_t tile, unsigned count, size_t path)
    {
        unsigned bits = 5;
        while (THREADS >> bits <= count)
            bits--;
        unsigned which = threadIdx.x >> bits, lane = threadIdx.x & ((1u << bits) - 1), first_lane = lane_id() - lane;
        size_t steps = (tile + which) * TILE, low = 0, high = which <= count ? to.segments : 0;
        steps = steps < path ? steps : path;
        while (__any_sync(FULL_WARP, low < high)) {
            size_t stride = ((high - low) >> bits) + 1, at = low + (lane + 1) * stride - 1;
            bool behind = at >= high || end_of(at) + at >= steps; // the last lane's is always true
            unsigned found = __ffs(__ballot_sync(FULL_WARP, behind) >> first_lane) - 1;
            low += found * stride;
            high = low + stride - 1 < high ? low + stride - 1 : high;
        }
        if (which <= count && lane == 0)
            shared.ends[which] = low;
        __syncthreads();
    }

    // The open result before each thread. Each thread has an open piece, and `ends` says if a segment ends before it.
    // Returns the total of the block. All threads must have read the totals of an earlier call.
    __device__ __forceinline__ segment<T> scan_open(bool ends, T piece, segment<T> &before)
    {
        using op = op_open_segment<Op>;
        unsigned votes = __ballot_sync(FULL_WARP, ends);
        T scanned = warp_scan_open<Op>(piece, votes);
        segment<T> in_warp = {votes & lanes_below(), warp_before<Op>(scanned)};
        shared.totals.publish({votes, scanned});
        __syncthreads();
        warp_share<segment<T>> share = shared.totals.fold();
        before = op::combine(share.before, in_warp);
        return share.total;
    }

    // ---- tiles in which no segment ends ----

    __device__ __forceinline__ void add(E item)
    {
        own = Op::combine(own, load_as<Op>(item));
    }

    // A vector, in one load if the array begins at a multiple of 16 bytes.
    __device__ __forceinline__ vector load_vector(const E *from, bool aligned) const
    {
        vector v;
        if (aligned) {
            v.raw = *reinterpret_cast<const uint4 *>(from);
        } else {
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
                v.item[i] = from[i];
        }
        return v;
    }

    __device__ __forceinline__ void add_vector(const vector &v)
    {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            add(v.item[i]);
    }

    // Elements [first, first + n), by vectors of the array.
    __device__ __forceinline__ void add_run(size_t first, size_t n)
    {
        bool aligned = uintptr_t(to.in) % 16 == 0;
        size_t ahead = (EACH - first % EACH) % EACH;
        ahead = ahead < n ? ahead : n;
        const E *from = to.in + first, *vectors = from + ahead;
        size_t count = (n - ahead) / EACH, behind = ahead + count * EACH, v = threadIdx.x;
        if (threadIdx.x < ahead)
            add(from[threadIdx.x]);
        if (behind + threadIdx.x < n)
            add(from[behind + threadIdx.x]);
        for (; v + (SEGMENTED_LOADS - 1) * THREADS < count; v += SEGMENTED_LOADS * THREADS) {
            vector several[SEGMENTED_LOADS];
#pragma unroll
            for (int i = 0; i < SEGMENTED_LOADS; i++)
                several[i] = load_vector(vectors + (v + i * THREADS) * EACH, aligned);
#pragma unroll
            for (int i = 0; i < SEGMENTED_LOADS; i++)
                add_vector(several[i]);
        }
        for (; v < count; v += THREADS)
            add_vector(load_vector(vectors + v * EACH, aligned));
        has_own = true;
    }

    // Adds the threads' own results to the open segment. Contains a barrier.
    __device__ __forceinline__ void collect_own()
    {
        segment<T> before;
        if (has_own)
            open = Op::combine(open, scan_open(false, own, before).open);
        __syncthreads();
        own = Op::identity();
        has_own = false;
    }

    // ---- other tiles: elements [begin, begin + n), and segments [segment, behind) end ----

    // The place of the first item: its element's place in 16 bytes, if items are elements.
    static __device__ __forceinline__ unsigned phase_of(const E *from)
    {
        return WIDENS<Op> ? 0 : unsigned(uintptr_t(from) % 16 / sizeof(E));
    }

    // Loads the items. Places outside become the identity.
    __device__ __forceinline__ void send_items(const E *from, unsigned phase, unsigned n)
    {
        if constexpr (WIDENS<Op>) {
            for (unsigned at = threadIdx.x; at < TILE + PER_VECTOR; at += THREADS)
                shared.items[at] = at < n ? load_as<Op>(from[at]) : Op::identity();
        } else {
            from -= phase;
            for (unsigned at = threadIdx.x * PER_VECTOR; at < TILE + PER_VECTOR; at += THREADS * PER_VECTOR) {
                if (at >= phase && at + PER_VECTOR <= phase + n) {
                    __pipeline_memcpy_async(shared.items + at, from + at, 16);
                } else {
#pragma unroll
                    for (int i = 0; i < PER_VECTOR; i++)
                        shared.items[at + i] = at + i >= phase && at + i < phase + n ? from[at + i] : Op::identity();
                }
            }
        }
        __pipeline_commit();
    }

    __device__ __forceinline__ void mark_ends(size_t begin, size_t segment, size_t behind)
    {
        for (size_t s = segment + threadIdx.x; s < behind; s += LOOKS * THREADS) {
            size_t end[LOOKS];
#pragma unroll
            for (int i = 0; i < LOOKS; i++)
                end[i] = s + i * THREADS < behind ? end_of(s + i * THREADS) : 0;
#pragma unroll
            for (int i = 0; i < LOOKS; i++)
                if (end[i] > begin) {
                    unsigned last = unsigned(end[i] - begin) - 1;
                    atomicOr(&shared.marks[last / WARP], 1u << last % WARP);
                }
        }
    }

    // The marks of this thread's elements: the last one of each segment.
    __device__ __forceinline__ unsigned own_marks() const
    {
        unsigned at = threadIdx.x * STEPS;
        unsigned bits = __funnelshift_r(shared.marks[at / WARP], shared.marks[at / WARP + 1], at % WARP);
        return bits & ((1u << STEPS) - 1);
    }

    // Stores every result at the place of its segment's last element.
    __device__ __forceinline__ void reduce_items(unsigned phase)
    {
        T piece = Op::identity();
        T *mine = shared.items + phase + threadIdx.x * STEPS;
        unsigned marks = own_marks();
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            T item = mine[i];
            piece = i == 0 || marks >> (i - 1) & 1 ? item : Op::combine(piece, item);
        }
        if (marks >> (STEPS - 1) & 1)
            piece = Op::identity();
        segment<T> before;
        segment<T> total = scan_open(marks != 0, piece, before);
        T running = before.runs > 0 ? before.open : Op::combine(open, before.open);
        if (marks != 0) {
#pragma unroll
            for (int i = 0; i < STEPS; i++) {
                running = Op::combine(running, mine[i]);
                if (marks >> i & 1) {
                    mine[i] = running;
                    running = Op::identity();
                }
            }
        }
        open = total.runs > 0 ? total.open : Op::combine(open, total.open);
    }

    __device__ __forceinline__ void write_results(size_t begin, size_t segment, size_t behind, unsigned phase, T before)
    {
        for (size_t s = segment + threadIdx.x; s < behind; s += LOOKS * THREADS) {
            size_t first[LOOKS], end[LOOKS];
#pragma unroll
            for (int i = 0; i < LOOKS; i++) {
                bool there = s + i * THREADS < behind;
                first[i] = there ? to.offsets[s + i * THREADS] - front : 0;
                end[i] = there ? end_of(s + i * THREADS) : 0;
            }
#pragma unroll
            for (int i = 0; i < LOOKS; i++)
                if (s + i * THREADS < behind) {
                    // If all elements of the segment are before the tile, the result is what was open there.
                    T result = first[i] == end[i] ? Op::identity() : before;
                    if (first[i] < end[i] && end[i] > begin)
                        result = shared.items[phase + unsigned(end[i] - begin) - 1];
                    to.results[s + i * THREADS] = result;
                }
        }
    }

    __device__ __forceinline__ void reduce_tile(size_t begin, unsigned n, size_t segment, size_t behind)
    {
        const E *from = to.in + front + begin;
        for (unsigned i = threadIdx.x; i < TILE / WARP + 1; i += THREADS)
            shared.marks[i] = 0;
        unsigned phase = phase_of(from);
        send_items(from, phase, n);
        collect_own();
        ends = ends || segment < behind;
        mark_ends(begin, segment, behind);
        __pipeline_wait_prior(0);
        __syncthreads();
        T before = open;
        if (segment < behind && end_of(segment) == begin) // all its elements are before the tile
            open = Op::identity();
        reduce_items(phase);
        __syncthreads();
        write_results(begin, segment, behind, phase, before);
        __syncthreads();
    }

    // Tiles [first, last) of a path of `path` steps.
    __device__ __forceinline__ segmented_part<T> reduce_part(size_t first, size_t last, size_t path)
    {
        segmented_part<T> part = {};
        size_t first_begin = 0; // of the first segment that ends in the part
        open = own = Op::identity();
        has_own = ends = false;
        for (size_t batch = first; batch < last; batch += BATCH) {
            unsigned tiles = last - batch < BATCH ? unsigned(last - batch) : BATCH;
            find_ends(batch, tiles, path);
            if (batch == first) {
                part.first = shared.ends[0];
                first_begin = to.offsets[part.first];
            }
            for (unsigned tile = 0, next; tile < tiles; tile = next) {
                size_t segment = shared.ends[tile], steps = (batch + tile) * TILE, begin = steps - segment;
                next = tile + 1;
                if (is_commutative<Op> && shared.ends[next] == segment)
                    while (next < tiles && shared.ends[next + 1] == segment)
                        next++;
                size_t behind = shared.ends[next], end = (batch + next) * TILE < path ? (batch + next) * TILE : path;
                size_t n = end - behind - begin;
                if (is_commutative<Op> && behind == segment)
                    add_run(front + begin, n);
                else
                    reduce_tile(begin, unsigned(n), segment, behind);
            }
            __syncthreads();
        }
        collect_own();
        part.open = open;
        part.ends = ends;
        part.joins = ends && first_begin - front < first * TILE - part.first;
        return part;
    }

    // Completes the first result of every part with what is open before it.
    __device__ __forceinline__ void join_parts(unsigned parts)
    {
        unsigned each = (parts - 1) / THREADS + 1, first = threadIdx.x * each;
        unsigned last = first + each < parts ? first + each : parts;
        using op = op_open_segment<Op>;
        segment<T> piece = op::identity(), before;
        for (unsigned p = first; p < last; p++)
            piece = op::combine(piece, {to.parts[p].ends, to.parts[p].open});
        scan_open(piece.runs > 0, piece.open, before);
        T running = before.open;
        for (unsigned p = first; p < last; p++) {
            segmented_part<T> part = to.parts[p];
            if (part.joins)
                to.results[part.first] = Op::combine(running, to.results[part.first]);
            running = part.ends ? part.open : Op::combine(running, part.open);
        }
    }
};

template <class Op>
__global__ void __launch_bounds__(SEGMENTED_THREADS, SEGMENTED_BLOCKS)
    reduce_segments(segmented_reduce_arguments<typename Op::type, typename Op::element> to)
{
    using T = typename Op::type;
    using reducer = segmented_reducer<Op>;
    __shared__ typename reducer::shared_memory shared;
    size_t front = to.offsets[0], path = to.offsets[to.segments] - front + to.segments;
    size_t tiles = (path - 1) / reducer::TILE + 1, each = (tiles - 1) / SEGMENTED_PARTS + 1,
           even = (tiles - 1) / SEGMENTED_WAVE + 1;
    each = even < SEGMENTED_FEW_TILES ? even : each > SEGMENTED_FEW_TILES ? each : SEGMENTED_FEW_TILES;
    size_t first = blockIdx.x * each;
    if (first >= tiles)
        return;
    unsigned parts = unsigned((tiles - 1) / each + 1);
    reducer block = {to, shared, front};
    segmented_part<T> part = block.reduce_part(first, first + each < tiles ? first + each : tiles, path);
    if (parts == 1)
        return;
    if (threadIdx.x == 0) {
        to.parts[blockIdx.x] = part;
        shared.last = is_last_to_finish(to.tickets, parts);
    }
    __syncthreads();
    if (shared.last)
        block.join_parts(parts);
}

#endif
