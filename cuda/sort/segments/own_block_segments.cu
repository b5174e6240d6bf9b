// own_block_segments.cu - the choice of sorts by own blocks, and their launch for words.
#include "sort/segments/own_block_segments.cuh"

#include "sort/segments/own_launch.cuh"
#include "sort/segments/sliced_segments.cuh"

namespace
{

static_assert(OWN_MOST == block_most(LONG_CLASS - 1), "blocks sort the classes before the long segments");

// Mean lengths for which own blocks are faster: below, blocks that merge, or slices, are as fast. With more segments
// for each multiprocessor than FEW_EACH, also such keys count that crowd bins, and are slower.
constexpr size_t FEW_EACH = 2, SEGMENTS_EACH = 8, FEW_LEAST = 512, LEAST = 2048, WIDE_LEAST = 256, SLICED_PAIRS = 5000;

size_t least_mean(sk_shape shape, bool few)
{
    return are_wide(shape) ? WIDE_LEAST : few ? FEW_LEAST : LEAST;
}

size_t most_mean(sk_shape shape, segment_totals all)
{
    bool are_narrow_pairs = shape.value_size > 0 && !are_wide(shape);
    return are_narrow_pairs && can_be_sliced(all.segments, all.elements) ? SLICED_PAIRS : OWN_MOST;
}

} // namespace

bool are_for_own_blocks(const cuda_device *gpu, sk_shape shape, segment_totals all)
{
    size_t mean = all.elements / all.segments, each = (all.segments - 1) / size_t(gpu->processors) + 1;
    return each <= SEGMENTS_EACH && mean >= least_mean(shape, each <= FEW_EACH) && mean <= most_mean(shape, all) &&
           has_room(gpu, shape);
}

scankit_error sort_segments_in_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all,
                                          unsigned *list)
{
    return data.piece == nullptr ? launch_own_blocks<true>(gpu, data, all, list)
                                 : sort_numbers_in_own_blocks(gpu, data, all, list);
}
