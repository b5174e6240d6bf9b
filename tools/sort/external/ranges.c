/* ranges.c - see ranges.h. A splitter is first bracketed by the indexes of the runs, which are in memory. Then the
 * items within the brackets are read, a few blocks of each run, and decide. */
#include "ranges.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "threads/crew.h"

struct ranges {
    const struct run_set *set;
    struct sorted_run *const *runs;
    size_t k, range;
    uint64_t done, end; /* items */
    unsigned threads;
    uint64_t *from, *to;          /* the range in each run */
    uint64_t *low, *high;         /* brackets of a splitter in each run */
    uint64_t *stop;               /* where the last range ends in each run */
    scankit_sequence *samples;    /* of the indexes */
    scankit_sequence *candidates; /* the items within the brackets */
    char *memory;                 /* of those that are read */
    size_t room;
};

struct ranges *ranges_open(const struct run_set *set, size_t first, size_t k, uint64_t end, size_t range,
                           unsigned threads)
{
    struct ranges *ranges = get_memory(sizeof *ranges);
    *ranges =
        (struct ranges){.set = set, .runs = set->runs + first, .k = k, .range = range, .end = end, .threads = threads};
    ranges->from = get_memory(5 * k * sizeof(uint64_t));
    ranges->to = ranges->from + k;
    ranges->low = ranges->to + k;
    ranges->high = ranges->low + k;
    ranges->stop = ranges->high + k;
    memset(ranges->from, 0, k * sizeof(uint64_t));
    ranges->samples = get_memory(2 * k * sizeof(scankit_sequence));
    ranges->candidates = ranges->samples + k;
    for (size_t i = 0; i < k; i++) {
        const struct sorted_run *run = ranges->runs[i];
        ranges->stop[i] = run->n;
        ranges->samples[i] = (scankit_sequence){.entries = run->index,
                                                .stride = set->items->packing.size,
                                                .count = run->index_count,
                                                .every = run->every,
                                                .n = run->n};
    }
    return ranges;
}

struct ranges *ranges_open_between(const struct run_set *set, const uint64_t *from, const uint64_t *to, size_t range,
                                   unsigned threads)
{
    struct ranges *ranges = ranges_open(set, 0, set->count, 0, range, threads);
    memcpy(ranges->from, from, set->count * sizeof(uint64_t));
    memcpy(ranges->stop, to, set->count * sizeof(uint64_t));
    for (size_t i = 0; i < set->count; i++) {
        ranges->done += from[i];
        ranges->end += to[i];
    }
    return ranges;
}

void ranges_close(struct ranges *ranges)
{
    free(ranges->from);
    free(ranges->samples);
    free(ranges->memory);
    free(ranges);
}

/* ---- splitters ---- */

/* Makes room for the candidates of runs that are not in memory, and says where each run's are. */
static void place_candidates(struct ranges *ranges)
{
    size_t size = ranges->set->items->size, need = 0;
    for (size_t i = 0; i < ranges->k; i++)
        need += ranges->runs[i]->chunk == NULL ? (ranges->high[i] - ranges->low[i]) * size : 0;
    if (need > ranges->room) {
        free(ranges->memory);
        ranges->memory = get_memory(need);
        ranges->room = need;
    }
    const char *to = ranges->memory;
    for (size_t i = 0; i < ranges->k; i++) {
        const struct sorted_run *run = ranges->runs[i];
        size_t n = (size_t)(ranges->high[i] - ranges->low[i]);
        const char *entries = run->chunk == NULL ? to : run->chunk->memory.data + ranges->low[i] * size;
        ranges->candidates[i] = (scankit_sequence){.entries = entries, .stride = size, .count = n, .every = 1, .n = n};
        if (run->chunk == NULL && n > 0)
            to += n * size;
    }
}

static void read_candidates(void *state, size_t i, unsigned thread)
{
    struct ranges *ranges = state;
    size_t n = ranges->candidates[i].count;
    (void)thread;
    if (n > 0 && ranges->runs[i]->chunk == NULL)
        run_fetch(ranges->set, ranges->runs[i], ranges->low[i], n, (char *)ranges->candidates[i].entries);
}

/* Sets `to` to the prefixes of the first `rank` items. */
static void split(struct ranges *ranges, uint64_t rank)
{
    const struct items *items = ranges->set->items;
    const struct packing *packing = &items->packing;
    find_splitter(packing->keys, packing->key_count, ranges->samples, ranges->k, rank, ranges->low, ranges->high);
    for (size_t i = 0; i < ranges->k; i++) { /* what is before and behind may be discarded */
        if (ranges->low[i] < ranges->from[i])
            ranges->low[i] = ranges->from[i];
        if (ranges->high[i] > ranges->stop[i])
            ranges->high[i] = ranges->stop[i];
    }
    place_candidates(ranges);
    crew_run(ranges->threads, ranges->k, read_candidates, ranges);
    for (size_t i = 0; i < ranges->k; i++)
        rank -= ranges->low[i];
    find_splitter(items->keys, items->key_count, ranges->candidates, ranges->k, rank, ranges->to, ranges->to);
    for (size_t i = 0; i < ranges->k; i++)
        ranges->to[i] += ranges->low[i];
}

/* ---- loading ---- */

struct loading {
    struct ranges *ranges;
    struct range *range;
};

static void load_part(void *state, size_t i, unsigned thread)
{
    const struct loading *loading = state;
    struct ranges *ranges = loading->ranges;
    struct sorted_run *run = ranges->runs[i];
    (void)thread;
    if (run->chunk != NULL || loading->range->counts[i] == 0)
        return;
    run_fetch(ranges->set, run, ranges->from[i], loading->range->counts[i], (char *)loading->range->arrays[i]);
    run_discard(run->stored, run->first + ranges->from[i], loading->range->counts[i]);
}

static void place_parts(const struct ranges *ranges, struct range *range)
{
    size_t size = ranges->set->items->size;
    char *to = range->memory.data;
    for (size_t i = 0; i < ranges->k; i++) {
        const struct sorted_run *run = ranges->runs[i];
        range->counts[i] = (size_t)(ranges->to[i] - ranges->from[i]);
        range->arrays[i] = to;
        if (run->chunk != NULL)
            range->arrays[i] = run->chunk->memory.data + ranges->from[i] * size;
        else
            to += range->counts[i] * size;
    }
}

bool ranges_take(struct ranges *ranges, size_t n, struct range *range)
{
    if (ranges->done == ranges->end)
        return false;
    ranges->done += ranges->end - ranges->done < n ? ranges->end - ranges->done : n;
    split(ranges, ranges->done);
    place_parts(ranges, range);
    crew_run(ranges->threads, ranges->k, load_part, &(struct loading){ranges, range});
    memcpy(ranges->from, ranges->to, ranges->k * sizeof(uint64_t));
    return true;
}

static bool next(void *state, struct range *range)
{
    struct ranges *ranges = state;
    return ranges_take(ranges, ranges->range, range);
}

struct range_source ranges_source(struct ranges *ranges)
{
    bool stored = false;
    for (size_t i = 0; i < ranges->k; i++)
        stored |= ranges->runs[i]->chunk == NULL;
    return (struct range_source){.k = ranges->k,
                                 .range = ranges->range,
                                 .memory = stored ? ranges->range * ranges->set->items->size : 0,
                                 .next = next,
                                 .state = ranges};
}
