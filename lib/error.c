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

/* The calling thread's last error, if it was in a function that other threads may call beside it. */
static _Thread_local struct {
    const scankit_context *context; /* NULL: it was not */
    char detail[384];
} beside;

const char *scankit_error_detail(const scankit_context *context)
{
    return context == NULL ? "" : context == beside.context ? beside.detail : context->detail;
}

void sk_forget_errors(const scankit_context *context)
{
    if (beside.context == context)
        beside.context = NULL;
}

static void write_detail(char *detail, size_t size, const char *function, scankit_error error, const char *more)
{
    snprintf(detail, size, "%s: %s%s%s", function, scankit_error_string(error), more[0] != '\0' ? ": " : "", more);
}

scankit_error sk_finish_beside(const scankit_context *context, const char *function, scankit_error error,
                               const char *more)
{
    if (error == SCANKIT_OK || context == NULL)
        return error;
    beside.context = context;
    write_detail(beside.detail, sizeof beside.detail, function, error, more);
    return error;
}

scankit_error sk_refuse(scankit_context *context, const char *function, const char *reason)
{
    sk_forget_errors(context);
    if (context != NULL)
        snprintf(context->detail, sizeof context->detail, "%s: %s", function, reason);
    return SCANKIT_E_ARGUMENT;
}

/* If the caller's workspace is too small, how much of it was there, and how much the call had to have. */
static void explain_shortage(sk_device *device)
{
    sk_arena *workspace = &device->workspace;
    if (workspace->mode == SK_ARENA_FIXED && workspace->wanted > 0)
        snprintf(device->detail, sizeof device->detail, "the workspace has %zu bytes, and %zu or more are needed",
                 workspace->block[0].size, workspace->wanted);
    workspace->wanted = 0;
}

scankit_error sk_explain(scankit_context *context, const char *function, scankit_error error)
{
    sk_forget_errors(context);
    if (error == SCANKIT_E_MEMORY)
        explain_shortage(context->device);
    write_detail(context->detail, sizeof context->detail, function, error, context->device->detail);
    context->device->detail[0] = '\0';
    return error;
}
