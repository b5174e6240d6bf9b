/* mapping.c - see mapping.h. An access to a page past the end of its file raises SIGBUS. The handler finds the file by
 * the address. It is async-signal-safe. */
#include "mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cli.h"

#define REGIONS 64 /* mappings at a time; further ones are refused */

/* What the handler knows of a mapping. `used` is set last. */
static struct region {
    const char *name;
    int descriptor;
    uintptr_t begin, end; /* addresses of whole pages */
    uint64_t offset;      /* of the first one in the file */
    atomic_bool used;
} regions[REGIONS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the handler ---- */

/* Writes a number in front of `end`. Returns its first digit. */
static char *put_digits(char *end, uint64_t number)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

static NO_RETURN void report(const struct region *region, uintptr_t address)
{
    struct stat status;
    uint64_t offset = region->offset + (address - region->begin);
    if (fstat(region->descriptor, &status) != 0 || (uint64_t)status.st_size > offset) {
        const char *const texts[] = {": ", region->name, ": cannot write: Input/output error"};
        fail_in_handler(texts, sizeof texts / sizeof texts[0]);
    }
    char digits[24] = "";
    const char *const texts[] = {": ", region->name, ": became shorter while it was written: ",
                                 put_digits(digits + sizeof digits - 1, (uint64_t)status.st_size), " bytes"};
    fail_in_handler(texts, sizeof texts / sizeof texts[0]);
}

/* Any other SIGBUS ends the process as it would without the handler: the access is repeated. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    uintptr_t address = (uintptr_t)info->si_addr;
    (void)context;
    for (int i = 0; i < REGIONS; i++) {
        const struct region *region = &regions[i];
        if (!atomic_load(&region->used) || address < region->begin || address >= region->end)
            continue;
        while (atomic_flag_test_and_set(&reported)) /* another thread reports, and ends the process */
            pause();
        report(region, address);
    }
    signal(number, SIG_DFL);
}

static void catch_bus_errors(void)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

/* ---- mappings ---- */

/* Returns a free place of the table, or -1. */
static int free_region(void)
{
    for (int i = 0; i < REGIONS; i++)
        if (!atomic_load(&regions[i].used))
            return i;
    return -1;
}

static bool map(struct mapping *mapping, struct region *region, uint64_t offset)
{
    uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
    size_t bytes = mapping->bytes + (size_t)before;
    char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, region->descriptor, (off_t)(offset - before));
    if (base == MAP_FAILED)
        return false;
    region->begin = (uintptr_t)base;
    region->end = region->begin + bytes;
    region->offset = offset - before;
    mapping->data = base + before;
    atomic_store(&region->used, true);
    return true;
}

bool mapping_open(struct mapping *mapping, const char *name, int descriptor, uint64_t offset, uint64_t bytes)
{
    *mapping = (struct mapping){.data = NULL};
    if (bytes == 0 || bytes > SIZE_MAX / 2)
        return false;
    pthread_mutex_lock(&lock);
    int place = free_region();
    if (place >= 0) {
        struct region *region = &regions[place];
        region->name = name;
        region->descriptor = descriptor;
        mapping->bytes = (size_t)bytes;
        mapping->region = place;
        catch_bus_errors();
        map(mapping, region, offset);
    }
    pthread_mutex_unlock(&lock);
    return mapping->data != NULL;
}

void mapping_close(struct mapping *mapping)
{
    if (mapping->data == NULL)
        return;
    struct region *region = &regions[mapping->region];
    munmap((void *)region->begin, region->end - region->begin);
    atomic_store(&region->used, false);
    mapping->data = NULL;
}
