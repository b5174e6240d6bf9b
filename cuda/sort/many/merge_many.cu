// merge_many.cu - merge of many arrays: up to MANY_RUNS of them in one pass over the data, more in several.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "sort/many/merge_many.cuh"
#include "sort/many/merge_many_keys.cuh"
#include "sort/many/merge_many_pairs.cuh"
#include "sort/survey/key_order.cuh"

// ---- one pass ----

// The cuts of a pass, from the whole output to tiles.
struct cut_plan {
    int count;
    cut_step step[CUT_STEPS_MOST];

    size_t tiles() const
    {
        return size_t(step[count - 1].parts) * step[count - 1].pieces;
    }
};

// Elements per sample, in the last step. A sample costs a sector of memory; more of them make tiles more even.
template <class K, class V> static int elements_per_sample(int runs)
{
    constexpr int ROOM = HAS_VALUE<V> ? pair_rounds<K>::SIZE : crowded_rounds<K>::SIZE;
    int most = ROOM / (PIECE_SAMPLES_PER_RUN + 1) / runs;
    return MANY_SAMPLE_EACH < most ? MANY_SAMPLE_EACH : most;
}

// Samples per tile. With values, all tiles must fit. Keys alone: nearly all fit their bins. There each part leaves half
// a row unused, and the number of rows varies by chance: by the ends of parts within a sample, and within a row. Three
// standard deviations fail in one tile of a thousand. merge_crowded() has room for these.
template <class K, class V> static int samples_per_tile(int runs, int each)
{
    if (HAS_VALUE<V>)
        return pair_rounds<K>::SIZE / each - runs;
    double sample_rows = double(each) / WARP, variance = runs * (2 * sample_rows * sample_rows + 1) / 12;
    double rows = row_memory<K>::ROWS - 0.5 * runs - 3 * std::sqrt(variance);
    int usual = int(rows / sample_rows), most = crowded_rounds<K>::SIZE / each - runs;
    return usual < most ? usual : most;
}

// Elements per sample grow by the same factor from step to step, up to where one block has all samples. More steps have
// smaller factors, so that pieces have more samples.
template <class K> static void choose_each(cut_plan *plan, size_t n, int runs, int each)
{
    constexpr double SIZE = sample_rounds<K>::SIZE;
    double blocks = double(n) / (SIZE * each), factor = blocks;
    plan->count = blocks > 1 ? 2 : 1;
    while (plan->count < CUT_STEPS_MOST && factor * ((PIECE_SAMPLES_PER_RUN + 1) * runs + 1) > SIZE)
        factor = std::pow(blocks, 1.0 / plan->count++);
    for (int i = plan->count - 1; i >= 0; i--)
        plan->step[i].each = size_t(each * std::pow(factor, plan->count - 1 - i));
    if (plan->count > 1)
        plan->step[0].each = (n - 1) / sample_rounds<K>::SIZE + 1;
}

// A piece is a part of the next step, and has at most as many samples there as a block has room for.
template <class K, class V, class Order> static cut_plan plan_cuts(const many_pass<K, V, Order> &pass)
{
    constexpr size_t SIZE = sample_rounds<K>::SIZE;
    cut_plan plan = {};
    choose_each<K>(&plan, pass.n, pass.runs, elements_per_sample<K, V>(pass.runs));
    unsigned parts = 1;
    size_t largest = pass.n; // part
    for (int i = 0; i < plan.count; i++) {
        cut_step *step = &plan.step[i];
        step->parts = parts;
        step->is_last = i + 1 == plan.count;
        step->piece_samples = step->is_last ? samples_per_tile<K, V>(pass.runs, int(step->each))
                                            : int(SIZE * step[1].each / step->each) - pass.runs;
        step->pieces = pieces_of(int(largest / step->each), pass.runs, step->piece_samples);
        largest = step->each * (step->piece_samples + pass.runs);
        parts *= step->pieces;
    }
    return plan;
}

template <class K, class V, class Order>
static scankit_error cut_tiles(cuda_device *gpu, workspace *scratch, many_pass<K, V, Order> *pass)
{
    cut_plan plan = plan_cuts(*pass);
    pass->tiles = unsigned(plan.tiles());
    if (!HAS_VALUE<V> && (!scratch->take(&pass->crowded, pass->tiles) || !scratch->take(&pass->crowded_count, 1) ||
                          !scratch->take(&pass->bounds, 2 * pass->tiles)))
        return SCANKIT_E_MEMORY;
    const size_t *from = nullptr;
    for (int i = 0; i < plan.count; i++) {
        cut_step *step = &plan.step[i];
        step->from = from;
        if (!scratch->take(&step->to, (size_t(step->parts) * step->pieces + 1) * pass->runs))
            return SCANKIT_E_MEMORY;
        TRY(launch(gpu, cut_parts<K, V, Order>, step->parts, MANY_SAMPLE_THREADS, 0, *pass, *step));
        from = step->to;
    }
    pass->split = from;
    return SCANKIT_OK;
}

template <class K, class V, class Order> static scankit_error run_pass(cuda_device *gpu, many_pass<K, V, Order> pass)
{
    workspace scratch(gpu);
    TRY(cut_tiles(gpu, &scratch, &pass));
    if constexpr (HAS_VALUE<V>) {
        return launch(gpu, merge_many_pairs<K, V>, pass.tiles, MANY_PAIR_THREADS, 0, pass);
    } else {
        unsigned most = unsigned(4 * gpu->processors);
        TRY(launch(gpu, merge_many_keys<K, Order>, pass.tiles, BUCKET_THREADS<K>, sizeof(many_keys_memory<K>), pass));
        return launch(gpu, merge_crowded<K, Order>, pass.tiles < most ? pass.tiles : most, MANY_CROWDED_THREADS, 0,
                      pass);
    }
}

// Merges 2 to MANY_RUNS arrays.
template <class K, class V, class Order>
static scankit_error merge_once(cuda_device *gpu, Order order, int runs, const sk_const_columns *in, const size_t *n,
                                sk_columns out)
{
    many_pass<K, V, Order> pass = {};
    for (int r = 0; r < runs; r++) {
        pass.in.keys[r] = static_cast<const K *>(in[r].keys);
        pass.in.values[r] = static_cast<const V *>(in[r].values);
        pass.in.n[r] = n[r];
        pass.n += n[r];
    }
    pass.keys_out = static_cast<K *>(out.keys);
    pass.values_out = static_cast<V *>(out.values);
    pass.runs = runs;
    pass.order = order;
    return run_pass(gpu, pass);
}

// ---- several passes ----

// The arrays of a pass: host memory.
struct array_list {
    size_t k;
    sk_const_columns *in;
    size_t *n;
};

template <class K, class V> static sk_columns columns_at(sk_columns out, size_t i)
{
    return {static_cast<K *>(out.keys) + i, HAS_VALUE<V> ? static_cast<V *>(out.values) + i : nullptr};
}

// Merges neighbouring arrays to `out`, where the results become the list's arrays.
template <class K, class V, class Order>
static scankit_error merge_groups(cuda_device *gpu, Order order, array_list *list, sk_columns out)
{
    size_t groups = (list->k - 1) / MANY_RUNS + 1, at = 0;
    for (size_t g = 0; g < groups; g++) {
        size_t first = list->k * g / groups, after = list->k * (g + 1) / groups, n = 0;
        sk_columns to = columns_at<K, V>(out, at);
        TRY((merge_once<K, V>(gpu, order, int(after - first), list->in + first, list->n + first, to)));
        for (size_t i = first; i < after; i++)
            n += list->n[i];
        list->in[g] = {to.keys, to.values};
        list->n[g] = n;
        at += n;
    }
    list->k = groups;
    return SCANKIT_OK;
}

// The passes go back and forth between `other` and out, and end in out.
template <class K, class V, class Order>
static scankit_error merge_list(cuda_device *gpu, Order order, array_list *list, sk_columns out)
{
    workspace scratch(gpu);
    sk_columns other = {};
    size_t n = 0, passes = 1;
    for (size_t i = 0; i < list->k; i++)
        n += list->n[i];
    for (size_t k = list->k; k > MANY_RUNS; k = (k - 1) / MANY_RUNS + 1)
        passes++;
    if (!scratch.take_bytes(&other.keys, n, sizeof(K)) ||
        (HAS_VALUE<V> && !scratch.take_bytes(&other.values, n, VALUE_SIZE<V>)))
        return SCANKIT_E_MEMORY;
    for (; passes > 0; passes--)
        TRY((merge_groups<K, V>(gpu, order, list, passes % 2 == 1 ? out : other)));
    return SCANKIT_OK;
}

template <class K, class V, class Order>
static scankit_error merge_all(cuda_device *gpu, Order order, size_t k, const sk_const_columns *in, const size_t *n,
                               sk_columns out)
{
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    if (k <= MANY_RUNS)
        return merge_once<K, V>(gpu, order, int(k), in, n, out);
    array_list list = {k, static_cast<sk_const_columns *>(std::calloc(k, sizeof *in + sizeof *n)), nullptr};
    if (list.in == nullptr)
        return SCANKIT_E_MEMORY;
    list.n = reinterpret_cast<size_t *>(list.in + k);
    std::memcpy(list.in, in, k * sizeof *in);
    std::memcpy(list.n, n, k * sizeof *n);
    scankit_error error = merge_list<K, V>(gpu, order, &list, out);
    std::free(list.in);
    return error;
}

// ---- a pass of a sort ----

scankit_error merge_many_runs(cuda_device *gpu, sk_shape shape, sk_const_columns in, sk_columns out, size_t n,
                              size_t run)
{
    sk_const_columns begin[MANY_RUNS];
    size_t length[MANY_RUNS];
    int runs = int((n - 1) / run + 1);
    for (int r = 0; r < runs; r++) {
        size_t first = size_t(r) * run;
        begin[r].keys = static_cast<const char *>(in.keys) + first * shape.key_size;
        begin[r].values = static_cast<const char *>(in.values) + first * shape.value_size;
        length[r] = n - first < run ? n - first : run;
    }
    return dispatch_shape(shape, [&](auto key, auto value) -> scankit_error {
        using K = decltype(key);
        if constexpr (sizeof(K) >= 4)
            return merge_once<K, decltype(value)>(gpu, same_order<K>{}, runs, begin, length, out);
        else
            return SCANKIT_E_ARGUMENT; // no pass asks for it
    });
}

// ---- the backend's functions ----

// Keys of 1 and 2 bytes: a sort of all of them counts values, at the speed of copying.
static scankit_error join(sk_device *device, size_t key_size, size_t k, const void *const *in, const size_t *n,
                          void *out, size_t *all)
{
    *all = 0;
    for (size_t i = 0; i < k; i++) {
        TRY(cuda_copy(device, static_cast<char *>(out) + *all * key_size, in[i], n[i] * key_size));
        *all += n[i];
    }
    return SCANKIT_OK;
}

scankit_error cuda_merge_many_values(sk_device *device, const sk_piece *piece, size_t k, const void *const *in,
                                     const size_t *n, void *out, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    *done = piece->kind != SK_PIECE_BYTES && !piece->swap;
    if (!*done)
        return SCANKIT_OK;
    if (k == 2)
        return cuda_merge_values(device, piece, in[0], n[0], in[1], n[1], out, done);
    if (piece->size < 4) {
        size_t all;
        TRY(join(device, piece->size, k, in, n, out, &all));
        return cuda_sort_values(device, piece, out, out, nullptr, all, SCANKIT_AUTO, done);
    }
    auto *columns = static_cast<sk_const_columns *>(std::calloc(k, sizeof(sk_const_columns)));
    if (columns == nullptr)
        return SCANKIT_E_MEMORY;
    for (size_t i = 0; i < k; i++)
        columns[i].keys = in[i];
    auto run = [&](auto order) {
        using K = decltype(order.key(0));
        return merge_all<K, no_value>(gpu, order, k, columns, n, {out, nullptr});
    };
    scankit_error error =
        piece->size == 4 ? dispatch_order<uint32_t>(*piece, run) : dispatch_order<uint64_t>(*piece, run);
    std::free(columns);
    return error;
}

// Keys alone come here only if their order has no kernel; words are in the order of unsigned integers.
scankit_error cuda_merge_many(sk_device *device, sk_shape shape, size_t k, const sk_const_columns *in, const size_t *n,
                              sk_columns out)
{
    if (k == 2)
        return cuda_merge(device, shape, in[0], n[0], in[1], n[1], out);
    return dispatch_shape(shape, [&](auto key, auto value) -> scankit_error {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (sizeof(K) >= 4) {
            return merge_all<K, V>(as_cuda(device), same_order<K>{}, k, in, n, out);
        } else {
            size_t all = 0;
            for (size_t i = 0; i < k; i++) {
                TRY(cuda_copy(device, static_cast<K *>(out.keys) + all, in[i].keys, n[i] * sizeof(K)));
                all += n[i];
            }
            return cuda_sort(device, shape, {out.keys, nullptr}, out, nullptr, all, 0, 8 * sizeof(K), SCANKIT_AUTO);
        }
    });
}
