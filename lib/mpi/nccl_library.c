/* nccl_library.c - see nccl_library.h. */
#include "nccl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sk_nccl nccl;
static bool found;

/* ISO C has no conversion between pointers to data and to functions. POSIX asks that both look the same. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void)
{
    const char *name = getenv("SCANKIT_NCCL");
    if (name != NULL && strcmp(name, "off") == 0)
        return;
    void *library = dlopen(name == NULL || *name == '\0' ? "libnccl.so.2" : name, RTLD_NOW | RTLD_LOCAL);
    found = library != NULL && find(library, "ncclGetUniqueId", &nccl.get_id) &&
            find(library, "ncclCommInitRank", &nccl.open) && find(library, "ncclCommDestroy", &nccl.close) &&
            find(library, "ncclSend", &nccl.send) && find(library, "ncclRecv", &nccl.receive) &&
            find(library, "ncclGroupStart", &nccl.group_start) && find(library, "ncclGroupEnd", &nccl.group_end) &&
            find(library, "ncclCommGetAsyncError", &nccl.async_error) &&
            find(library, "ncclGetErrorString", &nccl.error_string);
    if (library != NULL && !found)
        dlclose(library);
}

const sk_nccl *sk_nccl_find(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return found ? &nccl : NULL;
}
