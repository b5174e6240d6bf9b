/* bulk.c - see bulk.h */
#include "bulk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/tap.h"

#define GIB ((size_t)1 << 30)
#define PIECE ((size_t)1 << 26) /* bytes that go between host and device at once */

static device *dev;
static scankit_context *ctx;

void bulk_use(device *d)
{
    dev = d;
    ctx = d->context;
}

/* ---- memory ---- */

static size_t host_memory(void)
{
    char line[128];
    size_t kib = 0, found;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &found) == 1)
            kib = found;
    if (file != NULL)
        fclose(file);
    return kib << 10;
}

bool bulk_suffices(size_t bytes, const char *what)
{
    size_t available = 0;
    char reason[128];
    if (scankit_memory_available(ctx, &available) != SCANKIT_OK)
        available = 0;
    if (scankit_is_host(ctx) && host_memory() < available)
        available = host_memory();
    if (available >= bytes + GIB)
        return true;
    snprintf(reason, sizeof reason, "needs %zu GiB, has %zu", (bytes + GIB - 1) / GIB + 1, available / GIB);
    tap_skip(reason, "%s: %s", dev->name, what);
    return false;
}

void *bulk_allocate(size_t bytes)
{
    void *memory;
    if (scankit_allocate(ctx, &memory, bytes) != SCANKIT_OK)
        tap_bail_out("%s: %zu bytes: %s", dev->name, bytes, scankit_error_detail(ctx));
    return memory;
}

/* ---- arrays that follow from the position ---- */

static void store(void *array, size_t size, size_t i, uint64_t value)
{
    if (size == 1)
        ((uint8_t *)array)[i] = (uint8_t)value;
    else if (size == 2)
        ((uint16_t *)array)[i] = (uint16_t)value;
    else
        ((uint32_t *)array)[i] = (uint32_t)value;
}

static uint64_t load(const void *array, size_t size, size_t i)
{
    if (size == 1)
        return ((const uint8_t *)array)[i];
    return size == 2 ? ((const uint16_t *)array)[i] : ((const uint32_t *)array)[i];
}

/* The host's view of elements [begin, begin + count) of a device array: themselves, or a buffer. */
static void *view(char *array, size_t size, size_t begin)
{
    static char *buffer;
    if (scankit_is_host(ctx))
        return array + begin * size;
    if (buffer == NULL)
        buffer = data_allocate(PIECE, 1);
    return buffer;
}

void bulk_fill(char *array, size_t size, size_t n, bulk_value *value)
{
    for (size_t begin = 0, each = PIECE / size; begin < n; begin += each) {
        size_t count = n - begin < each ? n - begin : each;
        void *host = view(array, size, begin);
#pragma omp parallel for
        for (size_t i = 0; i < count; i++)
            store(host, size, i, value(begin + i));
        if (!scankit_is_host(ctx))
            DEVICE_DID(dev, scankit_upload(ctx, array + begin * size, host, count * size));
    }
}

static void *fetch(char *array, size_t size, size_t begin, size_t count)
{
    void *host = view(array, size, begin);
    if (!scankit_is_host(ctx))
        DEVICE_DID(dev, scankit_download(ctx, host, array + begin * size, count * size));
    return host;
}

void bulk_expect(char *array, size_t size, size_t n, bulk_value *value)
{
    for (size_t begin = 0, each = PIECE / size; begin < n; begin += each) {
        size_t count = n - begin < each ? n - begin : each, wrong = count;
        const void *host = fetch(array, size, begin, count);
        uint64_t mask = UINT64_MAX >> (64 - 8 * size);
#pragma omp parallel for reduction(min : wrong)
        for (size_t i = 0; i < count; i++)
            if (load(host, size, i) != (value(begin + i) & mask) && i < wrong)
                wrong = i;
        if (wrong < count) {
            tap_fail("element %zu is %llu, should be %llu", begin + wrong, (unsigned long long)load(host, size, wrong),
                     (unsigned long long)(value(begin + wrong) & mask));
            return;
        }
    }
}

uint64_t *bulk_count_values(char *array, size_t size, size_t n)
{
    uint64_t *counts = data_allocate(65536, sizeof *counts);
    for (size_t begin = 0, each = PIECE / size; begin < n; begin += each) {
        size_t count = n - begin < each ? n - begin : each;
        const void *host = fetch(array, size, begin, count);
#pragma omp parallel
        {
            uint64_t *mine = data_allocate(65536, sizeof *mine);
#pragma omp for
            for (size_t i = 0; i < count; i++)
                mine[load(host, size, i)]++;
#pragma omp critical
            for (size_t v = 0; v < 65536; v++)
                counts[v] += mine[v];
            free(mine);
        }
    }
    return counts;
}

void bulk_expect_runs(char *array, size_t size, size_t n, const uint64_t *counts)
{
    size_t end = 0, value = 0;
    for (size_t begin = 0, each = PIECE / size; begin < n; begin += each) {
        size_t count = n - begin < each ? n - begin : each;
        const void *host = fetch(array, size, begin, count);
        for (size_t i = 0; i < count;) {
            while (begin + i >= end)
                end += counts[value++];
            size_t run = end - begin < count ? end - begin : count, wrong = run;
#pragma omp parallel for reduction(min : wrong)
            for (size_t k = i; k < run; k++)
                if (load(host, size, k) != value - 1 && k < wrong)
                    wrong = k;
            if (wrong < run) {
                tap_fail("element %zu is %llu, should be %zu", begin + wrong,
                         (unsigned long long)load(host, size, wrong), value - 1);
                return;
            }
            i = run;
        }
    }
}
