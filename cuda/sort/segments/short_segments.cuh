// short_segments.cuh - lists of segments by length, and sorts of those that lanes or a block can hold.
#ifndef SK_CUDA_SHORT_SEGMENTS_CUH
#define SK_CUDA_SHORT_SEGMENTS_CUH

#include "common/map.cuh"
#include "device/arena.cuh"
#include "sort/segments/classes.cuh"
#include "sort/segments/segments.cuh"

// Lists of segments of each class. Workspace for up to `most` segments.
struct segment_lists {
    segment_counts *found;
    unsigned *memory;
    segment_counts counts; // if they are known
    bool known;            // by the host

    bool take(workspace &scratch, size_t most)
    {
        known = false;
        return scratch.take(&found, 1) && scratch.take(&memory, most);
    }
    class_lists listed() const
    {
        return {found, memory};
    }
    segment_list of(unsigned c) const
    {
        return {memory + counts.begin(c), counts.count[c]};
    }
};

// The classes of listed segments that blocks sort, and of few segments: four at least.
unsigned block_classes(const cuda_device *gpu, sk_shape shape);
unsigned few_classes(const cuda_device *gpu, sk_shape shape);

// Longer ones may be long segments.
inline size_t longest_short(const cuda_device *gpu, sk_shape shape)
{
    return block_most(BLOCK_CLASS + few_classes(gpu, shape) - 1);
}

// Fills in the lists when the segments of each class are counted.
template <class Lengths>
scankit_error list_counted(cuda_device *gpu, Lengths lengths, size_t segments, const segment_lists &lists,
                           rest_report report)
{
    return launch(gpu, list_classes<Lengths>, map_blocks(segments), CLASS_THREADS, 0, lengths, segments, lists.found,
                  lists.memory, report);
}

template <class Lengths>
scankit_error list_segments(cuda_device *gpu, Lengths lengths, size_t segments, const segment_lists &lists)
{
    CHECK(cudaMemsetAsync(lists.found, 0, sizeof *lists.found, gpu->stream));
    TRY(launch(gpu, count_classes<Lengths>, map_blocks(segments), CLASS_THREADS, 0, lengths, segments, lists.found));
    return list_counted(gpu, lengths, segments, lists, {});
}

// Blocks for the classes from first to last: a share of work each, of each(c) segments at most. most: shares if counts
// are not known.
template <class Each>
unsigned share_blocks(const segment_lists &lists, unsigned first, unsigned last, Each each, size_t most)
{
    unsigned shares = 0;
    if (!lists.known)
        return unsigned(most);
    for (unsigned c = first; c <= last; c++)
        shares += (lists.counts.count[c] + each(c) - 1) / each(c);
    return shares;
}

// Waits for the counts, if they are not known.
inline scankit_error fetch_counts(cuda_device *gpu, segment_lists *lists)
{
    if (lists->known)
        return SCANKIT_OK;
    lists->known = true;
    return cuda_fetch(gpu, &lists->counts, lists->found, sizeof lists->counts);
}

// The segments of a call or of a round, and elements in all of them, at most.
struct segment_totals {
    size_t segments, elements;
};

// Few segments and elements, of which the GPU's blocks have room for all classes: these need no lists.
bool are_few(const cuda_device *gpu, sk_shape shape, segment_totals all);

// Sorts all of them but the long ones. Asks for the report of what is left, of n elements.
scankit_error sort_few_segments(cuda_device *gpu, const segment_data &data, segment_totals all);

// Sorts the tiny segments, and lists the others. Asks for the report of what is left, of n elements.
scankit_error sort_tiny_segments(cuda_device *gpu, const segment_data &data, segment_totals all,
                                 const segment_lists &lists);

// Sorts the listed segments of the classes before LONG_CLASS. Waits for the counts if there are many elements.
scankit_error sort_short_segments(cuda_device *gpu, const segment_data &data, segment_totals all, segment_lists *lists);

#endif
