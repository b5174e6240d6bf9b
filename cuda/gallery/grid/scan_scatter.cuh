// scan_scatter.cuh - compaction in three steps: flags as zeros and ones, their scan, which says where each element that
// is kept goes, and the scatter (Blelloch, Prefix Sums and Their Applications, 1990, section 1.3; Harris, Sengupta and
// Owens, GPU Gems 3, 2007, chapter 39, section 3.1).
#ifndef SK_CUDA_SCAN_SCATTER_CUH
#define SK_CUDA_SCAN_SCATTER_CUH

#include "gallery/grid/flag_counts.cuh"

template <class U, class I> struct scatter_kept {
    const uint8_t *flags;
    const I *counts; // kept up to each element, with itself
    const U *in;
    U *out;
    __device__ void operator()(size_t i) const
    {
        if (flags[i] != 0)
            out[counts[i] - 1] = in[i];
    }
};

template <class U, class I> scankit_error scan_scatter(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    return compact_counted<U, I>(gpu, selection, count, [&](const U *in, const I *counts) {
        scatter_kept<U, I> move = {selection.flags, counts, in, static_cast<U *>(selection.matching)};
        map_kernel<<<map_blocks(selection.n), MAP_THREADS, 0, gpu->stream>>>(selection.n, move);
    });
}

#endif
