/* cuts.c - see cuts.h. Each member finds the rows behind the begins of its rounds, and all rows narrow together. In
 * each step, every member sends samples of its lists, from the gap that is left of a row, to the row's owner; the owner
 * narrows the gap by selection, and all gather the rows. A gap of n elements takes about log n / log(samples / members)
 * steps. */
#include "cuts.h"

#include <stdlib.h>
#include <string.h>

/* Samples of a list, a row and a step. Fewer for many rows, so that all of them together stay few. */
#define SAMPLES_MOST 2048
#define SAMPLES_LEAST 128
#define SAMPLES_OF_ALL_ROWS ((size_t)1 << 18)

/* A row's gap in a list. */
typedef struct gap {
    size_t low, high;
} gap;

typedef struct search {
    sk_member *member;
    const sk_ordering *ordering;
    const sk_lists *lists;
    const size_t *begins;
    size_t members, rounds;
    size_t most;      /* samples of a list, a row and a step */
    size_t width;     /* of a row: lists of all members, list 0 of each first */
    gap *gaps, *mine; /* all rows but row 0, which is known; the own rows */
    uint64_t *bounds; /* of a selection: low and high for each list */
    scankit_sequence *samples;
    sk_slice *slices;
    uint64_t *places; /* of the samples that this member sends */
} search;

/* Rows of a member are at [owner * rounds, (owner + 1) * rounds). */
static gap *gap_of(const search *s, size_t row, size_t list, size_t member)
{
    return &s->gaps[row * s->width + list * s->members + member];
}

static size_t step_of(const search *s, gap g)
{
    size_t n = g.high - g.low;
    return n <= s->most ? 1 : n / s->most + (n % s->most > 0);
}

static size_t samples_of(const search *s, gap g)
{
    size_t n = g.high - g.low, step = step_of(s, g);
    return n / step + (n % step > 0);
}

/* Samples of one member for all rows of another. */
static size_t samples_for(const search *s, size_t owner, size_t member)
{
    size_t count = 0;
    for (size_t row = owner * s->rounds; row < (owner + 1) * s->rounds; row++)
        for (size_t l = 0; l < s->lists->count; l++)
            count += samples_of(s, *gap_of(s, row, l, member));
    return count;
}

/* ---- a step ---- */

/* Writes the places of this member's samples for all rows. A second list lies behind the first, as gather has it. */
static size_t place_samples(const search *s)
{
    size_t count = 0, me = s->member->rank;
    for (size_t row = 0; row < s->members * s->rounds; row++)
        for (size_t l = 0; l < s->lists->count; l++) {
            gap g = *gap_of(s, row, l, me);
            size_t step = step_of(s, g), before = l == 0 ? 0 : s->lists->n[0];
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

/* received = the samples for this member's rows, from all members. */
static scankit_error exchange_samples(const search *s, const void *samples, void *received)
{
    sk_slice *send = s->slices, *receive = s->slices + s->members;
    size_t sent = 0, got = 0, me = s->member->rank;
    for (size_t m = 0; m < s->members; m++) {
        send[m] = (sk_slice){m, sent, samples_for(s, m, me)};
        receive[m] = (sk_slice){m, got, samples_for(s, me, m)};
        sent += send[m].n;
        got += receive[m].n;
    }
    const sk_column column = {s->ordering->size, samples, received};
    return sk_exchange_slices(s->member, send, s->members, receive, s->members, &column, 1);
}

/* Elements as unsigned integers of the bits that count. */
static void mask_samples(const sk_ordering *ordering, char *samples, size_t count)
{
    for (size_t i = 0; ordering->mask != 0 && i < count; i++, samples += ordering->size) {
        const uint64_t value = sk_masked(ordering, samples);
        memcpy(samples, &value, ordering->size);
    }
}

/* Narrows one of the own rows by the samples of its lists. */
static scankit_error select_row(search *s, size_t row, gap *gaps)
{
    uint64_t rank = s->begins[row + 1];
    for (size_t g = 0; g < s->width; g++)
        rank -= gaps[g].low;
    uint64_t *low = s->bounds, *high = low + s->width;
    SK_TRY(scankit_select(s->ordering->keys, s->ordering->key_count, s->samples, s->width, rank, low, high));
    for (size_t g = 0; g < s->width; g++)
        gaps[g] = (gap){gaps[g].low + (size_t)low[g], gaps[g].low + (size_t)high[g]};
    return SCANKIT_OK;
}

/* Narrows the own rows. The samples are in host memory: by member, then by row, then by list. */
static scankit_error select_rows(search *s, const char *samples)
{
    const size_t size = s->ordering->size;
    for (size_t r = 0; r < s->rounds; r++) {
        gap *gaps = s->mine + r * s->width;
        for (size_t m = 0; m < s->members; m++) {
            size_t *next = &s->slices[s->members + m].begin;
            for (size_t l = 0; l < s->lists->count; l++) {
                gap g = gaps[l * s->members + m];
                s->samples[l * s->members + m] =
                    (scankit_sequence){samples + *next * size, size, samples_of(s, g), step_of(s, g), g.high - g.low};
                *next += samples_of(s, g);
            }
        }
        SK_TRY(select_row(s, s->member->rank * s->rounds + r, gaps));
    }
    return SCANKIT_OK;
}

static scankit_error select_by_samples(search *s, const void *received, size_t count)
{
    char *samples = sk_host_array(count, s->ordering->size);
    if (samples == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = scankit_download(s->member->context, samples, received, count * s->ordering->size);
    mask_samples(s->ordering, samples, count);
    if (error == SCANKIT_OK)
        error = select_rows(s, samples);
    free(samples);
    return error;
}

static size_t samples_received(const search *s)
{
    size_t count = 0;
    for (size_t m = 0; m < s->members; m++)
        count += samples_for(s, s->member->rank, m);
    return count;
}

static scankit_error narrow(search *s)
{
    sk_arena *workspace = &s->member->context->device->workspace;
    const size_t mark = sk_arena_mark(workspace), size = s->ordering->size;
    const size_t sent = place_samples(s), count = samples_received(s);
    void *samples, *received;
    scankit_error error;
    SK_TRY_GOTO(sk_take(s->member->context, sent, size, &samples));
    SK_TRY_GOTO(sk_take(s->member->context, count, size, &received));
    SK_TRY_GOTO(gather_samples(s, sent, samples));
    SK_TRY_GOTO(exchange_samples(s, samples, received));
    SK_TRY_GOTO(select_by_samples(s, received, count));
    SK_TRY_GOTO(sk_gather(s->member, s->mine, s->gaps, s->rounds * s->width * sizeof *s->mine));
done:
    sk_arena_reset(workspace, mark);
    return error;
}

/* ---- all steps ---- */

static bool is_exact(const search *s)
{
    for (size_t g = 0; g < s->members * s->rounds * s->width; g++)
        if (s->gaps[g].low != s->gaps[g].high)
            return false;
    return true;
}

static scankit_error open_search(search *s)
{
    const size_t rows = s->members * s->rounds;
    s->gaps = sk_host_array((rows + s->rounds) * s->width, sizeof *s->gaps);
    s->bounds = sk_host_array(2 * s->width, sizeof *s->bounds);
    s->samples = sk_host_array(s->width, sizeof *s->samples);
    s->slices = sk_host_array(2 * s->members, sizeof *s->slices);
    s->places = sk_host_array(rows * s->lists->count * s->most, sizeof *s->places);
    if (s->gaps == NULL || s->bounds == NULL || s->samples == NULL || s->slices == NULL || s->places == NULL)
        return SCANKIT_E_MEMORY;
    s->mine = s->gaps + rows * s->width;
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
    const size_t last = s->members * s->rounds - 1;
    size_t all = 0;
    gap *row = gap_of(s, last, 0, 0);
    for (size_t g = 0; g < s->width; g++)
        all += row[g].high;
    for (size_t g = 0; s->begins[last + 1] == all && g < s->width; g++)
        row[g].low = row[g].high;
}

/* All gaps begin as whole lists. */
static scankit_error begin_rows(search *s)
{
    const sk_lists *lists = s->lists;
    for (size_t l = 0; l < lists->count; l++) {
        size_t *lengths = (size_t *)s->bounds;
        SK_TRY(sk_gather(s->member, &lists->n[l], lengths, sizeof lists->n[l]));
        for (size_t row = 0; row < s->members * s->rounds; row++)
            for (size_t m = 0; m < s->members; m++)
                *gap_of(s, row, l, m) = (gap){0, lengths[m]};
    }
    decide_last_row(s);
    memcpy(s->mine, gap_of(s, s->member->rank * s->rounds, 0, 0), s->rounds * s->width * sizeof *s->mine);
    return SCANKIT_OK;
}

static void write_cuts(const search *s, const sk_cuts *cuts)
{
    for (size_t g = 0; g < s->width; g++)
        cuts->at[g] = 0;
    for (size_t g = 0; g < s->members * s->rounds * s->width; g++)
        cuts->at[s->width + g] = s->gaps[g].low;
}

static size_t samples_most(size_t rows)
{
    size_t most = SAMPLES_OF_ALL_ROWS / rows;
    return most > SAMPLES_MOST ? SAMPLES_MOST : most < SAMPLES_LEAST ? SAMPLES_LEAST : most;
}

scankit_error sk_find_cuts(sk_member *member, const sk_ordering *ordering, const sk_lists *lists, const size_t *begins,
                           size_t rounds, sk_cuts *cuts)
{
    search s = {.member = member,
                .ordering = ordering,
                .lists = lists,
                .begins = begins,
                .members = member->members,
                .rounds = rounds,
                .most = samples_most(member->members * rounds),
                .width = lists->count * member->members};
    *cuts = (sk_cuts){member->members, lists->count, rounds, NULL};
    cuts->at = sk_host_array(sk_cut_rows(cuts), s.width * sizeof *cuts->at);
    scankit_error error;
    SK_TRY_GOTO(cuts->at == NULL ? SCANKIT_E_MEMORY : open_search(&s));
    SK_TRY_GOTO(begin_rows(&s));
    while (!is_exact(&s))
        SK_TRY_GOTO(narrow(&s));
    write_cuts(&s, cuts);
done:
    close_search(&s);
    return error;
}

size_t sk_slices_of_cuts(const sk_member *member, const sk_cuts *cuts, size_t round, size_t list, sk_slice *send,
                         sk_slice *receive)
{
    const size_t me = member->rank, row = me * cuts->rounds + round;
    size_t received = 0;
    for (size_t m = 0; m < member->members; m++) {
        const size_t to = m * cuts->rounds + round;
        const size_t begin = *sk_cut(cuts, to, list, me), from = *sk_cut(cuts, row, list, m);
        send[m] = (sk_slice){m, begin, *sk_cut(cuts, to + 1, list, me) - begin};
        receive[m] = (sk_slice){m, received, *sk_cut(cuts, row + 1, list, m) - from};
        received += receive[m].n;
    }
    return received;
}
