/* is_sorted.c - the first descent: within a part, or from a part to the next that has elements. */
#include <stdlib.h>
#include <string.h>

#include "order_of.h"

typedef struct sorted_call {
    sk_order order;
    const void *const *in;
    const size_t *n;
    size_t *first;
} sorted_call;

/* A member's part: n, its first descent, its first and its last element. */
typedef struct ends {
    size_t n, first;
} ends;

static scankit_error first_in_part(sk_member *member, const sorted_call *call, ends *mine)
{
    const sk_order *order = &call->order;
    const void *in = SK_PART(call->in, member);
    if (order->record_size > 0)
        return scankit_is_sorted_records(member->context, order->record_size, order->keys, order->key_count, in,
                                         mine->n, &mine->first);
    return scankit_is_sorted(member->context, order->type, in, mine->n, order->options, &mine->first);
}

static bool descends(const sk_ordering *ordering, const char *before, const char *after)
{
    if (ordering->mask == 0)
        return scankit_compare(ordering->keys, ordering->key_count, after, before) < 0;
    uint64_t a = sk_masked(ordering, before), b = sk_masked(ordering, after);
    return scankit_compare(ordering->keys, ordering->key_count, &b, &a) < 0;
}

/* The first descent of all parts. `all`: of each member, ends, then two elements. */
static size_t first_of_all(const sk_ordering *ordering, const char *all, size_t members)
{
    const size_t size = ordering->size;
    const char *last = NULL;
    size_t before = 0;
    for (size_t m = 0; m < members; m++, all += sizeof(ends) + 2 * size) {
        ends part;
        memcpy(&part, all, sizeof part);
        if (part.n == 0)
            continue;
        if (last != NULL && descends(ordering, last, all + sizeof part))
            return before;
        if (part.first < part.n)
            return before + part.first;
        last = all + sizeof part + size;
        before += part.n;
    }
    return before;
}

static scankit_error gather_ends(sk_member *member, const sorted_call *call, const sk_ordering *ordering, char *mine,
                                 char *all)
{
    const size_t size = ordering->size;
    ends part = {.n = call->n[member->local]};
    const char *in = SK_PART(call->in, member);
    char *elements = mine + sizeof part;
    SK_TRY(first_in_part(member, call, &part));
    memset(mine, 0, sizeof part + 2 * size);
    memcpy(mine, &part, sizeof part);
    if (part.n > 0) {
        SK_TRY(scankit_download(member->context, elements, in, size));
        SK_TRY(scankit_download(member->context, elements + size, in + (part.n - 1) * size, size));
    }
    return sk_gather(member, mine, all, sizeof part + 2 * size);
}

static scankit_error is_sorted(sk_member *member, const void *argument)
{
    const sorted_call *call = argument;
    scankit_key key;
    sk_ordering ordering;
    const char *wrong;
    SK_MEMBER_REQUIRE(call->n != NULL && call->first != NULL, "no counts, or nowhere to put the result");
    if (!sk_ordering_of(&call->order, &key, &ordering, &wrong))
        return sk_member_refuse(member, wrong);
    const size_t size = sizeof(ends) + 2 * ordering.size;
    char *mine = sk_host_array(member->members + 1, size);
    if (mine == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = gather_ends(member, call, &ordering, mine, mine + size);
    if (error == SCANKIT_OK && member->local == 0)
        *call->first = first_of_all(&ordering, mine + size, member->members);
    free(mine);
    return error;
}

scankit_error scankit_group_is_sorted(scankit_group *group, scankit_type type, const void *const *in, const size_t *n,
                                      const scankit_sort_options *options, size_t *first)
{
    const sorted_call call = {{.type = type, .options = options}, in, n, first};
    return sk_run(group, __func__, is_sorted, &call);
}

scankit_error scankit_group_is_sorted_records(scankit_group *group, size_t record_size, const scankit_key *keys,
                                              size_t key_count, const void *const *in, const size_t *n, size_t *first)
{
    const sorted_call call = {{.record_size = record_size, .keys = keys, .key_count = key_count}, in, n, first};
    return sk_run(group, __func__, is_sorted, &call);
}
