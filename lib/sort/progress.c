/* progress.c - reports of how much of a sort's output is final. */
#include "internal.h"

scankit_error sk_last_report(scankit_context *context, size_t n, scankit_error error)
{
    sk_progress progress = context->device->progress;
    context->device->progress = (sk_progress){NULL, NULL, 0};
    if (error != SCANKIT_OK || sk_rehearses(context->device))
        return error;
    SK_TRY(context->backend->synchronize(context->device));
    sk_report(&progress, n);
    return SCANKIT_OK;
}
