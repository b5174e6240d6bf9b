// rle_decode.cu - run-length decoding: a scan of the counts, then each tile of the output expands its runs; few runs in
// one launch. Elements that are no scalars are gathered by the numbers of their runs, a part of the output at a time.
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "rle/choose.h"
#include "rle/expand_few.cuh"
#include "rle/expand_launch.cuh"
#include "scan/scan.cuh"

template <class Source> static scankit_error run(cuda_device *gpu, Source source, const expand_arguments &to)
{
    using U = typename Source::type;
    return to.n <= SMALL_ROOM_MOST ? expand_tiles<small_expand_tile<U>>(gpu, source, to)
                                   : expand_tiles<expand_tile<U>>(gpu, source, to);
}

constexpr size_t PART = size_t(8) << 20; // elements per part: bounds the memory for the numbers

static scankit_error by_numbers(cuda_device *gpu, size_t element_size, const void *values, expand_arguments to)
{
    workspace scratch(gpu);
    uint64_t *numbers;
    size_t n = to.n, part = n < PART ? n : PART;
    char *out = static_cast<char *>(to.out);
    if (!scratch.take(&numbers, part))
        return SCANKIT_E_MEMORY;
    to.out = numbers;
    for (to.first = 0; to.first < n; to.first += part) {
        to.n = n - to.first < part ? n - to.first : part;
        TRY(run(gpu, run_numbers(), to));
        TRY(cuda_gather(&gpu->base, element_size, values, to.runs, values, sizeof *numbers, numbers,
                        out + to.first * element_size, to.n));
    }
    return SCANKIT_OK;
}

template <class U> static scankit_error by_values(cuda_device *gpu, const void *values, const expand_arguments &to)
{
    return run(gpu, run_values<U>{static_cast<const U *>(values)}, to);
}

static scankit_error expand_runs(cuda_device *gpu, size_t element_size, const void *values, const expand_arguments &to,
                                 rle_algorithm algorithm)
{
    if (algorithm != rle_algorithm::EXPAND_NUMBERS)
        return dispatch_word(unsigned(element_size),
                             [&](auto word) { return by_values<decltype(word)>(gpu, values, to); });
    return by_numbers(gpu, element_size, values, to);
}

// The room bounds the number of tiles. The kernel reads the number of elements from the ends of the runs and stores it
// in the host's memory, so the host waits once.
static scankit_error expand_within(cuda_device *gpu, size_t element_size, const void *values, expand_arguments to,
                                   size_t *n)
{
    to.total = static_cast<sk_u64 *>(cuda_result(gpu));
    TRY(expand_runs(gpu, element_size, values, to, rle_algorithm::EXPAND_SEARCH));
    return cuda_wait_result(gpu, n, sizeof *n);
}

template <class U>
static scankit_error run_few(cuda_device *gpu, const uint64_t *counts, const void *values, expand_arguments to)
{
    constexpr size_t TILE = few_tile<U>::SIZE;
    to.lead = unsigned(uintptr_t(to.out) % 16 / sizeof(U));
    return launch(gpu, expand_few<run_values<U>>, unsigned((to.lead + to.n - 1) / TILE + 1), EXPAND_FEW_THREADS, 0, to,
                  counts, run_values<U>{static_cast<const U *>(values)});
}

// As expand_within(), without the ends of the runs.
static scankit_error expand_few_within(cuda_device *gpu, size_t element_size, const void *values,
                                       const uint64_t *counts, expand_arguments to, size_t *n)
{
    to.total = static_cast<sk_u64 *>(cuda_result(gpu));
    TRY(dispatch_word(unsigned(element_size),
                      [&](auto word) { return run_few<decltype(word)>(gpu, counts, values, to); }));
    return cuda_wait_result(gpu, n, sizeof *n);
}

scankit_error cuda_decode_runs(sk_device *device, size_t element_size, const void *values, const uint64_t *counts,
                               size_t runs, void *out, size_t room, size_t *n)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    workspace scratch(gpu);
    expand_arguments to = {};
    bool is_scalar = is_word(element_size, uintptr_t(values) | uintptr_t(out));
    rle_algorithm algorithm = choose_decode({is_scalar, out != nullptr, room, runs});
    report(gpu, algorithm);
    to.runs = runs;
    to.out = out;
    to.n = room;
    if (algorithm == rle_algorithm::EXPAND_FEW) {
        TRY(expand_few_within(gpu, element_size, values, counts, to, n));
        return *n > room ? SCANKIT_E_ARGUMENT : SCANKIT_OK;
    }
    sk_u64 *ends;
    if (!scratch.take(&ends, runs))
        return SCANKIT_E_MEMORY;
    TRY((single_pass_scan<op_saturating_sum, warp_looks_back>(gpu, {counts, ends, runs, true, 0})));
    to.ends = ends;
    if (algorithm == rle_algorithm::EXPAND_SEARCH) {
        TRY(expand_within(gpu, element_size, values, to, n));
        return *n > room ? SCANKIT_E_ARGUMENT : SCANKIT_OK;
    }
    TRY(cuda_fetch(gpu, n, ends + runs - 1, sizeof *n));
    if (sk_rehearses(device))
        *n = out == nullptr ? 0 : room; // at most
    if (*n == SIZE_MAX || (out != nullptr && *n > room))
        return SCANKIT_E_ARGUMENT;
    if (out == nullptr || *n == 0)
        return SCANKIT_OK;
    to.n = *n;
    TRY(expand_runs(gpu, element_size, values, to, algorithm));
    END_REHEARSAL(gpu);
    CHECK(cudaStreamSynchronize(gpu->stream)); // the caller may read with another stream
    return SCANKIT_OK;
}
