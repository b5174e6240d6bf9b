/* rle_long.c - runs of elements so long that a tile would hold but a few: all are compared first, and then every thread
 * moves its own part of each that begins a run, as compact_long.c does with those that match. */
#include "cpu.h"

typedef struct compare_job {
    const sk_runs *what;
    const sk_kernels *kernels;
    uint8_t *heads;
} compare_job;

/* heads[i] = whether element i begins a run. */
static void compare_slice(const void *state, sk_range slice)
{
    const compare_job *job = state;
    const sk_runs *what = job->what;
    for (size_t i = slice.begin; i < slice.end; i++) {
        uint64_t mask = 1;
        if (i > 0)
            (void)job->kernels->runs->heads(what, (const char *)what->in + i * what->element_size, 1, &mask);
        job->heads[i] = (uint8_t)mask;
    }
}

/* What is written of a run beside its first element. */
static void write_run(const sk_runs *what, const sk_fold *fold, size_t run, sk_range elements)
{
    if (what->counts != NULL)
        what->counts[run] = elements.end - elements.begin;
    if (fold != NULL) {
        uint64_t total;
        fold->reduce((const char *)what->reduced_in + elements.begin * fold->size, elements.end - elements.begin,
                     &total);
        fold->store(&total, 1, (char *)what->reduced + run * fold->size);
    }
}

static void write_runs(const sk_runs *what, const sk_fold *fold, const uint8_t *heads)
{
    size_t run = 0;
    for (size_t begin = 0, end; begin < what->n; begin = end, run++) {
        for (end = begin + 1; end < what->n && heads[end] == 0; end++)
            ;
        write_run(what, fold, run, (sk_range){begin, end});
    }
}

scankit_error sk_encode_runs_long(sk_device *device, const sk_runs *what, const sk_fold *fold, size_t *count)
{
    size_t mark = sk_arena_mark(&device->workspace);
    uint8_t *heads = sk_arena_take(&device->workspace, what->n);
    if (heads == NULL)
        return SCANKIT_E_MEMORY;
    const compare_job job = {what, sk_kernels_of(device), heads};
    if (!sk_rehearses(device))
        sk_cpu_slices(device, what->n * what->element_size, what->n, compare_slice, &job);
    const sk_selection selection = {
        .flags = heads, .element_size = what->element_size, .n = what->n, .in = what->in, .matching = what->values};
    scankit_error error = sk_compact_long(device, &selection, count);
    if (error == SCANKIT_OK && !sk_rehearses(device) && (what->counts != NULL || fold != NULL))
        write_runs(what, fold, heads);
    sk_arena_reset(&device->workspace, mark);
    return error;
}
