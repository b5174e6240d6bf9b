/* scan.c - scans and reductions: each member reduces its part, and starts from what the members before it have. */
#include <stdlib.h>
#include <string.h>

#include "group/common/fold.h"
#include "group/common/member.h"

typedef struct scan_call {
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    const void *initial;
    const void *const *in;
    void *const *out;
    const size_t *n;
    void *result; /* of a reduction; every local member writes it, the first one counts */
} scan_call;

/* carry = the initial element, or nothing, and then the totals of the members below `end`. */
static scankit_error fold_members(const sk_member *member, const scan_call *call, const char *totals, size_t end,
                                  void *carry)
{
    const size_t size = scankit_type_size(call->type);
    if (call->initial == NULL)
        SK_TRY(scankit_reduce(member->context, call->type, call->op, NULL, carry, 0));
    else
        memcpy(carry, call->initial, size);
    for (size_t m = 0; m < end; m++)
        sk_combine(call->type, call->op, carry, totals + m * size);
    return SCANKIT_OK;
}

/* totals[m] = the reduction of the first n elements of member m's part; the caller frees it. */
static scankit_error gather_totals(sk_member *member, const scan_call *call, size_t n, char **totals)
{
    char total[SK_ELEMENT_MAX];
    const size_t size = scankit_type_size(call->type);
    SK_TRY(scankit_reduce(member->context, call->type, call->op, SK_PART(call->in, member), total, n));
    *totals = sk_host_array(member->members, size);
    if (*totals == NULL)
        return SCANKIT_E_MEMORY;
    return sk_gather(member, total, *totals, size);
}

static scankit_error reduce(sk_member *member, const void *argument)
{
    const scan_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL && call->result != NULL, "no counts, or nowhere to put the result");
    char *totals = NULL;
    scankit_error error = gather_totals(member, call, call->n[member->local], &totals);
    if (error == SCANKIT_OK && member->local == 0)
        error = fold_members(member, call, totals, member->members, call->result);
    free(totals);
    return error;
}

static scankit_error scan(sk_member *member, const void *argument)
{
    const scan_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL, "no counts");
    char *totals = NULL, carry[SK_ELEMENT_MAX];
    const size_t n = call->n[member->local];
    /* Nobody needs the last member's total. */
    scankit_error error = gather_totals(member, call, member->rank + 1 < member->members ? n : 0, &totals);
    if (error == SCANKIT_OK)
        error = fold_members(member, call, totals, member->rank, carry);
    /* The first member has no carry where the caller has none: an identity in front would turn -0.0 into 0.0. */
    const void *initial = member->rank == 0 ? call->initial : carry;
    if (error == SCANKIT_OK)
        error = scankit_scan(member->context, call->type, call->op, call->kind, initial, SK_PART(call->in, member),
                             SK_PART(call->out, member), n);
    free(totals);
    return error;
}

scankit_error scankit_group_scan(scankit_group *group, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                 const void *initial, const void *const *in, void *const *out, const size_t *n)
{
    const scan_call call = {.type = type, .op = op, .kind = kind, .initial = initial, .in = in, .out = out, .n = n};
    return sk_run(group, __func__, scan, &call);
}

scankit_error scankit_group_reduce(scankit_group *group, scankit_type type, scankit_operator op, const void *const *in,
                                   void *result, const size_t *n)
{
    const scan_call call = {.type = type, .op = op, .in = in, .n = n, .result = result};
    return sk_run(group, __func__, reduce, &call);
}
