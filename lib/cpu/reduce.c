/* reduce.c - one result a strip, by many threads, and then the results in order. */
#include "cpu.h"

#define WAVE ((size_t)4096) /* strips whose results are kept at once: 32 KiB of them, of 64 MiB */

/* Up to WAVE strips. */
typedef struct reduce_job {
    const sk_fold *fold;
    const char *in;
    size_t n;
    char *results;
} reduce_job;

static void reduce_strips(void *state, int thread, int team)
{
    const reduce_job *job = state;
    size_t size = job->fold->size, strip = SK_STRIP_BYTES / size;
    sk_range strips = sk_slice((job->n + strip - 1) / strip, thread, team);
    for (size_t s = strips.begin, begin = s * strip; s < strips.end; s++, begin += strip)
        job->fold->reduce(job->in + begin * size, sk_min(strip, job->n - begin), job->results + s * job->fold->partial);
}

/* A wave of strips at a time. results: room for the results of one. */
static void reduce(const sk_device *device, const sk_fold *fold, const void *in, size_t n, char *results, void *result)
{
    size_t size = fold->size, partial = fold->partial, strip = SK_STRIP_BYTES / size, wave = WAVE * strip;
    uint64_t total;
    for (size_t begin = 0; begin < n; begin += wave) {
        size_t some = sk_min(wave, n - begin), strips = (some + strip - 1) / strip;
        reduce_job job = {fold, (const char *)in + begin * size, some, results};
        sk_cpu_together(sk_cpu_team_of(device, some, size, size), reduce_strips, &job);
        if (begin == 0)
            memcpy(&total, results, partial);
        for (size_t s = begin == 0; s < strips; s++)
            fold->combine(&total, results + s * partial);
    }
    fold->store(&total, 1, result);
}

scankit_error sk_cpu_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                            size_t n)
{
    const sk_fold *fold = sk_kernels_of(device)->fold(type, op);
    if (fold == NULL)
        return SCANKIT_E_ARGUMENT;
    size_t strip = SK_STRIP_BYTES / fold->size, mark = sk_arena_mark(&device->workspace);
    char *results = sk_arena_take(&device->workspace, (sk_min(n, WAVE * strip) + strip - 1) / strip * fold->partial);
    if (results == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        reduce(device, fold, in, n, results, result);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

scankit_error sk_cpu_reduce_to(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                               size_t n)
{
    return sk_cpu_reduce(device, type, op, in, result, n);
}
