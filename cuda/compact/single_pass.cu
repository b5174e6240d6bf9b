// single_pass.cu - compaction in a single pass: elements of 1, 2, 4 or 8 bytes in registers, others in shared memory;
// by flags, a bound, ranges, or an interpreted or compiled predicate; on the ring, or one block per tile.
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "compact/bound.cuh"
#include "compact/launcher.cuh"
#include "compact/within.cuh"
#include "device/launch.cuh"
#include "device/overlap.cuh"

// ---- kernels ----

template <class U, class Match, int BLOCKS, int VECTORS = COMPACT_VECTORS<U>>
static __global__ void __launch_bounds__(COMPACT_THREADS, COMPACT_RESIDENT<BLOCKS>)
    scalars_kernel(compact_arguments to, Match match)
{
    wait_for_launches();
    compact_scalars<U, VECTORS, BLOCKS>(to, match);
}

template <class U, class Match>
static __global__ void __launch_bounds__(compact_shape::THREADS, 1)
    ring_kernel(compact_arguments to, ring_arguments over, Match match)
{
    compact_on_ring<U>(over, to, match);
}

template <class U, class Match, int BLOCKS>
static __global__ void __launch_bounds__(COMPACT_THREADS, BLOCKS) records_kernel(compact_arguments to, Match match)
{
    compact_records<U>(to, match);
}

// ---- elements in registers ----

// Only bytes have small tiles: a thread has many of them.
template <class U> constexpr bool HAS_SMALL_TILES = sizeof(U) == 1;

// True if more blocks at a time pay.
template <class U> static bool wants_more_blocks(const launcher &run)
{
    size_t processors = run.gpu->processors, more = processors * COMPACT_MORE_BLOCKS<U>;
    bool at_once = run.tiles > processors * COMPACT_BLOCKS && run.tiles <= more;
    return COMPACT_MORE_BLOCKS<U> > COMPACT_BLOCKS && (at_once || run.tiles > processors * COMPACT_MANY_TILES);
}

template <class U, class Match> static scankit_error start_direct(launcher &run, const Match &match)
{
    if (is_on_ring(run.algorithm))
        return run.start_ring((const void *)ring_kernel<U, Match>, match);
    auto kernel = scalars_kernel<U, Match, COMPACT_BLOCKS>;
    if constexpr (HAS_SMALL_TILES<U>)
        kernel = run.small_tiles ? scalars_kernel<U, Match, COMPACT_BLOCKS, COMPACT_SMALL_VECTORS<U>> : kernel;
    if (wants_more_blocks<U>(run))
        kernel = scalars_kernel<U, Match, COMPACT_MORE_BLOCKS<U>>;
    return launch_usual(run.gpu, kernel, unsigned(run.tiles), COMPACT_THREADS, 0, run.to, match);
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

// Elements of a tile. run.small_tiles is chosen here: all small tiles must run at once.
template <class U> static size_t scalar_tile_size(launcher &run)
{
    constexpr size_t ON_RING = compact_shape::TILE_BYTES / sizeof(U), LARGE = compact_tile<U>::SIZE;
    constexpr size_t SMALL = compact_tile<U, COMPACT_SMALL_VECTORS<U>>::SIZE;
    bool ring = is_on_ring(run.algorithm), few = run.tiles_of(SMALL) <= size_t(run.gpu->processors) * COMPACT_BLOCKS;
    run.small_tiles = HAS_SMALL_TILES<U> && run.direct && !ring && few;
    size_t size = ring ? ON_RING : run.small_tiles ? SMALL : LARGE;
    if (sk_rehearses(&run.gpu->base) && !run.small_tiles) // a compiled predicate may have other tiles
        size = ON_RING < LARGE ? ON_RING : LARGE;
    return size;
}

template <class U> static scankit_error run_scalars(launcher &run, workspace &scratch, const size_t *count)
{
    const sk_selection &selection = *run.selection;
    within_test test;
    bool tries = selection.program != nullptr && selection.bound == nullptr;
    bool within = tries && selection.evaluation == SCANKIT_EVALUATE_AUTO && is_within_test(*selection.program, &test);
    if (within)
        run.to.invert = selection.invert != test.outside;
    run.direct = selection.program == nullptr || selection.bound != nullptr || within;
    TRY(choose_algorithm(run, true, [](bool ring) { return scalars_body(ring, sizeof(U)); }));
    run.to.lead = unsigned(uintptr_t(selection.in) % 16 / sizeof(U));
    run.tiles = run.tiles_of(scalar_tile_size<U>(run));
    run.over = ring_over(selection.in, nullptr, selection.n * sizeof(U));
    run.over.bulk_out = false; // elements move
    TRY(take_state(run.gpu, run.tiles, &run.to.state));
    TRY(place_count(run, count));
    return run_matching(
        run, scratch,
        [&] {
            if (within)
                return start_direct<U>(run, match_ranges<U>(test));
            if (selection.bound != nullptr)
                return start_direct<U>(run, match_bound<U>(*selection.bound));
            return start_direct<U>(run, match_flags{selection.flags});
        },
        [&](const uploaded_program &uploaded) { return start_interpreted<U>(run, uploaded); });
}

// ---- records in shared memory ----

template <class U> static scankit_error run_records(launcher &run, workspace &scratch, const size_t *count)
{
    const sk_selection &selection = *run.selection;
    run.direct = selection.program == nullptr;
    TRY(choose_algorithm(run, false, [](bool) { return records_body(sizeof(U)); }));
    run.to.units = selection.element_size / sizeof(U);
    run.to.tile_size = record_tile_size(selection.element_size);
    run.tiles = run.tiles_of(run.to.tile_size);
    TRY(take_state(run.gpu, run.tiles, &run.to.state));
    TRY(place_count(run, count));
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

scankit_error compact_in_single_pass(cuda_device *gpu, const sk_selection &selection, size_t *count,
                                     const unsigned long long *others_begin)
{
    workspace scratch(gpu);
    launcher run(gpu, selection);
    run.to.others_begin = others_begin;
    size_t size = selection.element_size;
    uintptr_t places = uintptr_t(selection.in) | uintptr_t(selection.matching) | uintptr_t(selection.others);
    if (is_word(size, places))
        TRY(dispatch_word(unsigned(size), [&](auto word) { return run_scalars<decltype(word)>(run, scratch, count); }));
    else
        TRY(with_unit(places | size, [&](auto unit) { return run_records<decltype(unit)>(run, scratch, count); }));
    return fetch_count(run, count);
}
