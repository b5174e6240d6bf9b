// compact.cu - compaction: chooses between elements in registers, in shared memory and too large for that, and between
// flags, interpreted and compiled predicates; then launches the single pass.
#include "check.cuh"
#include "grid/map.cuh"
#include "predicate.cuh"
#include "state.cuh"
#include "unit.cuh"

// ---- kernels ----

template <class U, class Match, int BLOCKS>
static __global__ void __launch_bounds__(COMPACT_THREADS, BLOCKS) scalars_kernel(compact_arguments to, Match match)
{
    compact_scalars<U>(to, match);
}

template <class U, class Match, int BLOCKS>
static __global__ void __launch_bounds__(COMPACT_THREADS, BLOCKS) records_kernel(compact_arguments to, Match match)
{
    compact_records<U>(to, match);
}

static __global__ void __launch_bounds__(COMPACT_THREADS)
    flags_kernel(compact_arguments to, match_interpreted<uint64_t> match, uint8_t *flags)
{
    flag_records(to, match, flags);
}

// ---- a launch ----

struct launcher {
    cuda_device *gpu;
    const sk_selection *selection;
    compact_arguments to;
    unsigned blocks;

    template <class... Arguments> scankit_error start(const void *kernel, Arguments... arguments)
    {
        void *pointers[] = {&arguments...};
        CHECK(cudaLaunchKernel(kernel, dim3(blocks), dim3(COMPACT_THREADS), pointers, 0, gpu->stream));
        return SCANKIT_OK;
    }
};

// Whether this call runs a compiled kernel, and which.
static scankit_error choose_compiled(launcher &run, kernel_shape shape, cudaKernel_t *kernel)
{
    const sk_selection *selection = run.selection;
    *kernel = nullptr;
    if (selection->evaluation == SCANKIT_COMPILE)
        return compiled_kernel(run.gpu, *selection->program, shape, kernel);
    if (selection->evaluation == SCANKIT_EVALUATE_AUTO)
        compiled_kernel_pays(run.gpu, *selection->program, shape, selection->n, kernel);
    return SCANKIT_OK;
}

// start_flags(), start_narrow() and so on launch one kernel each.
template <class Flags, class Interpreted, class... More>
static scankit_error run_matching(launcher &run, workspace &scratch, kernel_shape shape, Flags with_flags,
                                  Interpreted interpreted, More... more)
{
    cuda_device *gpu = run.gpu;
    if (run.selection->program == nullptr) {
        gpu->base.algorithm = "look-back";
        return with_flags();
    }
    cudaKernel_t kernel;
    TRY(choose_compiled(run, shape, &kernel));
    if (kernel != nullptr) {
        gpu->base.algorithm = "look-back, compiled";
        TRY(upload_ranges(gpu, scratch, *run.selection->program, &run.to.ranges));
        return run.start(kernel, run.to, more...);
    }
    gpu->base.algorithm = "look-back, interpreted";
    uploaded_program uploaded;
    TRY(upload_program(gpu, scratch, *run.selection->program, &uploaded));
    run.to.ranges = uploaded.ranges;
    return interpreted(uploaded);
}

// ---- elements in registers ----

template <class U> static scankit_error run_scalars(launcher &run, workspace &scratch, kernel_shape shape)
{
    auto flags = [&] {
        return run.start((const void *)scalars_kernel<U, match_flags, COMPACT_BLOCKS>, run.to,
                         match_flags{run.selection->flags});
    };
    auto interpreted = [&](const uploaded_program &uploaded) {
        if constexpr (sizeof(U) < 8)
            if (uploaded.narrow)
                return run.start((const void *)scalars_kernel<U, match_interpreted<uint32_t>, INTERPRET_BLOCKS>, run.to,
                                 match_interpreted<uint32_t>{uploaded.program});
        return run.start((const void *)scalars_kernel<U, match_interpreted<uint64_t>, INTERPRET_BLOCKS>, run.to,
                         match_interpreted<uint64_t>{uploaded.program});
    };
    return run_matching(run, scratch, shape, flags, interpreted);
}

static scankit_error dispatch_scalars(launcher &run, workspace &scratch)
{
    switch (run.selection->element_size) {
    case 1: return run_scalars<uint8_t>(run, scratch, SHAPE_SCALARS_1);
    case 2: return run_scalars<uint16_t>(run, scratch, SHAPE_SCALARS_2);
    case 4: return run_scalars<uint32_t>(run, scratch, SHAPE_SCALARS_4);
    default: return run_scalars<uint64_t>(run, scratch, SHAPE_SCALARS_8);
    }
}

static size_t scalar_tile(size_t element_size)
{
    return element_size == 1   ? compact_tile<uint8_t>::SIZE
           : element_size == 2 ? compact_tile<uint16_t>::SIZE
           : element_size == 4 ? compact_tile<uint32_t>::SIZE
                               : compact_tile<uint64_t>::SIZE;
}

// ---- records in shared memory ----

template <class U> static scankit_error run_records(launcher &run, workspace &scratch)
{
    constexpr kernel_shape shape = sizeof(U) == 16  ? SHAPE_RECORDS_16
                                   : sizeof(U) == 8 ? SHAPE_RECORDS_8
                                   : sizeof(U) == 4 ? SHAPE_RECORDS_4
                                                    : SHAPE_RECORDS_1;
    run.to.units = run.selection->element_size / sizeof(U);
    auto flags = [&] {
        return run.start((const void *)records_kernel<U, match_flags, COMPACT_BLOCKS>, run.to,
                         match_flags{run.selection->flags});
    };
    auto interpreted = [&](const uploaded_program &uploaded) {
        return run.start((const void *)records_kernel<U, match_interpreted<uint64_t>, COMPACT_BLOCKS>, run.to,
                         match_interpreted<uint64_t>{uploaded.program});
    };
    return run_matching(run, scratch, shape, flags, interpreted);
}

// As many as fit, in whole warps where more than one does.
static unsigned record_tile(size_t element_size)
{
    size_t fit = RECORD_TILE_BYTES / element_size;
    fit = fit < COMPACT_THREADS * RECORD_ITEMS ? fit : COMPACT_THREADS * RECORD_ITEMS;
    return unsigned(fit < WARP ? fit : fit / WARP * WARP);
}

// ---- the single pass ----

static uintptr_t places_of(const sk_selection &selection)
{
    return uintptr_t(selection.in) | uintptr_t(selection.matching) | uintptr_t(selection.others) |
           selection.element_size;
}

static bool is_scalar(const sk_selection &selection)
{
    size_t size = selection.element_size;
    return (size == 1 || size == 2 || size == 4 || size == 8) && places_of(selection) % size == 0;
}

static scankit_error single_pass(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    bool scalar = is_scalar(selection);
    size_t tile = scalar ? scalar_tile(selection.element_size) : record_tile(selection.element_size);
    unsigned head = scalar ? unsigned(uintptr_t(selection.in) % 16 / selection.element_size) : 0;
    size_t tiles = (head + selection.n - 1) / tile + 1;
    workspace scratch(gpu);
    launcher run = {.gpu = gpu, .selection = &selection, .to = {}, .blocks = unsigned(tiles)};
    run.to.in = selection.in;
    run.to.matching = selection.matching;
    run.to.others = selection.others;
    run.to.positions = selection.positions;
    run.to.n = selection.n;
    run.to.head = head;
    run.to.tile_size = unsigned(tile);
    run.to.first = selection.first;
    run.to.invert = selection.invert;
    TRY(take_state(gpu, tiles, &run.to.state));
    if (selection.matching == nullptr && selection.others == nullptr && selection.positions == nullptr)
        CHECK(cudaMemsetAsync(run.to.state.result, 0, sizeof *run.to.state.result, gpu->stream));
    if (scalar)
        TRY(dispatch_scalars(run, scratch));
    else
        TRY(with_unit(places_of(selection), [&](auto unit) { return run_records<decltype(unit)>(run, scratch); }));
    return count == nullptr ? SCANKIT_OK : cuda_fetch(gpu, count, run.to.state.result, sizeof *count);
}

// ---- elements too large for a tile: flags, positions, and then whole elements ----

constexpr size_t GATHER_BYTES = size_t(64) << 20;

static scankit_error make_flags(cuda_device *gpu, const sk_selection &selection, uint8_t *flags)
{
    workspace scratch(gpu);
    launcher run = {.gpu = gpu, .selection = &selection, .to = {}, .blocks = map_blocks(selection.n)};
    run.to.in = selection.in;
    run.to.n = selection.n;
    run.to.units = selection.element_size;
    run.to.first = selection.first;
    auto nothing = [] { return SCANKIT_OK; };
    auto interpreted = [&](const uploaded_program &uploaded) {
        return run.start((const void *)flags_kernel, run.to, match_interpreted<uint64_t>{uploaded.program}, flags);
    };
    return run_matching(run, scratch, SHAPE_FLAGS, nothing, interpreted, flags);
}

// Gathers those with the flags (or without them) to `to`. In place it goes by way of a buffer: the element that goes to
// place p comes from p or behind, so that what is overwritten has been read.
static scankit_error gather_flagged(cuda_device *gpu, const sk_selection &selection, const uint8_t *flags, bool invert,
                                    void *to, size_t *count)
{
    size_t size = selection.element_size, part = selection.n;
    workspace scratch(gpu);
    uint64_t *positions;
    void *buffer = nullptr;
    if (!scratch.take(&positions, selection.n))
        return SCANKIT_E_MEMORY;
    if (to == selection.in) {
        part = size < GATHER_BYTES ? GATHER_BYTES / size : 1;
        if (!scratch.take_bytes(&buffer, part, size))
            return SCANKIT_E_MEMORY;
    }
    sk_selection flagged = {};
    flagged.flags = flags;
    flagged.invert = invert;
    flagged.element_size = 1;
    flagged.n = selection.n;
    flagged.in = flags;
    flagged.positions = positions;
    TRY(single_pass(gpu, flagged, count));
    for (size_t done = 0; done < *count; done += part) {
        size_t now = *count - done < part ? *count - done : part;
        char *out = static_cast<char *>(to) + done * size;
        TRY(cuda_gather(&gpu->base, size, selection.in, selection.n, selection.in, sizeof *positions, positions + done,
                        buffer != nullptr ? buffer : out, now));
        if (buffer != nullptr)
            CHECK(cudaMemcpyAsync(out, buffer, now * size, cudaMemcpyDeviceToDevice, gpu->stream));
    }
    return SCANKIT_OK;
}

static scankit_error by_positions(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    workspace scratch(gpu);
    sk_selection flagged = selection;
    uint8_t *flags = nullptr;
    if (selection.program != nullptr) {
        if (!scratch.take(&flags, selection.n))
            return SCANKIT_E_MEMORY;
        TRY(make_flags(gpu, selection, flags));
        flagged.program = nullptr;
        flagged.flags = flags;
    }
    const char *algorithm = gpu->base.algorithm;
    size_t matching = 0, others = 0;
    if (selection.others != nullptr) // first: in place overwrites what they are
        TRY(gather_flagged(gpu, selection, flagged.flags, !selection.invert, selection.others, &others));
    if (selection.matching != nullptr) {
        TRY(gather_flagged(gpu, selection, flagged.flags, selection.invert, selection.matching, &matching));
    } else {
        flagged.element_size = 1;
        flagged.in = flagged.flags;
        flagged.others = nullptr;
        TRY(single_pass(gpu, flagged, &matching));
    }
    gpu->base.algorithm = algorithm;
    if (count != nullptr)
        *count = matching;
    return SCANKIT_OK;
}

scankit_error cuda_compact(sk_device *device, const sk_selection *selection, size_t *count)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (selection->in == nullptr) { // by flags, for their positions or number
        sk_selection flags = *selection;
        flags.in = selection->flags;
        flags.element_size = 1;
        return single_pass(gpu, flags, count);
    }
    if (selection->element_size > RECORD_TILE_BYTES / 2)
        return by_positions(gpu, *selection, count);
    return single_pass(gpu, *selection, count);
}
