/* tally.c - see tally.h. */
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POOL 48 /* of the worst cases, which the search changes */
#define LISTED 24
#define SIZES 41 /* classes of sizes: by the power of two below */

void tally_add(search_tally *tally, found_case found)
{
    if (tally->count == tally->room) {
        tally->room = 2 * tally->room + 64;
        tally->found = realloc(tally->found, tally->room * sizeof *tally->found);
        if (tally->found == NULL) {
            fprintf(stderr, "search: out of memory\n");
            exit(2);
        }
    }
    tally->found[tally->count++] = found;
}

static int by_ratio(const void *a, const void *b)
{
    double left = ((const found_case *)a)->ratio, right = ((const found_case *)b)->ratio;
    return (left > right) - (left < right);
}

static void sort_found(search_tally *tally)
{
    qsort(tally->found, tally->count, sizeof *tally->found, by_ratio);
}

const search_case *tally_pick_bad(search_tally *tally, uint64_t random)
{
    sort_found(tally);
    double unit = (double)(random >> 11) * 0x1p-53;
    size_t pool = tally->count < POOL ? tally->count : POOL;
    return &tally->found[(size_t)(unit * unit * (double)pool)].drawn;
}

/* ---- the report ---- */

typedef struct group {
    size_t count, below_95, below_100;
    double log_sum;
    const found_case *least; /* the tally is in ascending order */
} group;

static void group_add(group *g, const found_case *found)
{
    g->least = g->count == 0 ? found : g->least;
    g->count++;
    g->below_95 += found->ratio < 0.95;
    g->below_100 += found->ratio < 1.0;
    g->log_sum += log(found->ratio);
}

static void group_print(const group *g, const char *name)
{
    if (g->count > 0)
        printf("%-8s %7zu %9.3f %9.3f %11zu %10zu\n", name, g->count, exp(g->log_sum / (double)g->count),
               g->least->ratio, g->below_95, g->below_100);
}

static void print_groups(const search_tally *tally)
{
    group all = {0}, types[16] = {{0}}, sizes[SIZES] = {{0}};
    for (size_t i = 0; i < tally->count; i++) {
        const found_case *found = &tally->found[i];
        group_add(&all, found);
        group_add(&types[found->drawn.type], found);
        group_add(&sizes[(unsigned)log2((double)found->drawn.n) % SIZES], found);
    }
    printf("\n%-8s %7s %9s %9s %11s %10s\n", "", "cases", "mean", "least", "below 0.95", "below 1.0");
#define X(enumerator, name, ctype, kind) group_print(&types[SCANKIT_##enumerator], #name);
    SCANKIT_TYPES(X)
#undef X
    for (unsigned log2_n = 0; log2_n < SIZES; log2_n++) {
        char name[16];
        snprintf(name, sizeof name, "2^%u", log2_n);
        group_print(&sizes[log2_n], name);
    }
    group_print(&all, "all");
}

/* The ratios below which a share of all cases lies. */
static void print_shares(const search_tally *tally)
{
    static const double shares[] = {0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95};
    printf("\nshare of cases ");
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        printf(" %7.3f", shares[i]);
    printf("\nare below      ");
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        printf(" %7.3f", tally->found[(size_t)(shares[i] * (double)tally->count)].ratio);
    printf("\n");
}

void tally_print(search_tally *tally)
{
    if (tally->count == 0)
        return;
    sort_found(tally);
    print_groups(tally);
    print_shares(tally);
    printf("\nthe worst:\n");
    for (size_t i = 0; i < tally->count && i < LISTED; i++) {
        char text[SEARCH_TEXT];
        search_print(&tally->found[i].drawn, text);
        printf("%6.3f  %-17s %s\n", tally->found[i].ratio, tally->found[i].algorithm, text);
    }
}
