/* merging.c - see merging.h. */
#include "merging.h"

#include <stdlib.h>

/* Sorted pieces that this member received: of list 0 from each member, then of list 1. */
typedef struct pieces {
    size_t count;
    const void **keys, **values;
    size_t *n;
    sk_slice *send, *receive; /* of one list */
} pieces;

static scankit_error open_pieces(pieces *p, size_t members, size_t lists)
{
    *p = (pieces){0};
    p->keys = sk_host_array(2 * members * lists, sizeof *p->keys);
    p->n = sk_host_array(members * lists, sizeof *p->n);
    p->send = sk_host_array(2 * members, sizeof *p->send);
    if (p->keys == NULL || p->n == NULL || p->send == NULL)
        return SCANKIT_E_MEMORY;
    p->values = p->keys + members * lists;
    p->receive = p->send + members;
    return SCANKIT_OK;
}

static void close_pieces(pieces *p)
{
    free(p->keys);
    free(p->n);
    free(p->send);
}

static void add_piece(pieces *p, const sk_merging *merging, const char *keys, const char *values, size_t begin,
                      size_t n)
{
    p->keys[p->count] = keys + begin * merging->ordering.size;
    p->values[p->count] = values + begin * merging->value_size;
    p->n[p->count++] = n;
}

/* Pieces of one list lie one after the other. Of two lists, each is sorted over all members: its pieces are one. */
static void add_pieces(pieces *p, const sk_merging *merging, size_t members, size_t n, const char *keys,
                       const char *values)
{
    if (merging->list_count > 1)
        add_piece(p, merging, keys, values, 0, n);
    else
        for (size_t m = 0; m < members; m++)
            add_piece(p, merging, keys, values, p->receive[m].begin, p->receive[m].n);
}

static scankit_error exchange_list(sk_member *member, const sk_merging *merging, const sk_cuts *cuts, size_t list,
                                   char **keys, char **values, pieces *p)
{
    const sk_sorted *sorted = &merging->lists[list];
    const sk_column columns[] = {{merging->ordering.size, sorted->keys, *keys},
                                 {merging->value_size, sorted->values, *values}};
    size_t n = sk_slices_of_cuts(member, cuts, list, p->send, p->receive);
    SK_TRY(sk_exchange_slices(member, p->send, member->members, p->receive, member->members, columns,
                              merging->value_size > 0 ? 2 : 1));
    add_pieces(p, merging, member->members, n, *keys, *values);
    *keys += n * merging->ordering.size;
    *values += n * merging->value_size;
    return SCANKIT_OK;
}

static scankit_error merge_pieces(sk_member *member, const sk_merging *merging, const pieces *p)
{
    const sk_order *order = &merging->order;
    scankit_context *context = member->context;
    if (order->record_size > 0)
        return scankit_merge_many_records(context, order->record_size, order->keys, order->key_count, p->count, p->keys,
                                          p->n, merging->out_keys);
    if (merging->value_size > 0)
        return scankit_merge_many_pairs(context, order->type, p->count, p->keys, p->values, p->n, merging->out_keys,
                                        merging->value_size, merging->out_values, order->options);
    return scankit_merge_many(context, order->type, p->count, p->keys, p->n, merging->out_keys, order->options);
}

static scankit_error find_cuts(sk_member *member, const sk_merging *merging, sk_cuts *cuts)
{
    sk_lists lists = {.count = merging->list_count};
    for (size_t l = 0; l < lists.count; l++) {
        lists.data[l] = merging->lists[l].keys;
        lists.n[l] = merging->lists[l].n;
    }
    size_t *begins = sk_host_array(member->members + 1, sizeof *begins);
    if (begins == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather_begins(member, merging->out_n, begins);
    if (error == SCANKIT_OK)
        error = sk_find_cuts(member, &merging->ordering, &lists, begins, cuts);
    free(begins);
    return error;
}

/* Takes what the caller did not give. */
static scankit_error take_received(sk_member *member, const sk_merging *merging, char **keys, char **values)
{
    *keys = merging->received_keys;
    *values = merging->received_values;
    if (*keys == NULL)
        SK_TRY(sk_take(member->context, merging->out_n, merging->ordering.size, keys));
    if (*values == NULL && merging->value_size > 0)
        SK_TRY(sk_take(member->context, merging->out_n, merging->value_size, values));
    return SCANKIT_OK;
}

scankit_error sk_merge_lists(sk_member *member, const sk_merging *merging)
{
    sk_cuts cuts = {0};
    pieces p;
    char *keys, *values;
    scankit_error error = open_pieces(&p, member->members, merging->list_count);
    if (error == SCANKIT_OK)
        error = find_cuts(member, merging, &cuts);
    if (error == SCANKIT_OK)
        error = take_received(member, merging, &keys, &values);
    for (size_t l = 0; error == SCANKIT_OK && l < merging->list_count; l++)
        error = exchange_list(member, merging, &cuts, l, &keys, &values, &p);
    if (error == SCANKIT_OK)
        error = merge_pieces(member, merging, &p);
    close_pieces(&p);
    free(cuts.at);
    return error;
}
