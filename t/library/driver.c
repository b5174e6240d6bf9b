/* driver.c - see driver.h. */
#include "driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static bool load(driver *d)
{
    d->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (d->library == NULL)
        return false;
    bool all = true;
#define X(name, parameters)                     \
    {                                           \
        void *found = dlsym(d->library, #name); \
        memcpy(&d->name, &found, sizeof found); \
        all = all && found != NULL;             \
    }
    DRIVER_FUNCTIONS(X)
#undef X
    return all;
}

static bool start_device(driver *d)
{
    void *context;
    return d->cuInit(0) == 0 && d->cuDeviceGet(&d->device, 0) == 0 &&
           d->cuDevicePrimaryCtxRetain(&context, d->device) == 0 && d->cuCtxSetCurrent(context) == 0;
}

const char *driver_open(driver *d)
{
    return !load(d) ? "no driver" : !start_device(d) ? "no GPU" : NULL;
}

void driver_close(driver *d)
{
    d->cuDevicePrimaryCtxRelease_v2(d->device);
    dlclose(d->library);
}
