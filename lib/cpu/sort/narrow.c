/* narrow.c - keys of 1 or 2 bytes that are too few for a counting sort, sorted as words of 4: these have networks and
 * pivots. */
#include "cpu/cpu.h"

#define BLOCK ((size_t)512) /* keys at a time, within the L1 */

typedef struct narrow_job {
    const sk_kernels *kernels;
    const sk_piece *piece;
    const char *in;
    char *out;
    uint32_t *words;
} narrow_job;

void sk_widen_keys(const sk_kernels *kernels, const sk_piece *piece, const void *in, size_t n, uint32_t *words)
{
    const size_t size = piece->size;
    uint16_t keys[BLOCK];
    for (size_t begin = 0; begin < n; begin += BLOCK) {
        const size_t some = sk_min(BLOCK, n - begin);
        memcpy(keys, (const char *)in + begin * size, some * size);
        kernels->encode->order(piece, keys, some);
        for (size_t i = 0; i < some; i++)
            words[begin + i] = size == 1 ? ((const uint8_t *)keys)[i] : keys[i];
    }
}

void sk_narrow_words(const sk_kernels *kernels, const sk_piece *piece, const uint32_t *words, size_t n, void *out)
{
    const size_t size = piece->size;
    uint16_t keys[BLOCK];
    for (size_t begin = 0; begin < n; begin += BLOCK) {
        const size_t some = sk_min(BLOCK, n - begin);
        for (size_t i = 0; i < some; i++)
            if (size == 1)
                ((uint8_t *)keys)[i] = (uint8_t)words[begin + i];
            else
                keys[i] = (uint16_t)words[begin + i];
        kernels->encode->value(piece, keys, some);
        memcpy((char *)out + begin * size, keys, some * size);
    }
}

static void widen(const void *state, sk_range mine)
{
    const narrow_job *job = state;
    sk_widen_keys(job->kernels, job->piece, job->in + mine.begin * job->piece->size, mine.end - mine.begin,
                  job->words + mine.begin);
}

static void narrow(const void *state, sk_range mine)
{
    const narrow_job *job = state;
    sk_narrow_words(job->kernels, job->piece, job->words + mine.begin, mine.end - mine.begin,
                    job->out + mine.begin * job->piece->size);
}

size_t sk_keys_as_words(const sk_device *device, unsigned key_size)
{
    const sk_shape words = {sizeof(uint32_t), 0};
    return sk_choose_words(key_size, sk_sorts_in_registers(device, words, 32), sk_sorts_by_pivots(device, words, 32));
}

/* scratch: SK_LOCAL_ROOM(n) words. */
static void sort_in(narrow_job *job, uint32_t *words, uint32_t *scratch, size_t n)
{
    const sk_range all = {0, n};
    job->words = words;
    widen(job, all);
    job->kernels->local_values[2](NULL, NULL, words, words, scratch, n);
    narrow(job, all);
}

/* Never inline: few keys do not need so large a frame. */
static __attribute__((noinline)) void sort_short(narrow_job *job, size_t n)
{
    uint32_t words[SK_NARROW_SHORT], scratch[SK_LOCAL_ROOM(SK_NARROW_SHORT)];
    sort_in(job, words, scratch, n);
}

void sk_sort_short_as_words(const sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n)
{
    uint32_t words[SK_FEW_KEYS], scratch[SK_LOCAL_ROOM(SK_FEW_KEYS)];
    narrow_job job = {sk_kernels_of(device), piece, in, out, NULL};
    if (n <= SK_FEW_KEYS)
        sort_in(&job, words, scratch, n);
    else
        sort_short(&job, n);
}

static scankit_error sort_long(sk_device *device, narrow_job *job, size_t n, sk_sort_function *sort)
{
    const size_t bytes = n * (sizeof(uint32_t) + job->piece->size);
    const bool rehearses = sk_rehearses(device);
    job->words = sk_arena_take(&device->workspace, n * sizeof *job->words);
    if (job->words == NULL)
        return SCANKIT_E_MEMORY;
    sk_sort_task task = {.device = device, .shape = {sizeof(uint32_t), 0}, .n = n, .end_bit = 32};
    task.out.keys = job->words;
    task.in = sk_read(task.out);
    if (!rehearses)
        sk_cpu_slices(device, bytes, n, widen, job);
    scankit_error error = sort(&task);
    if (error == SCANKIT_OK && !rehearses)
        sk_cpu_slices(device, bytes, n, narrow, job);
    return error;
}

scankit_error sk_sort_as_words(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n,
                               sk_sort_function *sort)
{
    if (n > SK_FEW_KEYS) {
        narrow_job job = {sk_kernels_of(device), piece, in, out, NULL};
        const size_t mark = sk_arena_mark(&device->workspace);
        scankit_error error = sort_long(device, &job, n, sort);
        sk_arena_reset(&device->workspace, mark);
        return error;
    }
    sk_cpu_ran(device, SK_CPU_LOCAL);
    if (!sk_rehearses(device))
        sk_sort_short_as_words(device, piece, in, out, n);
    return SCANKIT_OK;
}
