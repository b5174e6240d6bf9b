// split_radix.cuh - the first half of the sort of GPU Gems 3: chunks sorted on chip by splits of one bit. They are
// merged as in merge_path.cuh; gems.cuh has the chapter's own merge.
#ifndef SK_CUDA_GALLERY_SPLIT_RADIX_CUH
#define SK_CUDA_GALLERY_SPLIT_RADIX_CUH

#include "gallery/block/conflict_free.cuh"
#include "gallery/sort/merge_tiles.cuh"
#include "gallery/sort/split_chunks.cuh"

template <template <class> class Scan, class K, class V>
scankit_error split_radix_sort_by(cuda_device *gpu, const sort_call<K, V> &call)
{
    auto chunks = [&](key_columns<K, V> to) { return sort_chunks_by_splits<Scan, K, V>(gpu, call.in, to, call.n); };
    return sort_by_runs(gpu, call, split_chunk<Scan, K, V>::SIZE, chunks,
                        [&](auto from, auto to, size_t run) { return merge_by_path(gpu, from, to, call.n, run); });
}

// With the scan that the chapter has.
template <class K, class V> scankit_error split_radix_sort(cuda_device *gpu, const sort_call<K, V> &call)
{
    return split_radix_sort_by<conflict_free, K, V>(gpu, call);
}

#endif
