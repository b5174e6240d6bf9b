// box_ring.cuh - a pass of a box filter over elements of 4 bytes: the pixels under the box lie in a ring in shared
// memory, so each is read once. Copies into the ring are asynchronous, a chunk ahead.
//
// Places of a row are pixels and what lies beyond the edges: place -1 is before pixel 0. The ring's end gets the places
// before the first chunk's entering ones, from -r - 1 to r. The pixel that leaves entered 2r + 1 places before. Rows
// are longer than r. So what enters behind a row's end is a pixel that is still in the ring, and is not copied.
#ifndef SK_CUDA_BOX_RING_CUH
#define SK_CUDA_BOX_RING_CUH

#include <cuda_pipeline.h>

#include "image/box_segments.cuh"

constexpr int BOX_RING_THREADS = BOX_SEQUENCES * WARP; // a warp copies one sequence
constexpr int BOX_RING_CHUNK = BOX_CHUNK<BOX_RING_THREADS>, BOX_RING_BLOCKS = 3;

// Words of a sequence's ring: the pixels under the box, one that has left it, the chunk that enters, and the next one.
// A whole number of chunks, so that each lies in one piece.
__host__ __device__ constexpr size_t box_ring_size(uint32_t radius)
{
    size_t places = 2 * size_t(radius >> SK_BOX_SHIFT) + 2;
    return ((places - 1) / BOX_RING_CHUNK + 3) * BOX_RING_CHUNK;
}

// Bytes of a block's rings. One word lies between two of them: they begin in different banks.
constexpr size_t box_ring_bytes(uint32_t radius)
{
    return BOX_SEQUENCES * (box_ring_size(radius) + 1) * sizeof(uint32_t);
}

// Segments of a warp are 16 words apart, and two of them would share banks: words of odd 32s change their 8s.
__device__ __forceinline__ int box_ring_word(int place)
{
    return place ^ (place >> 2 & 8);
}

// ---- the window: a thread's segment ----

template <class E> struct box_ring_window {
    static constexpr int UNROLL = BOX_SEGMENT;
    const E *ring, *entering;
    int turned, leaving, size;

    __device__ __forceinline__ E enters(int i) const
    {
        return entering[i < 8 ? i + turned : i - turned];
    }

    __device__ __forceinline__ E leaves(int i) const
    {
        int place = leaving + i;
        place -= place >= size ? size : 0;
        return ring[box_ring_word(place)];
    }
};

// The same at the end of a row, where places beyond the edge may enter.
template <class E> struct box_ring_end_window : box_ring_window<E> {
    static constexpr int UNROLL = 4;
    int first, beyond; // the ring's place of the first entering one, and how many places it lies beyond the edge
    scankit_edge edge;

    __device__ __forceinline__ E enters(int i) const
    {
        int over = beyond + i, place = first + i;
        if (over >= 0)
            place -= edge == SCANKIT_EDGE_MIRROR ? 2 * over + 1 : over + 1;
        place += place < 0 ? this->size : 0;
        return over >= 0 && edge == SCANKIT_EDGE_OMIT ? E() : this->ring[box_ring_word(place)];
    }
};

// ---- the block ----

template <class E, class A> struct box_ring {
    struct room {
        box_totals<A, BOX_RING_THREADS> totals;
        A first[BOX_SEQUENCES];
    };

    const box_pass &pass;
    room &shared;
    E *const ring;     // of the first sequence
    const int size;    // of a sequence's ring
    const int reach;   // whole pixels of the radius
    const E *row;      // of the sequence that this warp copies
    int base = 0;      // the ring's place of the chunk's first entering pixel
    int64_t next;      // the place that is copied next
    int next_base = 0; // where to

    __device__ box_ring(const box_pass &of, room &in, E *words)
        : pass(of), shared(in), ring(words), size(int(box_ring_size(of.radius))), reach(int(of.radius >> SK_BOX_SHIFT)),
          next(reach + 1)
    {
        size_t sequence = min(size_t(blockIdx.x) * BOX_SEQUENCES + threadIdx.x / WARP, pass.sequences - 1);
        row =
            reinterpret_cast<const E *>(pass.in + sequence / pass.channels * pass.in_pitch) + sequence % pass.channels;
    }

    __device__ __forceinline__ E *ring_of(int sequence) const
    {
        return ring + sequence * (size + 1);
    }

    // ---- before the first chunk ----

    __device__ __forceinline__ void copy_first() const
    {
        E *to = ring_of(threadIdx.x / WARP);
        int zero = size - 1 - reach;
#pragma unroll 4
        for (int i = int(lane_id()); i <= reach; i += WARP)
            __pipeline_memcpy_async(to + box_ring_word(zero + i), row + size_t(i) * pass.channels, sizeof(E));
        __pipeline_commit();
    }

    // A lane's sum of the places from -r to r; the ring gets those before pixel 0. Additions do not wait for each
    // other.
    __device__ __forceinline__ A sum_places() const
    {
        E *of = ring_of(threadIdx.x / WARP);
        int zero = size - 1 - reach, i = int(lane_id());
        A sums[4] = {};
        for (; i + 3 * WARP <= reach; i += 4 * WARP)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sums[j] += A(of[box_ring_word(zero + i + j * WARP)]);
        for (; i <= reach; i += WARP)
            sums[0] += A(of[box_ring_word(zero + i)]);
        E edge = of[box_ring_word(zero)];
#pragma unroll 4
        for (i = int(lane_id()); i <= reach; i += WARP) {
            E value = pass.edge == SCANKIT_EDGE_MIRROR  ? of[box_ring_word(zero + i)]
                      : pass.edge == SCANKIT_EDGE_CLAMP ? edge
                                                        : E();
            of[box_ring_word(zero - 1 - i)] = value;
            sums[1] += i < reach ? A(value) : A(0);
        }
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }

    __device__ __forceinline__ void sum_first()
    {
        A sum = sum_places();
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(FULL_WARP, sum, distance);
        if (lane_id() == 0)
            shared.first[threadIdx.x / WARP] = sum;
    }

    // ---- chunks ----

    // Copies the next entering pixels, if there are any.
    __device__ __forceinline__ void copy_next()
    {
        E *to = ring_of(threadIdx.x / WARP);
        const E *from = row + (next + lane_id()) * pass.channels;
        if (next + BOX_RING_CHUNK <= int64_t(pass.length)) {
#pragma unroll
            for (int j = 0; j < BOX_RING_CHUNK; j += WARP)
                __pipeline_memcpy_async(to + box_ring_word(next_base + j + int(lane_id())),
                                        from + size_t(j) * pass.channels, sizeof(E));
        } else {
            int there = int(max(int64_t(pass.length) - next, int64_t(0)));
#pragma unroll 1
            for (int j = 0; j + int(lane_id()) < there; j += WARP)
                __pipeline_memcpy_async(to + box_ring_word(next_base + j + int(lane_id())),
                                        from + size_t(j) * pass.channels, sizeof(E));
        }
        __pipeline_commit();
        next += BOX_RING_CHUNK;
        next_base = next_base + BOX_RING_CHUNK == size ? 0 : next_base + BOX_RING_CHUNK;
    }

    // Places beyond the edge enter in the chunk that begins at that pixel.
    __device__ __forceinline__ bool is_end(size_t chunk) const
    {
        return chunk + BOX_RING_CHUNK + reach + 1 > pass.length;
    }

    __device__ __forceinline__ box_ring_window<E> window() const
    {
        box_ring_window<E> of;
        int first = base + box_segment();
        of.ring = ring_of(box_sequence());
        of.entering = of.ring + first;
        of.turned = first >> 2 & 8;
        of.size = size;
        of.leaving = first - 2 * reach - 1;
        of.leaving += of.leaving - 1 < 0 ? size : 0; // leaves(-1) is read too
        return of;
    }

    __device__ __forceinline__ box_ring_end_window<E> end_window(size_t chunk) const
    {
        box_ring_end_window<E> of;
        static_cast<box_ring_window<E> &>(of) = window();
        of.first = base + box_segment();
        of.beyond = int(int64_t(chunk) + box_segment() + reach + 1 - int64_t(pass.length));
        of.edge = pass.edge;
        return of;
    }

    template <class Store, class Window>
    __device__ __forceinline__ void sum_chunk(A &carry, size_t chunk, const box_writer<Store> &writer,
                                              const Window &window)
    {
        A before = shared.totals.scan_segments(box_sum_segment<A>(window));
        __syncthreads();
        A sum = shared.totals.begin_segment(carry, before);
        writer.write(sum, chunk, BOX_RING_CHUNK, window);
    }

    __device__ __forceinline__ void move_on()
    {
        base = base + BOX_RING_CHUNK == size ? 0 : base + BOX_RING_CHUNK;
    }
};

// E: elements of the input. A: sums by whole pixels. Store: what becomes of sums in units.
template <class E, class A, class Store>
static __global__ void __launch_bounds__(BOX_RING_THREADS, BOX_RING_BLOCKS) box_by_ring(const box_pass pass)
{
    static_assert(sizeof(E) == 4);
    extern __shared__ uint32_t words[];
    __shared__ typename box_ring<E, A>::room shared;
    box_ring<E, A> of(pass, shared, reinterpret_cast<E *>(words));
    box_writer<Store> writer(pass);
    of.copy_first();
    of.copy_next();
    __pipeline_wait_prior(1);
    __syncwarp();
    of.sum_first();
    __syncthreads();
    A carry = shared.first[box_sequence()];
    for (size_t chunk = 0; chunk < pass.length; chunk += BOX_RING_CHUNK) {
        __pipeline_wait_prior(0);
        __syncthreads(); // this chunk has come, and all have done with the one before
        of.copy_next();
        if (of.is_end(chunk))
            of.sum_chunk(carry, chunk, writer, of.end_window(chunk));
        else
            of.sum_chunk(carry, chunk, writer, of.window());
        of.move_on();
    }
}

#endif
