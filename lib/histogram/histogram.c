/* histogram.c - histograms: checks arguments, calls the backend; sums of float weights are composed.
 *
 * The order of additions decides the bits of a sum of floats. So weights are sorted by bins, stably, and each bin's are
 * added as a segment, in an order that depends on the bins' sizes alone. */
#include "histogram.h"

/* offsets[b] = the keys in bins before b, count + 1 of them. */
static scankit_error find_offsets(scankit_context *context, sk_histogram what, uint64_t *offsets)
{
    const sk_backend *backend = context->backend;
    const uint64_t none = 0;
    uint32_t count = what.bins.count;
    what.weights = NULL;
    SK_TRY(backend->histogram(context->device, &what, offsets));
    SK_TRY(backend->upload(context->device, offsets + count, &none, sizeof none));
    return backend->scan(context->device, SCANKIT_U64, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, offsets, offsets,
                         (size_t)count + 1);
}

static unsigned bits_of(uint32_t most)
{
    unsigned bits = 0;
    for (; most > 0; most >>= 1)
        bits++;
    return bits;
}

static scankit_error sum_floats(scankit_context *context, const sk_histogram *what, void *sums)
{
    const sk_backend *backend = context->backend;
    sk_device *device = context->device;
    uint32_t *index, count = what->bins.count;
    uint64_t *values, *offsets;
    SK_TRY(sk_take(context, what->n, sizeof *index, &index));
    SK_TRY(sk_take(context, what->n, sizeof *values, &values));
    SK_TRY(sk_take(context, (size_t)count + 1, sizeof *offsets, &offsets));
    SK_TRY(backend->bin(device, what, index, values));
    SK_TRY(find_offsets(context, *what, offsets));
    sk_shape shape = {4, 8};
    SK_TRY(backend->sort(device, shape, (sk_const_columns){index, values}, (sk_columns){index, values}, NULL, what->n,
                         0, bits_of(count), SCANKIT_AUTO));
    return backend->segmented_reduce(device, SCANKIT_F64, SCANKIT_SUM, values, offsets, sums, count);
}

static scankit_error count_keys(scankit_context *context, sk_histogram *what, const scankit_bins *bins, void *counts)
{
    SK_TRY(sk_prepare_bins(context, what->type, bins, &what->bins));
    if (what->n > 0 && what->weights != NULL && sk_is_float(what->weight_type))
        return sum_floats(context, what, counts);
    return context->backend->histogram(context->device, what, counts);
}

scankit_error scankit_histogram(scankit_context *context, scankit_type type, const void *keys, size_t n,
                                const scankit_bins *bins, scankit_type weight_type, const void *weights, void *counts)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(scankit_type_size(type) != 0, "no such type");
    SK_REQUIRE(sk_is_array(keys, n, scankit_type_size(type)), "the keys are no array of n elements");
    SK_REQUIRE(weights == NULL || scankit_type_size(weight_type) != 0, "the weights have no such type");
    SK_REQUIRE(weights == NULL || sk_is_array(weights, n, scankit_type_size(weight_type)),
               "the weights are no array of n elements");
    const char *wrong = sk_wrong_bins(type, bins);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(counts != NULL, "nowhere to put the counts");
    SK_REQUIRE(counts != keys && counts != weights, "the counts are an input");
    sk_histogram what = {.type = type, .weight_type = weight_type, .keys = keys, .weights = weights, .n = n};
    size_t mark = sk_arena_mark(&context->device->workspace);
    scankit_error error = count_keys(context, &what, bins, counts);
    sk_arena_reset(&context->device->workspace, mark);
    return sk_finish(context, __func__, error);
}
