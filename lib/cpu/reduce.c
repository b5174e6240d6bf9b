/* reduce.c - one result a strip, by many threads, and then the results in order. */
#include "cpu.h"

#define WAVE ((size_t)4096) /* strips whose results are kept at once: 32 KiB of them, of 64 MiB */

scankit_error sk_cpu_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in, void *result,
                            size_t n)
{
    const sk_fold *fold = sk_kernels_of(device)->fold(type, op);
    if (fold == NULL)
        return SCANKIT_E_ARGUMENT;
    size_t size = fold->size, partial = fold->partial, strip = SK_STRIP_BYTES / size, strips = (n + strip - 1) / strip;
    uint64_t total;
    size_t mark = sk_arena_mark(&device->workspace);
    char *results = sk_arena_take(&device->workspace, sk_min(strips, WAVE) * partial);
    if (results == NULL)
        return SCANKIT_E_MEMORY;
    for (size_t first = 0; first < strips; first += WAVE) {
        size_t count = sk_min(WAVE, strips - first);
#pragma omp parallel for num_threads(sk_cpu_team(device, count *SK_STRIP_BYTES))
        for (size_t s = 0; s < count; s++) {
            size_t begin = (first + s) * strip;
            fold->reduce((const char *)in + begin * size, sk_min(strip, n - begin), results + s * partial);
        }
        for (size_t s = 0; s < count; s++)
            if (first + s == 0)
                memcpy(&total, results, partial);
            else
                fold->combine(&total, results + s * partial);
    }
    fold->store(&total, 1, result);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
