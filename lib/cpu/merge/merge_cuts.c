/* merge_cuts.c - exact splitters by selection in several sequences (Varman and others 1991), here with random pivots: a
 * pivot's place in every array, by binary search, tells on which side of the pivot the cuts lie. */
#include "merge_cuts.h"

/* How many of array i's elements [low, high) come before the pivot, element p of array j; counted from 0. */
static size_t place_of(const sk_sequences *s, size_t i, size_t low, size_t high, size_t j, size_t p)
{
    const char *pivot = s->in[j] + p * s->stride;
    if (i == j)
        return p;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = s->compare(s->context, s->in[i] + middle * s->stride, pivot);
        if (order < 0 || (order == 0 && i < j))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t sum_between(const size_t *low, const size_t *high, size_t k)
{
    size_t sum = 0;
    for (size_t i = 0; i < k; i++)
        sum += high[i] - low[i];
    return sum;
}

/* Turns the lower bounds into the cuts for a rank: `rank` elements lie between the bounds and before the cuts. places
 * and high are scratch; high has the upper bounds. */
static void select_cuts(const sk_sequences *s, size_t rank, size_t *low, size_t *high, size_t *places)
{
    uint64_t random = rank;
    size_t between = sum_between(low, high, s->k), j;
    while (rank > 0 && rank < between) {
        random = sk_next_random(random);
        size_t pivot = (size_t)((random >> 33) % between);
        for (j = 0; pivot >= high[j] - low[j]; j++)
            pivot -= high[j] - low[j];
        pivot += low[j];
        for (size_t i = 0; i < s->k; i++)
            places[i] = place_of(s, i, low[i], high[i], j, pivot);
        size_t smaller = sum_between(low, places, s->k);
        if (smaller < rank) {
            memcpy(low, places, s->k * sizeof *low);
            low[j]++;
            rank -= smaller + 1;
        } else {
            memcpy(high, places, s->k * sizeof *high);
        }
        between = sum_between(low, high, s->k);
    }
    if (rank > 0)
        memcpy(low, high, s->k * sizeof *low);
}

/* A cut in the middle of each of the pieces between cuts that are `step` cuts apart. */
typedef struct cuts_job {
    const sk_sequences *sequences;
    const size_t *ranks;
    size_t parts, step, *cuts;
} cuts_job;

static void find_cut(void *state, size_t piece, int thread)
{
    const cuts_job *job = state;
    size_t k = job->sequences->k, before = piece * job->step, p = before + job->step / 2;
    size_t *cuts = job->cuts + p * k, *scratch = job->cuts + (job->parts + 1 + 2 * p) * k;
    (void)thread;
    memcpy(cuts, job->cuts + before * k, k * sizeof *cuts);
    memcpy(scratch, job->cuts + (before + job->step) * k, k * sizeof *cuts);
    select_cuts(job->sequences, job->ranks[p] - job->ranks[before], cuts, scratch, scratch + k);
}

void sk_merge_cut(sk_device *device, const sk_sequences *s, size_t parts, const size_t *ranks, size_t *cuts)
{
    size_t k = s->k;
    memset(cuts, 0, k * sizeof *cuts);
    memcpy(cuts + parts * k, s->n, k * sizeof *cuts);
    /* Halves, then quarters: each cut lies between the two around it. */
    for (size_t step = parts; step > 1; step /= 2) {
        cuts_job job = {s, ranks, parts, step, cuts};
        sk_cpu_each(((const sk_cpu *)device)->threads, parts / step, find_cut, &job);
    }
}
