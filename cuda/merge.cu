// merge.cu - merge of two arrays, and of the runs of one.
#include "arena.cuh"
#include "check.cuh"
#include "grid/merge_path.cuh"
#include "merge.cuh"
#include "shape.cuh"

template <class K, class V> constexpr int ITEMS_OF = MERGE_ITEMS<sizeof(K), VALUE_SIZE<V>>;
template <class K, class V> constexpr size_t TILE_OF = size_t(MERGE_THREADS) * ITEMS_OF<K, V>;

// Keys alone that compare as a whole need no places: equals cannot be told apart.
template <class K, class V>
static void launch(cuda_device *gpu, const merge_pass<K, V> &pass, unsigned tiles, bool whole)
{
    if constexpr (!HAS_VALUE<V>)
        if (whole) {
            merge_tiles<K, V, ITEMS_OF<K, V>, true><<<tiles, MERGE_THREADS, 0, gpu->stream>>>(pass);
            return;
        }
    merge_tiles<K, V, ITEMS_OF<K, V>, false><<<tiles, MERGE_THREADS, 0, gpu->stream>>>(pass);
}

template <class K, class V> static scankit_error run(cuda_device *gpu, merge_pass<K, V> pass, size_t tiles, bool whole)
{
    workspace scratch(gpu);
    if (!scratch.take(&pass.split, tiles))
        return SCANKIT_E_MEMORY;
    split_merges<K, V, int(TILE_OF<K, V>)>
        <<<unsigned((tiles - 1) / MAP_THREADS + 1), MAP_THREADS, 0, gpu->stream>>>(pass, tiles);
    CHECK_LAUNCH();
    launch(gpu, pass, unsigned(tiles), whole);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

template <class K, class V> static merge_pass<K, V> pass_of(sk_const_columns a, sk_const_columns b, sk_columns out)
{
    merge_pass<K, V> pass = {};
    pass.keys_a = static_cast<const K *>(a.keys);
    pass.keys_b = static_cast<const K *>(b.keys);
    pass.values_a = static_cast<const V *>(a.values);
    pass.values_b = static_cast<const V *>(b.values);
    pass.keys_out = static_cast<K *>(out.keys);
    pass.values_out = static_cast<V *>(out.values);
    pass.mask = K(~K(0));
    return pass;
}

scankit_error merge_runs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                         size_t run_length, unsigned begin_bit, unsigned end_bit)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        merge_pass<K, V> pass = pass_of<K, V>(in, in, out);
        unsigned bits = end_bit - begin_bit;
        pass.bit = begin_bit;
        pass.mask = K(K(~K(0)) >> (8 * sizeof(K) - bits));
        pass.na = n;
        pass.run = run_length;
        pass.tiles_per_pair = (2 * run_length - 1) / TILE_OF<K, V> + 1;
        size_t full_pairs = n / (2 * run_length), rest = n % (2 * run_length);
        size_t tiles = full_pairs * pass.tiles_per_pair + (rest + TILE_OF<K, V> - 1) / TILE_OF<K, V>;
        return run(gpu, pass, tiles, bits == 8 * sizeof(K));
    });
}

scankit_error cuda_merge(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                         size_t nb, sk_columns out)
{
    cuda_device *gpu = as_cuda(device);
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        merge_pass<K, V> pass = pass_of<K, V>(a, b, out);
        pass.na = na;
        pass.nb = nb;
        size_t tiles = (na + nb - 1) / TILE_OF<K, V> + 1;
        pass.tiles_per_pair = tiles;
        return run(gpu, pass, tiles, true);
    });
}
