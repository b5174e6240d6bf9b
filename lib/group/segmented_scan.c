/* segmented_scan.c - segmented scans: what goes from a member to the next is the reduction behind its last head. */
#include <stdlib.h>
#include <string.h>

#include "group/common/fold.h"
#include "group/common/member.h"

typedef struct segmented_call {
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    const void *initial;
    const void *const *in;
    const uint8_t *const *heads;
    void *const *out;
    const size_t *n;
} segmented_call;

/* What the members behind have to know of a part. */
typedef struct tail {
    char total[SK_ELEMENT_MAX]; /* of the elements from the last head on */
    bool has_head;
} tail;

static scankit_error any_head(sk_member *member, const uint8_t *heads, size_t begin, size_t end, bool *any)
{
    uint8_t all = 0;
    SK_TRY(scankit_reduce(member->context, SCANKIT_U8, SCANKIT_OR, heads + begin, &all, end - begin));
    *any = all != 0;
    return SCANKIT_OK;
}

#define FIRST_LOOK 4096 /* elements; a reduction of fewer takes as long */

/* *head = the place of the last head, or n. Looks back from the end over twice as many elements each time, then halves
 * the stretch that has one: each flag is read twice at most, and few where heads are near. */
static scankit_error find_last_head(sk_member *member, const uint8_t *heads, size_t n, size_t *head)
{
    size_t end = n, begin = n, step = FIRST_LOOK;
    bool any = false;
    for (; begin > 0 && !any; step *= 2) {
        end = begin;
        begin = end > step ? end - step : 0;
        SK_TRY(any_head(member, heads, begin, end, &any));
    }
    *head = n;
    if (!any)
        return SCANKIT_OK;
    while (end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        SK_TRY(any_head(member, heads, middle, end, &any));
        *(any ? &begin : &end) = middle;
    }
    *head = begin;
    return SCANKIT_OK;
}

static scankit_error find_tail(sk_member *member, const segmented_call *call, tail *mine)
{
    const size_t n = call->n[member->local], size = scankit_type_size(call->type);
    const char *in = SK_PART(call->in, member);
    const uint8_t *heads = SK_PART(call->heads, member);
    size_t head;
    SK_MEMBER_REQUIRE(n == 0 || (heads != NULL && sk_is_array(in, n, size)), "no arrays of n elements");
    SK_TRY(find_last_head(member, heads, n, &head));
    mine->has_head = head < n;
    if (!mine->has_head)
        head = 0;
    return scankit_reduce(member->context, call->type, call->op, n == 0 ? NULL : in + head * size, mine->total,
                          n - head);
}

/* What comes in front of a member's first element. NULL: nothing. */
static const void *fold_tails(const sk_member *member, const segmented_call *call, const tail *tails, char *carry)
{
    const size_t size = scankit_type_size(call->type);
    bool some = call->initial != NULL;
    if (some)
        memcpy(carry, call->initial, size);
    for (size_t m = 0; m < member->rank; m++) {
        if (some && !tails[m].has_head)
            sk_combine(call->type, call->op, carry, tails[m].total);
        else
            memcpy(carry, tails[m].total, size);
        some = true;
    }
    return some ? carry : NULL;
}

static scankit_error scan_part(sk_member *member, const segmented_call *call, const tail *tails)
{
    char carry[SK_ELEMENT_MAX];
    return scankit_segmented_scan(member->context, call->type, call->op, call->kind,
                                  fold_tails(member, call, tails, carry), SK_PART(call->in, member),
                                  SK_PART(call->heads, member), SK_PART(call->out, member), call->n[member->local]);
}

static scankit_error segmented_scan(sk_member *member, const void *argument)
{
    const segmented_call *call = argument;
    SK_MEMBER_REQUIRE(call->n != NULL, "no counts");
    SK_MEMBER_REQUIRE(scankit_operator_applies(call->op, call->type), "the type does not have this operator");
    tail mine = {.has_head = false};
    SK_TRY(find_tail(member, call, &mine));
    tail *tails = sk_host_array(member->members, sizeof *tails);
    if (tails == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_gather(member, &mine, tails, sizeof mine);
    if (error == SCANKIT_OK)
        error = scan_part(member, call, tails);
    free(tails);
    return error;
}

scankit_error scankit_group_segmented_scan(scankit_group *group, scankit_type type, scankit_operator op,
                                           scankit_scan_kind kind, const void *initial, const void *const *in,
                                           const uint8_t *const *heads, void *const *out, const size_t *n)
{
    const segmented_call call = {type, op, kind, initial, in, heads, out, n};
    return sk_run(group, __func__, segmented_scan, &call);
}
