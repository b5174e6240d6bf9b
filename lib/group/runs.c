/* runs.c - run-length encoding, unique, reduce by key: each member encodes its part, but for what belongs to a run from
 * before; and its last run takes what the members behind have of it. */
#include <stdlib.h>

#include "run_joins.h"

typedef struct runs_call {
    size_t element_size;
    const void *const *in;
    void *const *values;
    uint64_t *const *counts;
    const size_t *n;
    const scankit_run_options *options;
    size_t *runs;
    bool reduces; /* by key; the rest is for that */
    scankit_type type;
    scankit_operator op;
    const void *const *values_in;
    void *const *values_out;
} runs_call;

/* values_in without what belongs to a run from before. */
static const char *own_values(const sk_member *member, const runs_call *call, size_t skip)
{
    const char *values = SK_PART(call->values_in, member);
    return values == NULL ? NULL : values + skip * scankit_type_size(call->type);
}

static scankit_error encode_own(sk_member *member, const runs_call *call, const sk_run_share *mine, size_t *runs)
{
    const size_t n = mine->n - mine->skip;
    const char *in = SK_PART(call->in, member);
    const char *own = in == NULL ? NULL : in + mine->skip * call->element_size;
    if (call->reduces)
        return scankit_reduce_by_key(member->context, call->element_size, own, call->type, call->op,
                                     own_values(member, call, mine->skip), SK_PART(call->values, member),
                                     SK_PART(call->values_out, member), n, call->options, runs);
    return scankit_run_length_encode(member->context, call->element_size, own, SK_PART(call->values, member),
                                     SK_PART(call->counts, member), n, call->options, runs);
}

static scankit_error extend_count(sk_member *member, uint64_t *count, const sk_run_share *shares, size_t end)
{
    uint64_t elements;
    SK_TRY(scankit_download(member->context, &elements, count, sizeof elements));
    for (size_t m = member->rank + 1; m < end; m++)
        elements += shares[m].skip;
    return scankit_upload(member->context, count, &elements, sizeof elements);
}

static scankit_error extend_total(sk_member *member, const runs_call *call, char *value, const sk_run_share *shares,
                                  size_t end)
{
    char total[SK_ELEMENT_MAX];
    const size_t size = scankit_type_size(call->type);
    SK_TRY(scankit_download(member->context, total, value, size));
    for (size_t m = member->rank + 1; m < end; m++)
        if (shares[m].skip > 0)
            sk_combine(call->type, call->op, total, shares[m].total);
    return scankit_upload(member->context, value, total, size);
}

static scankit_error extend_last_run(sk_member *member, const runs_call *call, const sk_run_share *shares, size_t runs)
{
    const size_t end = sk_end_of_run(member, shares);
    if (runs == 0 || end == member->rank + 1)
        return SCANKIT_OK;
    if (call->reduces) {
        char *values = call->values_out[member->local];
        return extend_total(member, call, values + (runs - 1) * scankit_type_size(call->type), shares, end);
    }
    uint64_t *counts = SK_PART(call->counts, member);
    return counts == NULL ? SCANKIT_OK : extend_count(member, counts + runs - 1, shares, end);
}

static const char *wrong_call(const sk_member *member, const runs_call *call)
{
    if (call->n == NULL)
        return "no counts";
    const size_t n = call->n[member->local];
    if (call->element_size == 0 || !sk_is_array(SK_PART(call->in, member), n, call->element_size))
        return "the input is no array of n elements";
    if (call->options != NULL && call->options->key_count > 0)
        return sk_wrong_keys(call->element_size, call->options->keys, call->options->key_count);
    if (call->reduces && n > 0 && (call->values_in == NULL || call->values_out == NULL))
        return "no values";
    return NULL;
}

/* Finds this member's share of a run from before, and reduces its values. */
static scankit_error find_share(sk_member *member, const runs_call *call, sk_run_share *mine)
{
    const sk_run_part part = {call->element_size, mine->n, SK_PART(call->in, member), call->options};
    SK_TRY(sk_find_run_from_before(member, &part, &mine->skip));
    if (mine->skip == 0 || !call->reduces)
        return SCANKIT_OK;
    return scankit_reduce(member->context, call->type, call->op, SK_PART(call->values_in, member), mine->total,
                          mine->skip);
}

static scankit_error encode(sk_member *member, const void *argument)
{
    const runs_call *call = argument;
    const char *wrong = wrong_call(member, call);
    SK_MEMBER_REQUIRE(wrong == NULL, wrong);
    sk_run_share mine = {.n = call->n[member->local]}, *shares = NULL;
    size_t runs = 0;
    SK_TRY(find_share(member, call, &mine));
    scankit_error error;
    SK_TRY_GOTO(sk_gather_run_shares(member, &mine, &shares));
    SK_TRY_GOTO(encode_own(member, call, &mine, &runs));
    SK_TRY_GOTO(extend_last_run(member, call, shares, runs));
    if (call->runs != NULL)
        call->runs[member->local] = runs;
done:
    free(shares);
    return error;
}

scankit_error scankit_group_run_length_encode(scankit_group *group, size_t element_size, const void *const *in,
                                              void *const *values, uint64_t *const *counts, const size_t *n,
                                              const scankit_run_options *options, size_t *runs)
{
    const runs_call call = {.element_size = element_size,
                            .in = in,
                            .values = values,
                            .counts = counts,
                            .n = n,
                            .options = options,
                            .runs = runs};
    return sk_run(group, __func__, encode, &call);
}

scankit_error scankit_group_unique(scankit_group *group, size_t element_size, const void *const *in, void *const *out,
                                   const size_t *n, const scankit_run_options *options, size_t *counts)
{
    const runs_call call = {
        .element_size = element_size, .in = in, .values = out, .n = n, .options = options, .runs = counts};
    return sk_run(group, __func__, encode, &call);
}

scankit_error scankit_group_reduce_by_key(scankit_group *group, size_t key_size, const void *const *keys_in,
                                          scankit_type type, scankit_operator op, const void *const *values_in,
                                          void *const *keys_out, void *const *values_out, const size_t *n,
                                          const scankit_run_options *options, size_t *runs)
{
    const runs_call call = {.element_size = key_size,
                            .in = keys_in,
                            .values = keys_out,
                            .n = n,
                            .options = options,
                            .runs = runs,
                            .reduces = true,
                            .type = type,
                            .op = op,
                            .values_in = values_in,
                            .values_out = values_out};
    return sk_run(group, __func__, encode, &call);
}
