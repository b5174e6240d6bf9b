// vector_band.cuh - a band of rows of a summed-area table with one channel of f32, by one block.
//
// The block goes along the band in chunks. Scanning warps share its rows, a few rows each; a lane has a vector of
// columns of each. A warp scans its rows by shuffles, with the sums to the left in lane 0, and adds them from top to
// bottom: no warp needs another one's rows. Then looking warps add up the warps' columns, publish them, and look back
// over the bands above (bands_above.cuh), while the scanning warps go on. LAG chunks later the sums above each warp are
// there, and the scanning warps add them to what they kept, and store it.
//
// Each chunk has the looking warps of one of LAG sets, by turns. The lag decides the speed, as in a scan by a ring
// (common/ring.cuh): bands of 8 warps took 259, 240 and 230 us for 8192 x 8192 f32 on an H100 with a lag of 2, 3 and 4,
// and 199 without looking back; a copy takes 185. With 16 warps half as many bands look back: 223 us. Rows of narrower
// elements would be read in pieces that are too short: u8 takes 264 us so, and 219 by a thread for each column
// (table.cuh).
#ifndef SK_CUDA_VECTOR_BAND_CUH
#define SK_CUDA_VECTOR_BAND_CUH

#include "device/overlap.cuh"
#include "image/choose_table.h"
#include "image/table.cuh"

// N elements, 8 or 16 bytes, that are loaded and stored at a time. They are used once, so they leave the caches first.
template <class E, int N> struct alignas(sizeof(E) * N) element_vector {
    using word = std::conditional_t<sizeof(E) * N == 8, uint2, uint4>;
    E item[N];

    static __device__ __forceinline__ element_vector load(const float *at)
    {
        word bits = __ldcs(reinterpret_cast<const word *>(at));
        element_vector vector;
        memcpy(&vector, &bits, sizeof vector);
        return vector;
    }

    __device__ __forceinline__ void store(E *at) const
    {
        word bits;
        memcpy(&bits, this, sizeof bits);
        __stcs(reinterpret_cast<word *>(at), bits);
    }

    // True if rows that begin at `data` have their vectors at multiples of the size.
    static __device__ __forceinline__ bool fits(const picture<E> &rows)
    {
        return (reinterpret_cast<uintptr_t>(rows.data) | rows.pitch) % sizeof(element_vector) == 0;
    }
};

// T: sums. ROWS: of a scanning warp.
template <class T, int ROWS, int LAG> struct vector_band {
    static constexpr int N = 16 / sizeof(T), COLUMNS = WARP * N; // of a lane, of a chunk
    static constexpr int LOOKING_WARPS = COLUMNS / WARP;         // of a set
    static constexpr int THREADS = (SCANNING_WARPS + LAG * LOOKING_WARPS) * WARP;
    static constexpr unsigned HEIGHT = SCANNING_WARPS * ROWS;
    using elements = element_vector<float, N>;
    using sums = element_vector<T, N>;

    struct room {
        sums last[LAG + 1][SCANNING_WARPS][WARP]; // by chunk: the last row of each warp, then the sums above the warp
        sums held[LAG][HEIGHT][WARP];             // by chunk: sums that wait for those above
        bands_above above;
        unsigned band;
    };

    const table_job<float, T> &job;
    room &shared;
    const unsigned band, chunks;
    const size_t row; // the first one of a scanning warp, or the image's last one
    const int rows;   // of a scanning warp that are in the image

    __device__ __forceinline__ vector_band(const table_job<float, T> &of, room &in)
        : job(of), shared(in), band(take_band()), chunks(unsigned((of.in.width - 1) / COLUMNS + 1)),
          row(min(place(), of.in.height - 1)), rows(int(min(of.in.height - min(place(), of.in.height), size_t(ROWS))))
    {
    }

    __device__ __forceinline__ size_t place() const
    {
        return size_t(band) * HEIGHT + warp() * ROWS;
    }

    static __device__ __forceinline__ unsigned warp()
    {
        return threadIdx.x / WARP;
    }

    __device__ __forceinline__ unsigned take_band() const
    {
        if (threadIdx.x == 0) {
            shared.band = atomicAdd(job.tickets, 1u);
            find_bands_above(shared.above, shared.band, job.in.width);
        }
        __syncthreads();
        return shared.band;
    }

    // ---- turns: the end of a chunk's scan is a barrier of all warps. Looking warps at other chunks do not wait. A
    // warp is counted once, so its lanes come together before. ----

    static __device__ __forceinline__ void wait_for(unsigned chunk)
    {
        __syncwarp();
        asm volatile("bar.sync %0, %1;" ::"r"(1 + chunk % LAG), "n"(THREADS) : "memory");
    }

    static __device__ __forceinline__ void pass(unsigned chunk)
    {
        __syncwarp();
        asm volatile("bar.arrive %0, %1;" ::"r"(1 + chunk % LAG), "n"(THREADS) : "memory");
    }

    // ---- looking warps ----

    // Turns the warps' last rows into the sums above each warp. place: a column of the chunk.
    __device__ __forceinline__ void look_back(unsigned chunk, unsigned place)
    {
        const bands_above &bands = shared.above;
        size_t column = size_t(chunk) * COLUMNS + place;
        bool wanted = column < job.in.width;
        const descriptor<T> *at = job.sums + column;
        T *last = &shared.last[chunk % (LAG + 1)][0][0].item[0] + place, own = 0, above = 0;
#pragma unroll
        for (int w = 0; w < SCANNING_WARPS; w++)
            own += last[w * COLUMNS];
        add_bands(above, at, bands.row, bands.siblings, wanted);
        if (wanted && band + 1 < gridDim.x)
            descriptor<T>::publish(job.sums + band * job.in.width + column, BAND_EPOCH, above + own, AGGREGATE);
        add_bands(above, at, bands.row + bands.siblings, bands.count - bands.siblings, wanted);
#pragma unroll
        for (int w = 0; w < SCANNING_WARPS; w++) {
            T sum = last[w * COLUMNS];
            last[w * COLUMNS] = above;
            above += sum;
        }
    }

    __device__ __forceinline__ void look()
    {
        unsigned thread = threadIdx.x - SCANNING_WARPS * WARP, set = thread / (LOOKING_WARPS * WARP);
        for (unsigned chunk = 0; chunk < set; chunk++)
            pass(chunk);
        for (unsigned chunk = set; chunk < chunks + LAG; chunk += LAG) {
            wait_for(chunk);
            for (unsigned next = chunk + 1; next < min(chunk + LAG, chunks + LAG); next++)
                pass(next);
            if (chunk < chunks)
                look_back(chunk, thread % (LOOKING_WARPS * WARP));
        }
    }

    // ---- scanning warps ----

    // Past the edges, the last elements are read again: sums of these places reach no others.
    __device__ __forceinline__ void load(elements (&next)[ROWS], unsigned chunk, bool by_vectors) const
    {
        size_t column = size_t(chunk) * COLUMNS + lane_id() * N, pitch = opaque(job.in.pitch);
        bool whole = by_vectors && column + N <= job.in.width;
        const unsigned char *from = reinterpret_cast<const unsigned char *>(job.in.row(row));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float *at = reinterpret_cast<const float *>(from);
            if (whole)
                next[r] = elements::load(at + column);
            else
#pragma unroll
                for (int i = 0; i < N; i++)
                    next[r].item[i] = at[min(column + i, job.in.width - 1)];
            from += r + 1 < rows ? pitch : 0;
        }
    }

    // carry: in lane 0, the sums of the rows to the left of the chunk; then, those to its end.
    __device__ __forceinline__ void scan(sums (&now)[ROWS], T (&carry)[ROWS]) const
    {
        T total[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int i = 1; i < N; i++)
                now[r].item[i] += now[r].item[i - 1];
            total[r] = lane_id() == 0 ? carry[r] + now[r].item[N - 1] : now[r].item[N - 1];
        }
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2)
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                T left = __shfl_up_sync(FULL_WARP, total[r], distance);
                total[r] = lane_id() >= unsigned(distance) ? left + total[r] : total[r];
            }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            T left = __shfl_sync(FULL_WARP, total[r], (lane_id() + WARP - 1) % WARP);
            T before = lane_id() == 0 ? carry[r] : left;
            carry[r] = left;
#pragma unroll
            for (int i = 0; i < N; i++) {
                now[r].item[i] = before + now[r].item[i];
                if (r > 0)
                    now[r].item[i] += now[r - 1].item[i];
            }
        }
    }

    __device__ __forceinline__ void finish(unsigned chunk, bool by_vectors) const
    {
        size_t column = size_t(chunk) * COLUMNS + lane_id() * N, pitch = opaque(job.out.pitch);
        bool whole = by_vectors && column + N <= job.out.width;
        const sums above = shared.last[chunk % (LAG + 1)][warp()][lane_id()];
        unsigned char *to = reinterpret_cast<unsigned char *>(job.out.row(row) + column);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            sums sum = shared.held[chunk % LAG][warp() * ROWS + r][lane_id()];
            T *at = reinterpret_cast<T *>(to);
#pragma unroll
            for (int i = 0; i < N; i++)
                sum.item[i] = above.item[i] + sum.item[i];
            if (r < rows && whole)
                sum.store(at);
            else
#pragma unroll
                for (int i = 0; i < N; i++)
                    if (r < rows && column + i < job.out.width)
                        at[i] = sum.item[i];
            to += pitch;
        }
    }

    __device__ __forceinline__ void scan_chunks()
    {
        const bool loads_vectors = elements::fits(job.in), stores_vectors = sums::fits(job.out);
        const T mean = job.mean_of(0);
        elements next[ROWS];
        sums now[ROWS];
        T carry[ROWS] = {};
        load(next, 0, loads_vectors);
        for (unsigned chunk = 0; chunk < chunks + LAG; chunk++) {
            if (chunk < chunks) {
#pragma unroll
                for (int r = 0; r < ROWS; r++)
#pragma unroll
                    for (int i = 0; i < N; i++)
                        now[r].item[i] = summand(next[r].item[i], mean);
                if (chunk + 1 < chunks)
                    load(next, chunk + 1, loads_vectors);
                scan(now, carry);
                shared.last[chunk % (LAG + 1)][warp()][lane_id()] = now[ROWS - 1];
            }
            wait_for(chunk);
            if (chunk >= LAG)
                finish(chunk - LAG, stores_vectors);
            if (chunk < chunks)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    shared.held[chunk % LAG][warp() * ROWS + r][lane_id()] = now[r];
        }
    }
};

// A block for each band.
template <class T, int ROWS, int LAG>
static __global__ void __launch_bounds__(vector_band<T, ROWS, LAG>::THREADS, 1)
    vector_table_kernel(const __grid_constant__ table_job<float, T> job)
{
    using block = vector_band<T, ROWS, LAG>;
    extern __shared__ uint4 dynamic_memory[];
    wait_for_launches();
    block of(job, *reinterpret_cast<typename block::room *>(dynamic_memory));
    if (threadIdx.x >= SCANNING_WARPS * WARP)
        of.look();
    else
        of.scan_chunks();
}

#endif
