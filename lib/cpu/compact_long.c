/* compact_long.c - compaction of elements so long that a tile would hold but a few: all are evaluated first, and then
 * every thread moves its own part of each of them, one after the other. No thread touches the others' parts, so the
 * output may be the input. */
#include "cpu.h"

static void evaluate_slice(const sk_selection *what, const sk_kernels *kernels, uint8_t *flags, sk_range slice,
                           void *memory)
{
    sk_evaluator evaluator;
    if (slice.begin == slice.end)
        return;
    sk_evaluator_open(&evaluator, kernels, what->program, slice.end - slice.begin, memory);
    for (size_t i = slice.begin, n; i < slice.end; i += n) {
        n = sk_min(evaluator.block, slice.end - i);
        const char *in = (const char *)what->in + i * what->element_size;
        memcpy(flags + i, sk_evaluate(&evaluator, in, what->first + i, n), n);
    }
}

/* Flags of all elements, in workspace of the caller's; NULL where memory is short. */
static const uint8_t *evaluate(sk_device *device, const sk_selection *what, int team)
{
    if (what->program == NULL)
        return what->flags;
    size_t n = what->n, each = sk_evaluator_bytes(what->program, n);
    uint8_t *flags = sk_arena_take(&device->workspace, n);
    char *memory = sk_arena_take(&device->workspace, (size_t)team * each);
    if (flags == NULL || memory == NULL)
        return NULL;
#pragma omp parallel num_threads(team)
    evaluate_slice(what, sk_kernels_of(device), flags, sk_my_slice(n), memory + (size_t)omp_get_thread_num() * each);
    return flags;
}

/* Moves these bytes of every element; returns the number of matches. */
static size_t move_part(const sk_selection *what, const uint8_t *flags, sk_range part)
{
    size_t size = what->element_size, matched = 0;
    for (size_t i = 0; i < what->n; i++) {
        bool matches = (flags[i] != 0) != what->invert;
        char *to = matches ? what->matching : what->others;
        size_t place = matches ? matched : i - matched;
        if (to != NULL && (to != what->in || place != i))
            memcpy(to + place * size + part.begin, (const char *)what->in + i * size + part.begin,
                   part.end - part.begin);
        if (matches && what->positions != NULL && part.begin == 0)
            what->positions[matched] = what->first + i;
        matched += matches;
    }
    return matched;
}

scankit_error sk_compact_long(sk_device *device, const sk_selection *selection, size_t *count)
{
    int team = sk_cpu_team(device, selection->n * selection->element_size);
    size_t mark = sk_arena_mark(&device->workspace), matched = 0;
    const uint8_t *flags = evaluate(device, selection, team);
    if (flags != NULL) {
#pragma omp parallel num_threads(team)
        {
            size_t all = move_part(selection, flags, sk_my_slice(selection->element_size));
            if (omp_get_thread_num() == 0)
                matched = all;
        }
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = matched;
    return flags != NULL ? SCANKIT_OK : SCANKIT_E_MEMORY;
}
