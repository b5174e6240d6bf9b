/* columns.c - columns from the workspace, and copies of them. */
#include "cpu/cpu.h"

bool sk_take_columns(sk_device *device, sk_shape shape, size_t n, sk_columns *columns)
{
    *columns = (sk_columns){NULL, NULL};
    if (n > SIZE_MAX / 32)
        return false;
    columns->keys = sk_arena_take(&device->workspace, n * shape.key_size);
    if (shape.value_size > 0)
        columns->values = sk_arena_take(&device->workspace, n * shape.value_size);
    return columns->keys != NULL && (shape.value_size == 0 || columns->values != NULL);
}

typedef struct copy_job {
    char *to;
    const char *from;
} copy_job;

static void copy_slice(const void *state, sk_range mine)
{
    const copy_job *job = state;
    memcpy(job->to + mine.begin, job->from + mine.begin, mine.end - mine.begin);
}

scankit_error sk_cpu_copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    if (to == from || bytes == 0 || sk_rehearses(device))
        return SCANKIT_OK;
    const copy_job job = {to, from};
    sk_cpu_slices(device, bytes / 2, bytes, copy_slice, &job);
    return SCANKIT_OK;
}

void sk_copy_columns(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n)
{
    (void)sk_cpu_copy(device, out.keys, in.keys, n * shape.key_size);
    (void)sk_cpu_copy(device, out.values, in.values, n * shape.value_size);
}
