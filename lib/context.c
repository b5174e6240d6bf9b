/* context.c - opening a device, and its memory. The one file that names the backends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

extern const sk_backend sk_cpu_backend;
extern const sk_backend sk_cuda_backend;

/* PREFIX or PREFIX:NUMBER. The number is -1 where there is none. */
static bool parse_device(const char *text, const char *prefix, int *number)
{
    size_t length = strlen(prefix);
    if (strncmp(text, prefix, length) != 0)
        return false;
    *number = -1;
    if (text[length] == '\0')
        return true;
    size_t digits = strspn(text + length + (text[length] == ':'), "0123456789");
    if (text[length] != ':' || digits == 0 || digits > 6 || text[length + 1 + digits] != '\0')
        return false;
    *number = atoi(text + length + 1);
    return true;
}

/* The backend that a device's text names, or NULL. */
static const sk_backend *find_backend(const char *device, int *number)
{
    *number = -1;
    if (strcmp(device, "auto") == 0)
        return sk_cuda_backend.count() > 0 ? &sk_cuda_backend : &sk_cpu_backend;
    if (parse_device(device, sk_cpu_backend.prefix, number))
        return &sk_cpu_backend;
    if (parse_device(device, sk_cuda_backend.prefix, number))
        return &sk_cuda_backend;
    return NULL;
}

scankit_error scankit_open(scankit_context **context, const char *device)
{
    if (context == NULL)
        return SCANKIT_E_ARGUMENT;
    *context = NULL;
    if (device == NULL)
        return SCANKIT_E_ARGUMENT;
    int number;
    const sk_backend *backend = find_backend(device, &number);
    if (backend == NULL)
        return SCANKIT_E_SYNTAX;
    scankit_context *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return SCANKIT_E_MEMORY;
    opened->backend = backend;
    sk_forget_errors(opened);
    scankit_error error = backend->open(&opened->device, number);
    if (error == SCANKIT_OK)
        *context = opened;
    else
        free(opened);
    return error;
}

void scankit_close(scankit_context *context)
{
    if (context == NULL)
        return;
    if (sk_rehearses(context->device))
        context->device->workspace.mode = context->kept_mode;
    context->backend->close(context->device);
    free(context);
}

int scankit_cuda_device_count(void)
{
    return sk_cuda_backend.count();
}

const char *scankit_device_name(const scankit_context *context)
{
    return context == NULL ? "" : context->device->name;
}

const char *scankit_device_identity(const scankit_context *context)
{
    return context == NULL ? "" : context->device->identity;
}

const char *scankit_last_algorithm(const scankit_context *context)
{
    return context == NULL || context->device->algorithm == NULL ? "" : context->device->algorithm;
}

int scankit_is_host(const scankit_context *context)
{
    return context != NULL && context->backend->is_host;
}

scankit_error scankit_set_deterministic(scankit_context *context, int on)
{
    SK_REQUIRE(context != NULL, "no context");
    context->device->deterministic = on != 0;
    return SCANKIT_OK;
}

scankit_error scankit_set_stream(scankit_context *context, void *stream)
{
    SK_REQUIRE(context != NULL, "no context");
    return sk_finish(context, __func__, context->backend->set_stream(context->device, stream));
}

scankit_error scankit_wait_stream(scankit_context *context, void *stream)
{
    SK_REQUIRE(context != NULL, "no context");
    return sk_finish(context, __func__, context->backend->wait_stream(context->device, stream));
}

scankit_error scankit_signal_stream(scankit_context *context, void *stream)
{
    SK_REQUIRE(context != NULL, "no context");
    return sk_finish(context, __func__, context->backend->signal_stream(context->device, stream));
}

scankit_error scankit_allocate(scankit_context *context, void **memory, size_t bytes)
{
    SK_REQUIRE(context != NULL && memory != NULL, "no context or nowhere to put the pointer");
    *memory = NULL;
    return sk_finish(context, __func__, context->backend->allocate(context->device, memory, bytes > 0 ? bytes : 1));
}

void scankit_free(scankit_context *context, void *memory)
{
    if (context != NULL && memory != NULL)
        context->backend->release(context->device, memory);
}

typedef scankit_error transfer_function(sk_device *device, void *to, const void *from, size_t bytes);

static scankit_error transfer(scankit_context *context, const char *function, transfer_function *run, void *to,
                              const void *from, size_t bytes)
{
    if (bytes == 0)
        return SCANKIT_OK;
    if (to == NULL || from == NULL)
        return sk_refuse(context, function, "a NULL pointer");
    return sk_finish(context, function, run(context->device, to, from, bytes));
}

scankit_error scankit_upload(scankit_context *context, void *device, const void *host, size_t bytes)
{
    SK_REQUIRE(context != NULL, "no context");
    return transfer(context, __func__, context->backend->upload, device, host, bytes);
}

scankit_error scankit_download(scankit_context *context, void *host, const void *device, size_t bytes)
{
    SK_REQUIRE(context != NULL, "no context");
    return transfer(context, __func__, context->backend->download, host, device, bytes);
}

scankit_error scankit_copy(scankit_context *context, void *to, const void *from, size_t bytes)
{
    SK_REQUIRE(context != NULL, "no context");
    return transfer(context, __func__, context->backend->copy, to, from, bytes);
}

scankit_error scankit_pin(scankit_context *context, const void *memory, size_t bytes, int read_only)
{
    char detail[SK_DETAIL] = "";
    if (context == NULL || memory == NULL || bytes == 0)
        return sk_finish_beside(context, __func__, SCANKIT_E_ARGUMENT, "no context or no memory");
    scankit_error error = context->backend->pin(context->device, memory, bytes, read_only != 0, detail);
    return sk_finish_beside(context, __func__, error, detail);
}

scankit_error scankit_unpin(scankit_context *context, const void *memory)
{
    char detail[SK_DETAIL] = "";
    if (context == NULL || memory == NULL)
        return sk_finish_beside(context, __func__, SCANKIT_E_ARGUMENT, "no context or no memory");
    scankit_error error = context->backend->unpin(context->device, memory, detail);
    return sk_finish_beside(context, __func__, error, detail);
}

scankit_error scankit_synchronize(scankit_context *context)
{
    SK_REQUIRE(context != NULL, "no context");
    return sk_finish(context, __func__, context->backend->synchronize(context->device));
}

scankit_error scankit_memory_available(scankit_context *context, size_t *bytes)
{
    SK_REQUIRE(context != NULL && bytes != NULL, "no context or nowhere to put the result");
    return sk_finish(context, __func__, context->backend->available(context->device, bytes));
}

scankit_error scankit_memory_total(scankit_context *context, size_t *bytes)
{
    SK_REQUIRE(context != NULL && bytes != NULL, "no context or nowhere to put the result");
    return sk_finish(context, __func__, context->backend->total(context->device, bytes));
}

scankit_error sk_take(scankit_context *context, size_t n, size_t size, void *memory)
{
    size_t bytes;
    void *taken = sk_multiply(n, size, &bytes) ? sk_arena_take(&context->device->workspace, bytes) : NULL;
    *(void **)memory = taken;
    return taken == NULL ? SCANKIT_E_MEMORY : SCANKIT_OK;
}
