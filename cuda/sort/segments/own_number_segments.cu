// own_number_segments.cu - the launch of sorts by own blocks for keys that are not words.
#include "sort/segments/own_launch.cuh"

scankit_error sort_numbers_in_own_blocks(cuda_device *gpu, const segment_data &data, segment_totals all, unsigned *list)
{
    return launch_own_blocks<false>(gpu, data, all, list);
}
