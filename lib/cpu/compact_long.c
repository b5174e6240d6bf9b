/* compact_long.c - compaction of elements so long that a tile would hold but a few: all are evaluated first, and then
 * every thread moves its own part of each of them, one after the other. No thread touches the others' parts, so the
 * output may be the input. */
#include "cpu.h"

typedef struct long_job {
    const sk_selection *what;
    const sk_kernels *kernels;
    const uint8_t *flags;
    uint8_t *evaluated; /* flags that are yet to be made */
    char *memory;       /* of the evaluators, one after the other; `each` bytes */
    size_t each, matched;
} long_job;

static void evaluate_slice(void *state, int thread, int team)
{
    const long_job *job = state;
    const sk_selection *what = job->what;
    uint8_t *flags = job->evaluated;
    sk_range slice = sk_slice(what->n, thread, team);
    sk_evaluator evaluator;
    if (slice.begin == slice.end)
        return;
    sk_evaluator_open(&evaluator, job->kernels, what->program, slice.end - slice.begin,
                      job->memory + (size_t)thread * job->each);
    for (size_t i = slice.begin, n; i < slice.end; i += n) {
        n = sk_min(evaluator.block, slice.end - i);
        const char *in = (const char *)what->in + i * what->element_size;
        const uint64_t *mask = sk_evaluate(&evaluator, in, what->first + i, n);
        for (size_t j = 0; j < n; j++)
            flags[i + j] = mask[j / 64] >> j % 64 & 1;
    }
}

/* Flags of all elements, in workspace of the caller's; NULL where memory is short. */
static const uint8_t *evaluate(sk_device *device, const sk_selection *what, int team)
{
    if (what->program == NULL)
        return what->flags;
    size_t n = what->n;
    long_job job = {.what = what, .kernels = sk_kernels_of(device), .each = sk_evaluator_bytes(what->program, n)};
    job.evaluated = sk_arena_take(&device->workspace, n);
    job.memory = sk_arena_take(&device->workspace, (size_t)team * job.each);
    if (job.evaluated == NULL || job.memory == NULL)
        return NULL;
    if (!sk_rehearses(device))
        sk_cpu_together(team, evaluate_slice, &job);
    return job.evaluated;
}

/* Moves the thread's bytes of every element. */
static void move_part(void *state, int thread, int team)
{
    long_job *job = state;
    const sk_selection *what = job->what;
    const uint8_t *flags = job->flags;
    size_t size = what->element_size, matched = 0;
    sk_range part = sk_slice(size, thread, team);
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
    if (thread == 0)
        job->matched = matched;
}

scankit_error sk_compact_long(sk_device *device, const sk_selection *selection, size_t *count)
{
    int team = sk_cpu_team(device, selection->n * selection->element_size);
    size_t mark = sk_arena_mark(&device->workspace);
    const uint8_t *flags = evaluate(device, selection, team);
    long_job job = {.what = selection, .flags = flags};
    if (flags != NULL && !sk_rehearses(device))
        sk_cpu_together(team, move_part, &job);
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = job.matched;
    return flags != NULL ? SCANKIT_OK : SCANKIT_E_MEMORY;
}
