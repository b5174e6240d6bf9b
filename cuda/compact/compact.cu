// compact.cu - compaction: chooses between elements in registers, in shared memory and too large for that, between
// flags, interpreted and compiled predicates, and between the ring and a block a tile; then launches the single pass.
#include "compact/launcher.cuh"

#include "common/map.cuh"
#include "common/lookback_state.cuh"
#include "common/unit.cuh"

// ---- kernels ----

template <class U, class Match, int BLOCKS>
static __global__ void __launch_bounds__(COMPACT_THREADS, BLOCKS) scalars_kernel(compact_arguments to, Match match)
{
    compact_scalars<U>(to, match);
}

template <class U, class Match>
static __global__ void __launch_bounds__(RING_THREADS, 1)
    ring_kernel(compact_arguments to, ring_arguments over, Match match)
{
    compact_on_ring<U>(over, to, match);
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

// ---- elements in registers ----

template <class U> static scankit_error start_flags(launcher &run)
{
    match_flags match = {run.selection->flags};
    if (run.engine == ENGINE_RING)
        return run.start_ring((const void *)ring_kernel<U, match_flags>, match);
    return run.start((const void *)scalars_kernel<U, match_flags, COMPACT_BLOCKS>, run.to, match);
}

template <class U> static scankit_error start_interpreted(launcher &run, const uploaded_program &uploaded)
{
    if constexpr (sizeof(U) < 8)
        if (uploaded.narrow)
            return run.start((const void *)scalars_kernel<U, match_interpreted<uint32_t>, INTERPRET_BLOCKS>, run.to,
                             match_interpreted<uint32_t>{uploaded.program});
    return run.start((const void *)scalars_kernel<U, match_interpreted<uint64_t>, INTERPRET_BLOCKS>, run.to,
                     match_interpreted<uint64_t>{uploaded.program});
}

// The one place where that is decided. Numbers are interpreted by as many threads as there is room for, and so not on
// the ring; and it has no room for places of elements of 1 byte.
static compact_engine choose_engine(const cuda_device *gpu, const sk_selection &selection)
{
    bool able = !counts_alone(selection) && (selection.positions == nullptr || selection.element_size > 1);
    bool pays = selection.n >= COMPACT_RING_BYTES / selection.element_size;
    bool there = ring_is_there(gpu) && gpu->shared_most >= sizeof(compact_ring);
    return able && there && (pays || gpu->ring_least == 0) ? ENGINE_RING : ENGINE_TILES;
}

template <class U> static scankit_error run_scalars(launcher &run, workspace &scratch)
{
    const sk_selection &selection = *run.selection;
    run.engine = choose_engine(run.gpu, selection);
    TRY(choose_compiled(run, scalars_shape(run.engine, sizeof(U))));
    if (selection.program != nullptr && run.compiled == nullptr)
        run.engine = ENGINE_TILES;
    run.to.head = unsigned(uintptr_t(selection.in) % 16 / sizeof(U));
    size_t size = run.engine == ENGINE_RING ? RING_TILE_BYTES / sizeof(U) : compact_tile<U>::SIZE;
    run.tiles = (run.to.head + selection.n - 1) / size + 1;
    run.over = ring_over(selection.in, nullptr, selection.n * sizeof(U));
    run.over.bulk_out = false; // elements move
    TRY(take_state(run.gpu, run.tiles, &run.to.state));
    TRY(place_count(run));
    return run_matching(
        run, scratch, [&] { return start_flags<U>(run); },
        [&](const uploaded_program &uploaded) { return start_interpreted<U>(run, uploaded); });
}

static scankit_error dispatch_scalars(launcher &run, workspace &scratch)
{
    switch (run.selection->element_size) {
    case 1: return run_scalars<uint8_t>(run, scratch);
    case 2: return run_scalars<uint16_t>(run, scratch);
    case 4: return run_scalars<uint32_t>(run, scratch);
    default: return run_scalars<uint64_t>(run, scratch);
    }
}

// ---- records in shared memory ----

// As many as fit, in whole warps where more than one does.
static unsigned record_tile_size(size_t element_size)
{
    size_t fit = RECORD_TILE_BYTES / element_size;
    fit = fit < COMPACT_THREADS * RECORD_ITEMS ? fit : COMPACT_THREADS * RECORD_ITEMS;
    return unsigned(fit < WARP ? fit : fit / WARP * WARP);
}

template <class U> static scankit_error run_records(launcher &run, workspace &scratch)
{
    constexpr kernel_shape shape = sizeof(U) == 16  ? SHAPE_RECORDS_16
                                   : sizeof(U) == 8 ? SHAPE_RECORDS_8
                                   : sizeof(U) == 4 ? SHAPE_RECORDS_4
                                                    : SHAPE_RECORDS_1;
    const sk_selection &selection = *run.selection;
    run.to.units = selection.element_size / sizeof(U);
    run.to.tile_size = record_tile_size(selection.element_size);
    run.tiles = (selection.n - 1) / run.to.tile_size + 1;
    TRY(choose_compiled(run, shape));
    TRY(take_state(run.gpu, run.tiles, &run.to.state));
    TRY(place_count(run));
    auto flags = [&] {
        return run.start((const void *)records_kernel<U, match_flags, COMPACT_BLOCKS>, run.to,
                         match_flags{run.selection->flags});
    };
    auto interpreted = [&](const uploaded_program &uploaded) {
        return run.start((const void *)records_kernel<U, match_interpreted<uint64_t>, COMPACT_BLOCKS>, run.to,
                         match_interpreted<uint64_t>{uploaded.program});
    };
    return run_matching(run, scratch, flags, interpreted);
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

static launcher launcher_for(cuda_device *gpu, const sk_selection &selection)
{
    launcher run = {};
    run.gpu = gpu;
    run.selection = &selection;
    run.to.in = selection.in;
    run.to.matching = selection.matching;
    run.to.others = selection.others;
    run.to.positions = selection.positions;
    run.to.n = selection.n;
    run.to.first = selection.first;
    run.to.invert = selection.invert;
    return run;
}

static scankit_error single_pass(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    workspace scratch(gpu);
    launcher run = launcher_for(gpu, selection);
    run.want_count = count != nullptr;
    if (is_scalar(selection))
        TRY(dispatch_scalars(run, scratch));
    else
        TRY(with_unit(places_of(selection), [&](auto unit) { return run_records<decltype(unit)>(run, scratch); }));
    return fetch_count(run, count);
}

// ---- elements too large for a tile: flags, positions, and then whole elements ----

constexpr size_t GATHER_BYTES = size_t(64) << 20;

static scankit_error make_flags(cuda_device *gpu, const sk_selection &selection, uint8_t *flags)
{
    workspace scratch(gpu);
    launcher run = launcher_for(gpu, selection);
    run.tiles = map_blocks(selection.n);
    run.to.units = selection.element_size;
    run.to.invert = false; // whoever reads the flags does that
    TRY(choose_compiled(run, SHAPE_FLAGS));
    auto nothing = [] { return SCANKIT_OK; };
    auto interpreted = [&](const uploaded_program &uploaded) {
        return run.start((const void *)flags_kernel, run.to, match_interpreted<uint64_t>{uploaded.program}, flags);
    };
    return run_matching(run, scratch, nothing, interpreted, flags);
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
    if (count != nullptr) {
        *count = matching;
        CHECK(cudaStreamSynchronize(gpu->stream)); // the last gather follows the count
    }
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
