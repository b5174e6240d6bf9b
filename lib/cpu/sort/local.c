/* local.c - all of the data sorted by one thread. */
#include "cpu/cpu.h"

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
