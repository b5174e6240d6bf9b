/* radix.c - whole-array radix sort: one stable split of everything a digit, from the least significant up. */
#include "cpu/cpu.h"

/* A pass handles all counters of a digit, however few the keys are. Up to this many keys a thread's own sort is faster.
 */
#define FEW ((size_t)256)

/* The next digit of those bits that vary: bits [*bit, *bit + answer); 0 where none are left. */
static unsigned next_digit(uint64_t varying, size_t n, unsigned *bit)
{
    unsigned widest = n < (size_t)1 << 18 ? 8 : 11;
    if (varying == 0)
        return 0;
    *bit = (unsigned)__builtin_ctzll(varying);
    unsigned left = 64 - (unsigned)__builtin_clzll(varying) - *bit;
    return left < widest ? left : widest;
}

static uint64_t without_digit(uint64_t varying, unsigned bit, unsigned bits)
{
    return varying & ~(sk_low_mask(bits) << bit);
}

bool sk_is_one_digit(uint64_t varying, size_t n)
{
    unsigned bit = 0, bits = next_digit(varying, n, &bit);
    return bits == 0 || without_digit(varying, bit, bits) == 0;
}

int sk_radix_passes(sk_device *device, const sk_partition *partition, sk_shape shape, sk_const_columns src,
                    sk_columns area[2], int first, size_t n, uint64_t varying)
{
    size_t offsets[SK_DIGITS_MAX + 1];
    int to = 1 - first;
    unsigned bit = 0, bits;
    for (bool any = false; (bits = next_digit(varying, n, &bit)) > 0; any = true) {
        sk_digits digits = {.mask = sk_low_mask(bits), .last = sk_low_mask(bits), .begin = bit};
        sk_const_columns from = any ? sk_read(area[to]) : src;
        to = 1 - to;
        sk_partition_run(device, partition, shape, &digits, from, area[to], n, offsets);
        varying = without_digit(varying, bit, bits);
        if (varying == 0)
            return to;
    }
    return -1;
}

static scankit_error sort_few(const sk_sort_task *task)
{
    sk_shape shape = task->shape;
    sk_columns scratch;
    if (!sk_take_columns(task->device, shape, SK_LOCAL_ROOM(task->n), &scratch))
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(task->device))
        sk_kernels_of(task->device)
            ->local[sk_shape_row(shape)](task->in, scratch, task->out, task->n, sk_task_mask(task));
    return SCANKIT_OK;
}

scankit_error sk_sort_radix(const sk_sort_task *task)
{
    sk_device *device = task->device;
    sk_shape shape = task->shape;
    if (task->n <= FEW)
        return sort_few(task);
    uint64_t varying = sk_task_mask(task); /* in a rehearsal, all of them */
    if (!sk_rehearses(device))
        varying = sk_varying_bits(device, shape, task->in.keys, task->n, varying);
    int passes = 0;
    unsigned bit = 0, bits;
    for (uint64_t left = varying; (bits = next_digit(left, task->n, &bit)) > 0; passes++)
        left = without_digit(left, bit, bits);

    sk_columns area[2] = {task->out, {NULL, NULL}};
    sk_partition partition;
    bool in_place = sk_in_place(task);
    if (passes > (in_place ? 0 : 1) && !sk_take_second(task, &area[1]))
        return SCANKIT_E_MEMORY;
    if (passes > 0 && !sk_partition_open(device, shape, SK_DIGITS_MAX, task->n, &partition))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    /* A pass does not write where it reads; the last one should write the output. */
    int first = in_place || (passes % 2 == 0 && area[1].keys != task->in.keys) ? 1 : 0;
    int result = passes > 0 ? sk_radix_passes(device, &partition, shape, task->in, area, first, task->n, varying) : -1;
    sk_copy_columns(device, shape, result < 0 ? task->in : sk_read(area[result]), task->out, task->n);
    return SCANKIT_OK;
}
