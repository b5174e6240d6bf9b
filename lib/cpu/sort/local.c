/* local.c - all of the data sorted by one thread. */
#include "cpu/cpu.h"

void sk_sort_words(const sk_sort_task *task, sk_const_columns words, sk_columns scratch, sk_columns to, size_t n)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    const sk_shape shape = task->shape;
    if (task->piece != NULL && shape.value_size == 0 && shape.key_size >= 4) {
        kernels->local_values[__builtin_ctz(shape.key_size)](NULL, task->piece, words.keys, to.keys, scratch.keys, n);
        return;
    }
    kernels->local[sk_shape_row(shape)](words, scratch, to, n, sk_task_mask(task));
    if (task->piece != NULL)
        kernels->encode->value(task->piece, to.keys, n);
}

void sk_run_local(const sk_sort_task *task, sk_columns scratch)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    sk_shape shape = task->shape;
    if (task->piece != NULL)
        kernels->local_values[__builtin_ctz(shape.key_size)](task->piece, task->piece, task->in.keys, task->out.keys,
                                                             scratch.keys, task->n);
    else
        kernels->local[sk_shape_row(shape)](task->in, scratch, task->out, task->n, sk_task_mask(task));
}

scankit_error sk_sort_local(const sk_sort_task *task)
{
    sk_columns scratch;
    size_t room = sk_local_room(task->device, task->shape, task->end_bit - task->begin_bit, task->n);
    if (!sk_take_columns(task->device, task->shape, room, &scratch))
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(task->device))
        sk_run_local(task, scratch);
    return SCANKIT_OK;
}
