/* error.c - error texts, and a context's line of detail. */
#include <stdio.h>

#include "internal.h"

const char *scankit_error_string(scankit_error error)
{
    switch (error) {
#define X(name, text) \
    case SCANKIT_##name: return text;
        SCANKIT_ERRORS(X)
#undef X
    }
    return "unknown error";
}

const char *scankit_error_detail(const scankit_context *context)
{
    return context == NULL ? "" : context->detail;
}

scankit_error sk_refuse(scankit_context *context, const char *function, const char *reason)
{
    if (context != NULL)
        snprintf(context->detail, sizeof context->detail, "%s: %s", function, reason);
    return SCANKIT_E_ARGUMENT;
}

scankit_error sk_finish(scankit_context *context, const char *function, scankit_error error)
{
    if (error == SCANKIT_OK)
        return error;
    const char *more = context->device->detail;
    snprintf(context->detail, sizeof context->detail, "%s: %s%s%s", function, scankit_error_string(error),
             more[0] != '\0' ? ": " : "", more);
    context->device->detail[0] = '\0';
    return error;
}
