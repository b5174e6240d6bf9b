/* spinner.c - see spinner.h. Loads the driver's functions at run time; the driver compiles the kernel. */
#include "spinner.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/data.h"

/* Thread 0 sets state[1 + block] to say that the block runs, then waits until state[0] is not 0 or time is up; the
 * other threads wait for it. It polls rarely, because state is host memory and polling would load the bus. */
static const char kernel[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                             ".visible .entry spin(.param .u64 p_state, .param .u64 p_limit)\n"
                             "{\n"
                             "    .reg .pred no;\n"
                             "    .reg .u32 thread, place, word;\n"
                             "    .reg .u64 state, mine, limit, start, time;\n"
                             "    mov.u32 thread, %tid.x;\n"
                             "    setp.ne.u32 no, thread, 0;\n"
                             "    @no bra end;\n"
                             "    ld.param.u64 state, [p_state];\n"
                             "    ld.param.u64 limit, [p_limit];\n"
                             "    mov.u32 place, %ctaid.x;\n"
                             "    mul.wide.u32 mine, place, 4;\n"
                             "    add.u64 mine, mine, state;\n"
                             "    mov.u32 word, 1;\n"
                             "    mov.u64 start, %globaltimer;\n"
                             "    st.volatile.global.u32 [mine+4], word;\n"
                             "again:\n"
                             "    ld.volatile.global.u32 word, [state];\n"
                             "    setp.ne.u32 no, word, 0;\n"
                             "    @no bra end;\n"
                             "    nanosleep.u32 100000;\n"
                             "    mov.u64 time, %globaltimer;\n"
                             "    sub.u64 time, time, start;\n"
                             "    setp.lt.u64 no, time, limit;\n"
                             "    @no bra again;\n"
                             "end:\n"
                             "    bar.sync 0;\n"
                             "    ret;\n"
                             "}\n";

/* The part of the driver's interface that is used here, with its numbers. */
enum {
    PROCESSORS = 16,
    SHARED_OPTIN = 97,
    MAX_DYNAMIC_SHARED = 8,
    NON_BLOCKING = 1,
    THREADS = 1024,
    BLOCKS_MOST = 1023
};

/* X(name in the driver, its parameters) */
#define DRIVER(X)                                                                                             \
    X(cuInit, (unsigned flags))                                                                               \
    X(cuDeviceGet, (int *device, int number))                                                                 \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device))                                          \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                 \
    X(cuDevicePrimaryCtxRelease_v2, (int device))                                                             \
    X(cuCtxSetCurrent, (void *context))                                                                       \
    X(cuModuleLoadData, (void **module, const void *image))                                                   \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                                 \
    X(cuModuleUnload, (void *module))                                                                         \
    X(cuFuncSetAttribute, (void *function, int attribute, int value))                                         \
    X(cuStreamCreate, (void **stream, unsigned flags))                                                        \
    X(cuStreamQuery, (void *stream))                                                                          \
    X(cuStreamSynchronize, (void *stream))                                                                    \
    X(cuStreamDestroy_v2, (void *stream))                                                                     \
    X(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                                          \
    X(cuMemFreeHost, (void *memory))                                                                          \
    X(cuLaunchKernel,                                                                                         \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
       unsigned block_z, unsigned shared, void *stream, void **parameters, void **extra))

struct spinner {
#define X(name, parameters) int(*name) parameters;
    DRIVER(X)
#undef X
    void *library, *module, *function, *stream;
    volatile uint32_t *state;
    int device, processors, shared;
};

static bool load(spinner *s)
{
    s->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (s->library == NULL)
        return false;
    bool all = true;
#define X(name, parameters)                     \
    {                                           \
        void *found = dlsym(s->library, #name); \
        memcpy(&s->name, &found, sizeof found); \
        all = all && found != NULL;             \
    }
    DRIVER(X)
#undef X
    return all;
}

/* The primary context, which the CUDA runtime and so the library use. */
static bool start_device(spinner *s)
{
    void *context;
    return s->cuInit(0) == 0 && s->cuDeviceGet(&s->device, 0) == 0 &&
           s->cuDeviceGetAttribute(&s->processors, PROCESSORS, s->device) == 0 &&
           s->cuDeviceGetAttribute(&s->shared, SHARED_OPTIN, s->device) == 0 &&
           s->cuDevicePrimaryCtxRetain(&context, s->device) == 0 && s->cuCtxSetCurrent(context) == 0;
}

static bool load_kernel(spinner *s)
{
    void *memory;
    if (s->cuModuleLoadData(&s->module, kernel) != 0 || s->cuModuleGetFunction(&s->function, s->module, "spin") != 0 ||
        s->cuFuncSetAttribute(s->function, MAX_DYNAMIC_SHARED, s->shared) != 0 ||
        s->cuStreamCreate(&s->stream, NON_BLOCKING) != 0 ||
        s->cuMemHostAlloc(&memory, (1 + BLOCKS_MOST) * sizeof *s->state, 0) != 0)
        return false;
    s->state = memory;
    return true;
}

spinner *spinner_open(const char **reason)
{
    spinner *s = data_allocate(1, sizeof *s);
    *reason = !load(s)           ? "no driver"
              : !start_device(s) ? "no GPU"
              : !load_kernel(s)  ? "the kernel does not load"
                                 : NULL;
    if (*reason == NULL)
        return s;
    free(s); /* the program does not use the GPU any more */
    return NULL;
}

void spinner_close(spinner *s)
{
    s->cuStreamDestroy_v2(s->stream);
    s->cuMemFreeHost((void *)(uintptr_t)s->state);
    s->cuModuleUnload(s->module);
    s->cuDevicePrimaryCtxRelease_v2(s->device);
    dlclose(s->library);
    free(s);
}

unsigned spinner_processors(const spinner *s)
{
    return (unsigned)s->processors;
}

static bool all_run(const spinner *s, unsigned blocks)
{
    for (unsigned b = 0; b < blocks; b++)
        if (s->state[1 + b] == 0)
            return false;
    return true;
}

bool spinner_start(spinner *s, unsigned blocks, unsigned seconds)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    uint64_t state = (uintptr_t)s->state, limit = seconds * UINT64_C(1000000000);
    void *parameters[] = {&state, &limit};
    if (blocks > BLOCKS_MOST)
        blocks = BLOCKS_MOST;
    for (unsigned i = 0; i <= blocks; i++)
        s->state[i] = 0;
    if (s->cuLaunchKernel(s->function, blocks, 1, 1, THREADS, 1, 1, (unsigned)s->shared, s->stream, parameters, NULL) !=
        0)
        return false;
    for (int waited = 0; waited < 1000 && !all_run(s, blocks); waited++)
        nanosleep(&pause, NULL);
    return all_run(s, blocks);
}

bool spinner_spins(const spinner *s)
{
    return s->cuStreamQuery(s->stream) != 0;
}

void spinner_stop(spinner *s)
{
    s->state[0] = 1;
    s->cuStreamSynchronize(s->stream);
}
