/* order.c - whether keys are in order. Values become words on the way, a part at a time, within the first cache. */
#include "cpu/cpu.h"

#define STEP ((size_t)16 << 10) /* keys looked at before asking whether to go on */
#define PART ((size_t)512)      /* values that become words together, */
#define FIRST_PART ((size_t)64) /* and the first ones, as most arrays are in no order */

typedef struct order_job {
    const sk_key_kernels *kernels;
    const sk_encode_kernels *encode;
    const sk_piece *piece; /* of values; NULL: keys are words */
    const char *keys;
    size_t size, pairs;
    uint64_t mask;
    sk_direction direction;
    bool wrong;
} order_job;

/* Values of the same bits are in order whatever they stand for, and looked at most quickly. */
static bool are_one_value(const order_job *job, const char *keys, size_t pairs)
{
    const unsigned size = (unsigned)job->size;
    return job->direction != SK_FALLING_STRICTLY && sk_word_at(keys, size, 0) == sk_word_at(keys, size, pairs) &&
           job->kernels->in_order(keys, pairs, UINT64_MAX, SK_RISING);
}

/* Of the pairs of neighbours from a key on. */
static bool are_in_order(const order_job *job, size_t first, size_t pairs)
{
    const char *keys = job->keys + first * job->size;
    uint64_t words[PART + 1];
    if (job->piece == NULL)
        return job->kernels->in_order(keys, pairs, job->mask, job->direction);
    if (are_one_value(job, keys, pairs))
        return true;
    for (size_t i = 0, some; i < pairs; i += some) {
        some = sk_min(i == 0 ? FIRST_PART : PART, pairs - i);
        memcpy(words, keys + i * job->size, (some + 1) * job->size);
        job->encode->order(job->piece, words, some + 1);
        if (!job->kernels->in_order(words, some, job->mask, job->direction))
            return false;
    }
    return true;
}

static void look_at_step(void *state, size_t step, int thread)
{
    order_job *job = state;
    bool stop;
    (void)thread;
#pragma omp atomic read
    stop = job->wrong;
    if (!stop && !are_in_order(job, step * STEP, sk_min(STEP, job->pairs - step * STEP))) {
#pragma omp atomic write
        job->wrong = true;
    }
}

/* Gives up soon after the first pair in the wrong order. */
static bool in_order(const sk_sort_task *task, sk_direction direction)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    order_job job = {.encode = kernels->encode, .piece = task->piece, .keys = task->in.keys, .direction = direction};
    job.size = task->shape.key_size;
    job.kernels = &kernels->keys[__builtin_ctz(task->shape.key_size)];
    job.pairs = task->n - 1;
    job.mask = sk_task_mask(task);
    if (!are_in_order(&job, 0, sk_min(job.pairs, FIRST_PART)))
        return false;
    if (job.pairs > FIRST_PART)
        sk_cpu_each(sk_cpu_team(task->device, task->n * job.size), (job.pairs - 1) / STEP + 1, look_at_step, &job);
    return !job.wrong;
}

sk_order sk_find_order(const sk_sort_task *task)
{
    if (task->n == 1 || in_order(task, SK_RISING))
        return SK_ORDER_RISING;
    sk_direction falling = sk_are_whole_keys(task) ? SK_FALLING : SK_FALLING_STRICTLY;
    return in_order(task, falling) ? SK_ORDER_FALLING : SK_ORDER_NONE;
}
