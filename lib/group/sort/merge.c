/* merge.c - merges of two arrays that are sorted over all members. */
#include "merging.h"
#include "rounds.h"

typedef struct merge_call {
    sk_order order;
    const void *const *a, *const *b;
    const size_t *na, *nb;
    void *const *out;
    const size_t *out_n;
} merge_call;

static scankit_error merge(sk_member *member, const void *argument)
{
    const merge_call *call = argument;
    const size_t i = member->local;
    scankit_key key;
    const char *wrong;
    size_t n;
    sk_merging merging = {.order = call->order, .list_count = 2};
    SK_MEMBER_REQUIRE(call->na != NULL && call->nb != NULL && call->out_n != NULL, "no counts");
    if (!sk_ordering_of(&call->order, &key, &merging.ordering, &wrong))
        return sk_member_refuse(member, wrong);
    merging.lists[0] = (sk_sorted){SK_PART(call->a, member), NULL, call->na[i]};
    merging.lists[1] = (sk_sorted){SK_PART(call->b, member), NULL, call->nb[i]};
    merging.out_keys = SK_PART(call->out, member);
    merging.out_n = call->out_n[i];
    SK_MEMBER_REQUIRE(!__builtin_add_overflow(call->na[i], call->nb[i], &n), "too many elements");
    SK_MEMBER_REQUIRE(sk_is_array(merging.lists[0].keys, call->na[i], merging.ordering.size) &&
                          sk_is_array(merging.lists[1].keys, call->nb[i], merging.ordering.size) &&
                          sk_is_array(merging.out_keys, merging.out_n, merging.ordering.size),
                      "no arrays of na, nb and out_n elements");
    sk_rounds rounds;
    SK_TRY(
        sk_choose_rounds(member, &(sk_room){.n = n, .out_n = merging.out_n, .each = merging.ordering.size}, &rounds));
    merging.rounds = rounds.count;
    sk_arena *workspace = &member->context->device->workspace;
    size_t mark = sk_arena_mark(workspace);
    scankit_error error = sk_merge_lists(member, &merging);
    sk_arena_reset(workspace, mark);
    return error;
}

scankit_error scankit_group_merge(scankit_group *group, scankit_type type, const void *const *a, const size_t *na,
                                  const void *const *b, const size_t *nb, void *const *out, const size_t *out_n,
                                  const scankit_sort_options *options)
{
    const merge_call call = {{.type = type, .options = options}, a, b, na, nb, out, out_n};
    return sk_run(group, __func__, merge, &call);
}

scankit_error scankit_group_merge_records(scankit_group *group, size_t record_size, const scankit_key *keys,
                                          size_t key_count, const void *const *a, const size_t *na,
                                          const void *const *b, const size_t *nb, void *const *out, const size_t *out_n)
{
    const merge_call call = {
        {.record_size = record_size, .keys = keys, .key_count = key_count}, a, b, na, nb, out, out_n};
    return sk_run(group, __func__, merge, &call);
}
