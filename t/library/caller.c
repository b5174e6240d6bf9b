/* caller.c - see caller.h. */
#include "caller.h"

#include <stdint.h>
#include <stdlib.h>

#include "driver.h"
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

struct caller {
    driver driver;
    void *module, *delay, *stream[CALLER_STREAMS];
};

static bool start_streams(caller *c)
{
    for (int i = 0; i < CALLER_STREAMS; i++)
        if (c->driver.cuStreamCreate(&c->stream[i], DRIVER_NON_BLOCKING) != 0)
            return false;
    return c->driver.cuModuleLoadData(&c->module, delay_kernel) == 0 &&
           c->driver.cuModuleGetFunction(&c->delay, c->module, "delay") == 0;
}

caller *caller_open(const char **reason)
{
    caller *c = data_allocate(1, sizeof *c);
    *reason = driver_open(&c->driver);
    if (*reason == NULL && !start_streams(c))
        *reason = "no streams";
    if (*reason == NULL)
        return c;
    free(c); /* what was opened ends with the program */
    return NULL;
}

void caller_close(caller *c)
{
    for (int i = 0; i < CALLER_STREAMS; i++)
        c->driver.cuStreamDestroy_v2(c->stream[i]);
    c->driver.cuModuleUnload(c->module);
    driver_close(&c->driver);
    free(c);
}

void *caller_stream(const caller *c, unsigned number)
{
    return c->stream[number];
}

bool caller_copy(caller *c, void *stream, void *to, const void *from, size_t bytes)
{
    return c->driver.cuMemcpyAsync((uintptr_t)to, (uintptr_t)from, bytes, stream) == 0;
}

bool caller_fill(caller *c, void *stream, void *to, unsigned word, size_t words)
{
    return c->driver.cuMemsetD32Async((uintptr_t)to, word, words, stream) == 0;
}

bool caller_delay(caller *c, void *stream, unsigned milliseconds)
{
    uint64_t limit = milliseconds * UINT64_C(1000000);
    void *parameters[] = {&limit};
    return c->driver.cuLaunchKernel(c->delay, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL) == 0;
}

bool caller_is_busy(const caller *c, void *stream)
{
    return c->driver.cuStreamQuery(stream) == DRIVER_NOT_READY;
}

bool caller_wait(caller *c, void *stream)
{
    return c->driver.cuStreamSynchronize(stream) == 0;
}

bool caller_begin_capture(caller *c, void *stream)
{
    return c->driver.cuStreamBeginCapture_v2(stream, DRIVER_CAPTURE_GLOBAL) == 0;
}

void *caller_end_capture(caller *c, void *stream)
{
    void *graph = NULL, *executable = NULL;
    if (c->driver.cuStreamEndCapture(stream, &graph) != 0 || graph == NULL)
        return NULL;
    if (c->driver.cuGraphInstantiateWithFlags(&executable, graph, 0) != 0)
        executable = NULL;
    c->driver.cuGraphDestroy(graph);
    return executable;
}

bool caller_launch(caller *c, void *graph, void *stream)
{
    return c->driver.cuGraphLaunch(graph, stream) == 0;
}

void caller_free_graph(caller *c, void *graph)
{
    c->driver.cuGraphExecDestroy(graph);
}
