/* select.c - selection in several sorted sequences against an oracle that sorts all items: the prefixes add up to the
 * rank, what is in front of a splitter orders before what is behind it, equal items are divided by list and place.
 * Brackets hold the prefixes and are narrow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scankit.h"
#include "support/tap.h"

#define LISTS_MAX 40
#define ITEMS_MAX 3000

/* Records of a key and a byte that is no key. */
struct item {
    uint16_t key;
    uint8_t other;
};

static const scankit_key key = {.offset = 0, .type = SCANKIT_U16, .size = 2};
static struct item items[LISTS_MAX * ITEMS_MAX];
static uint16_t entries[LISTS_MAX * ITEMS_MAX];
static scankit_sequence lists[LISTS_MAX], indexes[LISTS_MAX];
static size_t first[LISTS_MAX + 1]; /* of each list in items[] */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

/* ---- lists ---- */

enum shape { RANDOM, FEW, EQUAL, DISJOINT, DESCENDING, INTERLEAVED, SHAPES };

static unsigned value(enum shape shape, size_t k, size_t list, size_t i, size_t n)
{
    switch (shape) {
    case RANDOM: return (unsigned)draw(65536);
    case FEW: return (unsigned)draw(3);
    case EQUAL: return 7;
    case DISJOINT: return (unsigned)(list * 65535 / k);
    case DESCENDING: return (unsigned)((k - list) * 1000 + i % 3);
    case INTERLEAVED: return (unsigned)(i * 60000 / (n + 1) + list);
    default: return 0;
    }
}

static int compare(const void *a, const void *b)
{
    unsigned x = ((const struct item *)a)->key, y = ((const struct item *)b)->key;
    return (x > y) - (x < y);
}

/* Sorted lists, and of each an index of every few items. most: items of a list. */
static void make_lists(enum shape shape, size_t k, size_t most)
{
    first[0] = 0;
    for (size_t list = 0; list < k; list++) {
        size_t n = draw(4) == 0 ? draw(3) : draw(most + 1);
        struct item *here = items + first[list];
        for (size_t i = 0; i < n; i++)
            here[i] = (struct item){.key = (uint16_t)value(shape, k, list, i, n), .other = (uint8_t)draw(256)};
        qsort(here, n, sizeof *here, compare);
        first[list + 1] = first[list] + n;
        lists[list] =
            (scankit_sequence){.entries = (const char *)here, .stride = sizeof *here, .count = n, .every = 1, .n = n};
        uint64_t every = 1 + draw(draw(2) == 0 ? 4 : 100);
        uint16_t *index = entries + first[list];
        for (size_t i = 0; i * every < n; i++)
            index[i] = here[i * every].key;
        indexes[list] = (scankit_sequence){.entries = (const char *)index,
                                           .stride = sizeof *index,
                                           .count = (n + every - 1) / every,
                                           .every = every,
                                           .n = n};
    }
}

/* ---- checks ---- */

/* How many items with a key below `limit` list i has, or below limit + 1. */
static size_t count_below(size_t i, unsigned limit)
{
    size_t count = 0;
    while (count < lists[i].n && items[first[i] + count].key < limit)
        count++;
    return count;
}

/* The prefixes by counting: the least key at which `rank` items are reached, then lists in order. */
static void oracle(size_t k, uint64_t rank, uint64_t *prefix)
{
    unsigned low = 0, high = 65536;
    while (low < high) { /* the greatest limit with at most `rank` items below it */
        unsigned middle = low + (high - low + 1) / 2;
        uint64_t below = 0;
        for (size_t i = 0; i < k; i++)
            below += count_below(i, middle);
        if (below <= rank)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t left = rank;
    for (size_t i = 0; i < k; i++)
        left -= prefix[i] = count_below(i, low);
    for (size_t i = 0; i < k; i++) {
        uint64_t equal = count_below(i, low + 1) - prefix[i], part = equal < left ? equal : left;
        prefix[i] += part;
        left -= part;
    }
}

static void check_exact(size_t k, uint64_t rank, const uint64_t *expected)
{
    uint64_t prefix[LISTS_MAX], high[LISTS_MAX];
    TAP_CHECK(scankit_select(&key, 1, lists, k, rank, prefix, high) == SCANKIT_OK);
    for (size_t i = 0; i < k; i++)
        if (prefix[i] != expected[i] || high[i] != expected[i])
            tap_fail("list %zu: %llu items, not %llu", i, (unsigned long long)prefix[i],
                     (unsigned long long)expected[i]);
}

static void check_bracket(size_t k, uint64_t rank, const uint64_t *expected)
{
    uint64_t low[LISTS_MAX], high[LISTS_MAX], gaps = 0, widest = 0;
    TAP_CHECK(scankit_select(&key, 1, indexes, k, rank, low, high) == SCANKIT_OK);
    for (size_t i = 0; i < k; i++) {
        if (low[i] > expected[i] || expected[i] > high[i] || high[i] > lists[i].n)
            tap_fail("list %zu: %llu is not from %llu to %llu", i, (unsigned long long)expected[i],
                     (unsigned long long)low[i], (unsigned long long)high[i]);
        gaps += high[i] - low[i];
        widest = indexes[i].every > widest ? indexes[i].every : widest;
    }
    if (gaps > 4 * k * widest)
        tap_fail("the gaps are %llu items", (unsigned long long)gaps);
}

static void check_shape(const char *name, enum shape shape, size_t k, size_t most)
{
    tap_begin("%s: %zu lists of up to %zu items", name, k, most);
    for (int turn = 0; turn < 10; turn++) {
        make_lists(shape, k, most);
        for (int j = 0; j < 12; j++) {
            uint64_t n = first[k], expected[LISTS_MAX];
            uint64_t rank = j == 0 ? 0 : j == 1 ? n : j == 2 && n > 0 ? 1 : j == 3 && n > 0 ? n - 1 : draw(n + 1);
            tap_case("turn %d, rank %llu of %llu", turn, (unsigned long long)rank, (unsigned long long)n);
            oracle(k, rank, expected);
            check_exact(k, rank, expected);
            check_bracket(k, rank, expected);
        }
    }
    tap_end();
}

int main(void)
{
    static const char *const names[SHAPES] = {"random", "few values", "equal", "disjoint", "descending", "interleaved"};
    static const size_t counts[] = {1, 2, 3, 7, LISTS_MAX};
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            check_shape(names[shape], (enum shape)shape, counts[i], 20);
            check_shape(names[shape], (enum shape)shape, counts[i], counts[i] > 10 ? 300 : ITEMS_MAX);
        }
    return tap_finish();
}
