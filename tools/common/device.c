/* device.c - see device.h. */
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "choice.h"
#include "model/figures.h"
#include "stats.h"
#include "threads.h"

/* ---- opening ---- */

static void *open_it(void *argument)
{
    struct device *device = argument;
    device->seconds = -seconds_now();
    if (device->list == NULL)
        device->error = scankit_open(&device->context, device->name);
    else if ((device->error = scankit_group_open(&device->group, device->list)) == SCANKIT_OK)
        device->context = scankit_group_context(device->group, 0);
    device->seconds += seconds_now();
    return NULL;
}

static void begin(struct device *device)
{
    device->begun = true;
    device->threaded = device->kind == DEVICE_CUDA && pthread_create(&device->thread, NULL, open_it, device) == 0;
    if (!device->threaded)
        open_it(device);
}

void device_begin(struct device *device, const struct common *common, uint64_t bytes, enum work work)
{
    if (device->begun)
        return;
    choose_device(device, common, bytes, work);
    begin(device);
}

void device_begin_first(struct device *device, const struct common *common, uint64_t bytes, enum work work)
{
    struct common alone = *common;
    const char *list = device_list(common);
    char *first = list == NULL ? NULL : device_first(list);
    if (first != NULL)
        alone.device = first;
    device_begin(device, &alone, bytes, work);
    free(first);
}

void device_begin_list(struct device *device, const char *list)
{
    if (device->begun)
        return;
    device->list = list;
    device->kind = device_kind_of(list);
    begin(device);
}

/* The most devices of a list that have the same memory; 1 without a list. */
static size_t sharers(const struct device *device)
{
    size_t most = 1;
    for (const char *at = device->list; at != NULL && *at != '\0'; at++)
        most += *at == ',';
    return most;
}

size_t device_held(const struct device *device, size_t bytes)
{
    return device->list != NULL && device->kind == DEVICE_CPU ? sharers(device) * bytes : 0;
}

size_t device_members(const struct device *device)
{
    return device->list == NULL ? 1 : scankit_group_members(device->group);
}

scankit_context *device_member(const struct device *device, size_t member)
{
    return device->list == NULL ? device->context : scankit_group_context(device->group, member);
}

/* Threads that read while the device works, at most. */
#define READING_THREADS 16

/* Threads for the library if `possible` more can be started: reading needs up to as many, and the first one runs
 * already. */
static unsigned share_threads(unsigned possible)
{
    unsigned threads = possible + 1 > 2 * READING_THREADS ? possible + 1 - READING_THREADS : (possible + 1) / 2;
    return threads > 0 ? threads : 1;
}

/* OpenMP starts the threads of a CPU's context at its first call, and ends the process if it cannot. So they are tried
 * here first. */
static void fit_threads(struct device *device)
{
    unsigned threads = (unsigned)strtoul(scankit_device_name(device->context) + strlen("cpu:"), NULL, 10);
    unsigned most = threads - 1 + (threads < READING_THREADS ? threads : READING_THREADS);
    unsigned possible = threads > 1 ? threads_possible(most) : most;
    if (possible == most)
        return;
    scankit_close(device->context);
    snprintf(device->name, sizeof device->name, "cpu:%u", share_threads(possible));
    device->error = scankit_open(&device->context, device->name);
}

static void check_open(const struct device *device)
{
    if (device->error == SCANKIT_E_SYNTAX && device->list != NULL)
        fail_usage("--device=%s: no list of devices; there are cuda:all, cuda:0,1 and cpu:2,2", device->list);
    if (device->error == SCANKIT_E_SYNTAX)
        fail_usage("--device=%s: there are auto, cpu, cuda and cuda:N", device->name);
    if (device->error != SCANKIT_OK && device->list != NULL)
        fail(NULL, "cannot start the devices %s: %s", device->list, scankit_error_string(device->error));
    if (device->error != SCANKIT_OK)
        fail(NULL, "cannot start device %s: %s", device->name, scankit_error_string(device->error));
}

scankit_context *device_end(struct device *device)
{
    if (device->ended)
        return device->context;
    if (device->threaded)
        pthread_join(device->thread, NULL);
    device->ended = true;
    check_open(device);
    if (device->kind == DEVICE_CPU && device->list == NULL)
        fit_threads(device);
    check_open(device);
    return device->context;
}

/* ---- what a run shows ---- */

/* Less work shows the caches' speed, or the clock's noise. */
#define WORTH_BYTES ((uint64_t)32 << 20)

static struct {
    enum work work;
    uint64_t bytes;
    double seconds;
} worked;

void device_worked(enum work work, uint64_t bytes, double begin)
{
    worked.work = work;
    worked.bytes += bytes;
    worked.seconds += seconds_now() - begin;
}

static bool learn(struct figures *figures, void *state)
{
    const struct device *device = state;
    bool gpu = device->kind == DEVICE_CUDA;
    int figure = (int)worked.work + (gpu ? FIGURE_cuda : FIGURE_cpu);
    bool changed = figure_measured(figures, figure, (double)worked.bytes / worked.seconds);
    return (gpu && figure_measured(figures, FIGURE_start, device->seconds)) || changed;
}

/* Not from a part of the processors, or from one GPU of several. */
void device_learn(struct device *device)
{
    bool whole = strcmp(device->name, "cpu") == 0 || strcmp(device->name, "cuda") == 0;
    if (whole && device->ended && worked.bytes >= WORTH_BYTES && worked.seconds > 0)
        (void)figures_update(learn, device);
}

/* ---- work in blocks ---- */

/* A CPU's block stays in its caches. A GPU's block is large enough to hide the launch. */
#define CPU_BLOCK_BYTES ((size_t)1 << 20) /* for each processor */
#define GPU_BLOCK_BYTES ((size_t)16 << 20)

size_t device_block(const struct device *device, const struct common *common, size_t wide, size_t each, unsigned shares)
{
    size_t bytes = device->kind == DEVICE_CPU ? device_processors(common) * CPU_BLOCK_BYTES : GPU_BLOCK_BYTES;
    size_t block = device_block_of(common, bytes < GPU_BLOCK_BYTES ? bytes : GPU_BLOCK_BYTES, wide, each, shares);
    size_t most = device->kind == DEVICE_CUDA && common->device_memory > 0
                      ? common->device_memory / sharers(device) / each
                      : block;
    if (most == 0)
        fail_usage("--device-memory: a block of one element of %zu bytes takes %s", wide, bytes_text(each));
    return most < block ? most : block;
}

size_t device_block_of(const struct common *common, size_t bytes, size_t wide, size_t each, unsigned shares)
{
    size_t block = bytes / wide, limit = common->buffer_size > 0 ? host_limit(common) / shares / each : 0;
    if (common->buffer_size > 0 && limit == 0)
        fail_usage("--buffer-size: a block of one element of %zu bytes takes %s", wide, bytes_text(shares * each));
    if (common->buffer_size > 0 && limit < block)
        return limit;
    return block > 0 ? block : 1;
}

/* Spinning threads would take the processors that reading and writing need, and the work would take several times as
 * long. OpenMP reads this variable only when a program starts. */
void device_wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        execv("/proc/self/exe", argv);
}

/* ---- errors ---- */

void check_call(scankit_context *context, scankit_error error)
{
    if (error != SCANKIT_OK)
        fail(NULL, "%s: %s", scankit_error_string(error), scankit_error_detail(context));
}
