/* memory.c - see memory.h. */
#include "memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "device.h"

/* The part of free memory that is not used, because other programs need memory too, and the estimate is one. */
#define RESERVE_PART 16
#define RESERVE_MOST ((size_t)1 << 30)

static size_t available, total; /* of the host, at the first question */

static void ask_host(void)
{
    scankit_context *host;
    if (scankit_open(&host, "cpu:1") != SCANKIT_OK)
        fail(NULL, "out of memory");
    check_call(host, scankit_memory_available(host, &available));
    check_call(host, scankit_memory_total(host, &total));
    scankit_close(host);
    available -= available / RESERVE_PART < RESERVE_MOST ? available / RESERVE_PART : RESERVE_MOST;
}

static pthread_once_t asked = PTHREAD_ONCE_INIT;

size_t host_total(void)
{
    pthread_once(&asked, ask_host);
    return total;
}

size_t host_free(void)
{
    pthread_once(&asked, ask_host);
    return available;
}

uint64_t host_address_space(void)
{
    struct rlimit space;
    return getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY ? UINT64_MAX : space.rlim_cur;
}

/* glibc reserves 128 MiB for a thread at its first malloc(), or tries to. */
void host_save_addresses(void)
{
#ifdef M_ARENA_MAX
    if (host_address_space() != UINT64_MAX)
        (void)mallopt(M_ARENA_MAX, 1);
#endif
}

/* Of all limits. */
static uint64_t whole_limit(const struct common *common)
{
    pthread_once(&asked, ask_host);
    if (common->buffer_size == 0)
        return available;
    return common->buffer_size < total ? common->buffer_size : total;
}

static atomic_uint_fast64_t taken;

static uint64_t less_but_a_quarter(uint64_t limit, uint64_t others)
{
    uint64_t least = limit / 4;
    return others < limit - least ? limit - others : least;
}

uint64_t host_limit(const struct common *common)
{
    return less_but_a_quarter(whole_limit(common), atomic_load(&taken));
}

#define BASE_BYTES ((uint64_t)8 << 20)
#define THREAD_BYTES ((uint64_t)2 << 20)

uint64_t host_room(const struct common *common)
{
    uint64_t limit = host_limit(common), others = BASE_BYTES + device_processors(common) * THREAD_BYTES;
    return less_but_a_quarter(limit, others);
}

void host_take(uint64_t bytes)
{
    atomic_fetch_add(&taken, bytes);
}

void host_give_back(uint64_t bytes)
{
    atomic_fetch_sub(&taken, bytes);
}

unsigned host_threads(const struct common *common, unsigned threads, uint64_t each)
{
    uint64_t most = whole_limit(common) / 4 / each;
    return most == 0 ? 1 : most < threads ? (unsigned)most : threads;
}

static size_t gpu_limit(struct device *device, const struct common *common)
{
    size_t bytes;
    if (common->device_memory > 0)
        return common->device_memory;
    if (common->device_percent == 0) {
        check_call(device->context, scankit_memory_available(device->context, &bytes));
        return bytes;
    }
    check_call(device->context, scankit_memory_total(device->context, &bytes));
    return (size_t)((double)bytes * common->device_percent / 100);
}

uint64_t device_limit(struct device *device, const struct common *common)
{
    if (device->kind != DEVICE_CUDA)
        return host_limit(common);
    if (device->available == 0)
        device->available = gpu_limit(device, common);
    return device->available;
}
