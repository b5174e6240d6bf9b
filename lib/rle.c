/* rle.c - runs of equal elements: encoding, decoding, unique, reduce by key. Checks arguments, makes the bytes to
 * compare of keys, calls the backend. */
#include "internal.h"

/* ---- what is compared ---- */

_Static_assert(SK_MAX_KEYS <= SK_SPANS, "each key may be a span of its own");

/* Puts a span where it belongs among those that begin before or after it. */
static void insert(sk_span *span, size_t count, sk_span added)
{
    for (; count > 0 && span[count - 1].begin > added.begin; count--)
        span[count] = span[count - 1];
    span[count] = added;
}

/* Makes one of those that touch or overlap; how many are left. */
static size_t join(sk_span *span, size_t count)
{
    size_t last = 0;
    for (size_t i = 1; i < count; i++)
        if (span[i].begin > span[last].end)
            span[++last] = span[i];
        else if (span[i].end > span[last].end)
            span[last].end = span[i].end;
    return last + 1;
}

static void compare_keys(sk_runs *what, const scankit_key *keys, size_t key_count)
{
    for (size_t i = 0; i < key_count; i++)
        insert(what->span, i, (sk_span){keys[i].offset, keys[i].offset + sk_keys_size(&keys[i], 1)});
    what->span_count = join(what->span, key_count);
}

static void compare_all(sk_runs *what)
{
    what->span[0] = (sk_span){0, what->element_size};
    what->span_count = 1;
}

/* ---- encoding ---- */

static const char *wrong_arrays(const sk_runs *what)
{
    const void *in = what->in, *values = what->values, *counts = what->counts, *reduced = what->reduced;
    if (!sk_is_array(in, what->n, what->element_size))
        return "the input is no array of n elements";
    if (counts != NULL && (counts == in || counts == values))
        return "the counts need an array of their own";
    if (reduced != NULL && (reduced == in || reduced == values))
        return "the reduced values need an array of their own";
    if (values != NULL && values == what->reduced_in)
        return "the keys need an array of their own";
    return NULL;
}

/* Whoever calls this has filled in the elements and what is wanted of their runs. */
static scankit_error encode(scankit_context *context, const char *function, sk_runs *what,
                            const scankit_run_options *options, size_t *count)
{
    bool by_keys = options != NULL && options->key_count > 0;
    const char *wrong = what->element_size == 0 ? "elements of no bytes" : NULL;
    if (wrong == NULL && by_keys)
        wrong = sk_wrong_keys(what->element_size, options->keys, options->key_count);
    if (wrong == NULL && what->n > 0)
        wrong = wrong_arrays(what);
    if (wrong != NULL)
        return sk_refuse(context, function, wrong);
    if (what->n == 0) {
        if (count != NULL)
            *count = 0;
        return SCANKIT_OK;
    }
    if (by_keys)
        compare_keys(what, options->keys, options->key_count);
    else
        compare_all(what);
    return sk_finish(context, function, context->backend->encode_runs(context->device, what, count));
}

scankit_error scankit_run_length_encode(scankit_context *context, size_t element_size, const void *in, void *values,
                                        uint64_t *counts, size_t n, const scankit_run_options *options, size_t *runs)
{
    SK_REQUIRE(context != NULL, "no context");
    sk_runs what = {.element_size = element_size, .n = n, .in = in, .values = values, .counts = counts};
    return encode(context, __func__, &what, options, runs);
}

scankit_error scankit_unique(scankit_context *context, size_t element_size, const void *in, void *out, size_t n,
                             const scankit_run_options *options, size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(n == 0 || out != NULL, "no room for n elements");
    sk_runs what = {.element_size = element_size, .n = n, .in = in, .values = out};
    return encode(context, __func__, &what, options, count);
}

scankit_error scankit_reduce_by_key(scankit_context *context, size_t key_size, const void *keys_in, scankit_type type,
                                    scankit_operator op, const void *values_in, void *keys_out, void *values_out,
                                    size_t n, const scankit_run_options *options, size_t *runs)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_operator_applies(op, type), "the type does not have this operator");
    SK_REQUIRE(sk_is_array(values_in, n, scankit_type_size(type)), "the values are no array of n elements");
    SK_REQUIRE(n == 0 || values_out != NULL, "no room for n values");
    sk_runs what = {.element_size = key_size, .n = n, .in = keys_in, .values = keys_out};
    what.reduced = values_out;
    what.reduced_in = values_in;
    what.type = sk_canonical_type(type, op);
    what.op = op;
    return encode(context, __func__, &what, options, runs);
}

/* ---- decoding ---- */

scankit_error scankit_run_length_decode(scankit_context *context, size_t element_size, const void *values,
                                        const uint64_t *counts, size_t runs, void *out, size_t room, size_t *n)
{
    size_t total = 0;
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(element_size > 0, "elements of no bytes");
    SK_REQUIRE(sk_is_array(counts, runs, sizeof *counts), "the counts are no array of as many elements as runs");
    SK_REQUIRE(out == NULL || sk_is_array(values, runs, element_size),
               "the values are no array of as many elements as runs");
    SK_REQUIRE(out == NULL || sk_is_array(out, room, element_size), "no room for that many elements");
    SK_REQUIRE(out == NULL || runs == 0 || (out != values && out != (const void *)counts),
               "the output needs an array of its own");
    if (out == NULL)
        room = SIZE_MAX;
    scankit_error error = SCANKIT_OK;
    if (runs > 0)
        error = context->backend->decode_runs(context->device, element_size, values, counts, runs, out, room, &total);
    if (error == SCANKIT_OK && total == SIZE_MAX)
        error = SCANKIT_E_ARGUMENT;
    if (n != NULL)
        *n = total;
    SK_REQUIRE(error != SCANKIT_E_ARGUMENT, "the counts add up to more than there is room for");
    return sk_finish(context, __func__, error);
}
