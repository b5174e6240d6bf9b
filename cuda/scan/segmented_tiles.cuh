// segmented_tiles.cuh - reduces segments of any lengths. The merge path of elements and ends of segments is cut into
// tiles of one length (segmented_reduce.cuh).
//
// Phases of a tile: load the elements to shared memory, and mark the last element of each segment; reduce between
// marks; scan the open results of threads; store each result at the place of its mark, and from there, one thread per
// segment, to the output. Tiles in which no segment ends need none of this: if the operator is commutative, threads
// accumulate their own results until a segment ends.
#ifndef SK_CUDA_SEGMENTED_TILES_CUH
#define SK_CUDA_SEGMENTED_TILES_CUH

#include <cuda_pipeline.h>

#include "scan/segmented_input.cuh"

// Steps of the path, in which segments [first, behind) end.
struct segmented_stretch {
    size_t begin, end, first, behind;
};

template <class Op> struct segmented_tiles {
    using T = typename Op::type;
    using E = typename Op::element;
    static constexpr int THREADS = SEGMENTED_THREADS, STEPS = SEGMENTED_STEPS<T>;
    static constexpr unsigned TILE = THREADS * STEPS, PER_VECTOR = 16 / sizeof(T);
    static constexpr unsigned BATCH = THREADS / 2 - 1;   // tiles whose begins are searched together
    static constexpr int LOADS = SEGMENTED_RUN_LOADS<E>; // vectors that a thread loads together
    static constexpr int LOOKS = 4;                      // offsets that a thread loads together

    using vector = element_vector<E>;
    static constexpr unsigned EACH = vector::EACH;

    struct shared_memory {
        alignas(16) T items[TILE + PER_VECTOR]; // the first one at its phase_of()
        unsigned marks[TILE / WARP + 1];
        size_t ends[BATCH + 1]; // ends of segments before each tile, and before the end of the last tile
        warp_totals<op_open_segment<Op>, THREADS> totals;
    };

    const segmented_input<Op> &in;
    shared_memory &shared;
    const size_t &front; // elements before all segments, in shared memory
    T open;              // the partial result of the segment that is open after the tiles so far, without `own`
    T own;               // this thread's result of tiles in which no segment ended
    bool has_own;        // there were such tiles

    // Elements before the end of a segment.
    __device__ __forceinline__ size_t end_of(size_t segment) const
    {
        return in.offsets[segment + 1] - front;
    }

    // Counts the ends of segments before the begins of the first `count` tiles, and before the end of the last one.
    // Segment s ends at step end_of(s) + s. The lanes are divided evenly among these searches. Contains a barrier.
    __device__ __forceinline__ void find_ends(const segmented_stretch &steps, unsigned count)
    {
        unsigned bits = 5;
        while (THREADS >> bits <= count)
            bits--;
        unsigned which = threadIdx.x >> bits, lane = threadIdx.x & ((1u << bits) - 1), first_lane = lane_id() - lane;
        size_t step = steps.begin + which * TILE, low = steps.first, high = steps.behind;
        if (which == 0 || which > count)
            high = low;
        else if (step >= steps.end)
            low = high;
        while (__any_sync(FULL_WARP, low < high)) {
            size_t stride = ((high - low) >> bits) + 1, at = low + (lane + 1) * stride - 1;
            bool behind = at >= high || end_of(at) + at >= step; // the last lane's is always true
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

    __device__ __forceinline__ void add_vector(const vector &v)
    {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            add(v.item[i]);
    }

    // Elements [first, first + n), by vectors of the array.
    __device__ __forceinline__ void add_run(size_t first, size_t n)
    {
        bool aligned = uintptr_t(in.in) % 16 == 0;
        size_t ahead = (EACH - first % EACH) % EACH;
        ahead = ahead < n ? ahead : n;
        const E *from = in.in + first, *vectors = from + ahead;
        size_t count = (n - ahead) / EACH, behind = ahead + count * EACH, v = threadIdx.x;
        if (threadIdx.x < ahead)
            add(from[threadIdx.x]);
        if (behind + threadIdx.x < n)
            add(from[behind + threadIdx.x]);
        for (; v + (LOADS - 1) * THREADS < count; v += LOADS * THREADS) {
            vector several[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                several[i] = load_vector<E>(vectors + (v + i * THREADS) * EACH, aligned);
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                add_vector(several[i]);
        }
        for (; v < count; v += THREADS)
            add_vector(load_vector<E>(vectors + v * EACH, aligned));
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
                first[i] = there ? in.offsets[s + i * THREADS] - front : 0;
                end[i] = there ? end_of(s + i * THREADS) : 0;
            }
#pragma unroll
            for (int i = 0; i < LOOKS; i++)
                if (s + i * THREADS < behind) {
                    // If all elements of the segment are before the tile, the result is what was open there.
                    T result = first[i] == end[i] ? Op::identity() : before;
                    if (first[i] < end[i] && end[i] > begin)
                        result = shared.items[phase + unsigned(end[i] - begin) - 1];
                    in.put(s + i * THREADS, result);
                }
        }
    }

    __device__ __forceinline__ void reduce_tile(size_t begin, unsigned n, size_t segment, size_t behind)
    {
        const E *from = in.in + front + begin;
        for (unsigned i = threadIdx.x; i < TILE / WARP + 1; i += THREADS)
            shared.marks[i] = 0;
        unsigned phase = phase_of(from);
        send_items(from, phase, n);
        collect_own();
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

    // Returns what is open at the end. The stretch is in shared memory, and becomes empty.
    __device__ __forceinline__ T reduce_steps(segmented_stretch &steps)
    {
        open = own = Op::identity();
        has_own = false;
        while (steps.begin < steps.end) {
            size_t tiles = (steps.end - steps.begin + TILE - 1) / TILE;
            unsigned count = tiles < BATCH ? unsigned(tiles) : BATCH;
            find_ends(steps, count);
            for (unsigned tile = 0, next; tile < count; tile = next) {
                size_t segment = shared.ends[tile], from = steps.begin + tile * TILE - segment;
                next = tile + 1;
                if (is_commutative<Op> && shared.ends[next] == segment)
                    while (next < count && shared.ends[next + 1] == segment)
                        next++;
                size_t behind = shared.ends[next], to = steps.begin + next * TILE;
                size_t n = (to < steps.end ? to : steps.end) - behind - from;
                if (is_commutative<Op> && behind == segment)
                    add_run(front + from, n);
                else
                    reduce_tile(from, unsigned(n), segment, behind);
            }
            __syncthreads();
            if (threadIdx.x == 0) {
                steps.begin += count * TILE;
                steps.first = shared.ends[count];
            }
            __syncthreads();
        }
        collect_own();
        return open;
    }
};

#endif
