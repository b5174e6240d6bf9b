// short_segments.cuh - lists of segments by length, and sorts of those that lanes or a block can hold.
#ifndef SK_CUDA_SHORT_SEGMENTS_CUH
#define SK_CUDA_SHORT_SEGMENTS_CUH

#include "common/map.cuh"
#include "device/arena.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/segments.cuh"

// The segments of each class. Workspace for lists of up to `most` segments.
struct segment_lists {
    segment_list of[CLASSES];
    segment_counts counts;
    segment_counts *found;
    unsigned *used, *memory;

    bool take(workspace &scratch, size_t most)
    {
        return scratch.take(&found, 1) && scratch.take(&used, CLASSES) && scratch.take(&memory, most);
    }
};

// Segments that this GPU's blocks have no room for count as long ones.
scankit_error make_segment_room(cuda_device *gpu, sk_shape shape, segment_lists *lists);

// Fills in the lists, when the segments of each class are counted; waits for the counts.
template <class Lengths>
scankit_error list_counted(cuda_device *gpu, sk_shape shape, Lengths lengths, size_t segments, segment_lists *lists)
{
    class_begins begins;
    unsigned all = 0;
    TRY(cuda_fetch(gpu, &lists->counts, lists->found, sizeof lists->counts));
    for (unsigned c = 0; c < CLASSES; c++) {
        begins.at[c] = all;
        lists->of[c] = {lists->memory + all, unsigned(lists->counts.count[c])};
        all += unsigned(lists->counts.count[c]);
    }
    if (all == 0)
        return SCANKIT_OK;
    CHECK(cudaMemsetAsync(lists->used, 0, CLASSES * sizeof *lists->used, gpu->stream));
    list_classes<<<map_blocks(segments), CLASS_THREADS, 0, gpu->stream>>>(lengths, segments, begins, lists->used,
                                                                          lists->memory);
    CHECK_LAUNCH();
    return make_segment_room(gpu, shape, lists);
}

template <class Lengths>
scankit_error list_segments(cuda_device *gpu, sk_shape shape, Lengths lengths, size_t segments, segment_lists *lists)
{
    CHECK(cudaMemsetAsync(lists->found, 0, sizeof *lists->found, gpu->stream));
    count_classes<<<map_blocks(segments), CLASS_THREADS, 0, gpu->stream>>>(lengths, segments, lists->found);
    CHECK_LAUNCH();
    return list_counted(gpu, shape, lengths, segments, lists);
}

// Sorts the tiny segments, and lists the others.
scankit_error sort_tiny_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                 const uint64_t *offsets, size_t segments, segment_lists *lists);

// Sorts the listed segments of the classes before LONG_CLASS.
scankit_error sort_short_segments(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out,
                                  const uint64_t *offsets, const segment_lists &lists);

#endif
