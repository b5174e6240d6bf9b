/* device.c - see device.h. */
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats.h"
#include "threads.h"

/* ---- choosing ---- */

enum device_kind device_kind_of(const char *name)
{
    static const struct {
        const char *name;
        enum device_kind kind;
    } kinds[] = {{"auto", DEVICE_AUTO}, {"cpu", DEVICE_CPU}, {"cuda", DEVICE_CUDA}};
    size_t length = strcspn(name, ":");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
            return kinds[i].kind == DEVICE_AUTO && name[length] != '\0' ? DEVICE_UNKNOWN : kinds[i].kind;
    return DEVICE_UNKNOWN;
}

static const char *wanted(const struct common *common)
{
    const char *variable = getenv("SCANKIT_DEVICE");
    bool override = strcmp(common->device, "auto") == 0 && variable != NULL && variable[0] != '\0';
    return override ? variable : common->device;
}

enum device_kind device_wanted(const struct common *common)
{
    return device_kind_of(wanted(common));
}

size_t device_processors(const struct common *common)
{
    return common->parallel > 0 ? common->parallel : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Both take a time linear in the bytes; the GPU has a start besides. Reading and writing files take the same on both.
 * */
uint64_t device_break_even(const struct common *common, const struct device_rates *rates)
{
    const double gpu_start = 0.32;
    double count = (double)device_processors(common);
    double cpu = rates->cpu_each * (count < rates->cpu_most ? count : rates->cpu_most);
    if (cpu >= rates->gpu || scankit_cuda_device_count() == 0)
        return UINT64_MAX;
    return (uint64_t)(gpu_start / (1 / cpu - 1 / rates->gpu));
}

static void choose(struct device *device, const struct common *common, uint64_t bytes, const struct device_rates *rates)
{
    const char *name = wanted(common);
    if (device_kind_of(name) == DEVICE_AUTO)
        name = rates != NULL && bytes >= device_break_even(common, rates) ? "cuda" : "cpu";
    if (strcmp(name, "cpu") == 0 && common->parallel > 0)
        snprintf(device->name, sizeof device->name, "cpu:%u", common->parallel);
    else
        snprintf(device->name, sizeof device->name, "%s", name);
    device->kind = device_kind_of(device->name);
}

/* ---- opening ---- */

static void *open_it(void *argument)
{
    struct device *device = argument;
    device->seconds = -seconds_now();
    device->error = scankit_open(&device->context, device->name);
    device->seconds += seconds_now();
    return NULL;
}

void device_begin(struct device *device, const struct common *common, uint64_t bytes, const struct device_rates *rates)
{
    if (device->begun)
        return;
    choose(device, common, bytes, rates);
    device->begun = true;
    device->threaded = device->kind == DEVICE_CUDA && pthread_create(&device->thread, NULL, open_it, device) == 0;
    if (!device->threaded)
        open_it(device);
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
    if (device->error == SCANKIT_E_SYNTAX)
        fail_usage("--device=%s: there are auto, cpu, cuda and cuda:N", device->name);
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
    if (device->kind == DEVICE_CPU)
        fit_threads(device);
    check_open(device);
    return device->context;
}

/* ---- work in blocks ---- */

/* A CPU's block stays in its caches. A GPU's block is large enough to hide the launch. */
#define CPU_BLOCK_BYTES ((size_t)1 << 20) /* for each processor */
#define GPU_BLOCK_BYTES ((size_t)16 << 20)

size_t device_block(const struct device *device, const struct common *common, size_t wide, size_t each, unsigned shares)
{
    size_t bytes = device->kind == DEVICE_CPU ? device_processors(common) * CPU_BLOCK_BYTES : GPU_BLOCK_BYTES;
    return device_block_of(common, bytes < GPU_BLOCK_BYTES ? bytes : GPU_BLOCK_BYTES, wide, each, shares);
}

size_t device_block_of(const struct common *common, size_t bytes, size_t wide, size_t each, unsigned shares)
{
    size_t block = bytes / wide, limit = common->buffer_size / shares / each;
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
