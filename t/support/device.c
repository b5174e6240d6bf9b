/* device.c - see device.h */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "sanitizer.h"
#include "tap.h"

#define GUARD 256 /* keeps the data's alignment at `lead` */
#define GUARD_BYTE 0xa5

/* With a sanitizer, no guards follow the data, so that it detects an access to the next byte. It must let allocations
 * fail, which the library handles. As it is slow, one of the CPU's devices is left out. */
#if HAS_ADDRESS_SANITIZER
#define TAIL 0
#define DEVICES "cpu", "cpu:5", "cuda"
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#else
#define TAIL 64
#define DEVICES "cpu", "cpu:1", "cpu:5", "cuda"
#endif

bool device_wanted(const char *name)
{
    const char *wanted = getenv("SCANKIT_TEST_DEVICE");
    return wanted == NULL || *wanted == '\0' || strncmp(name, wanted, strlen(wanted)) == 0;
}

static void release(device *d, device_area *area)
{
    if (scankit_is_host(d->context))
        free(area->memory);
    else
        scankit_free(d->context, area->memory);
    *area = (device_area){NULL, NULL, 0, 0, 0};
}

bool device_open(device *d, const char *device_name, const char *name)
{
    *d = (device){.name = name};
    setenv("SCANKIT_CPU_BINS", "always", 0);
    scankit_error error = scankit_open(&d->context, device_name);
    if (error != SCANKIT_OK)
        tap_ok(false, "%s: opens: %s", name, scankit_error_string(error));
    return error == SCANKIT_OK;
}

void device_close(device *d)
{
    for (int i = 0; i < DEVICE_AREAS; i++)
        release(d, &d->area[i]);
    scankit_close(d->context);
}

static void run(const char *name, void (*test)(device *d))
{
    device d;
    if (!device_open(&d, name, name))
        return;
    test(&d);
    device_close(&d);
}

int device_each(const char *what, void (*test)(device *d))
{
    static const char *const names[] = {DEVICES};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool gpu = strcmp(names[i], "cuda") == 0;
        if (!device_wanted(names[i]))
            continue;
        if (gpu && scankit_cuda_device_count() == 0)
            tap_skip("no GPU", "%s: %s", names[i], what);
        else
            run(names[i], test);
    }
    return tap_finish();
}

void device_each_kernels(const char *device_name, void (*test)(device *d))
{
    static const char *const kernels[] = {"base", "avx2", "avx512", "avx512"};
    static const char *const bins[] = {"never", "never", "never", "always"};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        char name[64];
        device d;
        snprintf(name, sizeof name, "%s, bins %s, %s", kernels[k], bins[k], device_name);
        setenv("SCANKIT_CPU_KERNELS", kernels[k], 1);
        setenv("SCANKIT_CPU_BINS", bins[k], 1);
        if (!device_open(&d, device_name, name))
            continue;
        test(&d);
        device_close(&d);
    }
    unsetenv("SCANKIT_CPU_KERNELS");
    unsetenv("SCANKIT_CPU_BINS");
}

void device_each_engine(device *given, void (*test)(device *d))
{
    static const char *const engines[] = {"tiles", "ring"};
    if (getenv("SCANKIT_CUDA_ENGINE") != NULL) {
        test(given);
        return;
    }
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        device d;
        setenv("SCANKIT_CUDA_ENGINE", engines[e], 1);
        if (device_open(&d, "cuda", engines[e])) {
            test(&d);
            device_close(&d);
        }
    }
    unsetenv("SCANKIT_CUDA_ENGINE");
}

bool device_has_free_gpu(const char *what)
{
    const char *reason = !device_wanted("cuda")                 ? "another device is wanted"
                         : getenv("SCANKIT_TEST_EVERY") != NULL ? "a tool makes the program slower"
                         : scankit_cuda_device_count() == 0     ? "no GPU"
                                                                : NULL;
    if (reason != NULL)
        tap_skip(reason, "%s", what);
    return reason == NULL;
}

bool device_case_is_due(void)
{
    static _Thread_local unsigned long every, asked; /* tests of contexts have threads */
    const char *wanted = getenv("SCANKIT_TEST_EVERY");
    if (every == 0)
        every = wanted != NULL ? strtoul(wanted, NULL, 10) : 1;
    return every <= 1 || asked++ % every == 0;
}

bool device_did(device *d, scankit_error error, const char *call)
{
    if (error != SCANKIT_OK)
        tap_fail("%s: %s: %s", call, scankit_error_string(error), scankit_error_detail(d->context));
    return error == SCANKIT_OK;
}

/* On the host, each array gets new memory, which ends where the array ends. A GPU's memory is kept while it is large
 * enough. */
static void reserve(device *d, device_area *area, size_t total)
{
    void *memory = NULL;
    bool host = scankit_is_host(d->context);
    if (!host && total <= area->capacity)
        return;
    release(d, area);
    if (host ? posix_memalign(&memory, 256, total) != 0 : scankit_allocate(d->context, &memory, total) != SCANKIT_OK)
        tap_bail_out("%s: no memory for %zu bytes", d->name, total);
    area->memory = memory;
    area->capacity = total;
}

static void transfer_failed(device *d, const char *way)
{
    tap_bail_out("%s: %s: %s", d->name, way, scankit_error_detail(d->context));
}

void *device_put(device *d, unsigned index, const void *host, size_t bytes, size_t lead)
{
    device_area *area = &d->area[index];
    size_t total = GUARD + lead + bytes + TAIL;
    if (bytes + lead == 0) {
        release(d, area);
        return NULL;
    }
    reserve(d, area, total);
    area->lead = lead;
    area->bytes = bytes;
    area->data = area->memory + GUARD + lead;
    char *image = scankit_is_host(d->context) ? area->memory : data_allocate(total, 1);
    memset(image, GUARD_BYTE, total);
    if (host != NULL && bytes > 0)
        memcpy(image + GUARD + lead, host, bytes);
    if (image != area->memory) {
        if (scankit_upload(d->context, area->memory, image, total) != SCANKIT_OK)
            transfer_failed(d, "upload");
        free(image);
    }
    return area->data;
}

static bool whole_guard(const char *guard, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)guard[i] != GUARD_BYTE)
            return false;
    return true;
}

/* Returns the area with its guards in host memory. To be freed unless it is the area itself. */
static char *image_of(device *d, device_area *area)
{
    size_t total = GUARD + area->lead + area->bytes + TAIL;
    if (area->memory == NULL)
        return NULL;
    if (scankit_is_host(d->context))
        return area->memory;
    char *image = data_allocate(total, 1);
    if (scankit_download(d->context, image, area->memory, total) != SCANKIT_OK)
        transfer_failed(d, "download");
    return image;
}

static void check_guards(const device_area *area, const char *image, const char *what)
{
    if (!whole_guard(image, GUARD + area->lead))
        tap_fail("%s: bytes before the array were written", what);
    if (!whole_guard(image + GUARD + area->lead + area->bytes, TAIL))
        tap_fail("%s: bytes after the array were written", what);
}

size_t first_difference(const void *a, const void *b, size_t n, size_t size)
{
    const char *x = a, *y = b;
    if (n == 0 || memcmp(x, y, n * size) == 0)
        return n;
    size_t i = 0;
    while (memcmp(x + i * size, y + i * size, size) == 0)
        i++;
    return i;
}

/* Writes "0x" and up to 8 bytes, the most significant first. */
static const char *hexadecimal(char *text, const char *bytes, size_t size)
{
    size_t shown = size > 8 ? 8 : size;
    char *end = text + sprintf(text, "0x");
    for (size_t i = 0; i < shown; i++)
        end += sprintf(end, "%02x", (unsigned char)bytes[shown - 1 - i]);
    return text;
}

void device_expect(device *d, unsigned index, const void *expected, size_t n, size_t size, const char *what)
{
    device_area *area = &d->area[index];
    char *image = image_of(d, area), is[32], should[32];
    if (image == NULL)
        return;
    check_guards(area, image, what);
    const char *data = image + GUARD + area->lead, *wanted = expected;
    size_t i = first_difference(data, wanted, n, size);
    if (i < n)
        tap_fail("%s: element %zu is %s, should be %s", what, i, hexadecimal(is, data + i * size, size),
                 hexadecimal(should, wanted + i * size, size));
    if (image != area->memory)
        free(image);
}

void device_get(device *d, unsigned index, void *host)
{
    device_area *area = &d->area[index];
    char *image = image_of(d, area);
    if (image == NULL)
        return;
    check_guards(area, image, "array");
    memcpy(host, image + GUARD + area->lead, area->bytes);
    if (image != area->memory)
        free(image);
}

void device_expect_part(device *d, unsigned index, const void *expected, size_t n, size_t size, const char *what)
{
    size_t bytes = d->area[index].bytes, end = n * size;
    char *got = data_allocate(bytes, 1);
    device_expect(d, index, expected, n, size, what);
    device_get(d, index, got);
    if (bytes > end && !whole_guard(got + end, bytes - end))
        tap_fail("%s: bytes past the last element were written", what);
    free(got);
}
