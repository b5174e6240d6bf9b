// expand.cuh - run-length decoding: finds the run of each element of the output. A scan of the lengths gives the ends
// of the runs. A first kernel searches them for the first run of each tile; if there are few tiles, each tile searches
// itself. Then a tile marks the places where its runs begin with their numbers, and a scan with max carries the numbers
// to the places between.
#ifndef SK_CUDA_EXPAND_CUH
#define SK_CUDA_EXPAND_CUH

#include <type_traits>

#include "common/block_sum.cuh"
#include "common/op.cuh"
#include "common/tile.cuh"
#include "device/overlap.cuh"
#include "device/tuning.cuh"

// A sum that saturates, so that a scan can tell an overflow. It is associative.
struct op_saturating_sum {
    using element = sk_u64;
    using type = sk_u64;
    template <class E> static __device__ __forceinline__ E store(type part)
    {
        return part;
    }
    static __host__ __device__ __forceinline__ type identity()
    {
        return 0;
    }
    static __device__ __forceinline__ type combine(type a, type b)
    {
        return a + b < a ? ~type(0) : a + b;
    }
};

// The value of an element: its run's value, or its run's number.
template <class U> struct run_values {
    using type = U;
    const U *values;
    __device__ __forceinline__ U operator()(size_t run) const
    {
        return values[run];
    }
};

struct run_numbers {
    using type = uint64_t;
    __device__ __forceinline__ uint64_t operator()(size_t run) const
    {
        return run;
    }
};

// Elements [first, first + n) of the output go to out[0] and on. Tiles begin at multiples of 16 bytes, so the first one
// begins `lead` elements before out.
struct expand_arguments {
    const sk_u64 *ends;
    size_t runs;
    void *out;
    size_t first, n;
    unsigned lead;
    sk_u64 *tile_runs; // the run at the begin of each tile, and at the end; NULL: tiles search, and n is the room
    sk_u64 *total;     // if tiles search: gets the number of elements
};

// The run of a position: the first one that ends after it.
__device__ __forceinline__ size_t run_at(const sk_u64 *ends, size_t runs, size_t position)
{
    size_t low = 0, high = runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends[middle] > position)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The same by a warp, which compares 32 ends at a time.
__device__ __forceinline__ size_t warp_run_at(const sk_u64 *ends, size_t runs, size_t position)
{
    size_t low = 0, high = runs;
    while (low < high) {
        size_t step = (high - low) / WARP + 1, at = low + (lane_id() + 1) * step - 1;
        unsigned found =
            __ffs(__ballot_sync(FULL_WARP, at >= high || ends[at] > position)); // the last lane's bit is always set
        low += (found - 1) * step;
        high = low + step - 1 < high ? low + step - 1 : high;
    }
    return low;
}

static __global__ void __launch_bounds__(MAP_THREADS)
    find_tile_runs(expand_arguments to, unsigned tile_size, size_t tiles)
{
    wait_for_launches();
    for (size_t t = size_t(blockIdx.x) * MAP_THREADS + threadIdx.x; t <= tiles; t += size_t(gridDim.x) * MAP_THREADS) {
        size_t place = t * tile_size, position = place < to.lead ? 0 : place - to.lead;
        to.tile_runs[t] = run_at(to.ends, to.runs, to.first + (position < to.n ? position : to.n - 1));
    }
}

// For elements of 1 and 2 bytes, the places of a tile of 4 bytes: a vector has as many elements, and fewer bytes. So a
// thread has fewer elements, which takes less time.
template <class T, int THREADS, int VECTORS> struct narrow_tile : tile<uint32_t, THREADS, VECTORS> {
    union vector {
        std::conditional_t<sizeof(T) == 1, unsigned, sk_u64> raw;
        T item[tile<uint32_t, THREADS, VECTORS>::PER_VECTOR];
        __device__ vector()
        {
        }
        __device__ __forceinline__ void store(T *to) const
        {
            if constexpr (sizeof(T) == 1)
                asm volatile("st.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "r"(raw) : "memory");
            else
                asm volatile("st.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "l"(raw) : "memory");
        }
    };
};

template <class U, int THREADS, int VECTORS>
using few_elements_tile =
    std::conditional_t<sizeof(U) < 4, narrow_tile<U, THREADS, VECTORS>, tile<U, THREADS, VECTORS>>;

// Few elements are more tiles, for more multiprocessors.
template <class U> using expand_tile = tile<U, EXPAND_THREADS, EXPAND_VECTORS<U>>;
template <class U> using small_expand_tile = few_elements_tile<U, EXPAND_THREADS, EXPAND_SMALL_VECTORS>;

// The greatest mark of the warp's part before each lane's vector of a row; returns the greatest of all. Two rows share
// a word.
template <class Tile, int ROWS>
__device__ __forceinline__ unsigned scan_marks(const uint16_t *marks, uint16_t (&before)[ROWS])
{
    unsigned greatest = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r += 2) {
        unsigned own[2] = {0, 0};
#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll
            for (int i = 0; i < Tile::PER_VECTOR; i++)
                own[half] = max(own[half], unsigned(marks[Tile::place(r + half) + i]));
        unsigned inclusive = own[0] | own[1] << 16;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            unsigned left = warp_up(inclusive, distance);
            inclusive = lane_id() >= unsigned(distance) ? __vmaxu2(left, inclusive) : inclusive;
        }
        unsigned left = warp_up(inclusive, 1), row_greatest = warp_from(inclusive, WARP - 1);
        left = lane_id() == 0 ? 0 : left;
        before[r] = uint16_t(max(greatest, left & 0xffff));
        greatest = max(greatest, row_greatest & 0xffff);
        before[r + 1] = uint16_t(max(greatest, left >> 16));
        greatest = max(greatest, row_greatest >> 16);
    }
    return greatest;
}

// Stores one vector of a tile: whole, if all of it is in [low, high).
template <class Tile, class U>
__device__ __forceinline__ void store_row(U *out, size_t place, const typename Tile::vector &row, size_t low,
                                          size_t high)
{
    constexpr int PER_VECTOR = Tile::PER_VECTOR;
    if (place >= low && place + PER_VECTOR <= high) {
        row.store(out + place);
    } else {
#pragma unroll
        for (int i = 0; i < PER_VECTOR; i++)
            if (place + i >= low && place + i < high)
                out[place + i] = row.item[i];
    }
}

// Rows that a thread writes at a time. More would take more registers.
template <class Tile> constexpr int SHOWN_ROWS = Tile::PER_VECTOR <= 4 ? 2 : 1;

// Writes some rows of a tile: first it loads the values of all runs that begin there, so that no load waits for
// another.
template <class Tile, class Source>
__device__ __forceinline__ void show_rows(const Source &source, const uint16_t *marks, size_t first_run,
                                          unsigned before_warp, const uint16_t (&before)[Tile::ROWS], int first,
                                          typename Source::type *out, size_t low, size_t high)
{
    using U = typename Source::type;
    constexpr int ROWS = SHOWN_ROWS<Tile>, PER_VECTOR = Tile::PER_VECTOR;
    U old[ROWS];
    typename Tile::vector row[ROWS];
    unsigned begins = 0; // a bit for each place
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        old[r] = source(first_run + max(before_warp, unsigned(before[first + r])));
#pragma unroll
        for (int i = 0; i < PER_VECTOR; i++)
            if (unsigned mark = marks[Tile::place(first + r) + i]; mark > 0) {
                row[r].item[i] = source(first_run + mark);
                begins |= 1u << (r * PER_VECTOR + i);
            }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        U value = old[r];
#pragma unroll
        for (int i = 0; i < PER_VECTOR; i++) {
            value = begins >> (r * PER_VECTOR + i) & 1 ? row[r].item[i] : value;
            row[r].item[i] = value;
        }
        store_row<Tile>(out, Tile::place(first + r), row[r], low, high);
    }
}

// Writes the places [low, high) of a tile. The run first_run covers the places before the first mark.
template <class Tile, class Source>
__device__ __forceinline__ void show_runs(const Source &source, const uint16_t *marks, size_t first_run,
                                          typename Source::type *out, size_t low, size_t high)
{
    using U = typename Source::type;
    __shared__ warp_totals<plain_max<unsigned>, Tile::WARPS * WARP> greatest;
    uint16_t before[Tile::ROWS];

    // Scan: the greatest mark before each lane's vector, then before its warp
    greatest.publish(scan_marks<Tile>(marks, before));
    __syncthreads();
    unsigned before_warp = greatest.fold().before;

    // Store
#pragma unroll
    for (int r = 0; r < Tile::ROWS; r += SHOWN_ROWS<Tile>)
        show_rows<Tile>(source, marks, first_run, before_warp, before, r, out, low, high);
}

// The runs at the begin of a tile and of the next one, for every thread. Returns false if the tile has no elements, or
// if there is not enough room for all tiles.
__device__ __forceinline__ bool find_runs(expand_arguments &to, size_t tile, unsigned tile_size, size_t (&run)[2])
{
    __shared__ size_t found[2];
    if (to.tile_runs != nullptr) {
        run[0] = to.tile_runs[tile];
        run[1] = to.tile_runs[tile + 1];
        return true;
    }
    size_t total = to.ends[to.runs - 1];
    if (tile == 0 && threadIdx.x == 0)
        *to.total = total;
    if (total > to.n || tile * tile_size >= to.lead + total || total == 0)
        return false;
    to.n = total;
    if (unsigned warp = threadIdx.x / WARP; warp < 2) {
        size_t place = (tile + warp) * tile_size, position = place < to.lead ? 0 : place - to.lead;
        size_t answer = warp_run_at(to.ends, to.runs, position < total ? position : total - 1);
        if (lane_id() == 0)
            found[warp] = answer;
    }
    __syncthreads();
    run[0] = found[0];
    run[1] = found[1];
    return true;
}

// The marks of a tile: at the first place of each run but the first, its number after first_run. Most places have none.
constexpr size_t MOST_MARKS = UINT16_MAX;

template <int THREADS, int SIZE> __device__ __forceinline__ void clear_marks(uint16_t (&marks)[SIZE])
{
    constexpr int VECTORS = sizeof marks / sizeof(uint4);
#pragma unroll
    for (int k = threadIdx.x; k < VECTORS; k += THREADS)
        reinterpret_cast<uint4 *>(marks)[k] = make_uint4(0, 0, 0, 0);
}

// position: of place 0. Empty runs have no mark. Loads of several runs are on their way at a time.
__device__ __forceinline__ void mark_runs(const sk_u64 *ends, size_t first_run, size_t last_run, size_t position,
                                          size_t high, uint16_t *marks)
{
    constexpr int BATCH = 4;
    for (size_t first = first_run + 1 + threadIdx.x; first <= last_run; first += BATCH * EXPAND_THREADS) {
        sk_u64 begin[BATCH], end[BATCH];
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            size_t run = first + size_t(b) * EXPAND_THREADS;
            begin[b] = run <= last_run ? ends[run - 1] : 0;
            end[b] = run <= last_run ? ends[run] : 0;
        }
#pragma unroll
        for (int b = 0; b < BATCH; b++) {
            size_t place = begin[b] - position;
            if (place < high && end[b] > begin[b])
                marks[place] = uint16_t(first + size_t(b) * EXPAND_THREADS - first_run);
        }
    }
}

template <class Tile, class Source>
static __global__ void __launch_bounds__(EXPAND_THREADS, EXPAND_BLOCKS) expand(expand_arguments to, Source source)
{
    using U = typename Source::type;
    using elements = Tile;
    __shared__ __align__(16) uint16_t marks[elements::SIZE];
    wait_for_launches();
    clear_marks<EXPAND_THREADS>(marks);

    // Search: the runs at the tile's begin and end
    size_t tile = blockIdx.x, begin = tile * elements::SIZE, run_of[2]; // begin: counted from the first tile
    if (!find_runs(to, tile, elements::SIZE, run_of))
        return;
    size_t low = begin < to.lead ? to.lead : 0, high = to.lead + to.n - begin;
    high = high < elements::SIZE ? high : elements::SIZE;
    U *out = static_cast<U *>(to.out) - to.lead + begin;
    size_t first_run = run_of[0], last_run = run_of[1];
    size_t position = to.first + begin - to.lead; // of place 0
    if (last_run - first_run > MOST_MARKS) {      // most of the runs are empty
        for (size_t place = low + threadIdx.x; place < high; place += EXPAND_THREADS)
            out[place] = source(run_at(to.ends, to.runs, position + place));
        return;
    }
    __syncthreads();

    // Mark
    mark_runs(to.ends, first_run, last_run, position, high, marks);
    __syncthreads();

    // Scan and store
    show_runs<elements>(source, marks, first_run, out, low, high);
}

#endif
