// vector_band.cuh - a band of rows of a summed-area table with one channel, by one block.
//
// The block goes along the band in chunks. Scanning warps share its rows, a few rows each; a lane has a vector of
// columns of each. A warp scans its rows by shuffles, with the sums to the left in lane 0, and adds them from top to
// bottom: no warp needs another one's rows. Then looking warps add up the warps' columns, publish them, and look back
// over the bands above (bands_above.cuh), while the scanning warps go on. `lag` chunks later the sums above each warp
// are there, and the scanning warps add them to what they kept, and store it.
//
// A chunk is in a slot of shared memory from its first copy to its last store: as elements, then as sums of the band. A
// lane touches its own places alone, so copies that come in need no barrier.
//
// Each chunk has the looking warps of one of `lag` sets, by turns. The copies on their way and the lag decide the
// speed, as in a scan by a ring (common/ring.cuh): bench/NOTES.md.
#ifndef SK_CUDA_VECTOR_BAND_CUH
#define SK_CUDA_VECTOR_BAND_CUH

#include "device/overlap.cuh"
#include "image/choose_table.h"
#include "image/element_vector.cuh"
#include "image/table.cuh"

// E: elements. T: sums. ROWS: of a scanning warp. DEPTH: which of TABLE_DEPTHS.
template <class E, class T, int ROWS, int DEPTH> struct vector_band {
    static constexpr int LAG = TABLE_DEPTHS[DEPTH].lag, AHEAD = TABLE_DEPTHS[DEPTH].ahead, SLOTS = LAG + AHEAD;
    static constexpr int N = 16 / sizeof(T), COLUMNS = WARP * N; // of a lane, of a chunk
    static constexpr int LOOKING_WARPS = COLUMNS / WARP;         // of a set
    static constexpr int THREADS = (SCANNING_WARPS + LAG * LOOKING_WARPS) * WARP;
    static constexpr unsigned HEIGHT = SCANNING_WARPS * ROWS;
    using elements = element_vector<E, N>;
    using sums = element_vector<T, N>;

    struct room {
        sums slot[SLOTS][HEIGHT][WARP];           // by chunk: elements at the beginnings of rows, then sums
        sums last[LAG + 1][SCANNING_WARPS][WARP]; // by chunk: the last row of each warp, then the sums above the warp
        bands_above above;
        unsigned band;
    };

    const table_job<E, T> &job;
    room &shared;
    const unsigned band, chunks;
    const size_t row; // the first one of a scanning warp, or the image's last one
    const int rows;   // of a scanning warp that are in the image
    const copies_in copies;

    __device__ __forceinline__ vector_band(const table_job<E, T> &of, room &in)
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
            shared.band = take_next_band(job.tickets);
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
        const band_sum<T> *at = job.sums + column;
        T *last = &shared.last[chunk % (LAG + 1)][0][0].item[0] + place, own = 0, above = 0;
#pragma unroll
        for (int w = 0; w < SCANNING_WARPS; w++)
            own += last[w * COLUMNS];
        add_bands(above, at, bands.row, bands.siblings, wanted);
        if (wanted && band + 1 < gridDim.x)
            band_sum<T>::publish(job.sums + band * job.in.width + column, above + own);
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

    __device__ __forceinline__ sums *slot_row(unsigned chunk, int r) const
    {
        return shared.slot[chunk % SLOTS][warp() * ROWS + r];
    }

    // Starts to copy a chunk to its slot. Past the edges, the last elements are read again: sums of these places reach
    // no others. Chunks that are not copied by vectors are copied by columns, each by any lane.
    __device__ __forceinline__ void bring(unsigned chunk, bool by_vectors) const
    {
        size_t first = size_t(chunk) * COLUMNS, pitch = opaque(job.in.pitch);
        const unsigned char *from = reinterpret_cast<const unsigned char *>(job.in.row(row));
        bool whole = by_vectors && first + COLUMNS <= job.in.width;
#pragma unroll
        for (int r = 0; r < ROWS && chunk < chunks; r++) {
            const E *at = reinterpret_cast<const E *>(from);
            if (whole)
                copies.start(reinterpret_cast<elements *>(slot_row(chunk, r)) + lane_id(), at + first + lane_id() * N);
            else
                bring_columns(reinterpret_cast<E *>(slot_row(chunk, r)), at, first);
            from += r + 1 < rows ? pitch : 0;
        }
        __pipeline_commit();
    }

    __device__ __forceinline__ void bring_columns(E *to, const E *from, size_t first) const
    {
        E item[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            int place = i * WARP + int(lane_id());
            const E *at = from + min(first + place, job.in.width - 1);
            if constexpr (sizeof(E) == 4)
                copies.start(to + place, at);
            else
                item[i] = *at;
        }
#pragma unroll
        for (int i = 0; i < N && sizeof(E) != 4; i++)
            to[i * WARP + int(lane_id())] = item[i];
    }

    // The same where no copies are on their way: at once, to registers.
    __device__ __forceinline__ void fetch(elements (&of)[ROWS], unsigned chunk, bool by_vectors) const
    {
        size_t column = size_t(chunk) * COLUMNS + lane_id() * N, pitch = opaque(job.in.pitch);
        bool whole = by_vectors && column + N <= job.in.width;
        const unsigned char *from = reinterpret_cast<const unsigned char *>(job.in.row(row));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const E *at = reinterpret_cast<const E *>(from);
            if (whole)
                of[r] = elements::load(at + column);
            else
#pragma unroll
                for (int i = 0; i < N; i++)
                    of[r].item[i] = at[min(column + i, job.in.width - 1)];
            from += r + 1 < rows ? pitch : 0;
        }
    }

    // The elements of a chunk that has come. The lanes meet where one's places are another one's later or earlier.
    __device__ __forceinline__ void take(elements (&of)[ROWS], unsigned chunk, bool by_vectors) const
    {
        if constexpr (AHEAD == 0) {
            fetch(of, chunk, by_vectors);
        } else {
            __pipeline_wait_prior(AHEAD - 1);
            __syncwarp();
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                of[r] = reinterpret_cast<const elements *>(slot_row(chunk, r))[lane_id()];
            __syncwarp();
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
            sums sum = slot_row(chunk, r)[lane_id()];
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

    __device__ __forceinline__ void hold(const sums (&now)[ROWS], unsigned chunk) const
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            slot_row(chunk, r)[lane_id()] = now[r];
    }

    // now: the sums of the chunk's rows, without those above the warp.
    __device__ __forceinline__ void add(sums (&now)[ROWS], T (&carry)[ROWS], unsigned chunk, bool by_vectors) const
    {
        const T mean = job.mean_of(0);
        elements of[ROWS];
        take(of, chunk, by_vectors);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int i = 0; i < N; i++)
                now[r].item[i] = summand(of[r].item[i], mean);
        scan(now, carry);
        shared.last[chunk % (LAG + 1)][warp()][lane_id()] = now[ROWS - 1];
    }

    __device__ __forceinline__ void scan_chunks()
    {
        const bool loads_vectors = elements::fits(job.in), stores_vectors = sums::fits(job.out);
        sums now[ROWS];
        T carry[ROWS] = {};
#pragma unroll
        for (int chunk = 0; chunk < AHEAD; chunk++)
            bring(unsigned(chunk), loads_vectors);
        for (unsigned chunk = 0; chunk < chunks + LAG; chunk++) {
            if (chunk < chunks)
                add(now, carry, chunk, loads_vectors);
            if (AHEAD > 0 && chunk < chunks)
                hold(now, chunk);
            wait_for(chunk);
            if (chunk >= LAG)
                finish(chunk - LAG, stores_vectors);
            if (AHEAD == 0 && chunk < chunks)
                hold(now, chunk); // in the slot of the chunk that was finished
            if constexpr (AHEAD > 0) {
                __syncwarp();
                bring(chunk + AHEAD, loads_vectors);
            }
        }
    }
};

// A block for each band.
template <class E, class T, int ROWS, int DEPTH>
static __global__ void __launch_bounds__(vector_band<E, T, ROWS, DEPTH>::THREADS, 1)
    vector_table_kernel(const __grid_constant__ table_job<E, T> job)
{
    using block = vector_band<E, T, ROWS, DEPTH>;
    extern __shared__ uint4 dynamic_memory[];
    wait_for_launches();
    block of(job, *reinterpret_cast<typename block::room *>(dynamic_memory));
    if (threadIdx.x >= SCANNING_WARPS * WARP)
        of.look();
    else
        of.scan_chunks();
}

#endif
