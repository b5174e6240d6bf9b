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
    const struct cut_peers *peers;
    size_t k;
    bool last;                 /* the sample is all items */
    uint64_t *low, *high;      /* brackets of the splitter in each run */
    uint64_t *within, *beyond; /* the same, counted from the old low */
    scankit_sequence *samples;
};

/* The places of a sample, which all peers know. */
static void place_sample(struct cut *cut, size_t i)
{
    uint64_t n = cut->high[i] - cut->low[i], every = cut->last ? 1 : (n + SAMPLES - 1) / SAMPLES;
    cut->samples[i] = (scankit_sequence){.stride = cut->set->items->packing.size,
                                         .count = n == 0 ? 0 : (size_t)((n + every - 1) / every),
                                         .every = every > 0 ? every : 1,
                                         .n = n};
}

/* Reads the sample of a run of the set. */
static void take_sample(void *state, size_t own, unsigned thread)
{
    struct cut *cut = state;
    const struct items *items = cut->set->items;
    const struct packing *packing = &items->packing;
    size_t i = cut->peers->first + own, count = cut->samples[i].count;
    char *entries = get_memory(count * packing->size + items->size), *item = entries + count * packing->size;
    (void)thread;
    for (size_t x = 0; x < count; x++) {
        run_fetch(cut->set, cut->set->runs[own], cut->low[i] + x * cut->samples[i].every, 1, item);
        if (items->positions)
            memcpy(entries + x * packing->size, item, packing->size);
        else
            pack(packing, item, entries + x * packing->size);
    }
    cut->samples[i].entries = entries;
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
    for (size_t i = 0; i < cut->k; i++) {
        place_sample(cut, i);
        rank -= cut->low[i];
    }
    crew_run(threads, cut->set->count, take_sample, cut);
    if (cut->peers->share != NULL)
        cut->peers->share(cut->peers->state, cut->samples);
    find_splitter(packing->keys, packing->key_count, cut->samples, cut->k, rank, cut->within, cut->beyond);
    for (size_t i = 0; i < cut->k; i++) {
        cut->high[i] = cut->low[i] + cut->beyond[i];
        cut->low[i] += cut->within[i];
        free((char *)cut->samples[i].entries);
    }
}

void cut_all_runs(const struct run_set *set, const struct cut_peers *peers, uint64_t rank, unsigned threads,
                  uint64_t *prefix)
{
    size_t k = peers->k;
    struct cut cut = {.set = set, .peers = peers, .k = k, .low = prefix};
    cut.high = get_memory(3 * k * sizeof(uint64_t));
    cut.within = cut.high + k;
    cut.beyond = cut.within + k;
    cut.samples = get_memory(k * sizeof *cut.samples);
    memset(cut.low, 0, k * sizeof(uint64_t));
    memcpy(cut.high, peers->lengths, k * sizeof(uint64_t));
    for (uint64_t n; (n = undecided(&cut)) > 0;) {
        cut.last = n <= k * LAST_ITEMS;
        narrow(&cut, rank, threads);
    }
    free(cut.high);
    free(cut.samples);
}

void cut_runs(const struct run_set *set, uint64_t rank, unsigned threads, uint64_t *prefix)
{
    uint64_t *lengths = get_memory(set->count * sizeof *lengths);
    for (size_t i = 0; i < set->count; i++)
        lengths[i] = set->runs[i]->length;
    cut_all_runs(set, &(struct cut_peers){.k = set->count, .lengths = lengths}, rank, threads, prefix);
    free(lengths);
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
