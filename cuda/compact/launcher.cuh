// compact.cuh - a launch of a compaction: what the kernel is given, who decides which elements match, and how the count
// comes to the host.
#ifndef SK_CUDA_COMPACT_LAUNCHER_CUH
#define SK_CUDA_COMPACT_LAUNCHER_CUH

#include "device/check.cuh"
#include "compact/ring_compact.cuh"
#include "compact/predicate.cuh"
#include "common/ring_launch.cuh"

// ---- a launch ----

using compact_ring = ring_memory<tile_count, RING_COMPACT_SLOTS>;

struct launcher {
    cuda_device *gpu;
    const sk_selection *selection;
    compact_arguments to;
    ring_arguments over; // the ring's
    compact_engine engine;
    cudaKernel_t compiled; // NULL: flags decide, or the program is interpreted
    size_t tiles;
    bool want_count;

    template <class... Arguments> scankit_error start(const void *kernel, Arguments... arguments)
    {
        void *pointers[] = {&arguments...};
        CHECK(cudaLaunchKernel(kernel, dim3(unsigned(tiles)), dim3(COMPACT_THREADS), pointers, 0, gpu->stream));
        return SCANKIT_OK;
    }

    template <class... Arguments> scankit_error start_ring(const void *kernel, Arguments... arguments)
    {
        constexpr int BYTES = sizeof(compact_ring);
        unsigned blocks = unsigned(tiles < size_t(gpu->processors) ? tiles : gpu->processors);
        void *pointers[] = {&to, &over, &arguments...};
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
        CHECK(cudaLaunchKernel(kernel, dim3(blocks), dim3(RING_THREADS), pointers, BYTES, gpu->stream));
        return SCANKIT_OK;
    }
};

// ---- who decides ----

// Whether this call runs a compiled kernel, and which.
inline scankit_error choose_compiled(launcher &run, kernel_shape shape)
{
    const sk_selection *selection = run.selection;
    if (selection->program == nullptr)
        return SCANKIT_OK;
    if (selection->evaluation == SCANKIT_COMPILE)
        return compiled_kernel(run.gpu, *selection->program, shape, &run.compiled);
    if (selection->evaluation == SCANKIT_EVALUATE_AUTO)
        compiled_kernel_pays(run.gpu, *selection->program, shape, selection->n, &run.compiled);
    return SCANKIT_OK;
}

// with_flags() and interpreted() launch one kernel each.
template <class Flags, class Interpreted, class... More>
scankit_error run_matching(launcher &run, workspace &scratch, Flags with_flags, Interpreted interpreted, More... more)
{
    cuda_device *gpu = run.gpu;
    bool ring = run.engine == ENGINE_RING;
    if (run.selection->program == nullptr) {
        gpu->base.algorithm = ring ? "ring" : "look-back";
        return with_flags();
    }
    if (run.compiled != nullptr) {
        gpu->base.algorithm = ring ? "ring, compiled" : "look-back, compiled";
        TRY(upload_ranges(gpu, scratch, *run.selection->program, &run.to.ranges));
        return ring ? run.start_ring(run.compiled) : run.start(run.compiled, run.to, more...);
    }
    gpu->base.algorithm = "look-back, interpreted";
    uploaded_program uploaded;
    TRY(upload_program(gpu, scratch, *run.selection->program, &uploaded));
    run.to.ranges = uploaded.ranges;
    return interpreted(uploaded);
}

// ---- the count ----

inline bool counts_alone(const sk_selection &selection)
{
    return selection.matching == nullptr && selection.others == nullptr && selection.positions == nullptr;
}

// The last tile writes the count where the host sees it. Where nothing else is wanted, all tiles add to it.
inline scankit_error place_count(launcher &run)
{
    cuda_device *gpu = run.gpu;
    run.to.count = run.want_count ? static_cast<unsigned long long *>(cuda_result(gpu)) : nullptr;
    if (counts_alone(*run.selection)) {
        run.to.count = run.to.state.result;
        CHECK(cudaMemsetAsync(run.to.count, 0, sizeof *run.to.count, gpu->stream));
    }
    return SCANKIT_OK;
}

inline scankit_error fetch_count(launcher &run, size_t *count)
{
    cuda_device *gpu = run.gpu;
    if (count == nullptr)
        return SCANKIT_OK;
    if (counts_alone(*run.selection))
        return cuda_fetch(gpu, count, run.to.count, sizeof *count);
    return cuda_wait_result(gpu, count, sizeof *count);
}

#endif
