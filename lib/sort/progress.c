/* progress.c - reports of how much of a sort's output is final. */
#include "internal.h"

void sk_begin_progress(scankit_context *context, const scankit_sort_options *options)
{
    if (options != NULL)
        context->device->progress = (sk_progress){options->ready, options->ready_state, 0};
}

scankit_error sk_end_progress(scankit_context *context, size_t n, scankit_error error)
{
    sk_progress progress = context->device->progress;
    if (progress.ready == NULL)
        return error;
    context->device->progress = (sk_progress){NULL, NULL, 0};
    if (error != SCANKIT_OK || sk_rehearses(context->device))
        return error;
    SK_TRY(context->backend->synchronize(context->device));
    sk_report(&progress, n);
    return SCANKIT_OK;
}
