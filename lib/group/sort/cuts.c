/* cuts.c - see cuts.h. Each member finds one row, and all rows narrow together. In each round, every member sends
 * samples of its lists, from the gap that is left of a row, to the row's owner; the owner narrows the gap by selection,
 * and all gather the rows. A gap of n elements takes about log n / log(SAMPLES / members) rounds. */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 2048 /* of a list, a row and a round */

/* A row's gap in a list. */
typedef struct gap {
    size_t low, high;
} gap;

typedef struct search {
    sk_member *member;
    const sk_ordering *ordering;
    const sk_lists *lists;
    const size_t *begins;
    size_t members, lists_of_all; /* lists of all members, list 0 of each first */
    gap *gaps, *mine;             /* a row for each owner; the own row */
    uint64_t *bounds;             /* of a selection: low and high for each list */
    scankit_sequence *samples;
    sk_slice *slices;
    uint64_t *places; /* of the samples that this member sends */
} search;

/* The row that a member finds: row 0 is known. */
static size_t row_of(size_t owner, size_t members)
{
    return owner == 0 ? members : owner;
}

static gap *gap_of(const search *s, size_t owner, size_t list, size_t member)
{
    return &s->gaps[owner * s->lists_of_all + list * s->members + member];
}

static size_t step_of(gap g)
{
    size_t n = g.high - g.low;
    return n <= SAMPLES ? 1 : n / SAMPLES + (n % SAMPLES > 0);
}

static size_t samples_of(gap g)
{
    size_t n = g.high - g.low, step = step_of(g);
    return n / step + (n % step > 0);
}

static size_t samples_for(const search *s, size_t owner, size_t member)
{
    size_t count = 0;
    for (size_t l = 0; l < s->lists->count; l++)
        count += samples_of(*gap_of(s, owner, l, member));
    return count;
}

/* ---- a round ---- */

/* Writes the places of this member's samples for all rows. A second list lies behind the first, as gather has it. */
static size_t place_samples(const search *s)
{
    size_t count = 0, me = s->member->rank;
    for (size_t owner = 0; owner < s->members; owner++)
        for (size_t l = 0; l < s->lists->count; l++) {
            gap g = *gap_of(s, owner, l, me);
            size_t step = step_of(g), before = l == 0 ? 0 : s->lists->n[0];
            for (size_t i = g.low; i < g.high; i += step)
                s->places[count++] = before + i;
        }
    return count;
}

/* The samples of this member, in device memory. */
static scankit_error gather_samples(const search *s, size_t count, void *samples)
{
    scankit_context *context = s->member->context;
    const sk_lists *lists = s->lists;
    const char *second = lists->count > 1 ? lists->data[1] : NULL;
    void *places;
    if (count == 0)
        return SCANKIT_OK;
    SK_TRY(sk_take(context, count, sizeof *s->places, &places));
    SK_TRY(scankit_upload(context, places, s->places, count * sizeof *s->places));
    return context->backend->gather(context->device, s->ordering->size, lists->data[0], lists->n[0], second, 8, places,
                                    samples, count);
}

/* received = the samples for this member's row, from all members. */
static scankit_error exchange_samples(const search *s, const void *samples, void *received, size_t *count)
{
    sk_slice *send = s->slices, *receive = s->slices + s->members;
    size_t sent = 0, me = s->member->rank;
    *count = 0;
    for (size_t m = 0; m < s->members; m++) {
        send[m] = (sk_slice){m, sent, samples_for(s, m, me)};
        receive[m] = (sk_slice){m, *count, samples_for(s, me, m)};
        sent += send[m].n;
        *count += receive[m].n;
    }
    const sk_column column = {s->ordering->size, samples, received};
    return sk_exchange_slices(s->member, send, s->members, receive, s->members, &column, 1);
}

/* Elements as unsigned integers of the bits that count. */
static void mask_samples(const sk_ordering *ordering, char *samples, size_t count)
{
    for (size_t i = 0; ordering->mask != 0 && i < count; i++, samples += ordering->size) {
        uint64_t value = 0;
        memcpy(&value, samples, ordering->size);
        value = (value ^ ordering->flip) & ordering->mask;
        memcpy(samples, &value, ordering->size);
    }
}

/* Narrows the own row: samples are in host memory, by member, then by list. */
static scankit_error narrow(search *s, const char *samples)
{
    uint64_t rank = s->begins[row_of(s->member->rank, s->members)];
    const size_t size = s->ordering->size;
    for (size_t m = 0; m < s->members; m++)
        for (size_t l = 0; l < s->lists->count; l++) {
            gap g = s->mine[l * s->members + m];
            s->samples[l * s->members + m] =
                (scankit_sequence){samples, size, samples_of(g), step_of(g), g.high - g.low};
            samples += samples_of(g) * size;
            rank -= g.low;
        }
    uint64_t *low = s->bounds, *high = low + s->lists_of_all;
    SK_TRY(scankit_select(s->ordering->keys, s->ordering->key_count, s->samples, s->lists_of_all, rank, low, high));
    for (size_t g = 0; g < s->lists_of_all; g++)
        s->mine[g] = (gap){s->mine[g].low + (size_t)low[g], s->mine[g].low + (size_t)high[g]};
    return SCANKIT_OK;
}

static scankit_error narrow_by_samples(search *s, const void *received, size_t count)
{
    char *samples = sk_host_array(count, s->ordering->size);
    if (samples == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = scankit_download(s->member->context, samples, received, count * s->ordering->size);
    mask_samples(s->ordering, samples, count);
    if (error == SCANKIT_OK)
        error = narrow(s, samples);
    free(samples);
    return error;
}

static scankit_error run_round(search *s)
{
    sk_arena *workspace = &s->member->context->device->workspace;
    size_t mark = sk_arena_mark(workspace), sent = place_samples(s), count;
    const size_t most = s->lists_of_all * SAMPLES, size = s->ordering->size;
    void *samples, *received;
    scankit_error error;
    SK_TRY_GOTO(sk_take(s->member->context, sent, size, &samples));
    SK_TRY_GOTO(sk_take(s->member->context, most, size, &received));
    SK_TRY_GOTO(gather_samples(s, sent, samples));
    SK_TRY_GOTO(exchange_samples(s, samples, received, &count));
    SK_TRY_GOTO(narrow_by_samples(s, received, count));
    SK_TRY_GOTO(sk_gather(s->member, s->mine, s->gaps, s->lists_of_all * sizeof *s->mine));
done:
    sk_arena_reset(workspace, mark);
    return error;
}

/* ---- all rounds ---- */

static bool is_exact(const search *s)
{
    for (size_t g = 0; g < s->members * s->lists_of_all; g++)
        if (s->gaps[g].low != s->gaps[g].high)
            return false;
    return true;
}

static scankit_error open_search(search *s)
{
    const size_t lists = s->lists_of_all, members = s->members;
    s->gaps = sk_host_array((members + 1) * lists, sizeof *s->gaps);
    s->bounds = sk_host_array(2 * lists, sizeof *s->bounds);
    s->samples = sk_host_array(lists, sizeof *s->samples);
    s->slices = sk_host_array(2 * members, sizeof *s->slices);
    s->places = sk_host_array(members * s->lists->count * SAMPLES, sizeof *s->places);
    if (s->gaps == NULL || s->bounds == NULL || s->samples == NULL || s->slices == NULL || s->places == NULL)
        return SCANKIT_E_MEMORY;
    s->mine = s->gaps + members * lists;
    return SCANKIT_OK;
}

static void close_search(search *s)
{
    free(s->gaps);
    free(s->bounds);
    free(s->samples);
    free(s->slices);
    free(s->places);
}

/* If the result has all elements, its end is the end of each list. */
static void decide_last_row(const search *s)
{
    size_t all = 0;
    gap *row = gap_of(s, 0, 0, 0);
    for (size_t g = 0; g < s->lists_of_all; g++)
        all += row[g].high;
    for (size_t g = 0; s->begins[s->members] == all && g < s->lists_of_all; g++)
        row[g].low = row[g].high;
}

/* All gaps begin as whole lists. */
static scankit_error begin_rows(search *s)
{
    const sk_lists *lists = s->lists;
    for (size_t l = 0; l < lists->count; l++) {
        size_t *lengths = (size_t *)s->bounds;
        SK_TRY(sk_gather(s->member, &lists->n[l], lengths, sizeof lists->n[l]));
        for (size_t owner = 0; owner < s->members; owner++)
            for (size_t m = 0; m < s->members; m++)
                *gap_of(s, owner, l, m) = (gap){0, lengths[m]};
    }
    decide_last_row(s);
    memcpy(s->mine, gap_of(s, s->member->rank, 0, 0), s->lists_of_all * sizeof *s->mine);
    return SCANKIT_OK;
}

static void write_cuts(const search *s, sk_cuts *cuts)
{
    for (size_t l = 0; l < cuts->lists; l++)
        for (size_t m = 0; m < s->members; m++) {
            *sk_cut(cuts, 0, l, m) = 0;
            for (size_t owner = 0; owner < s->members; owner++)
                *sk_cut(cuts, row_of(owner, s->members), l, m) = gap_of(s, owner, l, m)->low;
        }
}

scankit_error sk_find_cuts(sk_member *member, const sk_ordering *ordering, const sk_lists *lists, const size_t *begins,
                           sk_cuts *cuts)
{
    const size_t members = member->members;
    search s = {.member = member,
                .ordering = ordering,
                .lists = lists,
                .begins = begins,
                .members = members,
                .lists_of_all = lists->count * members};
    *cuts = (sk_cuts){members, lists->count, sk_host_array((members + 1) * s.lists_of_all, sizeof *cuts->at)};
    scankit_error error;
    SK_TRY_GOTO(cuts->at == NULL ? SCANKIT_E_MEMORY : open_search(&s));
    SK_TRY_GOTO(begin_rows(&s));
    while (!is_exact(&s))
        SK_TRY_GOTO(run_round(&s));
    write_cuts(&s, cuts);
done:
    close_search(&s);
    return error;
}

size_t sk_slices_of_cuts(const sk_member *member, const sk_cuts *cuts, size_t list, sk_slice *send, sk_slice *receive)
{
    const size_t me = member->rank;
    size_t received = 0;
    for (size_t m = 0; m < member->members; m++) {
        const size_t begin = *sk_cut(cuts, m, list, me), from = *sk_cut(cuts, me, list, m);
        send[m] = (sk_slice){m, begin, *sk_cut(cuts, m + 1, list, me) - begin};
        receive[m] = (sk_slice){m, received, *sk_cut(cuts, me + 1, list, m) - from};
        received += receive[m].n;
    }
    return received;
}
