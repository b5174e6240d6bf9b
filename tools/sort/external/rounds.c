/* rounds.c - see rounds.h. In each round the buffers of all inputs are filled. The round's range is what comes before
 * all items that are not in the buffers; see bound.h. */
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "common/device.h"
#include "intake.h"
#include "items/bound.h"
#include "threads/crew.h"

#define THREADS_MAX 16
#define CHECKED ((size_t)1 << 14) /* items in a call that checks their order; its workspace is some bytes an item */

struct lane {
    struct input *input;
    struct intake intake;
    char *items;       /* `room` of them, behind room for one that is left only to check the order of the next */
    size_t begin, end; /* items not merged yet */
    uint64_t read;     /* items read */
    bool ended;
    size_t taken; /* items that this round takes */
};

struct rounds {
    struct lane *lanes;
    struct sequence_head *heads; /* what lanes have not merged */
    size_t k, room;
    const struct items *items;
    const struct schema *schema;
    unsigned threads;
    scankit_context *checkers[THREADS_MAX]; /* one for each thread, once it is needed */
    struct range *range;
    char *memory;
};

static char *item(const struct rounds *rounds, const struct lane *lane, size_t i)
{
    return lane->items + i * rounds->items->size;
}

/* ---- opening ---- */

struct rounds *rounds_open(struct input *inputs, size_t k, const struct schema *schema, const struct items *items,
                           size_t room, unsigned threads)
{
    struct rounds *rounds = get_memory(sizeof *rounds);
    *rounds = (struct rounds){.k = k, .room = room, .items = items, .schema = schema};
    rounds->threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    rounds->lanes = get_memory(k * sizeof *rounds->lanes);
    rounds->heads = get_memory(k * sizeof *rounds->heads);
    rounds->memory = get_memory(k * (room + 1) * items->size);
    uint64_t position = 0;
    for (size_t i = 0; i < k; i++) {
        struct lane *lane = &rounds->lanes[i];
        *lane = (struct lane){.input = &inputs[i]};
        lane->items = rounds->memory + (i * (room + 1) + 1) * items->size;
        intake_open(&lane->intake, &inputs[i], 1, schema, items, room);
        lane->intake.position = position;
        position += inputs[i].size / schema->size; /* --argsort requires that sizes are known */
    }
    return rounds;
}

void rounds_close(struct rounds *rounds)
{
    for (size_t i = 0; i < rounds->k; i++)
        intake_close(&rounds->lanes[i].intake);
    for (unsigned t = 0; t < THREADS_MAX; t++)
        if (rounds->checkers[t] != NULL)
            scankit_close(rounds->checkers[t]);
    free(rounds->lanes);
    free(rounds->heads);
    free(rounds->memory);
    free(rounds);
}

/* ---- reading ---- */

/* Checks the items from `first` on, the first one against the item before it. */
static void check(struct rounds *rounds, const struct lane *lane, size_t first, unsigned thread)
{
    const struct items *items = rounds->items;
    scankit_context **checker = &rounds->checkers[thread];
    if (*checker == NULL && scankit_open(checker, "cpu:1") != SCANKIT_OK)
        fail(NULL, "out of memory");
    uint64_t base = lane->read - lane->end; /* the first item of the buffer in the input */
    const bool joined = first + base > 0;
    for (size_t i = first; i < lane->end;) {
        size_t before = i > first || joined ? 1 : 0;
        size_t n = lane->end - i < CHECKED ? lane->end - i : CHECKED, disorder;
        check_call(*checker,
                   scankit_is_sorted_records(*checker, items->size, items->keys, items->key_count,
                                             item(rounds, lane, i) - before * items->size, n + before, &disorder));
        if (disorder < n + before)
            refuse_order(lane->input, base + i + disorder - before);
        i += n;
    }
}

/* Moves what is left to the front of the buffer, with the item before it, and fills the buffer. */
static void fill(void *state, size_t i, unsigned thread)
{
    struct rounds *rounds = state;
    struct lane *lane = &rounds->lanes[i];
    size_t size = rounds->items->size, left = lane->end - lane->begin;
    lane->taken = 0;
    if (lane->ended || (left == rounds->room))
        return;
    if (lane->begin > 0)
        memmove(lane->items - size, item(rounds, lane, lane->begin) - size, (left + 1) * size);
    size_t wanted = rounds->room - left, got = intake_fill(&lane->intake, item(rounds, lane, left), wanted);
    lane->begin = 0;
    lane->end = left + got;
    lane->read += got;
    lane->ended = got < wanted;
    check(rounds, lane, left, thread);
}

/* ---- rounds ---- */

static void copy_part(void *state, size_t i, unsigned thread)
{
    const struct rounds *rounds = state;
    struct lane *lane = &rounds->lanes[i];
    (void)thread;
    memcpy((char *)rounds->range->arrays[i], item(rounds, lane, lane->begin), lane->taken * rounds->items->size);
    lane->begin += lane->taken;
}

static bool next(void *state, struct range *range)
{
    struct rounds *rounds = state;
    size_t n = 0;
    crew_run(rounds->threads, rounds->k, fill, rounds);
    for (size_t i = 0; i < rounds->k; i++) {
        const struct lane *lane = &rounds->lanes[i];
        rounds->heads[i] =
            (struct sequence_head){item(rounds, lane, lane->begin), lane->end - lane->begin, lane->ended};
    }
    count_in_bound(rounds->items, rounds->heads, rounds->k, range->counts);
    for (size_t i = 0; i < rounds->k; i++) {
        rounds->lanes[i].taken = range->counts[i];
        range->arrays[i] = range->memory.data + n * rounds->items->size;
        n += range->counts[i];
    }
    rounds->range = range;
    crew_run(rounds->threads, rounds->k, copy_part, rounds);
    return n > 0;
}

struct range_source rounds_source(struct rounds *rounds)
{
    return (struct range_source){.k = rounds->k,
                                 .range = rounds->k * rounds->room,
                                 .memory = rounds->k * rounds->room * rounds->items->size,
                                 .next = next,
                                 .state = rounds};
}
