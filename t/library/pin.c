/* pin.c - pinned host memory: transfers of any part of it are right, wrong calls are refused, and other threads may
 * pin while one works. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

#define AREA ((size_t)23 << 20) /* bytes: more than the ring of pinned buffers has */
#define PAGE ((size_t)4096)

/* Parts of an area: pinned, or transferred. */
typedef struct part {
    size_t begin, bytes;
} part;

static const part PARTS[] = {{0, AREA},     {0, 1},         {1, 1},          {PAGE - 1, 2},
                             {1, AREA - 1}, {777, 70001},   {PAGE, 8 << 20}, {5 << 20, (9 << 20) + 3},
                             {AREA - 1, 1}, {3, 600 << 10}, {12345, 9 << 20}};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

/* An area of host memory, what is in it, and its counterpart of the device. */
typedef struct fixture {
    device *d;
    char *host, *expected, *memory;
} fixture;

static fixture set_up(device *d)
{
    fixture f = {d, data_allocate(AREA + PAGE, 1), data_allocate(AREA, 1), NULL};
    if (scankit_allocate(d->context, (void **)&f.memory, AREA) != SCANKIT_OK)
        tap_bail_out("no memory");
    return f;
}

static void tear_down(fixture *f)
{
    scankit_free(f->d->context, f->memory);
    free(f->host);
    free(f->expected);
}

/* Uploads the part, changes it, and downloads it again. */
static void transfer(fixture *f, part p, uint64_t seed)
{
    data_fill_bytes(f->expected, p.bytes, seed);
    memcpy(f->host + p.begin, f->expected, p.bytes);
    DEVICE_DID(f->d, scankit_upload(f->d->context, f->memory + p.begin, f->host + p.begin, p.bytes));
    memset(f->host + p.begin, 0x55, p.bytes);
    DEVICE_DID(f->d, scankit_download(f->d->context, f->host + p.begin, f->memory + p.begin, p.bytes));
    TAP_CHECK(memcmp(f->host + p.begin, f->expected, p.bytes) == 0);
}

static void transfers(device *d)
{
    fixture f = set_up(d);
    tap_begin("%s: transfers of pinned, partly pinned and other memory", d->name);
    for (int pinned = 0; pinned < PART_COUNT; pinned++) {
        part pin = PARTS[pinned];
        DEVICE_DID(d, scankit_pin(d->context, f.host + pin.begin, pin.bytes, 0));
        for (int moved = 0; moved < PART_COUNT; moved++) {
            tap_case("pinned %zu from %zu, moved %zu from %zu", pin.bytes, pin.begin, PARTS[moved].bytes,
                     PARTS[moved].begin);
            if (device_case_is_due())
                transfer(&f, PARTS[moved], (uint64_t)(pinned * PART_COUNT + moved));
        }
        DEVICE_DID(d, scankit_unpin(d->context, f.host + pin.begin));
        transfer(&f, PARTS[pinned], (uint64_t)pinned);
    }
    tap_case("two pinned areas side by side, and memory between two others");
    DEVICE_DID(d, scankit_pin(d->context, f.host, 4 << 20, 0));
    DEVICE_DID(d, scankit_pin(d->context, f.host + (9 << 20), 5 << 20, 0));
    transfer(&f, PARTS[0], 1);
    DEVICE_DID(d, scankit_unpin(d->context, f.host));
    DEVICE_DID(d, scankit_unpin(d->context, f.host + (9 << 20)));
    tap_end();
    tear_down(&f);
}

/* ---- errors ---- */

static void refused(device *d, scankit_error error, const char *function)
{
    tap_case("%s", function);
    TAP_CHECK(error == SCANKIT_E_ARGUMENT);
    if (strncmp(scankit_error_detail(d->context), function, strlen(function)) != 0)
        tap_fail("the detail does not help: \"%s\"", scankit_error_detail(d->context));
}

static void errors(device *d)
{
    fixture f = set_up(d);
    scankit_context *other;
    tap_begin("%s: wrong pins", d->name);
    refused(d, scankit_unpin(d->context, f.host), "scankit_unpin");
    DEVICE_DID(d, scankit_pin(d->context, f.host, 3 * PAGE, 0));
    refused(d, scankit_pin(d->context, f.host, 3 * PAGE, 0), "scankit_pin");
    refused(d, scankit_pin(d->context, f.host + PAGE, 1, 0), "scankit_pin");
    refused(d, scankit_pin(d->context, f.host + PAGE, AREA - PAGE, 0), "scankit_pin");
    refused(d, scankit_pin(d->context, f.host, SIZE_MAX, 0), "scankit_pin");
    refused(d, scankit_unpin(d->context, f.host + 1), "scankit_unpin");
    refused(d, scankit_upload(d->context, NULL, f.host, 1), "scankit_upload");
    transfer(&f, PARTS[0], 3);
    DEVICE_DID(d, scankit_unpin(d->context, f.host));
    refused(d, scankit_unpin(d->context, f.host), "scankit_unpin");
    tap_case("closing a context unpins");
    if (scankit_open(&other, d->name) != SCANKIT_OK)
        tap_bail_out("no second context");
    DEVICE_DID(d, scankit_pin(other, f.host, AREA, 0));
    refused(d, scankit_pin(d->context, f.host, AREA, 0), "scankit_pin");
    transfer(&f, PARTS[1], 4);
    scankit_close(other);
    DEVICE_DID(d, scankit_pin(d->context, f.host, AREA, 0));
    tap_case("and any context may unpin");
    if (scankit_open(&other, d->name) != SCANKIT_OK)
        tap_bail_out("no second context");
    DEVICE_DID(d, scankit_unpin(other, f.host));
    scankit_close(other);
    tap_end();
    tear_down(&f);
}

/* ---- files ---- */

/* The system may refuse to pin a mapping: then transfers are as without. */
static void file(device *d)
{
    fixture f = set_up(d);
    FILE *made = tmpfile();
    data_fill_bytes(f.expected, AREA, 5);
    if (made == NULL || fwrite(f.expected, 1, AREA, made) != AREA || fflush(made) != 0)
        tap_bail_out("no file");
    char *mapped = mmap(NULL, AREA, PROT_READ, MAP_SHARED, fileno(made), 0);
    if (mapped == MAP_FAILED)
        tap_bail_out("no mapping");
    tap_begin("%s: a file's mapping, pinned to be read", d->name);
    scankit_error pinned = scankit_pin(d->context, mapped, AREA, 1);
    TAP_CHECK(pinned == SCANKIT_OK || pinned == SCANKIT_E_DEVICE);
    DEVICE_DID(d, scankit_upload(d->context, f.memory, mapped, AREA));
    if (pinned == SCANKIT_OK && !scankit_is_host(d->context))
        refused(d, scankit_download(d->context, mapped, f.memory, AREA), "scankit_download");
    DEVICE_DID(d, scankit_download(d->context, f.host, f.memory, AREA));
    TAP_CHECK(memcmp(f.host, f.expected, AREA) == 0);
    if (pinned == SCANKIT_OK)
        DEVICE_DID(d, scankit_unpin(d->context, mapped));
    tap_end();
    munmap(mapped, AREA);
    (void)fclose(made);
    tear_down(&f);
}

/* ---- threads ---- */

enum { PIN_ROUNDS = 40 };

struct pinner {
    pthread_t thread;
    scankit_context *context;
    char *memory;
    bool is_host, failed;
};

/* Pins and unpins memory of its own, with a wrong call in each round. */
static void *keep_pinning(void *argument)
{
    struct pinner *p = argument;
    for (int round = 0; round < PIN_ROUNDS; round++) {
        p->failed |= scankit_pin(p->context, p->memory, 1 << 20, 0) != SCANKIT_OK;
        scankit_error wrong = scankit_unpin(p->context, p->memory + PAGE);
        p->failed |= !p->is_host &&
                     (wrong != SCANKIT_E_ARGUMENT || strstr(scankit_error_detail(p->context), "scankit_unpin") == NULL);
        p->failed |= scankit_unpin(p->context, p->memory) != SCANKIT_OK;
    }
    return NULL;
}

static void threads(device *d)
{
    enum { THREADS = 3 };
    fixture f = set_up(d);
    struct pinner pinner[THREADS];
    tap_begin("%s: other threads pin during transfers", d->name);
    for (int i = 0; i < THREADS; i++) {
        pinner[i] = (struct pinner){.context = d->context, .is_host = scankit_is_host(d->context)};
        pinner[i].memory = aligned_alloc(PAGE, 1 << 20); /* pins share no pages */
        if (pinner[i].memory == NULL || pthread_create(&pinner[i].thread, NULL, keep_pinning, &pinner[i]) != 0)
            tap_bail_out("no memory or no thread");
    }
    for (int i = 0; i < PART_COUNT; i++)
        transfer(&f, PARTS[i], (uint64_t)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(pinner[i].thread, NULL);
        TAP_CHECK(!pinner[i].failed);
        free(pinner[i].memory);
    }
    TAP_CHECK(strstr(scankit_error_detail(d->context), "unpin") == NULL);
    tap_end();
    tear_down(&f);
}

static void test(device *d)
{
    transfers(d);
    file(d);
    threads(d);
    if (!scankit_is_host(d->context))
        errors(d);
}

int main(void)
{
    return device_each("pins", test);
}
