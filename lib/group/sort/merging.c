/* merging.c - see merging.h. */
#include "merging.h"

#include <stdlib.h>

/* What this member receives in a round: sorted pieces, of list 0 from each member, then of list 1. */
typedef struct slot {
    char *keys, *values;
    size_t count; /* of pieces */
    const void **piece_keys, **piece_values;
    size_t *piece_n;
} slot;

typedef struct work {
    sk_member *member;
    const sk_merging *merging;
    sk_cuts cuts;
    size_t *begins;           /* of the rounds in the result */
    sk_slice *send, *receive; /* of one list */
    slot slots[2];
} work;

/* ---- memory ---- */

static bool open_slot(const work *w, slot *s)
{
    const size_t pieces = w->member->members * w->merging->list_count;
    s->piece_keys = sk_host_array(2 * pieces, sizeof *s->piece_keys);
    s->piece_n = sk_host_array(pieces, sizeof *s->piece_n);
    if (s->piece_keys == NULL || s->piece_n == NULL)
        return false;
    s->piece_values = s->piece_keys + pieces;
    return true;
}

static scankit_error open_work(work *w)
{
    const size_t members = w->member->members;
    w->begins = sk_host_array(members * w->merging->rounds + 1, sizeof *w->begins);
    w->send = sk_host_array(2 * members, sizeof *w->send);
    if (w->begins == NULL || w->send == NULL || !open_slot(w, &w->slots[0]) || !open_slot(w, &w->slots[1]))
        return SCANKIT_E_MEMORY;
    w->receive = w->send + members;
    return SCANKIT_OK;
}

static void close_work(work *w)
{
    for (int i = 0; i < 2; i++) {
        free(w->slots[i].piece_keys);
        free(w->slots[i].piece_n);
    }
    free(w->begins);
    free(w->send);
    free(w->cuts.at);
}

/* Device memory for what a round receives. */
static scankit_error take_slot(const work *w, slot *s)
{
    const sk_merging *merging = w->merging;
    const size_t most = merging->out_n / merging->rounds + 1;
    s->keys = merging->received;
    if (s->keys == NULL)
        SK_TRY(sk_take(w->member->context, most, merging->ordering.size, &s->keys));
    return merging->value_size == 0 ? SCANKIT_OK : sk_take(w->member->context, most, merging->value_size, &s->values);
}

/* ---- cuts ---- */

/* Each part is divided into even rounds. */
static scankit_error divide_parts(work *w)
{
    const size_t members = w->member->members, rounds = w->merging->rounds;
    size_t *parts = sk_host_array(members + 1, sizeof *parts);
    if (parts == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather_begins(w->member, w->merging->out_n, parts);
    for (size_t m = 0; error == SCANKIT_OK && m < members; m++) {
        size_t n = parts[m + 1] - parts[m], each = n / rounds, more = n % rounds;
        for (size_t r = 0; r <= rounds; r++)
            w->begins[m * rounds + r] = parts[m] + r * each + (r < more ? r : more);
    }
    free(parts);
    return error;
}

static scankit_error find_cuts(work *w)
{
    const sk_merging *merging = w->merging;
    sk_lists lists = {.count = merging->list_count};
    for (size_t l = 0; l < lists.count; l++) {
        lists.data[l] = merging->lists[l].keys;
        lists.n[l] = merging->lists[l].n;
    }
    SK_TRY(divide_parts(w));
    return sk_find_cuts(w->member, &merging->ordering, &lists, w->begins, merging->rounds, &w->cuts);
}

/* ---- a round ---- */

static void add_piece(const work *w, slot *s, const char *keys, const char *values, size_t begin, size_t n)
{
    s->piece_keys[s->count] = keys == NULL ? NULL : keys + begin * w->merging->ordering.size;
    s->piece_values[s->count] = values == NULL ? NULL : values + begin * w->merging->value_size;
    s->piece_n[s->count++] = n;
}

/* The sorted list stays where it is, so this member merges its own piece from there. */
static void keep_own(const work *w, slot *s, const sk_sorted *sorted)
{
    sk_slice *own = &w->send[w->member->rank];
    add_piece(w, s, sorted->keys, sorted->values, own->begin, own->n);
    own->n = w->receive[w->member->rank].n = 0;
}

/* Starts the exchange of a list, whose elements arrive from `begin` on. Returns their number in *n. Of two lists, each
 * is sorted over all members: its pieces are one. */
static scankit_error start_list(work *w, size_t round, size_t list, slot *s, size_t begin, size_t *n)
{
    const sk_merging *merging = w->merging;
    const sk_sorted *sorted = &merging->lists[list];
    const size_t members = w->member->members;
    *n = sk_slices_of_cuts(w->member, &w->cuts, round, list, w->send, w->receive);
    for (size_t m = 0; m < members; m++) {
        w->receive[m].begin += begin;
        if (merging->list_count == 1 && merging->stays && m == w->member->rank)
            keep_own(w, s, sorted);
        else if (merging->list_count == 1)
            add_piece(w, s, s->keys, s->values, w->receive[m].begin, w->receive[m].n);
    }
    if (merging->list_count > 1)
        add_piece(w, s, s->keys, s->values, begin, *n);
    const sk_column columns[] = {{merging->ordering.size, sorted->keys, s->keys},
                                 {merging->value_size, sorted->values, s->values}};
    return sk_start_slices(w->member, w->send, members, w->receive, members, columns, merging->value_size > 0 ? 2 : 1);
}

static scankit_error start_round(work *w, size_t round)
{
    slot *s = &w->slots[round % 2];
    size_t begin = 0, n;
    s->count = 0;
    for (size_t l = 0; l < w->merging->list_count; l++, begin += n) {
        SK_TRY(sk_finish_exchange(w->member));
        SK_TRY(start_list(w, round, l, s, begin, &n));
    }
    return SCANKIT_OK;
}

static scankit_error merge_round(const work *w, size_t round)
{
    const sk_merging *merging = w->merging;
    const sk_order *order = &merging->order;
    const slot *s = &w->slots[round % 2];
    scankit_context *context = w->member->context;
    const size_t *row = &w->begins[w->member->rank * merging->rounds];
    const size_t begin = row[round] - row[0];
    char *keys = merging->out_keys;
    char *values = merging->out_values;
    if (keys != NULL)
        keys += begin * merging->ordering.size;
    if (values != NULL)
        values += begin * merging->value_size;
    if (order->record_size > 0)
        return scankit_merge_many_records(context, order->record_size, order->keys, order->key_count, s->count,
                                          s->piece_keys, s->piece_n, keys);
    if (merging->value_size > 0)
        return scankit_merge_many_pairs(context, order->type, s->count, s->piece_keys, s->piece_values, s->piece_n,
                                        keys, merging->value_size, values, order->options);
    return scankit_merge_many(context, order->type, s->count, s->piece_keys, s->piece_n, keys, order->options);
}

static scankit_error run_rounds(work *w)
{
    const size_t rounds = w->merging->rounds;
    SK_TRY(take_slot(w, &w->slots[0]));
    if (rounds > 1)
        SK_TRY(take_slot(w, &w->slots[1]));
    SK_TRY(start_round(w, 0));
    for (size_t r = 0; r < rounds; r++) {
        SK_TRY(sk_finish_exchange(w->member));
        if (r + 1 < rounds)
            SK_TRY(start_round(w, r + 1));
        SK_TRY(merge_round(w, r));
    }
    return SCANKIT_OK;
}

scankit_error sk_merge_lists(sk_member *member, const sk_merging *merging)
{
    work w = {.member = member, .merging = merging};
    scankit_error error = open_work(&w);
    if (error == SCANKIT_OK)
        error = find_cuts(&w);
    if (error == SCANKIT_OK)
        error = run_rounds(&w);
    close_work(&w);
    return error;
}
