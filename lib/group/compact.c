/* compact.c - compaction: each member works on its part; what it needs is the position of its first
 * element. */
#include "group/common/member.h"

typedef struct compact_call {
    const scankit_predicate *predicate;
    const void *const *in;
    void *const *matching, *const *others;
    bool wants_positions; /* alone */
    uint64_t *const *positions;
    const size_t *n;
    const scankit_compact_options *options;
    size_t *counts;
} compact_call;

static scankit_error compact(sk_member *member, const void *argument)
{
    const compact_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL, "no counts");
    SK_MEMBER_REQUIRE(!call->wants_positions || call->positions != NULL, "nowhere to put the positions");
    const size_t n = call->n[member->local];
    sk_place place;
    size_t count = 0;
    SK_TRY(sk_find_place(member, n, &place));
    scankit_compact_options options = {0};
    if (call->options != NULL)
        options = *call->options;
    options.first += place.before;
    const void *in = SK_PART(call->in, member);
    if (call->wants_positions)
        SK_TRY(scankit_compact_positions(member->context, call->predicate, in, call->positions[member->local], n,
                                         &options, &count));
    else
        SK_TRY(scankit_split_predicate(member->context, call->predicate, in, SK_PART(call->matching, member),
                                       SK_PART(call->others, member), n, &options, &count));
    if (call->counts != NULL)
        call->counts[member->local] = count;
    return SCANKIT_OK;
}

scankit_error scankit_group_compact(scankit_group *group, const scankit_predicate *predicate, const void *const *in,
                                    void *const *matching, void *const *others, const size_t *n,
                                    const scankit_compact_options *options, size_t *counts)
{
    const compact_call call = {predicate, in, matching, others, false, NULL, n, options, counts};
    return sk_run(group, __func__, compact, &call);
}

scankit_error scankit_group_compact_positions(scankit_group *group, const scankit_predicate *predicate,
                                              const void *const *in, uint64_t *const *positions, const size_t *n,
                                              const scankit_compact_options *options, size_t *counts)
{
    const compact_call call = {predicate, in, NULL, NULL, true, positions, n, options, counts};
    return sk_run(group, __func__, compact, &call);
}
