// top_few.cu - the first few elements in order, in three launches that the host does not wait between: a threshold from
// a sample, the elements that pass it in any order, and a sort of these by one block.
#include "common/lookback_state.cuh"
#include "common/shape.cuh"
#include "common/unit.cuh"
#include "compact/choose.h"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "top/collect_first.cuh"
#include "top/sort_found.cuh"
#include "top/top_many.cuh"

// Elements that may pass the threshold: some place * stride do, if the sample does not mislead.
static unsigned room_of(const sk_top_first &what)
{
    size_t room = what.end * what.stride, most = size_t(1) << 30;
    room = room < what.n ? room : what.n;
    return unsigned(room < most ? room : most);
}

template <class U, bool POSITIONS> static scankit_error take_few(cuda_device *gpu, const sk_top_first &what, bool *done)
{
    using K = typename element_order<U>::key_type;
    const auto *in = static_cast<const U *>(what.in);
    const element_order<U> order(*what.order);
    workspace scratch(gpu);
    lookback_state<tile_count> state;
    top_threshold<K> *threshold;
    top_sample<K> sample = {nullptr, what.stride, unsigned(what.samples), unsigned(what.place), unsigned(what.end)};
    sample.end = min(sample.end, FIRST_MOST / sample.blocks());
    if (sample.place >= sample.end)
        return SCANKIT_OK;
    found_elements<U> found = {nullptr,       nullptr, room_of(what), unsigned(what.k), static_cast<U *>(what.elements),
                               what.positions};
    if (!scratch.take(&sample.first, FIRST_MOST) || !scratch.take(&threshold, 1) ||
        !scratch.take(&found.elements, found.room) || (POSITIONS && !scratch.take(&found.positions, found.room)))
        return SCANKIT_E_MEMORY;
    TRY(take_state(gpu, 0, &state));
    END_REHEARSAL(gpu);
    const collect_output to = {found.elements, found.positions, 0, found.room, &threshold->count};
    TRY(launch(gpu, sample_threshold<U>, sample.blocks(), TOP_THREADS, 0, in, sample, order, POSITIONS, threshold,
               state.tickets));
    TRY(launch(gpu, collect_first<U, POSITIONS>, collect_blocks<U>(gpu->processors, what.n), COLLECT_THREADS, 0, in,
               what.n, order, threshold, found.k, to));
    TRY(launch(gpu, sort_found<U, POSITIONS>, 1, TOP_THREADS, 0, found, order, threshold,
               static_cast<bool *>(cuda_result(gpu))));
    return cuda_wait_result(gpu, done, sizeof *done);
}

scankit_error cuda_top_first(sk_device *device, const sk_top_first *what, sk_top_end *end)
{
    cuda_device *gpu = as_cuda(device);
    unsigned size = unsigned(what->element_size);
    CHECK(cudaSetDevice(gpu->ordinal));
    *end = {};
    if (!is_word(size, uintptr_t(what->in) | uintptr_t(what->elements)))
        return SCANKIT_OK;
    if (what->k > SK_TOP_FEW)
        return top_many(gpu, *what, end);
    report(gpu, compact_algorithm::COLLECT);
    return dispatch_word(size, [&](auto word) {
        using U = decltype(word);
        if (what->positions == nullptr)
            return take_few<U, false>(gpu, *what, &end->done);
        if constexpr (sizeof(U) <= 4) // an entry that is sorted has room for a key and a position of 4 bytes each
            if (what->n <= UINT32_MAX)
                return take_few<U, true>(gpu, *what, &end->done);
        return SCANKIT_OK;
    });
}
