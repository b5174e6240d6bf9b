// runs.cuh - sorts that merge sorted runs two and two: which array each pass writes.
#ifndef SK_CUDA_GALLERY_RUNS_CUH
#define SK_CUDA_GALLERY_RUNS_CUH

#include "gallery/sort/sort_call.cuh"

// Two neighbouring runs of an array, as places; the second may be empty.
struct run_pair {
    size_t begin, middle, end;
};

__device__ __forceinline__ run_pair pair_at(size_t pair, size_t run, size_t n)
{
    size_t begin = pair * 2 * run, rest = n - begin;
    return {begin, rest < run ? n : begin + run, rest < 2 * run ? n : begin + 2 * run};
}

inline size_t pairs_of(size_t n, size_t run)
{
    return (n - 1) / (2 * run) + 1;
}

// chunks(to) sorts chunks of `chunk` elements. merge(from, to, run) merges runs of `run` elements, two and two. The
// passes go back and forth between the output and a second array, and end in the output.
template <class K, class V, class Chunks, class Merge>
scankit_error sort_by_runs(cuda_device *gpu, const sort_call<K, V> &call, size_t chunk, Chunks chunks, Merge merge)
{
    workspace scratch(gpu);
    key_columns<K, V> at = call.out, other = at;
    unsigned merges = 0;
    for (size_t run = chunk; run < call.n; run *= 2)
        merges++;
    if (merges > 0 && !take_columns(scratch, call.n, &other))
        return SCANKIT_E_MEMORY;
    if (merges % 2 == 1)
        std::swap(at, other);
    TRY(chunks(at));
    for (size_t run = chunk; run < call.n; run *= 2, std::swap(at, other))
        TRY(merge(read_only(at), other, run));
    return SCANKIT_OK;
}

#endif
