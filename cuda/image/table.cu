// table.cu - summed-area tables (Crow 1984): chooses the algorithm, launches.
#include "image/table_rows.cuh"

#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "image/choose_table.h"
#include "image/vector_band.cuh"

template <class E, class T>
static table_job<E, T> make_job(const scankit_image *in, const scankit_image *out, const double *mean)
{
    table_job<E, T> job = {};
    job.in = picture_of<E>(in);
    job.out = picture_of<T>(out);
    for (unsigned c = 0; mean != nullptr && c < in->channels; c++)
        job.mean[c] = mean[c];
    return job;
}

// ---- one pass ----

// Takes tickets, and descriptors for all columns of all bands but the last.
template <class E, class T>
static scankit_error take_descriptors(cuda_device *gpu, workspace &scratch, size_t bands, table_job<E, T> &job)
{
    size_t bytes = TICKET_BYTES + (bands - 1) * job.in.width * job.in.channels * sizeof(band_sum<T>);
    char *memory;
    if (!scratch.take(&memory, bytes))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    CHECK(cudaMemsetAsync(memory, BANDS_CLEARED, bytes, gpu->stream));
    job.tickets = reinterpret_cast<unsigned *>(memory);
    job.sums = reinterpret_cast<band_sum<T> *>(memory + TICKET_BYTES);
    return SCANKIT_OK;
}

template <int ROWS, class E, class T> static scankit_error run_bands(cuda_device *gpu, table_job<E, T> &job)
{
    size_t bands = bands_of(job.in.height, ROWS);
    workspace scratch(gpu);
    TRY(take_descriptors(gpu, scratch, bands, job));
    END_REHEARSAL(gpu);
    table_kernel<E, T, ROWS, true><<<unsigned(bands), TABLE_THREADS, 0, gpu->stream>>>(job);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class E, class T> static scankit_error any_channels(cuda_device *gpu, table_job<E, T> &job)
{
    switch (table_rows(job.in.height, sizeof(T))) {
    case table_rows_most(sizeof(T)): return run_bands<table_rows_most(sizeof(T))>(gpu, job);
    case table_rows_few(sizeof(T)): return run_bands<table_rows_few(sizeof(T))>(gpu, job);
    default: return run_bands<table_rows_least(sizeof(T))>(gpu, job);
    }
}

template <int ROWS, int DEPTH, class E, class T>
static scankit_error run_vector_bands(cuda_device *gpu, table_job<E, T> &job)
{
    using band = vector_band<E, T, ROWS, DEPTH>;
    size_t bands = bands_of(job.in.height, band::HEIGHT);
    workspace scratch(gpu);
    TRY(take_descriptors(gpu, scratch, bands, job));
    return launch(gpu, vector_table_kernel<E, T, ROWS, DEPTH>, unsigned(bands), band::THREADS,
                  sizeof(typename band::room), job);
}

template <int ROWS, int DEPTH, class E, class T> static scankit_error deep_bands(cuda_device *gpu, table_job<E, T> &job)
{
    using band = vector_band<E, T, ROWS, DEPTH>;
    if (DEPTH == TABLE_DEPTH_LEAST || gpu->shared_most >= sizeof(typename band::room))
        return run_vector_bands<ROWS, DEPTH>(gpu, job);
    constexpr int NEXT = DEPTH == TABLE_DEPTH_LEAST ? DEPTH : DEPTH + 1;
    return deep_bands<ROWS, NEXT>(gpu, job);
}

// Sums of integers do not depend on the kernel, so they use this one only where it is faster: all by vectors, and deep.
// A rehearsal knows no addresses, and the other kernel takes more workspace.
template <int ROWS, int DEPTH, class E> static scankit_error deep_bands(cuda_device *gpu, table_job<E, uint32_t> &job)
{
    using band = vector_band<E, uint32_t, ROWS, DEPTH>;
    if (!sk_rehearses(&gpu->base) && gpu->shared_most >= sizeof(typename band::room) && band::elements::fits(job.in) &&
        band::sums::fits(job.out))
        return run_vector_bands<ROWS, DEPTH>(gpu, job);
    return any_channels(gpu, job);
}

template <class E, class T> static scankit_error one_channel(cuda_device *gpu, table_job<E, T> &job)
{
    switch (scanned_rows(job.in.height)) {
    case 8: return deep_bands<8, 0>(gpu, job);
    case 4: return deep_bands<4, 0>(gpu, job);
    default: return deep_bands<2, 0>(gpu, job);
    }
}

template <class E, class T> static scankit_error single_pass(cuda_device *gpu, table_job<E, T> job)
{
    if constexpr (std::is_same_v<E, float> || std::is_same_v<T, uint32_t>)
        if (job.in.channels == 1)
            return one_channel(gpu, job);
    return any_channels(gpu, job);
}

// ---- by transposition (Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007) ----

template <class E, class T> static scankit_error scan_rows(cuda_device *gpu, const table_job<E, T> &job)
{
    int rows = row_scan_rows(job.in.height);
    END_REHEARSAL(gpu);
    unsigned blocks = unsigned(bands_of(job.in.height, size_t(rows)));
    if (rows == ROW_SCAN_MANY)
        table_kernel<E, T, ROW_SCAN_MANY, false><<<blocks, TABLE_THREADS, 0, gpu->stream>>>(job);
    else
        table_kernel<E, T, ROW_SCAN_FEW, false><<<blocks, TABLE_THREADS, 0, gpu->stream>>>(job);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class E, class T> static scankit_error by_transposes(cuda_device *gpu, const table_job<E, T> &job)
{
    const picture<T> &out = job.out;
    size_t pixel = out.channels * sizeof(T);
    workspace scratch(gpu);
    T *memory;
    if (!scratch.take(&memory, out.width * out.height * out.channels))
        return SCANKIT_E_MEMORY;
    table_job<T, T> turned = {};
    turned.in = turned.out = dense_picture<T>(memory, out.height, out.width, out.channels);
    TRY(scan_rows(gpu, job));
    TRY(cuda_transpose(&gpu->base, pixel, out.data, out.pitch, memory, turned.out.pitch, out.height, out.width));
    TRY(scan_rows(gpu, turned));
    return cuda_transpose(&gpu->base, pixel, memory, turned.out.pitch, out.data, out.pitch, out.width, out.height);
}

// ---- whole rows, then columns ----

template <class T>
constexpr scankit_type TABLE_TYPE = std::is_same_v<T, uint32_t>   ? SCANKIT_U32
                                    : std::is_same_v<T, uint64_t> ? SCANKIT_U64
                                    : std::is_same_v<T, float>    ? SCANKIT_F32
                                                                  : SCANKIT_F64;

template <class E, class T> static scankit_error rows_first(cuda_device *gpu, const table_job<E, T> &job)
{
    size_t width = job.in.width, height = job.in.height, count = height * job.in.channels;
    workspace scratch(gpu);
    T *memory;
    if (!scratch.take(&memory, width * count))
        return SCANKIT_E_MEMORY;
    picture<T> rows = dense_picture<T>(memory, width, count, 1);
    if (!sk_rehearses(&gpu->base))
        places_kernel<<<places_grid(width, height), PLACE_BLOCK, 0, gpu->stream>>>(width, height,
                                                                                   split_channels<E, T>{job, rows});
    CHECK_LAUNCH();
    TRY(cuda_scan_rows(&gpu->base, TABLE_TYPE<T>, SCANKIT_SUM, SCANKIT_INCLUSIVE, memory, rows.pitch, memory,
                       rows.pitch, count, width));
    END_REHEARSAL(gpu);
    dim3 blocks(unsigned((width - 1) / MAP_THREADS + 1), job.in.channels);
    add_down<<<blocks, MAP_THREADS, 0, gpu->stream>>>(rows, job.out);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

// ---- the choice ----

template <class E, class T>
static scankit_error make_table(cuda_device *gpu, const table_job<E, T> &job, scankit_table_method method)
{
    table_algorithm algorithm = choose_table(method, job.in.width * job.in.channels, job.in.height);
    scankit_error error = algorithm == table_algorithm::TRANSPOSES   ? by_transposes(gpu, job)
                          : algorithm == table_algorithm::ROWS_FIRST ? rows_first(gpu, job)
                                                                     : single_pass(gpu, job);
    report(gpu, algorithm); // after the primitives that it calls
    return error;
}

// Calls f(T()) for the type of a table of elements E.
template <class E, class F> static scankit_error dispatch_table(scankit_type type, F f)
{
    if constexpr (std::is_integral_v<E>) {
        if (type == SCANKIT_U32)
            return f(uint32_t());
        if (type == SCANKIT_U64)
            return f(uint64_t());
    }
    return type == SCANKIT_F32 ? f(float()) : type == SCANKIT_F64 ? f(double()) : SCANKIT_E_ARGUMENT;
}

scankit_error cuda_table(sk_device *device, const scankit_image *in, const scankit_image *out, const double *mean,
                         scankit_table_method method)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    return dispatch_picture(in->type, [&](auto from) {
        using E = decltype(from);
        return dispatch_table<E>(
            out->type, [&](auto to) { return make_table(gpu, make_job<E, decltype(to)>(in, out, mean), method); });
    });
}
