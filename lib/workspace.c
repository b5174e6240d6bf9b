/* workspace.c - a caller's workspace, and rehearsals, which find the size that it must have. */
#include "internal.h"

scankit_error scankit_set_workspace(scankit_context *context, void *memory, size_t bytes)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(!sk_rehearses(context->device), "the context rehearses");
    SK_REQUIRE((uintptr_t)memory % SK_ARENA_ALIGNMENT == 0, "the workspace is not aligned to 256 bytes");
    scankit_error error = context->backend->synchronize(context->device);
    if (error == SCANKIT_OK)
        sk_arena_fix(&context->device->workspace, memory, bytes);
    return sk_finish(context, __func__, error);
}

scankit_error scankit_workspace_begin(scankit_context *context)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(!sk_rehearses(context->device), "the context rehearses already");
    sk_arena *workspace = &context->device->workspace;
    context->kept_mode = workspace->mode;
    context->kept_algorithm = context->device->algorithm;
    workspace->mode = SK_ARENA_COUNTS;
    workspace->most = 0;
    return SCANKIT_OK;
}

scankit_error scankit_workspace_end(scankit_context *context, size_t *bytes)
{
    SK_REQUIRE(context != NULL, "no context");
    SK_REQUIRE(sk_rehearses(context->device), "the context does not rehearse");
    SK_REQUIRE(bytes != NULL, "nowhere to put the size");
    *bytes = context->device->workspace.most;
    context->device->workspace.mode = context->kept_mode;
    context->device->algorithm = context->kept_algorithm;
    return SCANKIT_OK;
}
