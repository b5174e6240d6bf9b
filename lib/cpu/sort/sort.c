/* sort.c - the entry of all sorts: looks whether keys are in order, asks choose.c for an algorithm, runs it. */
#include "cpu/cpu.h"

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
    if (pairs <= STEP)
        return k->in_order(task->in.keys, pairs, mask, ascending);
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

static void reverse_slice(const void *state, sk_range mine)
{
    const sk_sort_task *task = state;
    sk_kernels_of(task->device)->reverse[sk_shape_row(task->shape)](task->in, task->out, task->n, mine);
}

static scankit_error reverse(const sk_sort_task *task)
{
    sk_cpu_slices(task->device, task->n * sk_element_size(task->shape), task->n / 2 + task->n % 2, reverse_slice, task);
    return SCANKIT_OK;
}

static scankit_error copy_sorted(const sk_sort_task *task)
{
    sk_copy_columns(task->device, task->shape, task->in, task->out, task->n);
    return SCANKIT_OK;
}

static sk_order find_order(const sk_sort_task *task)
{
    if (task->n == 1 || in_order(task, true))
        return SK_ORDER_RISING;
    return in_order(task, false) ? SK_ORDER_FALLING : SK_ORDER_NONE;
}

/* True if kernels sort such keys in registers: keys alone, by all of their bits. */
static bool can_use_registers(const sk_device *device, sk_shape shape, unsigned bits)
{
    return sk_kernels_of(device)->in_registers && shape.value_size == 0 && shape.key_size >= 4 &&
           bits == 8 * shape.key_size;
}

static sk_cpu_algorithm choose(const sk_sort_task *task, scankit_algorithm wanted)
{
    sk_sort_facts facts = {.n = task->n, .shape = task->shape, .bits = task->end_bit - task->begin_bit};
    facts.threads = sk_cpu_team(task->device, task->n * sk_element_size(task->shape));
    facts.order = wanted == SCANKIT_AUTO ? find_order(task) : SK_ORDER_NONE;
    facts.in_registers = can_use_registers(task->device, task->shape, facts.bits);
    facts.wanted = wanted;
    return sk_choose_sort(&facts);
}

scankit_error sk_cpu_sort(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, void *spare, size_t n,
                          unsigned begin_bit, unsigned end_bit, scankit_algorithm algorithm)
{
    static scankit_error (*const sorts[])(const sk_sort_task *task) = {
        [SK_CPU_SORTED] = copy_sorted,
        [SK_CPU_REVERSED] = reverse,
        [SK_CPU_COUNTING] = sk_sort_counting,
        [SK_CPU_LOCAL] = sk_sort_local,
        [SK_CPU_HYBRID] = sk_sort_hybrid,
        [SK_CPU_RADIX] = sk_sort_radix,
        [SK_CPU_CHUNK_MERGE] = sk_sort_chunk_merge,
    };
    sk_sort_task task = {device, shape, in, out, {spare, NULL}, n, begin_bit, end_bit};
    sk_cpu_algorithm chosen = choose(&task, algorithm);
    size_t mark = sk_arena_mark(&device->workspace);
    sk_cpu_ran(device, chosen);
    scankit_error error = sorts[chosen](&task);
    sk_arena_reset(&device->workspace, mark);
    return error;
}

/* Encoding, sort and decoding are better for all keys but a few. For these, looking for an order and choosing an
 * algorithm takes as long as the sort. */
scankit_error sk_cpu_sort_values(sk_device *device, const sk_piece *piece, const void *in, void *out, void *spare,
                                 size_t n, scankit_algorithm algorithm, bool *done)
{
    const sk_kernels *kernels = sk_kernels_of(device);
    const sk_shape shape = {piece->size, 0};
    uint64_t scratch[2][SK_FEW_KEYS];
    (void)spare;
    *done = algorithm == SCANKIT_AUTO && n <= SK_FEW_KEYS && can_use_registers(device, shape, 8 * piece->size) &&
            piece->kind != SK_PIECE_BYTES;
    if (!*done)
        return SCANKIT_OK;
    sk_cpu_ran(device, SK_CPU_LOCAL);
    if (out != in)
        memcpy(out, in, n * piece->size);
    kernels->encode->order(piece, out, n);
    kernels->local[sk_shape_row(shape)]((sk_const_columns){out, NULL}, (sk_columns){scratch[0], NULL},
                                        (sk_columns){scratch[1], NULL}, (sk_columns){out, NULL}, n, UINT64_MAX);
    kernels->encode->value(piece, out, n);
    return SCANKIT_OK;
}
