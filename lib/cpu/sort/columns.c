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

scankit_error sk_cpu_copy(sk_device *device, void *to, const void *from, size_t bytes)
{
    if (to == from || bytes == 0)
        return SCANKIT_OK;
#pragma omp parallel num_threads(sk_cpu_team(device, bytes / 2))
    {
        sk_range mine = sk_my_slice(bytes);
        memcpy((char *)to + mine.begin, (const char *)from + mine.begin, mine.end - mine.begin);
    }
    return SCANKIT_OK;
}

void sk_copy_columns(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n)
{
    (void)sk_cpu_copy(device, out.keys, in.keys, n * shape.key_size);
    (void)sk_cpu_copy(device, out.values, in.values, n * shape.value_size);
}
