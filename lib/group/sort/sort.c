/* sort.c - sorts: each member sorts its part, then the parts are merged over all members. */
#include "merging.h"
#include "rounds.h"

typedef struct sort_call {
    sk_order order;
    size_t value_size;
    bool wants_positions; /* argsort: values are positions in the whole array, and no keys are wanted */
    const void *const *in, *const *values_in;
    void *const *out, *const *values_out;
    const size_t *n, *out_n;
} sort_call;

/* A member's arrays. */
typedef struct arrays {
    const void *keys_in, *values_in;
    void *keys_out, *values_out; /* of out_n */
    size_t n, out_n, size, value_size;
} arrays;

static const char *wrong_arrays(const arrays *a, const sort_call *call)
{
    if (!sk_is_array(a->keys_in, a->n, a->size))
        return "the input is no array of n elements";
    if (!call->wants_positions && !sk_is_array(a->keys_out, a->out_n, a->size))
        return "the output is no array of out_n elements";
    if (call->values_in != NULL && !sk_is_array(a->values_in, a->n, a->value_size))
        return "the values are no array of n elements";
    if (a->value_size > 0 && !sk_is_array(a->values_out, a->out_n, a->value_size))
        return "the output of values is no array of out_n elements";
    return NULL;
}

/* Where a member sorts n elements: in workspace if they stay there for the merge; otherwise in the output, if there is
 * room. */
static scankit_error take_sorted(sk_member *member, const void *in, void *out, size_t n, size_t out_n, size_t size,
                                 bool stays, void **sorted)
{
    *sorted = out;
    if (out != NULL && !stays && (n <= out_n || in == out))
        return SCANKIT_OK;
    return sk_take(member->context, n > out_n ? n : out_n, size, sorted);
}

/* A part that is sorted is not a result to report. With plenty of memory no sort needs to save it: on a GPU such sorts
 * are slower. */
static scankit_sort_options part_options(const scankit_context *context, const scankit_sort_options *options,
                                         bool stays)
{
    scankit_sort_options part = {0};
    if (options != NULL)
        part = *options;
    part.ready = NULL;
    if (stays && !scankit_is_host(context))
        part.overwrite_input = 0;
    return part;
}

/* Sorts the member's part into keys and values. Positions are counted from `before`. */
static scankit_error sort_part(sk_member *member, const sort_call *call, const arrays *a, bool stays, size_t before,
                               void *keys, void *values)
{
    const sk_order *order = &call->order;
    scankit_context *context = member->context;
    const scankit_sort_options options = part_options(context, order->options, stays);
    const void *values_in = a->values_in;
    if (order->record_size > 0)
        return scankit_sort_records(context, order->record_size, order->keys, order->key_count, a->keys_in, keys, a->n,
                                    &options);
    if (a->value_size == 0)
        return scankit_sort(context, order->type, a->keys_in, keys, a->n, &options);
    if (call->wants_positions && a->n > 0) {
        SK_TRY(context->backend->iota(context->device, 8, before, values, a->n));
        values_in = values;
    }
    return scankit_sort_pairs(context, order->type, a->keys_in, keys, a->value_size, values_in, values, a->n, &options);
}

/* The keys are sorted and lie in `keys`: the array that they came from may be free to receive others. */
static void *spare_input(const sort_call *call, const arrays *a, const void *keys)
{
    const scankit_sort_options *options = call->order.options;
    bool overwrite = options != NULL && options->overwrite_input && a->value_size == 0;
    return overwrite && a->keys_in != keys && a->keys_in != a->keys_out && a->out_n <= a->n
               ? (void *)(uintptr_t)a->keys_in
               : NULL;
}

/* Workspace of a member's sort, in bytes an element. */
static size_t sort_each(const sort_call *call, size_t each)
{
    return call->order.record_size > 0 ? 40 : each * 8 / 5 + 1;
}

static scankit_error sort_arrays(sk_member *member, const sort_call *call, const sk_ordering *ordering, const arrays *a)
{
    void *keys, *values = NULL;
    sk_place place = {0, 0};
    sk_rounds rounds;
    const size_t each = a->size + a->value_size;
    const sk_room room = {
        .n = a->n, .out_n = a->out_n, .each = each, .copied = a->n, .sort_each = sort_each(call, each)};
    SK_TRY(sk_choose_rounds(member, &room, &rounds));
    const bool stays = rounds.count > 1 || rounds.roomy;
    SK_TRY(take_sorted(member, a->keys_in, a->keys_out, a->n, a->out_n, a->size, stays, &keys));
    if (a->value_size > 0)
        SK_TRY(take_sorted(member, a->values_in, a->values_out, a->n, a->out_n, a->value_size, stays, &values));
    if (call->wants_positions)
        SK_TRY(sk_find_place(member, a->n, &place));
    SK_TRY(sort_part(member, call, a, stays, place.before, keys, values));
    bool in_out = (call->wants_positions || keys == a->keys_out) && values == a->values_out;
    if (member->members == 1 && in_out)
        return SCANKIT_OK;
    void *unwanted = keys; /* merged keys where only positions are wanted */
    if (call->wants_positions && stays)
        SK_TRY(sk_take(member->context, a->out_n, a->size, &unwanted));
    const sk_merging merging = {.order = call->order,
                                .ordering = *ordering,
                                .value_size = a->value_size,
                                .list_count = 1,
                                .lists = {{keys, values, a->n}},
                                .rounds = rounds.count,
                                .stays = stays,
                                .received = stays ? NULL : spare_input(call, a, keys),
                                .out_n = a->out_n,
                                .out_keys = call->wants_positions ? unwanted : a->keys_out,
                                .out_values = a->values_out};
    return sk_merge_lists(member, &merging);
}

static scankit_error sort(sk_member *member, const void *argument)
{
    const sort_call *call = argument;
    scankit_key key;
    sk_ordering ordering;
    const char *wrong;
    SK_MEMBER_REQUIRE(call->n != NULL && call->out_n != NULL, "no counts");
    if (!sk_ordering_of(&call->order, &key, &ordering, &wrong))
        return sk_member_refuse(member, wrong);
    const arrays a = {.keys_in = SK_PART(call->in, member),
                      .values_in = SK_PART(call->values_in, member),
                      .keys_out = SK_PART(call->out, member),
                      .values_out = SK_PART(call->values_out, member),
                      .n = call->n[member->local],
                      .out_n = call->out_n[member->local],
                      .size = ordering.size,
                      .value_size = call->value_size};
    wrong = wrong_arrays(&a, call);
    SK_MEMBER_REQUIRE(wrong == NULL, wrong);
    sk_arena *workspace = &member->context->device->workspace;
    size_t mark = sk_arena_mark(workspace);
    scankit_error error = sort_arrays(member, call, &ordering, &a);
    sk_arena_reset(workspace, mark);
    return error;
}

scankit_error scankit_group_sort(scankit_group *group, scankit_type type, const void *const *in, void *const *out,
                                 const size_t *n, const size_t *out_n, const scankit_sort_options *options)
{
    const sort_call call = {.order = {.type = type, .options = options}, .in = in, .out = out, .n = n, .out_n = out_n};
    return sk_run(group, __func__, sort, &call);
}

scankit_error scankit_group_sort_pairs(scankit_group *group, scankit_type type, const void *const *keys_in,
                                       void *const *keys_out, size_t value_size, const void *const *values_in,
                                       void *const *values_out, const size_t *n, const size_t *out_n,
                                       const scankit_sort_options *options)
{
    const sort_call call = {.order = {.type = type, .options = options},
                            .value_size = value_size,
                            .in = keys_in,
                            .values_in = values_in,
                            .out = keys_out,
                            .values_out = values_out,
                            .n = n,
                            .out_n = out_n};
    return sk_run(group, __func__, sort, &call);
}

scankit_error scankit_group_argsort(scankit_group *group, scankit_type type, const void *const *in,
                                    uint64_t *const *positions, const size_t *n, const size_t *out_n,
                                    const scankit_sort_options *options)
{
    const sort_call call = {.order = {.type = type, .options = options},
                            .value_size = sizeof **positions,
                            .wants_positions = true,
                            .in = in,
                            .values_out = (void *const *)positions,
                            .n = n,
                            .out_n = out_n};
    return sk_run(group, __func__, sort, &call);
}

scankit_error scankit_group_sort_records(scankit_group *group, size_t record_size, const scankit_key *keys,
                                         size_t key_count, const void *const *in, void *const *out, const size_t *n,
                                         const size_t *out_n, const scankit_sort_options *options)
{
    const sort_call call = {
        .order = {.record_size = record_size, .keys = keys, .key_count = key_count, .options = options},
        .in = in,
        .out = out,
        .n = n,
        .out_n = out_n};
    return sk_run(group, __func__, sort, &call);
}
