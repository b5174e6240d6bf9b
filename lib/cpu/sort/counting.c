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

typedef struct counting {
    const sk_sort_task *task;
    size_t values;
    size_t *counts; /* a row a thread; then, in the first one, the ends */
} counting;

/* Turns the counts of `rows` threads into ends. */
static void find_ends(const counting *c, int rows)
{
    for (size_t v = 0, sum = 0; v < c->values; v++) {
        for (int r = 0; r < rows; r++)
            sum += c->counts[(size_t)r * c->values + v];
        c->counts[v] = sum;
    }
}

static void sort_slice(void *state, int thread, int team)
{
    const counting *c = state;
    const sk_sort_task *task = c->task;
    size_t *row = c->counts + (size_t)thread * c->values;
    sk_range mine = sk_slice(task->n, thread, team);
    memset(row, 0, c->values * sizeof *row);
    count_keys(task->in.keys, task->shape.key_size, mine, row);
    sk_cpu_wait(team);
    if (thread == 0)
        find_ends(c, team);
    sk_cpu_wait(team);
    write_keys(task->out.keys, task->shape.key_size, mine, c->counts);
}

scankit_error sk_sort_counting(const sk_sort_task *task)
{
    int team = sk_cpu_team(task->device, task->n * task->shape.key_size);
    counting c = {.task = task, .values = (size_t)1 << 8 * task->shape.key_size};
    c.counts = sk_arena_take(&task->device->workspace, (size_t)team * c.values * sizeof *c.counts);
    if (c.counts == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(task->device))
        sk_cpu_together(team, sort_slice, &c);
    return SCANKIT_OK;
}
