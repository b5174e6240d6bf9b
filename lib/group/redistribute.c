/* redistribute.c - moving elements between members, in order. */
#include <stdlib.h>

#include "group/common/plan.h"

typedef struct move_call {
    size_t element_size;
    const void *const *in;
    const size_t *n;
    void *const *out;
    const size_t *out_n;
} move_call;

static scankit_error plan_in_order(sk_member *member, sk_plan *p, size_t n)
{
    size_t *begins = sk_host_array(member->members + 1, sizeof *begins);
    if (begins == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather_begins(member, n, begins);
    for (size_t m = 0; error == SCANKIT_OK && m < member->members; m++)
        sk_add_stretch(p, m, 0, begins[m + 1] - begins[m]);
    free(begins);
    return error == SCANKIT_OK ? sk_check_parts(member, p) : error;
}

static scankit_error redistribute(sk_member *member, const void *argument)
{
    const move_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL && call->out_n != NULL && call->element_size > 0, "no counts, or no elements");
    const size_t n = call->n[member->local], out_n = call->out_n[member->local];
    const sk_column column = {call->element_size, SK_PART(call->in, member), SK_PART(call->out, member)};
    SK_MEMBER_REQUIRE(sk_is_array(column.from, n, column.size) && sk_is_array(column.to, out_n, column.size),
                      "no arrays of n and out_n elements");
    sk_plan p;
    scankit_error error = sk_open_plan(member, &p, member->members, out_n);
    if (error == SCANKIT_OK)
        error = plan_in_order(member, &p, n);
    if (error == SCANKIT_OK)
        error = sk_follow_plan(member, &p, &column);
    sk_close_plan(&p);
    return error;
}

scankit_error scankit_group_redistribute(scankit_group *group, size_t element_size, const void *const *in,
                                         const size_t *n, void *const *out, const size_t *out_n)
{
    const move_call call = {element_size, in, n, out, out_n};
    return sk_run(group, __func__, redistribute, &call);
}
