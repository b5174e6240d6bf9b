/* cuts.c - see cuts.h. All ranks narrow the same brackets: each reads samples of its own runs, and gets all others'. */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "cut.h"
#include "mpi/rank_exchange.h"
#include "mpi/rank_files.h"

struct peers {
    struct cut_peers cut;
    uint64_t *runs; /* of each rank */
    uint64_t *lengths;
    uint64_t *prefix; /* a cut, in the runs of all */
};

/* ---- samples ---- */

/* Bytes of each rank's samples. Returns the sum. */
static size_t sample_bytes(const struct peers *peers, const scankit_sequence *samples, size_t *bytes)
{
    size_t all = 0;
    for (size_t r = 0, i = 0; r < rank_count(); r++) {
        bytes[r] = 0;
        for (uint64_t run = 0; run < peers->runs[r]; run++, i++)
            bytes[r] += samples[i].count * samples[i].stride;
        all += bytes[r];
    }
    return all;
}

/* Copies the samples of some runs to or from memory. */
static char *copy_samples(scankit_sequence *samples, size_t count, char *memory, bool in)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes = samples[i].count * samples[i].stride;
        if (!in)
            samples[i].entries = get_memory(bytes + 1);
        if (bytes > 0)
            memcpy(in ? memory : (char *)samples[i].entries, in ? samples[i].entries : memory, bytes);
        memory += bytes;
    }
    return memory;
}

static void share_samples(void *state, scankit_sequence *samples)
{
    const struct peers *peers = state;
    size_t *bytes = get_memory(rank_count() * sizeof *bytes), sum = sample_bytes(peers, samples, bytes);
    size_t first = peers->cut.first, own = (size_t)peers->runs[rank_number()];
    char *mine = get_memory(bytes[rank_number()] + 1), *all = get_memory(sum + 1), *at;
    copy_samples(samples + first, own, mine, true);
    ranks_collect(mine, all, bytes);
    at = copy_samples(samples, first, all, false) + bytes[rank_number()];
    copy_samples(samples + first + own, peers->cut.k - first - own, at, false);
    free(mine);
    free(all);
    free(bytes);
}

/* ---- the runs of all ranks ---- */

static void meet_peers(struct peers *peers, const struct run_set *set)
{
    size_t *bytes = get_memory(rank_count() * sizeof *bytes), k = 0;
    uint64_t *own = get_memory((set->count + 1) * sizeof *own);
    peers->runs = get_memory(rank_count() * sizeof *peers->runs);
    ranks_all(set->count, peers->runs);
    for (size_t r = 0; r < rank_count(); r++) {
        bytes[r] = peers->runs[r] * sizeof *own;
        k += (size_t)peers->runs[r];
    }
    for (size_t i = 0; i < set->count; i++)
        own[i] = set->runs[i]->n;
    peers->lengths = get_memory((2 * k + 1) * sizeof *peers->lengths);
    peers->prefix = peers->lengths + k;
    ranks_collect(own, peers->lengths, bytes);
    peers->cut = (struct cut_peers){.k = k,
                                    .first = (size_t)ranks_before(set->count),
                                    .lengths = peers->lengths,
                                    .share = share_samples,
                                    .state = peers};
    free(own);
    free(bytes);
}

/* ---- cuts ---- */

/* Gives rank r the last one of the items in front of its part. */
static void find_before(struct cuts *cuts, const struct run_set *set, size_t r)
{
    size_t size = set->items->size, *bytes = get_memory(rank_count() * sizeof *bytes);
    char *mine = get_memory(size + 1), *all = get_memory(rank_count() * (size + 1)), *last = NULL;
    mine[size] = 0; /* there is none */
    for (size_t i = 0; i < set->count; i++)
        mine[size] |= cuts->places[r * set->count + i] > 0;
    if (mine[size])
        cut_last_item(set, cuts->places + r * set->count, mine);
    for (size_t i = 0; i < rank_count(); i++)
        bytes[i] = size + 1;
    ranks_collect(mine, all, bytes);
    for (char *item = all; item < all + rank_count() * (size + 1); item += size + 1)
        if (item[size] && (last == NULL || items_compare(set->items, last, item) <= 0))
            last = item;
    if (r == rank_number() && last != NULL) {
        cuts->before = get_memory(size);
        memcpy(cuts->before, last, size);
    }
    free(mine);
    free(all);
    free(bytes);
}

void cuts_find(struct cuts *cuts, const struct run_set *set, uint64_t most, unsigned threads)
{
    struct peers peers;
    meet_peers(&peers, set);
    *cuts = (struct cuts){.all = ranks_sum(run_set_items(set))};
    cuts->end = cuts->all < most ? cuts->all : most;
    cuts->places = get_memory(((rank_count() + 1) * set->count + 1) * sizeof(uint64_t));
    for (size_t r = 0; r <= rank_count(); r++) {
        cut_all_runs(set, &peers.cut, rank_even_begin(cuts->end, r), threads, peers.prefix);
        memcpy(cuts->places + r * set->count, peers.prefix + peers.cut.first, set->count * sizeof(uint64_t));
        if (r < rank_count())
            find_before(cuts, set, r);
    }
    free(peers.runs);
    free(peers.lengths);
}

void cuts_free(struct cuts *cuts)
{
    free(cuts->places);
    free(cuts->before);
}
