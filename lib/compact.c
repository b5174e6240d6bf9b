/* compact.c - what chooses elements by a predicate or by flags: checks arguments, calls the backend. */
#include "internal.h"
#include "predicate/predicate.h"

static const char *wrong_options(const scankit_compact_options *options, const sk_selection *selection)
{
    if (options != NULL && ((int)options->evaluation < 0 || options->evaluation > SCANKIT_COMPILE))
        return "no such evaluation";
    if (selection->first > UINT64_MAX - selection->n)
        return "positions past 2^64";
    if (selection->program != NULL && selection->first > INT64_MAX - selection->n)
        return "positions past 2^63, of which i knows nothing";
    return NULL;
}

static const char *wrong_arrays(const sk_selection *selection)
{
    size_t n = selection->n, size = selection->element_size;
    bool outputs = selection->matching != NULL || selection->others != NULL;
    if ((outputs || selection->program != NULL) && !sk_is_array(selection->in, n, size))
        return "no array of n elements";
    if (selection->program == NULL && !sk_is_array(selection->flags, n, 1))
        return "the flags are no array of n bytes";
    if (selection->others != NULL && (selection->others == selection->in || selection->others == selection->matching))
        return "those that do not match need an array of their own";
    return NULL;
}

/* Whoever calls this has filled in what elements are chosen and where they go. */
static scankit_error choose(scankit_context *context, const char *function, sk_selection *selection,
                            const scankit_compact_options *options, size_t *count)
{
    if (options != NULL) {
        selection->invert = options->invert != 0;
        selection->first = options->first;
        selection->evaluation = options->evaluation;
    }
    const char *wrong = wrong_options(options, selection);
    if (wrong == NULL && selection->n > 0)
        wrong = wrong_arrays(selection);
    if (wrong != NULL)
        return sk_refuse(context, function, wrong);
    if (selection->n == 0) {
        if (count != NULL)
            *count = 0;
        return SCANKIT_OK;
    }
    return sk_finish(context, function, context->backend->compact(context->device, selection, count));
}

static sk_selection by_predicate(const scankit_predicate *predicate, const void *in, size_t n)
{
    const sk_program *program = &predicate->program;
    return (sk_selection){.program = program, .element_size = program->element_size, .in = in, .n = n};
}

scankit_error scankit_compact(scankit_context *context, const scankit_predicate *predicate, const void *in, void *out,
                              size_t n, const scankit_compact_options *options, size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(predicate != NULL, "no predicate");
    SK_REQUIRE(n == 0 || out != NULL, "no room for n elements");
    sk_selection selection = by_predicate(predicate, in, n);
    selection.matching = out;
    return choose(context, __func__, &selection, options, count);
}

scankit_error scankit_split_predicate(scankit_context *context, const scankit_predicate *predicate, const void *in,
                                      void *matching, void *others, size_t n, const scankit_compact_options *options,
                                      size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(predicate != NULL, "no predicate");
    sk_selection selection = by_predicate(predicate, in, n);
    selection.matching = matching;
    selection.others = others;
    return choose(context, __func__, &selection, options, count);
}

scankit_error scankit_compact_positions(scankit_context *context, const scankit_predicate *predicate, const void *in,
                                        uint64_t *positions, size_t n, const scankit_compact_options *options,
                                        size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(predicate != NULL, "no predicate");
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "no array of n positions");
    sk_selection selection = by_predicate(predicate, in, n);
    selection.positions = positions;
    return choose(context, __func__, &selection, options, count);
}

scankit_error scankit_compact_flags(scankit_context *context, size_t element_size, const void *in, const uint8_t *flags,
                                    void *out, size_t n, const scankit_compact_options *options, size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(element_size > 0, "elements of no bytes");
    SK_REQUIRE(n == 0 || out != NULL, "no room for n elements");
    sk_selection selection = {.flags = flags, .element_size = element_size, .in = in, .n = n, .matching = out};
    return choose(context, __func__, &selection, options, count);
}

scankit_error scankit_compact_flags_positions(scankit_context *context, const uint8_t *flags, uint64_t *positions,
                                              size_t n, const scankit_compact_options *options, size_t *count)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(sk_is_array(positions, n, sizeof *positions), "no array of n positions");
    sk_selection selection = {.flags = flags, .element_size = 1, .n = n, .positions = positions};
    return choose(context, __func__, &selection, options, count);
}
