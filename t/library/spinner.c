/* spinner.c - see spinner.h. The driver compiles the kernel. */
#include "spinner.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "driver.h"
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
enum { PROCESSORS = 16, SHARED_OPTIN = 97, MAX_DYNAMIC_SHARED = 8, THREADS = 1024, BLOCKS_MOST = 1023 };

struct spinner {
    driver driver;
    void *module, *function, *stream;
    volatile uint32_t *state;
    int processors, shared;
};

static bool load_kernel(spinner *s)
{
    void *memory;
    int device = s->driver.device;
    if (s->driver.cuDeviceGetAttribute(&s->processors, PROCESSORS, device) != 0 ||
        s->driver.cuDeviceGetAttribute(&s->shared, SHARED_OPTIN, device) != 0 ||
        s->driver.cuModuleLoadData(&s->module, kernel) != 0 ||
        s->driver.cuModuleGetFunction(&s->function, s->module, "spin") != 0 ||
        s->driver.cuFuncSetAttribute(s->function, MAX_DYNAMIC_SHARED, s->shared) != 0 ||
        s->driver.cuStreamCreate(&s->stream, DRIVER_NON_BLOCKING) != 0 ||
        s->driver.cuMemHostAlloc(&memory, (1 + BLOCKS_MOST) * sizeof *s->state, 0) != 0)
        return false;
    s->state = memory;
    return true;
}

spinner *spinner_open(const char **reason)
{
    spinner *s = data_allocate(1, sizeof *s);
    *reason = driver_open(&s->driver);
    if (*reason == NULL && !load_kernel(s))
        *reason = "the kernel does not load";
    if (*reason == NULL)
        return s;
    free(s); /* the program does not use the GPU any more */
    return NULL;
}

void spinner_close(spinner *s)
{
    s->driver.cuStreamDestroy_v2(s->stream);
    s->driver.cuMemFreeHost((void *)(uintptr_t)s->state);
    s->driver.cuModuleUnload(s->module);
    driver_close(&s->driver);
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
    if (s->driver.cuLaunchKernel(s->function, blocks, 1, 1, THREADS, 1, 1, (unsigned)s->shared, s->stream, parameters,
                                 NULL) != 0)
        return false;
    for (int waited = 0; waited < 1000 && !all_run(s, blocks); waited++)
        nanosleep(&pause, NULL);
    return all_run(s, blocks);
}

bool spinner_spins(const spinner *s)
{
    return s->driver.cuStreamQuery(s->stream) != 0;
}

void spinner_stop(spinner *s)
{
    s->state[0] = 1;
    s->driver.cuStreamSynchronize(s->stream);
}
