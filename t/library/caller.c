/* caller.c - see caller.h. */
#include "caller.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"

/* One thread sleeps until p_limit nanoseconds have passed. */
static const char delay_kernel[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                                   ".visible .entry delay(.param .u64 p_limit)\n"
                                   "{\n"
                                   "    .reg .pred early;\n"
                                   "    .reg .u64 limit, start, time;\n"
                                   "    ld.param.u64 limit, [p_limit];\n"
                                   "    mov.u64 start, %globaltimer;\n"
                                   "again:\n"
                                   "    nanosleep.u32 10000;\n"
                                   "    mov.u64 time, %globaltimer;\n"
                                   "    sub.u64 time, time, start;\n"
                                   "    setp.lt.u64 early, time, limit;\n"
                                   "    @early bra again;\n"
                                   "    ret;\n"
                                   "}\n";

enum { NON_BLOCKING = 1, NOT_READY = 600 }; /* CU_STREAM_NON_BLOCKING, CUDA_ERROR_NOT_READY */

/* X(name in the driver, its parameters) */
#define DRIVER(X)                                                                                             \
    X(cuInit, (unsigned flags))                                                                               \
    X(cuDeviceGet, (int *device, int number))                                                                 \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                 \
    X(cuDevicePrimaryCtxRelease_v2, (int device))                                                             \
    X(cuCtxSetCurrent, (void *context))                                                                       \
    X(cuModuleLoadData, (void **module, const void *image))                                                   \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                                 \
    X(cuModuleUnload, (void *module))                                                                         \
    X(cuStreamCreate, (void **stream, unsigned flags))                                                        \
    X(cuStreamQuery, (void *stream))                                                                          \
    X(cuStreamSynchronize, (void *stream))                                                                    \
    X(cuStreamDestroy_v2, (void *stream))                                                                     \
    X(cuMemcpyAsync, (uintptr_t to, uintptr_t from, size_t bytes, void *stream))                              \
    X(cuMemsetD32Async, (uintptr_t to, unsigned word, size_t words, void *stream))                            \
    X(cuLaunchKernel,                                                                                         \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
       unsigned block_z, unsigned shared, void *stream, void **parameters, void **extra))

struct caller {
#define X(name, parameters) int(*name) parameters;
    DRIVER(X)
#undef X
    void *library, *module, *delay, *stream[CALLER_STREAMS];
    int device;
};

static bool load(caller *c)
{
    c->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (c->library == NULL)
        return false;
    bool all = true;
#define X(name, parameters)                     \
    {                                           \
        void *found = dlsym(c->library, #name); \
        memcpy(&c->name, &found, sizeof found); \
        all = all && found != NULL;             \
    }
    DRIVER(X)
#undef X
    return all;
}

/* The CUDA runtime, and so the library, uses the primary context. */
static bool start_device(caller *c)
{
    void *context;
    return c->cuInit(0) == 0 && c->cuDeviceGet(&c->device, 0) == 0 &&
           c->cuDevicePrimaryCtxRetain(&context, c->device) == 0 && c->cuCtxSetCurrent(context) == 0;
}

static bool start_streams(caller *c)
{
    for (int i = 0; i < CALLER_STREAMS; i++)
        if (c->cuStreamCreate(&c->stream[i], NON_BLOCKING) != 0)
            return false;
    return c->cuModuleLoadData(&c->module, delay_kernel) == 0 &&
           c->cuModuleGetFunction(&c->delay, c->module, "delay") == 0;
}

caller *caller_open(const char **reason)
{
    caller *c = data_allocate(1, sizeof *c);
    *reason = !load(c) ? "no driver" : !start_device(c) ? "no GPU" : !start_streams(c) ? "no streams" : NULL;
    if (*reason == NULL)
        return c;
    free(c); /* what was opened ends with the program */
    return NULL;
}

void caller_close(caller *c)
{
    for (int i = 0; i < CALLER_STREAMS; i++)
        c->cuStreamDestroy_v2(c->stream[i]);
    c->cuModuleUnload(c->module);
    c->cuDevicePrimaryCtxRelease_v2(c->device);
    dlclose(c->library);
    free(c);
}

void *caller_stream(const caller *c, unsigned number)
{
    return c->stream[number];
}

bool caller_copy(caller *c, void *stream, void *to, const void *from, size_t bytes)
{
    return c->cuMemcpyAsync((uintptr_t)to, (uintptr_t)from, bytes, stream) == 0;
}

bool caller_fill(caller *c, void *stream, void *to, unsigned word, size_t words)
{
    return c->cuMemsetD32Async((uintptr_t)to, word, words, stream) == 0;
}

bool caller_delay(caller *c, void *stream, unsigned milliseconds)
{
    uint64_t limit = milliseconds * UINT64_C(1000000);
    void *parameters[] = {&limit};
    return c->cuLaunchKernel(c->delay, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL) == 0;
}

bool caller_is_busy(const caller *c, void *stream)
{
    return c->cuStreamQuery(stream) == NOT_READY;
}

bool caller_wait(caller *c, void *stream)
{
    return c->cuStreamSynchronize(stream) == 0;
}
