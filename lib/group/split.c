/* split.c - splits: each member splits its part, and each digit's elements are brought together. */
#include <stdlib.h>

#include "group/common/plan.h"

typedef struct split_call {
    scankit_type type;
    const void *const *in;
    const size_t *n;
    void *const *out;
    const size_t *out_n;
    unsigned bit, bits;
    size_t *offsets;
} split_call;

/* All members' elements with a digit come before those with the next. counts: digits + 1 offsets of each member. */
static void plan_digits(const sk_member *member, sk_plan *p, const size_t *counts, size_t digits, size_t *offsets)
{
    size_t all = 0;
    for (size_t d = 0; d < digits; d++) {
        if (offsets != NULL)
            offsets[d] = all;
        for (size_t m = 0; m < member->members; m++) {
            const size_t *begin = &counts[m * (digits + 1) + d];
            sk_add_stretch(p, m, begin[0], begin[1] - begin[0]);
            all += begin[1] - begin[0];
        }
    }
    if (offsets != NULL)
        offsets[digits] = all;
}

static scankit_error split_parts(sk_member *member, const split_call *call, size_t *counts, void *split)
{
    const size_t digits = (size_t)1 << call->bits, bytes = (digits + 1) * sizeof *counts;
    const size_t i = member->local;
    SK_TRY(scankit_split(member->context, call->type, SK_PART(call->in, member), split, call->n[i], call->bit,
                         call->bits, counts));
    size_t *all = counts + digits + 1;
    sk_plan p;
    scankit_error error;
    SK_TRY_GOTO(sk_open_plan(member, &p, digits * member->members, call->out_n[i]));
    SK_TRY_GOTO(sk_gather(member, counts, all, bytes));
    plan_digits(member, &p, all, digits, i == 0 ? call->offsets : NULL);
    SK_TRY_GOTO(sk_check_parts(member, &p));
    const sk_column column = {scankit_type_size(call->type), split, SK_PART(call->out, member)};
    error = sk_follow_plan(member, &p, &column);
done:
    sk_close_plan(&p);
    return error;
}

static scankit_error split(sk_member *member, const void *argument)
{
    const split_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL && call->out_n != NULL, "no counts");
    SK_MEMBER_REQUIRE(scankit_type_size(call->type) > 0 && call->bits >= 1 && call->bits <= 8,
                      "no such type, or not 1 to 8 bits");
    const size_t size = scankit_type_size(call->type), digits = (size_t)1 << call->bits;
    SK_MEMBER_REQUIRE(sk_is_array(SK_PART(call->out, member), call->out_n[member->local], size),
                      "the output is no array of out_n elements");
    size_t *counts = sk_host_array((member->members + 1) * (digits + 1), sizeof *counts);
    if (counts == NULL)
        return SCANKIT_E_MEMORY;
    sk_arena *workspace = &member->context->device->workspace;
    size_t mark = sk_arena_mark(workspace);
    void *elements;
    scankit_error error = sk_take(member->context, call->n[member->local], size, &elements);
    if (error == SCANKIT_OK)
        error = split_parts(member, call, counts, elements);
    sk_arena_reset(workspace, mark);
    free(counts);
    return error;
}

scankit_error scankit_group_split(scankit_group *group, scankit_type type, const void *const *in, const size_t *n,
                                  void *const *out, const size_t *out_n, unsigned bit, unsigned bits, size_t *offsets)
{
    const split_call call = {type, in, n, out, out_n, bit, bits, offsets};
    return sk_run(group, __func__, split, &call);
}
