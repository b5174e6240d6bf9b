/* select.c - selection in several sorted sequences. A pivot is an entry of one of the lists; binary searches in all
 * lists bound its rank. As in quickselect, the pivot is drawn from the entries not decided yet, and decides all entries
 * on one side of it: some 2 ln n pivots are needed for n entries, each of k binary searches. */
#include <stdlib.h>

#include "internal.h"

/* Entries below low are decided to be in front of the splitter, entries from high on behind it. */
struct division {
    const scankit_key *keys;
    size_t key_count;
    const scankit_sequence *lists;
    size_t k;
    uint64_t rank;
    bool upper; /* an entry is in front if the upper bound of its rank is below `rank`; else, if the lower bound is */
    size_t *low, *high, *count;
    uint64_t random;
};

static const char *entry(const scankit_sequence *list, size_t i)
{
    return (const char *)list->entries + i * list->stride;
}

/* Of the undecided entries of list i, those that order before the pivot: entry x of list j. Returns where they end. */
static size_t search(const struct division *division, size_t i, size_t j, const char *pivot)
{
    size_t low = division->low[i], high = division->high[i];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = scankit_compare(division->keys, division->key_count, entry(&division->lists[i], middle), pivot);
        if (order < 0 || (order == 0 && i < j))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A bound of the number of items before the pivot, if `count` entries of the list are. */
static uint64_t bound(const scankit_sequence *list, size_t count, bool upper)
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
    for (size_t i = 0; i < division->k; i++)
        undecided += division->high[i] - division->low[i];
    return undecided;
}

static bool is_in_front(struct division *division, size_t j, size_t x)
{
    const char *pivot = entry(&division->lists[j], x);
    uint64_t before = 0;
    for (size_t i = 0; i < division->k; i++) {
        division->count[i] = i == j ? x : search(division, i, j, pivot);
        before += bound(&division->lists[i], division->count[i], division->upper);
    }
    return before < division->rank;
}

/* Decides all entries. low[i] is then the number of entries in front. */
static void divide(struct division *division, bool upper)
{
    size_t j, x;
    division->upper = upper;
    division->random = division->rank;
    for (size_t i = 0; i < division->k; i++) {
        division->low[i] = 0;
        division->high[i] = division->lists[i].count;
    }
    for (uint64_t undecided; (undecided = count_undecided(division)) > 0;) {
        draw(division, undecided, &j, &x);
        bool front = is_in_front(division, j, x);
        for (size_t i = 0; i < division->k; i++)
            *(front ? &division->low[i] : &division->high[i]) = division->count[i];
        if (front)
            division->low[j] = x + 1;
    }
}

static bool are_samples(const scankit_sequence *lists, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        const scankit_sequence *list = &lists[i];
        bool all = list->every > 0 && list->count == list->n / list->every + (list->n % list->every > 0);
        if (!all || (list->count > 0 && list->entries == NULL))
            return false;
    }
    return k == 0 || lists != NULL;
}

scankit_error scankit_select(const scankit_key *keys, size_t key_count, const scankit_sequence *lists, size_t k,
                             uint64_t rank, uint64_t *low, uint64_t *high)
{
    size_t places;
    if (keys == NULL || key_count == 0 || low == NULL || high == NULL || !are_samples(lists, k))
        return SCANKIT_E_ARGUMENT;
    size_t *memory = sk_multiply(3 * sizeof *memory, k + 1, &places) ? malloc(places) : NULL;
    if (memory == NULL)
        return SCANKIT_E_MEMORY;
    struct division division = {keys, key_count, lists, k, rank, false, memory, memory + k, memory + 2 * k, 0};
    divide(&division, true);
    for (size_t i = 0; i < k; i++)
        low[i] = bound(&lists[i], division.low[i], false);
    divide(&division, false);
    for (size_t i = 0; i < k; i++)
        high[i] = bound(&lists[i], division.low[i], true);
    free(memory);
    return SCANKIT_OK;
}
