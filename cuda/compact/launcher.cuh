// launcher.cuh - one launch of a compaction: what the kernel is given, how its predicate is evaluated, and how the
// count gets to the host.
#ifndef SK_CUDA_COMPACT_LAUNCHER_CUH
#define SK_CUDA_COMPACT_LAUNCHER_CUH

#include "common/lookback_state.cuh"
#include "common/ring_launch.cuh"
#include "compact/choose.h"
#include "compact/predicate.cuh"
#include "compact/ring_compact.cuh"
#include "device/check.cuh"

using compact_ring = ring_memory<tile_count, compact_shape>;

// ---- a launch ----

// Records of a tile: what fits, in whole warps if there is more than one.
inline unsigned record_tile_size(size_t element_size)
{
    size_t fit = RECORD_TILE_BYTES / element_size;
    fit = fit < COMPACT_THREADS * RECORD_ITEMS ? fit : COMPACT_THREADS * RECORD_ITEMS;
    return unsigned(fit < WARP ? fit : fit / WARP * WARP);
}

struct launcher {
    cuda_device *gpu;
    const sk_selection *selection;
    compact_arguments to;
    ring_arguments over; // of the ring
    compact_algorithm algorithm;
    bool direct;           // flags, a bound or ranges decide, and no program
    cudaKernel_t compiled; // NULL: they do, or the program is interpreted
    bool small_tiles;      // of scalars
    size_t tiles;

    launcher(cuda_device *gpu, const sk_selection &selection)
        : gpu(gpu), selection(&selection), to(), over(), algorithm(), direct(), compiled(), small_tiles(), tiles()
    {
        to.in = selection.in;
        to.matching = selection.matching;
        to.others = selection.others;
        to.positions = selection.positions;
        to.n = selection.n;
        to.first = selection.first;
        to.invert = selection.invert;
    }

    // Tiles of `size` elements begin at multiples of 16 bytes.
    size_t tiles_of(size_t size) const
    {
        return (to.lead + to.n - 1) / size + 1;
    }

    template <class... Arguments> scankit_error start(const void *kernel, Arguments... arguments)
    {
        END_REHEARSAL(gpu);
        void *pointers[] = {&arguments...};
        CHECK(cudaLaunchKernel(kernel, dim3(unsigned(tiles)), dim3(COMPACT_THREADS), pointers, 0, gpu->stream));
        return SCANKIT_OK;
    }

    template <class... Arguments> scankit_error start_ring(const void *kernel, Arguments... arguments)
    {
        constexpr int BYTES = sizeof(compact_ring);
        END_REHEARSAL(gpu);
        unsigned blocks = unsigned(tiles < size_t(gpu->processors) ? tiles : gpu->processors);
        void *pointers[] = {&to, &over, &arguments...};
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
        CHECK(cudaLaunchKernel(kernel, dim3(blocks), dim3(compact_shape::THREADS), pointers, BYTES, gpu->stream));
        return SCANKIT_OK;
    }
};

// ---- the choice ----

inline bool is_only_counted(const sk_selection &selection)
{
    return selection.matching == nullptr && selection.others == nullptr && selection.positions == nullptr;
}

inline compact_facts facts_of(const launcher &run, bool is_scalar)
{
    const sk_selection &selection = *run.selection;
    compact_facts facts = {};
    facts.n = selection.n;
    facts.element_size = selection.element_size;
    facts.is_scalar = is_scalar;
    facts.only_count = is_only_counted(selection);
    facts.with_positions = selection.positions != nullptr;
    facts.by = run.direct ? match_source::DIRECT : match_source::COMPILED;
    facts.ring_least = run.gpu->ring_least;
    facts.fits_ring = run.gpu->shared_most >= sizeof(compact_ring);
    return facts;
}

inline scankit_error find_compiled(launcher &run, kernel_body body)
{
    const sk_selection *selection = run.selection;
    if (sk_rehearses(&run.gpu->base)) // interpretation needs no less
        return SCANKIT_OK;
    if (run.gpu->captures) // kernels are not loaded then, and compiled ones are unloaded some day
        return selection->evaluation == SCANKIT_COMPILE ? cuda_refuse_capture(run.gpu, "a compiled predicate")
                                                        : SCANKIT_OK;
    if (selection->evaluation == SCANKIT_COMPILE)
        return compiled_kernel(run.gpu, *selection->program, body, &run.compiled);
    if (selection->evaluation == SCANKIT_EVALUATE_AUTO)
        compiled_kernel_pays(run.gpu, *selection->program, body, selection->n, &run.compiled);
    return SCANKIT_OK;
}

// run.direct is known. body(on_ring): the body of the kernel, if the predicate is compiled.
template <class Body> scankit_error choose_algorithm(launcher &run, bool is_scalar, Body body)
{
    compact_facts facts = facts_of(run, is_scalar);
    run.algorithm = choose_compact(facts);
    if (run.direct)
        return SCANKIT_OK;
    TRY(find_compiled(run, body(is_on_ring(run.algorithm))));
    if (run.compiled == nullptr) {
        facts.by = match_source::INTERPRETED;
        run.algorithm = choose_compact(facts);
    }
    return SCANKIT_OK;
}

// ---- the launch ----

// direct() and interpreted() launch one kernel each; `more` are more arguments of a compiled one.
template <class Direct, class Interpreted, class... More>
scankit_error run_matching(launcher &run, workspace &scratch, Direct direct, Interpreted interpreted, More... more)
{
    cuda_device *gpu = run.gpu;
    report(gpu, run.algorithm);
    if (run.direct)
        return direct();
    if (run.compiled != nullptr) {
        TRY(upload_ranges(gpu, scratch, *run.selection->program, &run.to.ranges));
        return is_on_ring(run.algorithm) ? run.start_ring(run.compiled) : run.start(run.compiled, run.to, more...);
    }
    uploaded_program uploaded;
    TRY(upload_program(gpu, scratch, *run.selection->program, &uploaded));
    run.to.ranges = uploaded.ranges;
    return interpreted(uploaded);
}

// ---- the count ----

// The last tile stores the count. If nothing else is wanted, all tiles add to it, in the device's memory.
inline scankit_error place_count(launcher &run, const size_t *count)
{
    cuda_device *gpu = run.gpu;
    END_REHEARSAL(gpu);
    if (is_only_counted(*run.selection))
        CHECK(cudaMemsetAsync(run.to.state.result, 0, sizeof *run.to.state.result, gpu->stream));
    else
        tell_host(gpu, run.to.state, count);
    return SCANKIT_OK;
}

inline scankit_error fetch_count(launcher &run, size_t *count)
{
    if (count != nullptr && is_only_counted(*run.selection))
        return cuda_fetch(run.gpu, count, run.to.state.result, sizeof *count);
    return wait_for_count(run.gpu, count);
}

// ---- collect.cu ----

// Takes the elements that match in any order (can_collect()).
scankit_error collect(cuda_device *gpu, const sk_selection &selection, size_t *count);

// ---- single_pass.cu ----

// Compacts elements of up to RECORD_MOST bytes. *count (or NULL) gets the number that match. *others_begin: as in
// compact_arguments.
scankit_error compact_in_single_pass(cuda_device *gpu, const sk_selection &selection, size_t *count,
                                     const unsigned long long *others_begin = nullptr);

#endif
