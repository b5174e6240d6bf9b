// merge.cu - merge of two arrays, and of the runs of one.
#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "sort/merge/bitonic_sort.cuh"
#include "sort/merge/merge.cuh"
#include "sort/merge/merge_keys.cuh"
#include "sort/merge/merge_pairs.cuh"
#include "sort/merge/merge_places.cuh"
#include "sort/survey/key_order.cuh"

// ---- keys alone ----

// All runs of one array, or two arrays whose tiles search for themselves where they begin.
template <int RUNS, class K, class Order>
static scankit_error run_keys(cuda_device *gpu, key_merge<K, Order> pass, size_t n)
{
    constexpr size_t TILE = MERGE_TILE<K>;
    size_t group = pass.run == 0 ? n : RUNS * pass.run;
    pass.tiles_per_group = unsigned((group - 1) / TILE + 1);
    size_t tiles = n / group * pass.tiles_per_group + (n % group + TILE - 1) / TILE;
    workspace scratch(gpu);
    if constexpr (RUNS == 4) {
        if (!scratch.take(&pass.split, tiles * RUNS))
            return SCANKIT_E_MEMORY;
        TRY(launch(gpu, split_four<K, Order>, unsigned((tiles * RUNS - 1) / MAP_THREADS + 1), MAP_THREADS, 0, pass,
                   tiles));
    }
    return launch(gpu, merge_keys<RUNS, 1, K, Order>, unsigned(tiles), MERGE_THREADS, 0, pass);
}

// Finds where the tiles of two arrays begin.
template <class K, class Order>
static scankit_error split_tiles(cuda_device *gpu, const key_merge<K, Order> &pass, size_t tiles, size_t tile_size)
{
    return launch(gpu, split_two<K, Order>, unsigned((tiles - 1) / SPLIT_THREADS + 1), SPLIT_THREADS, 0, pass, tiles,
                  tile_size);
}

// Two arrays of many tiles, whose begins are found before.
template <class K, class Order> static scankit_error run_split(cuda_device *gpu, key_merge<K, Order> pass, size_t n)
{
    size_t tiles = (n - 1) / MERGE_TILE<K, MERGE_EACH> + 1;
    workspace scratch(gpu);
    pass.tiles_per_group = unsigned(tiles);
    if (!scratch.take(&pass.split, tiles))
        return SCANKIT_E_MEMORY;
    TRY(split_tiles(gpu, pass, tiles, MERGE_TILE<K, MERGE_EACH>));
    return launch(gpu, merge_keys<2, MERGE_EACH, K, Order>, unsigned(tiles), MERGE_THREADS, 0, pass);
}

template <int RUNS, class K>
static scankit_error key_runs(cuda_device *gpu, const void *in, void *out, size_t n, size_t run)
{
    const K *keys = static_cast<const K *>(in);
    key_merge<K, same_order<K>> pass = {{keys, keys}, {n, 0}, run, static_cast<K *>(out), 0, {}, nullptr};
    return run_keys<RUNS>(gpu, pass, n);
}

scankit_error merge_key_runs(cuda_device *gpu, unsigned key_size, const void *in, void *out, size_t n, size_t run,
                             int runs)
{
    if (key_size == 4)
        return runs == 4 ? key_runs<4, uint32_t>(gpu, in, out, n, run) : key_runs<2, uint32_t>(gpu, in, out, n, run);
    return runs == 4 ? key_runs<4, uint64_t>(gpu, in, out, n, run) : key_runs<2, uint64_t>(gpu, in, out, n, run);
}

size_t key_chunk(unsigned key_size)
{
    return key_size == 4 ? MERGE_TILE<uint32_t> : MERGE_TILE<uint64_t>;
}

template <class K> static scankit_error key_chunks(cuda_device *gpu, const void *in, void *out, size_t n)
{
    END_REHEARSAL(gpu);
    bitonic_chunks<<<unsigned((n - 1) / MERGE_TILE<K> + 1), MERGE_THREADS, 0, gpu->stream>>>(static_cast<const K *>(in),
                                                                                             static_cast<K *>(out), n);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error sort_key_chunks(cuda_device *gpu, unsigned key_size, const void *in, void *out, size_t n)
{
    return key_size == 4 ? key_chunks<uint32_t>(gpu, in, out, n) : key_chunks<uint64_t>(gpu, in, out, n);
}

// ---- runs of one array, stable: with values, or by a part of the key ----

template <class K, class V> static scankit_error run(cuda_device *gpu, merge_pass<K, V> pass, size_t tiles)
{
    workspace scratch(gpu);
    if (!scratch.take(&pass.split, tiles))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    split_merges<<<unsigned((tiles - 1) / MAP_THREADS + 1), MAP_THREADS, 0, gpu->stream>>>(pass, tiles);
    CHECK_LAUNCH();
    merge_tiles<<<unsigned(tiles), MERGE_THREADS, 0, gpu->stream>>>(pass);
    CHECK_LAUNCH();
    return SCANKIT_OK;
}

scankit_error merge_runs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                         size_t run_length, unsigned begin_bit, unsigned end_bit)
{
    return dispatch_shape(shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        merge_pass<K, V> pass = {};
        unsigned bits = end_bit - begin_bit;
        pass.keys = static_cast<const K *>(in.keys);
        pass.values = static_cast<const V *>(in.values);
        pass.keys_out = static_cast<K *>(out.keys);
        pass.values_out = static_cast<V *>(out.values);
        pass.bit = begin_bit;
        pass.mask = K(K(~K(0)) >> (8 * sizeof(K) - bits));
        pass.n = n;
        pass.run = run_length;
        pass.tiles_per_pair = (2 * run_length - 1) / MERGE_PLACE_TILE + 1;
        size_t full_pairs = n / (2 * run_length), rest = n % (2 * run_length);
        size_t tiles = full_pairs * pass.tiles_per_pair + (rest + MERGE_PLACE_TILE - 1) / MERGE_PLACE_TILE;
        return run(gpu, pass, tiles);
    });
}

// ---- two arrays ----

template <class K, class From, class Order>
static key_merge<K, Order> in_order(const key_merge<K, From> &pass, Order order)
{
    return {{pass.in[0], pass.in[1]}, {pass.n[0], pass.n[1]}, 0, pass.out, 0, order, nullptr};
}

template <class K, class Order>
static key_merge<K, Order> two_arrays(Order order, const void *a, size_t na, const void *b, size_t nb, void *out)
{
    return {
        {static_cast<const K *>(a), static_cast<const K *>(b)}, {na, nb}, 0, static_cast<K *>(out), 0, order, nullptr};
}

template <class K, class V, class Order> static scankit_error run_pairs(cuda_device *gpu, pair_merge<K, V, Order> pairs)
{
    size_t n = pairs.keys.n[0] + pairs.keys.n[1], tiles = (n - 1) / PAIR_TILE<K, V> + 1;
    workspace scratch(gpu);
    if (n >= MERGE_SPLIT_LEAST_PAIRS<K>) {
        if (!scratch.take(&pairs.keys.split, tiles))
            return SCANKIT_E_MEMORY;
        TRY(split_tiles(gpu, pairs.keys, tiles, PAIR_TILE<K, V>));
    }
    return launch(gpu, merge_pairs<K, V, Order>, unsigned(tiles), MERGE_THREADS, 0, pairs);
}

// Floats, ascending. The network waits for the ALU, so two operations less of nine are worth an instance.
struct rising_floats {
    __device__ __forceinline__ uint32_t key(uint32_t bits) const
    {
        return sk_order_f32(bits);
    }
    __device__ __forceinline__ uint32_t value(uint32_t key) const
    {
        return sk_value_f32(key);
    }
};

// Many keys of 8 bytes in another order than that of words are merged one by one: the network waits for the ALU, which
// maps them too.
template <class K, class Order> static scankit_error run_two(cuda_device *gpu, const key_merge<K, Order> &pass)
{
    constexpr bool IS_MAPPED = sizeof(K) == 8 && !std::is_same_v<Order, same_order<K>>;
    size_t n = pass.n[0] + pass.n[1];
    if (n < (IS_MAPPED ? MERGE_MAPPED_LEAST : MERGE_SPLIT_LEAST_BYTES / sizeof(K)))
        return run_keys<2>(gpu, pass, n);
    if constexpr (IS_MAPPED)
        return run_pairs(gpu, pair_merge<K, no_value, Order>{pass, {}, nullptr});
    else if constexpr (std::is_same_v<Order, float_order<uint32_t>>)
        return pass.order.flip == 0 ? run_split(gpu, in_order(pass, rising_floats()), n) : run_split(gpu, pass, n);
    else
        return run_split(gpu, pass, n);
}

scankit_error cuda_merge_values(sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b,
                                size_t nb, void *out, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    *done = piece->kind != SK_PIECE_BYTES && !piece->swap;
    if (!*done)
        return SCANKIT_OK;
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    return dispatch_word(piece->size, [&](auto key) {
        using K = decltype(key);
        return dispatch_order<K>(*piece,
                                 [&](auto order) { return run_two(gpu, two_arrays<K>(order, a, na, b, nb, out)); });
    });
}

template <class K, class V, class Order>
static scankit_error run_columns(cuda_device *gpu, Order order, sk_const_columns a, size_t na, sk_const_columns b,
                                 size_t nb, sk_columns out)
{
    auto *values_a = static_cast<const V *>(a.values), *values_b = static_cast<const V *>(b.values);
    return run_pairs(gpu, pair_merge<K, V, Order>{two_arrays<K>(order, a.keys, na, b.keys, nb, out.keys),
                                                  {values_a, values_b},
                                                  static_cast<V *>(out.values)});
}

scankit_error cuda_merge_pairs(sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns a,
                               size_t na, sk_const_columns b, size_t nb, sk_columns out, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    *done = piece->kind != SK_PIECE_BYTES && !piece->swap;
    if (!*done)
        return SCANKIT_OK;
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    return dispatch_word(piece->size, [&](auto key) {
        using K = decltype(key);
        return dispatch_word(value_size, [&](auto value) {
            using V = decltype(value);
            if (piece->kind == SK_PIECE_UNSIGNED && !piece->descending)
                return run_columns<K, V>(gpu, same_order<K>(), a, na, b, nb, out);
            return run_columns<K, V>(gpu, number_order<K>(*piece), a, na, b, nb, out);
        });
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
        if constexpr (HAS_VALUE<V>)
            return run_columns<K, V>(gpu, same_order<K>(), a, na, b, nb, out);
        else
            return run_two(gpu, two_arrays<K>(same_order<K>(), a.keys, na, b.keys, nb, out.keys));
    });
}
