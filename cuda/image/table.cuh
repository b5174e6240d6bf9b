// table.cuh - a band of rows of a summed-area table, by one block.
//
// The block goes along the band in chunks. A thread has one column of a chunk: ROWS elements in registers, which it
// adds from top to bottom. Then the block scans each row, with the sums of the chunks to the left. The last row has the
// sums of the band up to each column. They are published, and the sums of the bands above are added (bands_above.cuh).
// So each element is read once and written once. Bands that look back: after Kasagi, Nakano and Ito 2014.
// Many images of one channel have a faster kernel (vector_band.cuh).
//
// The next chunk is read into registers before the block waits.
#ifndef SK_CUDA_TABLE_CUH
#define SK_CUDA_TABLE_CUH

#include "image/bands_above.cuh"
#include "image/channel_lanes.cuh"
#include "image/picture.cuh"

constexpr int TABLE_THREADS = 256;
constexpr int TABLE_BLOCKS = 2; // of a multiprocessor

// E: elements of the image. T: sums.
template <class E, class T> struct table_job {
    picture<E> in;
    picture<T> out;
    double mean[CHANNELS_MOST]; // is subtracted from floats
    unsigned *tickets;          // bands that were taken
    band_sum<T> *sums;          // by band and column

    // By constant indices, because others would put the job into local memory.
    __device__ __forceinline__ T mean_of(unsigned channel) const
    {
        double of = mean[0];
#pragma unroll
        for (unsigned c = 1; c < CHANNELS_MOST; c++)
            of = channel == c ? mean[c] : of;
        return T(of);
    }
};

// The summand of an element. Only floats have a mean.
template <class T, class E> __device__ __forceinline__ T summand(E element, T mean)
{
    if constexpr (std::is_same_v<E, scankit_f16>)
        return T(sk_f32_from_f16(element)) - mean;
    else if constexpr (std::is_floating_point_v<T>)
        return T(element) - mean;
    else
        return T(element);
}

// DOWN: adds rows and bands. Otherwise each row is scanned by itself, and out may be in.
template <class E, class T, int ROWS, bool DOWN> struct table_band {
    static constexpr int WARPS = TABLE_THREADS / WARP;
    static constexpr int PADDING = 16 / sizeof(T); // channels lie in different banks, and vectors stay aligned

    struct alignas(16) room {
        T before[WARPS][CHANNELS_MOST][ROWS + PADDING]; // sums of rows: of a warp, then of all before it
        T held[DOWN ? ROWS : 1][TABLE_THREADS];         // sums of a chunk that wait for the bands above
        bands_above above;
        unsigned band;
    };

    const table_job<E, T> &job;
    room &shared;
    const channel_lanes lanes;
    const size_t length;
    unsigned band, rows;
    E next[ROWS];
    T sum[ROWS];
    const T mean;
    T carry; // of one row and channel: the sum of all chunks so far

    __device__ __forceinline__ table_band(const table_job<E, T> &of, room &in)
        : job(of), shared(in), lanes(of.in.channels), length(of.in.width * of.in.channels), band(take_band()),
          mean(of.mean_of(lanes.channel())), carry(0)
    {
        size_t left = job.in.height - size_t(band) * ROWS;
        rows = left < ROWS ? unsigned(left) : ROWS;
    }

    __device__ __forceinline__ unsigned take_band() const
    {
        if constexpr (!DOWN)
            return blockIdx.x;
        if (threadIdx.x == 0) {
            shared.band = take_next_band(job.tickets);
            find_bands_above(shared.above, shared.band, job.in.width * job.in.channels);
        }
        __syncthreads();
        return shared.band;
    }

    // Past the end of the band or of its rows, the last element is read again: sums of these places reach no others.
    __device__ __forceinline__ void load(size_t chunk)
    {
        size_t column = min(chunk + lanes.column(), length - 1);
        const unsigned char *at = reinterpret_cast<const unsigned char *>(job.in.row(size_t(band) * ROWS) + column);
        size_t pitch = opaque(job.in.pitch);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            next[r] = *reinterpret_cast<const E *>(at);
            at += r + 1 < int(rows) ? pitch : 0;
        }
    }

    __device__ __forceinline__ void add_columns()
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            sum[r] = summand(next[r], mean);
            if (DOWN && r > 0)
                sum[r] += sum[r - 1];
        }
    }

    // Turns the warps' sums into the sums before each. A thread takes one row of one channel, always the same.
    __device__ __forceinline__ void scan_warps()
    {
        if (threadIdx.x >= lanes.channels * ROWS)
            return;
        unsigned channel = threadIdx.x / ROWS, row = threadIdx.x % ROWS;
        T of_warp[WARPS];
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            of_warp[w] = shared.before[w][channel][row];
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            shared.before[w][channel][row] = carry;
            carry += of_warp[w];
        }
    }

    __device__ __forceinline__ void scan_rows()
    {
        T *before = shared.before[threadIdx.x / WARP][lanes.channel()];
        lanes.scan(sum);
        __syncwarp(); // the warp has read what the chunk before left
        if (lanes.is_last())
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                before[r] = sum[r];
        __syncthreads();
        scan_warps();
        __syncthreads();
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            sum[r] = before[r] + sum[r];
    }

    __device__ __forceinline__ bool is_inside(size_t column) const
    {
        return lanes.is_used() && column < length;
    }

    __device__ __forceinline__ void publish(size_t column, T value) const
    {
        if (band + 1 < gridDim.x && is_inside(column))
            band_sum<T>::publish(job.sums + band * length + column, value);
    }

    // At once, if no other band belongs to the sum.
    __device__ __forceinline__ void publish_own(size_t chunk) const
    {
        if (shared.above.siblings == 0)
            publish(chunk + lanes.column(), sum[ROWS - 1]);
    }

    // Keeps the chunk's sums on chip until the next chunk is scanned: by then the bands above have published theirs.
    __device__ __forceinline__ void keep()
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            shared.held[r][threadIdx.x] = sum[r];
    }

    // Adds the bands above to the chunk that is kept, and stores it.
    __device__ __forceinline__ void finish(size_t chunk)
    {
        size_t column = chunk + lanes.column();
        const bands_above &bands = shared.above;
        T above = 0;
        add_bands(above, job.sums + column, bands.row, bands.siblings, is_inside(column));
        if (bands.siblings > 0)
            publish(column, above + shared.held[ROWS - 1][threadIdx.x]);
        add_bands(above, job.sums + column, bands.row + bands.siblings, bands.count - bands.siblings,
                  is_inside(column));
        if (!is_inside(column))
            return;
        unsigned char *at = reinterpret_cast<unsigned char *>(job.out.row(size_t(band) * ROWS) + column);
        size_t pitch = opaque(job.out.pitch);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (r < int(rows))
                *reinterpret_cast<T *>(at) = above + shared.held[r][threadIdx.x];
            at += pitch;
        }
    }

    // FULL: the band has all of its rows.
    template <bool FULL> __device__ __forceinline__ void store_rows(unsigned char *at) const
    {
        size_t pitch = opaque(job.out.pitch);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (FULL || r < int(rows))
                *reinterpret_cast<T *>(at) = sum[r];
            at += pitch;
        }
    }

    __device__ __forceinline__ void store(size_t chunk) const
    {
        size_t column = chunk + lanes.column();
        if (!is_inside(column))
            return;
        unsigned char *at = reinterpret_cast<unsigned char *>(job.out.row(size_t(band) * ROWS) + column);
        if (rows == ROWS)
            store_rows<true>(at);
        else
            store_rows<false>(at);
    }
};

// A block for each band.
template <class E, class T, int ROWS, bool DOWN>
static __global__ void __launch_bounds__(TABLE_THREADS, TABLE_BLOCKS)
    table_kernel(const __grid_constant__ table_job<E, T> job)
{
    using block = table_band<E, T, ROWS, DOWN>;
    __shared__ typename block::room shared;
    block of(job, shared);
    unsigned size = of.lanes.chunk(TABLE_THREADS);
    of.load(0);
    for (size_t chunk = 0; chunk < of.length; chunk += size) {
        of.add_columns();
        if (chunk + size < of.length)
            of.load(chunk + size);
        of.scan_rows();
        if constexpr (DOWN) {
            of.publish_own(chunk);
            if (chunk > 0)
                of.finish(chunk - size);
            of.keep();
        } else {
            of.store(chunk);
        }
    }
    if constexpr (DOWN)
        of.finish((of.length - 1) / size * size);
}

#endif
