/* decode.c - run-length decoding: each member decodes its runs. */
#include "group/common/member.h"

typedef struct decode_call {
    size_t element_size;
    const void *const *values;
    const uint64_t *const *counts;
    const size_t *runs;
    void *const *out;
    const size_t *room;
    size_t *n;
} decode_call;

static scankit_error decode(sk_member *member, const void *argument)
{
    const decode_call *call = argument;
    const size_t i = member->local;
    size_t n;
    SK_MEMBER_REQUIRE(call->runs != NULL && (call->out == NULL || call->room != NULL),
                      "no numbers of runs, or no rooms");
    SK_TRY(scankit_run_length_decode(member->context, call->element_size, SK_PART(call->values, member),
                                     SK_PART(call->counts, member), call->runs[i], SK_PART(call->out, member),
                                     call->room == NULL ? 0 : call->room[i], &n));
    if (call->n != NULL)
        call->n[i] = n;
    return SCANKIT_OK;
}

scankit_error scankit_group_run_length_decode(scankit_group *group, size_t element_size, const void *const *values,
                                              const uint64_t *const *counts, const size_t *runs, void *const *out,
                                              const size_t *room, size_t *n)
{
    const decode_call call = {element_size, values, counts, runs, out, room, n};
    return sk_run(group, __func__, decode, &call);
}
