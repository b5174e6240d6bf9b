/* device.c - see device.h. */
#include "device.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats.h"

static const char *wanted(const struct common *common)
{
    const char *variable = getenv("SCANKIT_DEVICE");
    bool override = strcmp(common->device, "auto") == 0 && variable != NULL && variable[0] != '\0';
    return override ? variable : common->device;
}

bool device_is_open_question(const struct common *common)
{
    return strcmp(wanted(common), "auto") == 0;
}

bool device_is(const struct common *common, const char *kind)
{
    return strncmp(wanted(common), kind, strlen(kind)) == 0;
}

size_t device_processors(const struct common *common)
{
    return common->parallel > 0 ? common->parallel : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* A model of two lines: the GPU takes a start. What both do, reading and writing files, does not count. */
uint64_t device_break_even(const struct common *common, const struct device_rates *rates)
{
    const double gpu_start = 0.32;
    double count = (double)device_processors(common);
    double cpu = rates->cpu_each * (count < rates->cpu_most ? count : rates->cpu_most);
    if (cpu >= rates->gpu || scankit_cuda_device_count() == 0)
        return UINT64_MAX;
    return (uint64_t)(gpu_start / (1 / cpu - 1 / rates->gpu));
}

void device_choose(const struct common *common, uint64_t bytes, const struct device_rates *rates,
                   char text[DEVICE_TEXT])
{
    const char *name = wanted(common);
    if (strcmp(name, "auto") == 0)
        name = rates != NULL && bytes >= device_break_even(common, rates) ? "cuda" : "cpu";
    if (strcmp(name, "cpu") == 0 && common->parallel > 0)
        snprintf(text, DEVICE_TEXT, "cpu:%u", common->parallel);
    else
        snprintf(text, DEVICE_TEXT, "%s", name);
}

/* ---- opening, on a thread of its own where that is slow ---- */

static struct {
    char device[DEVICE_TEXT];
    bool threaded;
    pthread_t thread;
    scankit_context *context;
    scankit_error error;
    double seconds;
} opening;

static void *open_it(void *argument)
{
    (void)argument;
    opening.seconds = -seconds_now();
    opening.error = scankit_open(&opening.context, opening.device);
    opening.seconds += seconds_now();
    return NULL;
}

void device_begin(const char *device)
{
    snprintf(opening.device, sizeof opening.device, "%s", device);
    opening.threaded = strncmp(device, "cuda", 4) == 0 && pthread_create(&opening.thread, NULL, open_it, NULL) == 0;
    if (!opening.threaded)
        open_it(NULL);
}

scankit_context *device_end(void)
{
    if (opening.threaded)
        pthread_join(opening.thread, NULL);
    opening.threaded = false;
    if (opening.error == SCANKIT_E_SYNTAX)
        fail_usage("--device=%s: there are auto, cpu, cuda and cuda:N", opening.device);
    if (opening.error != SCANKIT_OK)
        fail(NULL, "cannot start device %s: %s", opening.device, scankit_error_string(opening.error));
    return opening.context;
}

double device_start_seconds(void)
{
    return opening.seconds;
}

/* ---- work in blocks ---- */

/* Blocks for a CPU stay in its caches on their way, those for a GPU are worth a launch. */
#define CPU_BLOCK_BYTES ((size_t)1 << 20) /* for each processor */
#define GPU_BLOCK_BYTES ((size_t)16 << 20)

void device_begin_blocks(const struct common *common, uint64_t bytes, const struct device_rates *rates)
{
    static bool begun;
    char device[DEVICE_TEXT];
    if (begun)
        return;
    begun = true;
    device_choose(common, bytes == UINT64_MAX ? 0 : bytes, rates, device);
    device_begin(device);
}

size_t device_block(const struct common *common, size_t wide, size_t each, unsigned shares)
{
    bool is_cpu = strncmp(opening.device, "cpu", 3) == 0;
    size_t bytes = is_cpu ? device_processors(common) * CPU_BLOCK_BYTES : GPU_BLOCK_BYTES;
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

/* Threads that spin take the processors that reading and writing need, and the work takes several times as long. OpenMP
 * learns that from the environment alone, and when a program starts. */
void device_wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") == NULL && setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        execv("/proc/self/exe", argv);
}

/* ---- errors and memory ---- */

void check_call(scankit_context *context, scankit_error error)
{
    if (error != SCANKIT_OK)
        fail(NULL, "%s: %s", scankit_error_string(error), scankit_error_detail(context));
}

uint64_t device_limit(scankit_context *context, const struct common *common)
{
    static size_t available;
    if (common->buffer_size > 0)
        return common->buffer_size;
    if (available == 0)
        check_call(context, scankit_memory_available(context, &available));
    return available;
}

uint64_t host_limit(const struct common *common)
{
    scankit_context *host;
    size_t available = 0;
    if (common->buffer_size > 0)
        return common->buffer_size;
    if (scankit_open(&host, "cpu:1") != SCANKIT_OK)
        fail(NULL, "out of memory");
    check_call(host, scankit_memory_available(host, &available));
    scankit_close(host);
    return available;
}

void check_need(const struct common *common, uint64_t bytes, uint64_t need, uint64_t limit)
{
    if (need > limit)
        fail(NULL, "input of %s needs %s of memory, but %s %s", bytes_text(bytes), bytes_text(need),
             common->buffer_size > 0 ? "--buffer-size allows" : "the device has", bytes_text(limit));
}
