/* cut.c - see cut.h. A sample of each run brackets the splitter; samples of the brackets narrow them, until all items
 * within them are the sample. */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "threads/crew.h"

/* Entries of a run's sample. A round leaves about an eighth of the items, as scankit_select() says. */
#define SAMPLES 32

/* Items a run, on average, that are all read. It is more than a round may leave however few the items are. */
#define LAST_ITEMS 64

struct cut {
    const struct run_set *set;
    size_t k;
    bool last;                 /* the sample is all items */
    uint64_t *low, *high;      /* brackets of the splitter in each run */
    uint64_t *within, *beyond; /* the same, counted from the old low */
    scankit_sequence *samples;
};

/* Reads the sample of a run. */
static void take_sample(void *state, size_t i, unsigned thread)
{
    struct cut *cut = state;
    const struct items *items = cut->set->items;
    const struct packing *packing = &items->packing;
    uint64_t n = cut->high[i] - cut->low[i], every = cut->last ? 1 : (n + SAMPLES - 1) / SAMPLES;
    size_t count = n == 0 ? 0 : (size_t)((n + every - 1) / every);
    char *entries = get_memory(count * packing->size + items->size), *item = entries + count * packing->size;
    (void)thread;
    for (size_t x = 0; x < count; x++) {
        run_fetch(cut->set, cut->set->runs[i], cut->low[i] + x * every, 1, item);
        if (items->positions)
            memcpy(entries + x * packing->size, item, packing->size);
        else
            pack(packing, item, entries + x * packing->size);
    }
    cut->samples[i] = (scankit_sequence){
        .entries = entries, .stride = packing->size, .count = count, .every = every > 0 ? every : 1, .n = n};
}

static uint64_t undecided(const struct cut *cut)
{
    uint64_t n = 0;
    for (size_t i = 0; i < cut->k; i++)
        n += cut->high[i] - cut->low[i];
    return n;
}

/* Narrows the brackets. */
static void narrow(struct cut *cut, uint64_t rank, unsigned threads)
{
    const struct packing *packing = &cut->set->items->packing;
    crew_run(threads, cut->k, take_sample, cut);
    for (size_t i = 0; i < cut->k; i++)
        rank -= cut->low[i];
    find_splitter(packing->keys, packing->key_count, cut->samples, cut->k, rank, cut->within, cut->beyond);
    for (size_t i = 0; i < cut->k; i++) {
        cut->high[i] = cut->low[i] + cut->beyond[i];
        cut->low[i] += cut->within[i];
        free((char *)cut->samples[i].entries);
    }
}

void cut_runs(const struct run_set *set, uint64_t rank, unsigned threads, uint64_t *prefix)
{
    size_t k = set->count;
    struct cut cut = {.set = set, .k = k, .low = prefix};
    cut.high = get_memory(3 * k * sizeof(uint64_t));
    cut.within = cut.high + k;
    cut.beyond = cut.within + k;
    cut.samples = get_memory(k * sizeof *cut.samples);
    for (size_t i = 0; i < k; i++) {
        cut.low[i] = 0;
        cut.high[i] = set->runs[i]->length;
    }
    for (uint64_t n; (n = undecided(&cut)) > 0;) {
        cut.last = n <= k * LAST_ITEMS;
        narrow(&cut, rank, threads);
    }
    free(cut.high);
    free(cut.samples);
}

void cut_last_item(const struct run_set *set, const uint64_t *prefix, char *item)
{
    const struct items *items = set->items;
    char *other = get_memory(items->size);
    bool found = false;
    for (size_t i = 0; i < set->count; i++) {
        if (prefix[i] == 0)
            continue;
        run_fetch(set, set->runs[i], prefix[i] - 1, 1, other);
        if (!found || items_compare(items, item, other) <= 0)
            memcpy(item, other, items->size);
        found = true;
    }
    free(other);
}
