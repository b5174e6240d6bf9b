// compact.cu - compaction: the entry, and elements too large for a tile, which go by flags, positions and a gather.
#include "common/map.cuh"
#include "common/unit.cuh"
#include "compact/launcher.cuh"

// ---- elements too large for a tile ----

static __global__ void __launch_bounds__(COMPACT_THREADS)
    flags_kernel(compact_arguments to, match_interpreted<uint64_t> match, uint8_t *flags)
{
    flag_records(to, match, flags);
}

static scankit_error make_flags(cuda_device *gpu, const sk_selection &selection, uint8_t *flags)
{
    workspace scratch(gpu);
    launcher run(gpu, selection);
    run.tiles = map_blocks(selection.n);
    run.to.units = selection.element_size;
    run.to.invert = false; // the compaction by the flags inverts
    TRY(choose_algorithm(run, false, [](bool) { return BODY_FLAGS; }));
    auto nothing = [] { return SCANKIT_OK; };
    auto interpreted = [&](const uploaded_program &uploaded) {
        return run.start((const void *)flags_kernel, run.to, match_interpreted<uint64_t>{uploaded.program}, flags);
    };
    return run_matching(run, scratch, nothing, interpreted, flags);
}

// The positions of the elements that match (invert: of the others), in order.
static scankit_error list_positions(cuda_device *gpu, const uint8_t *flags, bool invert, size_t n, uint64_t *positions,
                                    size_t *count)
{
    sk_selection flagged = {};
    flagged.flags = flags;
    flagged.invert = invert;
    flagged.element_size = 1;
    flagged.n = n;
    flagged.in = flags;
    flagged.positions = positions;
    return compact_in_single_pass(gpu, flagged, count);
}

constexpr size_t GATHER_BYTES = size_t(64) << 20; // of the buffer for a gather in place

// Gathers the elements that match (invert: the others) to `to`. In place it uses a buffer: the element for place p
// comes from place p or a later one, so everything that is overwritten has been read.
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
    TRY(list_positions(gpu, flags, invert, selection.n, positions, count));
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
    size_t matching = 0, others = 0;
    if (selection.others != nullptr) // first: in place overwrites what they are
        TRY(gather_flagged(gpu, selection, flagged.flags, !selection.invert, selection.others, &others));
    if (selection.matching != nullptr) {
        TRY(gather_flagged(gpu, selection, flagged.flags, selection.invert, selection.matching, &matching));
    } else {
        flagged.element_size = 1;
        flagged.in = flagged.flags;
        flagged.others = nullptr;
        TRY(compact_in_single_pass(gpu, flagged, &matching));
    }
    report(gpu, compact_algorithm::POSITIONS);
    if (count != nullptr) {
        *count = matching;
        END_REHEARSAL(gpu);
        CHECK(cudaStreamSynchronize(gpu->stream)); // the last gather follows the count
    }
    return SCANKIT_OK;
}

static bool can_collect(const sk_selection &selection)
{
    return selection.any_order && selection.bound != nullptr && !selection.invert && selection.others == nullptr &&
           (selection.matching == nullptr) != (selection.positions == nullptr) &&
           is_word(selection.element_size, uintptr_t(selection.in) | uintptr_t(selection.matching));
}

scankit_error cuda_compact(sk_device *device, const sk_selection *selection, size_t *count)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    if (selection->in == nullptr) { // by flags, for their positions or number
        sk_selection flags = *selection;
        flags.in = selection->flags;
        flags.element_size = 1;
        return compact_in_single_pass(gpu, flags, count);
    }
    if (can_collect(*selection))
        return collect(gpu, *selection, count);
    if (selection->element_size > RECORD_MOST)
        return by_positions(gpu, *selection, count);
    return compact_in_single_pass(gpu, *selection, count);
}
