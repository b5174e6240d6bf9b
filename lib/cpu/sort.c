/* sort.c - which sort to run: data in order already is found and left, short keys are counted, all else is for
 * hybrid. */
#include "cpu.h"

#define STEP ((size_t)16 << 10) /* keys looked at before asking whether to go on */

/* Gives up soon after the first pair in the wrong order. */
static bool in_order(const sk_sort_task *task, bool ascending)
{
    size_t size = task->shape.key_size, pairs = task->n - 1;
    const sk_key_kernels *k = &sk_kernels_of(task->device)->keys[__builtin_ctz(task->shape.key_size)];
    uint64_t mask = sk_task_mask(task);
    bool wrong = !k->in_order(task->in.keys, sk_min(pairs, 64), mask, ascending);
    if (wrong || pairs <= 64)
        return !wrong;
#pragma omp parallel for num_threads(sk_cpu_team(task->device, task->n *size))
    for (size_t i = 0; i < pairs; i += STEP) {
        bool stop;
#pragma omp atomic read
        stop = wrong;
        if (!stop && !k->in_order((const char *)task->in.keys + i * size, sk_min(STEP, pairs - i), mask, ascending)) {
#pragma omp atomic write
            wrong = true;
        }
    }
    return !wrong;
}

static void reverse(const sk_sort_task *task)
{
    size_t half = task->n / 2 + task->n % 2;
#pragma omp parallel num_threads(sk_cpu_team(task->device, task->n *sk_element_size(task->shape)))
    sk_kernels_of(task->device)->reverse[sk_shape_row(task->shape)](task->in, task->out, task->n, sk_my_slice(half));
}

static scankit_error sort_auto(const sk_sort_task *task)
{
    if (task->n == 1 || in_order(task, true)) {
        task->device->algorithm = "sorted";
        sk_copy_columns(task->device, task->shape, task->in, task->out, task->n);
        return SCANKIT_OK;
    }
    if (in_order(task, false)) {
        task->device->algorithm = "reversed";
        reverse(task);
        return SCANKIT_OK;
    }
    bool whole = task->begin_bit == 0 && task->end_bit == 8 * task->shape.key_size;
    if (whole && sk_element_size(task->shape) <= 2 && task->n >= (size_t)64 << 8 * (task->shape.key_size - 1)) {
        task->device->algorithm = "counting";
        return sk_sort_counting(task);
    }
    task->device->algorithm = "hybrid";
    return sk_sort_hybrid(task);
}

scankit_error sk_cpu_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                          unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm)
{
    static const struct {
        scankit_error (*sort)(const sk_sort_task *task);
        const char *name;
    } sorts[] = {[SCANKIT_AUTO] = {sort_auto, "auto"},
                 [SCANKIT_HYBRID] = {sk_sort_hybrid, "hybrid"},
                 [SCANKIT_RADIX] = {sk_sort_radix, "radix"},
                 [SCANKIT_CHUNK_MERGE] = {sk_sort_chunk_merge, "chunk-merge"}};
    sk_sort_task task = {device, shape, in, out, {spare, NULL}, n, begin_bit, end_bit};
    size_t mark = sk_arena_mark(&device->workspace);
    device->algorithm = sorts[algorithm].name;
    scankit_error error = sorts[algorithm].sort(&task);
    sk_arena_reset(&device->workspace, mark);
    return error;
}

/* Encoding, sort and decoding are better for all keys. */
scankit_error sk_cpu_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                                 size_t n, scankit_algorithm algorithm, bool *done)
{
    (void)device, (void)piece, (void)in, (void)out, (void)spare, (void)n, (void)algorithm;
    *done = false;
    return SCANKIT_OK;
}
