/* splitters.c - see splitters.h. A pivot is an entry of one of the lists; binary searches in all lists bound its rank.
 * As in quickselect, the pivot is drawn from the entries not decided yet, and decides all entries on one side of it:
 * some 2 ln n pivots are needed for n entries, each of k binary searches. */
#include "splitters.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/cli.h"

/* Entries below low are decided to be in front of the splitter, entries from high on behind it. */
struct division {
    const struct splitter *splitter;
    uint64_t rank;
    bool upper; /* an entry is in front if the upper bound of its rank is below `rank`; else, if the lower bound is */
    size_t *low, *high, *count;
    uint64_t random;
};

static const char *entry(const struct sample *list, size_t i)
{
    return list->entries + i * list->stride;
}

/* Of the undecided entries of list i, those that order before the pivot: entry x of list j. Returns where they end. */
static size_t search(const struct division *division, size_t i, size_t j, const char *pivot)
{
    const struct splitter *splitter = division->splitter;
    size_t low = division->low[i], high = division->high[i];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = scankit_compare(splitter->keys, splitter->key_count, entry(&splitter->lists[i], middle), pivot);
        if (order < 0 || (order == 0 && i < j))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A bound of the number of items before the pivot, if `count` entries of the list are. */
static uint64_t bound(const struct sample *list, size_t count, bool upper)
{
    if (count == 0)
        return 0;
    if (!upper)
        return (count - 1) * list->every + 1;
    uint64_t items = count * list->every;
    return items < list->n ? items : list->n;
}

/* Draws one of `undecided` entries: sets list and entry. */
static void draw(struct division *division, uint64_t undecided, size_t *list, size_t *x)
{
    division->random = division->random * 6364136223846793005u + 1442695040888963407u;
    uint64_t at = (division->random >> 11) % undecided;
    for (*list = 0; at >= division->high[*list] - division->low[*list]; ++*list)
        at -= division->high[*list] - division->low[*list];
    *x = division->low[*list] + (size_t)at;
}

static uint64_t count_undecided(const struct division *division)
{
    uint64_t undecided = 0;
    for (size_t i = 0; i < division->splitter->k; i++)
        undecided += division->high[i] - division->low[i];
    return undecided;
}

static bool is_in_front(struct division *division, size_t j, size_t x)
{
    const struct splitter *splitter = division->splitter;
    const char *pivot = entry(&splitter->lists[j], x);
    uint64_t before = 0;
    for (size_t i = 0; i < splitter->k; i++) {
        division->count[i] = i == j ? x : search(division, i, j, pivot);
        before += bound(&splitter->lists[i], division->count[i], division->upper);
    }
    return before < division->rank;
}

/* Decides all entries. low[i] is then the number of entries in front. */
static void divide(struct division *division)
{
    size_t j, x;
    for (uint64_t undecided; (undecided = count_undecided(division)) > 0;) {
        draw(division, undecided, &j, &x);
        bool front = is_in_front(division, j, x);
        for (size_t i = 0; i < division->splitter->k; i++)
            *(front ? &division->low[i] : &division->high[i]) = division->count[i];
        if (front)
            division->low[j] = x + 1;
    }
}

/* How many entries of each list are in front. get_memory()'d. */
static size_t *entries_in_front(const struct splitter *splitter, uint64_t rank, bool upper)
{
    size_t k = splitter->k;
    struct division division = {.splitter = splitter, .rank = rank, .upper = upper, .random = rank};
    division.low = get_memory(3 * k * sizeof(size_t));
    division.high = division.low + k;
    division.count = division.high + k;
    for (size_t i = 0; i < k; i++) {
        division.low[i] = 0;
        division.high[i] = splitter->lists[i].count;
    }
    divide(&division);
    return division.low;
}

void splitter_bracket(const struct splitter *splitter, uint64_t rank, uint64_t *low, uint64_t *high)
{
    size_t *surely = entries_in_front(splitter, rank, true), *possibly = entries_in_front(splitter, rank, false);
    for (size_t i = 0; i < splitter->k; i++) {
        low[i] = bound(&splitter->lists[i], surely[i], false);
        high[i] = bound(&splitter->lists[i], possibly[i], true);
    }
    free(surely);
    free(possibly);
}

void splitter_exact(const struct splitter *splitter, uint64_t rank, uint64_t *prefix)
{
    size_t *front = entries_in_front(splitter, rank, true);
    for (size_t i = 0; i < splitter->k; i++)
        prefix[i] = front[i];
    free(front);
}
