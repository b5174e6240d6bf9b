// merge_records.cu - merge of arrays of records, two and two.
#include "common/copy.cuh"
#include "common/unit.cuh"
#include "device/arena.cuh"
#include "device/check.cuh"
#include "device/launch.cuh"
#include "sort/records/merge_records.cuh"

// Merges a and b of the pass; split: workspace for its tiles.
static scankit_error merge_two(cuda_device *gpu, const record_merge &pass)
{
    size_t tiles = (pass.na + pass.nb - 1) / MERGE_RECORD_TILE + 1;
    TRY(launch(gpu, split_records, unsigned((tiles - 1) / MAP_THREADS + 1), MAP_THREADS, 0, pass, tiles));
    uintptr_t places = uintptr_t(pass.a) | uintptr_t(pass.b) | uintptr_t(pass.out) | pass.words.record_size;
    return with_unit(places, [&](auto unit) {
        return launch(gpu, merge_records<decltype(unit)>, unsigned(tiles), MERGE_THREADS, 0, pass);
    });
}

// The arrays of a round of merges: host memory.
struct record_arrays {
    size_t k;
    const uint8_t **in;
    size_t *n;
};

// Merges neighbours to `out`, where the results become the list's arrays.
static scankit_error merge_neighbours(cuda_device *gpu, record_merge pass, record_arrays *list, uint8_t *out)
{
    size_t size = pass.words.record_size, to = 0;
    for (size_t i = 0; i < list->k; i += 2, to++) {
        size_t n = list->n[i];
        if (i + 1 == list->k) {
            TRY(copy_array(gpu, list->in[i], out, n * size));
        } else {
            pass.a = list->in[i];
            pass.b = list->in[i + 1];
            pass.na = n;
            pass.nb = list->n[i + 1];
            pass.out = out;
            n += pass.nb;
            TRY(merge_two(gpu, pass));
        }
        list->in[to] = out;
        list->n[to] = n;
        out += n * size;
    }
    list->k = to;
    return SCANKIT_OK;
}

static size_t rounds_of(size_t k)
{
    size_t rounds = 0;
    for (; k > 1; k = (k + 1) / 2)
        rounds++;
    return rounds;
}

// Rounds go back and forth between workspace and out, and end in out.
static scankit_error merge_list(cuda_device *gpu, record_merge pass, record_arrays *list, size_t n, uint8_t *out)
{
    workspace scratch(gpu);
    uint8_t *other = nullptr;
    size_t rounds = rounds_of(list->k);
    if ((rounds > 1 && !scratch.take_bytes((void **)&other, n, pass.words.record_size)) ||
        !scratch.take(&pass.split, (n - 1) / MERGE_RECORD_TILE + 1))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    for (; rounds > 0; rounds--)
        TRY(merge_neighbours(gpu, pass, list, rounds % 2 == 1 ? out : other));
    return SCANKIT_OK;
}

// Words and positions are faster for more arrays and longer records.
static bool has_kernel(const sk_record_order *order, size_t k)
{
    size_t rounds = rounds_of(k), moved = order->words > 1 ? MERGE_RECORD_MOVED_WORDS : MERGE_RECORD_MOVED;
    return order->words <= SK_ORDER_WORDS && k <= MERGE_RECORD_ARRAYS && order->record_size <= MERGE_RECORD_MOST &&
           (rounds == 1 || rounds * order->record_size <= moved);
}

scankit_error cuda_merge_many_records(sk_device *device, const sk_record_order *order, size_t k, const void *const *in,
                                      const size_t *n, void *out, bool *done)
{
    cuda_device *gpu = as_cuda(device);
    const uint8_t *arrays[MERGE_RECORD_ARRAYS];
    size_t counts[MERGE_RECORD_ARRAYS], all = 0;
    *done = has_kernel(order, k);
    if (!*done)
        return SCANKIT_OK;
    CHECK(cudaSetDevice(gpu->ordinal));
    gpu->base.algorithm = "merge-path";
    record_merge pass = {};
    pass.words.record_size = order->record_size;
    pass.words.count = unsigned(order->words);
    for (size_t w = 0; w < order->words; w++)
        pass.words.word[w] = order->word[w];
    for (size_t i = 0; i < k; i++) {
        arrays[i] = static_cast<const uint8_t *>(in[i]);
        counts[i] = n[i];
        all += n[i];
    }
    record_arrays list = {k, arrays, counts};
    return merge_list(gpu, pass, &list, all, static_cast<uint8_t *>(out));
}
