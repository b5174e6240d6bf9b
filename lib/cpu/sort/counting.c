/* counting.c - counting sort of keys of one or two bytes without values: counts each value, then writes it that often.
 */
#include "cpu/cpu.h"

/* A row of counters a thread. */
static void count_keys(const void *keys, unsigned key_size, sk_range mine, size_t *counts)
{
    const uint8_t *narrow = keys;
    const uint16_t *wide = keys;
    if (key_size == 1)
        for (size_t i = mine.begin; i < mine.end; i++)
            counts[narrow[i]]++;
    else
        for (size_t i = mine.begin; i < mine.end; i++)
            counts[wide[i]]++;
}

/* Writes the values of out[mine]; ends[v] is the number of keys up to v. */
static void write_keys(void *out, unsigned key_size, sk_range mine, const size_t *ends)
{
    size_t i = mine.begin, value = 0;
    while (i < mine.end) {
        while (ends[value] <= i)
            value++;
        size_t end = sk_min(ends[value], mine.end);
        if (key_size == 1)
            memset((uint8_t *)out + i, (int)value, end - i);
        else
            for (size_t j = i; j < end; j++)
                ((uint16_t *)out)[j] = (uint16_t)value;
        i = end;
    }
}

scankit_error sk_sort_counting(const sk_sort_task *task)
{
    size_t values = (size_t)1 << 8 * task->shape.key_size;
    int team = sk_cpu_team(task->device, task->n * task->shape.key_size);
    size_t *counts = sk_arena_take(&task->device->workspace, (size_t)team * values * sizeof *counts);
    if (counts == NULL)
        return SCANKIT_E_MEMORY;
#pragma omp parallel num_threads(team)
    {
        size_t *mine = counts + (size_t)omp_get_thread_num() * values;
        memset(mine, 0, values * sizeof *mine);
        count_keys(task->in.keys, task->shape.key_size, sk_my_slice(task->n), mine);
#pragma omp barrier
#pragma omp single
        for (size_t v = 0, sum = 0; v < values; v++) {
            for (int t = 0; t < omp_get_num_threads(); t++)
                sum += counts[(size_t)t * values + v];
            counts[v] = sum;
        }
        write_keys(task->out.keys, task->shape.key_size, sk_my_slice(task->n), counts);
    }
    return SCANKIT_OK;
}
