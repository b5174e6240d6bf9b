// gather_search.cuh - compaction for machines that cannot scatter: each place of the output looks for its element, by a
// binary search in the running count of those that are kept, in log n steps (Horn, Stream Reduction Operations for
// GPGPU Applications, GPU Gems 2, 2005, chapter 36).
#ifndef SK_CUDA_GATHER_SEARCH_CUH
#define SK_CUDA_GATHER_SEARCH_CUH

#include "gallery/grid/flag_counts.cuh"

template <class U, class I> struct gather_kept {
    const I *counts; // kept up to each element, with itself: they rise
    const U *in;
    U *out;
    size_t n;
    __device__ void operator()(size_t place) const
    {
        if (place >= counts[n - 1])
            return;
        // The first element up to which more than `place` are kept.
        size_t low = 0, high = n - 1;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (counts[middle] > place)
                high = middle;
            else
                low = middle + 1;
        }
        out[place] = in[low];
    }
};

template <class U, class I> scankit_error gather_search(cuda_device *gpu, const sk_selection &selection, size_t *count)
{
    return compact_counted<U, I>(gpu, selection, count, [&](const U *in, const I *counts) {
        gather_kept<U, I> move = {counts, in, static_cast<U *>(selection.matching), selection.n};
        map_kernel<<<map_blocks(selection.n), MAP_THREADS, 0, gpu->stream>>>(selection.n, move);
    });
}

#endif
