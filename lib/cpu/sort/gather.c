/* gather.c - elements by position, and positions. */
#include "cpu/cpu.h"

#define AHEAD 24 /* elements that memory is asked for in advance */

typedef struct gather_job {
    size_t size; /* of an element */
    const char *a, *b;
    size_t na;
    unsigned index_size;
    const char *index;
    char *out;
} gather_job;

SK_INLINE const char *find(const gather_job *job, size_t size, unsigned index_size, size_t i)
{
    uint32_t narrow;
    uint64_t wide;
    if (index_size == 4) {
        memcpy(&narrow, job->index + 4 * i, sizeof narrow);
        wide = narrow;
    } else {
        memcpy(&wide, job->index + 8 * i, sizeof wide);
    }
    return wide < job->na ? job->a + wide * size : job->b + (wide - job->na) * size;
}

SK_INLINE void gather_range(const gather_job *job, size_t size, unsigned index_size, sk_range range)
{
    char *out = job->out + range.begin * size;
    for (size_t i = range.begin; i < range.end; i++, out += size) {
        const char *later = find(job, size, index_size, sk_min(i + AHEAD, range.end - 1));
        for (size_t byte = 0; byte < size; byte += 64)
            __builtin_prefetch(later + byte);
        memcpy(out, find(job, size, index_size, i), size);
    }
}

static void gather_slice(const void *state, sk_range range)
{
    const gather_job *job = state;
    switch (job->size * 16 + job->index_size) {
#define X(constant)                                                       \
    case constant * 16 + 4: gather_range(job, constant, 4, range); break; \
    case constant * 16 + 8: gather_range(job, constant, 8, range); break;
        X(4)
        X(8)
        X(16)
#undef X
    default: gather_range(job, job->size, job->index_size, range);
    }
}

scankit_error sk_cpu_gather(sk_device *device, size_t element_size, const void *a, size_t na, const void *b,
                            unsigned index_size, const void *index, void *out, size_t n)
{
    if (sk_rehearses(device))
        return SCANKIT_OK;
    const gather_job job = {element_size, a, b, na, index_size, index, out};
    sk_cpu_slices(device, n * (element_size + index_size), n, gather_slice, &job);
    return SCANKIT_OK;
}

typedef struct iota_job {
    unsigned index_size;
    uint64_t first;
    void *out;
} iota_job;

static void iota_slice(const void *state, sk_range mine)
{
    const iota_job *job = state;
    uint32_t *narrow = job->out;
    uint64_t *wide = job->out;
    if (job->index_size == 4)
        for (size_t i = mine.begin; i < mine.end; i++)
            narrow[i] = (uint32_t)(job->first + i);
    else
        for (size_t i = mine.begin; i < mine.end; i++)
            wide[i] = job->first + i;
}

scankit_error sk_cpu_iota(sk_device *device, unsigned index_size, uint64_t first, void *out, size_t n)
{
    const iota_job job = {index_size, first, out};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, n * index_size, n, iota_slice, &job);
    return SCANKIT_OK;
}
