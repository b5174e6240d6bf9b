/* workspace.c - calls take no more memory than scankit.h states: all calls on a GPU, and on a CPU the sorts that save
 * memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/data.h"
#include "support/sanitizer.h"
#include "support/tap.h"
#include "work.h"

/* The GPU allocates pages of 2 MiB, and keeps a little memory for its kernels. */
#define PAGES ((size_t)6 << 20)

/* Free memory of a GPU; on a CPU, the rest of this process's address space, because the system's free memory also
 * changes with other processes. */
static size_t available(scankit_context *context)
{
    size_t bytes = 0, pages = 0;
    if (!scankit_is_host(context)) {
        if (scankit_memory_available(context, &bytes) != SCANKIT_OK)
            tap_bail_out("memory: %s", scankit_error_detail(context));
        return bytes;
    }
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%zu", &pages) != 1)
        tap_bail_out("/proc/self/statm cannot be read");
    (void)fclose(file);
    return SIZE_MAX - pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A call, made in a new context. */
typedef struct measured_call {
    void (*run)(scankit_context *context, void *state);
    void *state;
    const char *device, *name;
    size_t stated; /* bytes */
} measured_call;

/* A workspace only grows, so the memory of a new context after its one call is the most that the call needed. */
static size_t taken_by(const measured_call *call)
{
    scankit_context *context;
    if (scankit_open(&context, call->device) != SCANKIT_OK)
        tap_bail_out("no second context");
    size_t before = available(context);
    call->run(context, call->state);
    size_t after = available(context);
    scankit_close(context);
    return before > after ? before - after : 0;
}

/* Other processes may allocate GPU memory in the meantime, but not each time. */
static void measure(const measured_call *call)
{
    enum { ATTEMPTS = 8 };
    size_t least = SIZE_MAX;
    tap_case("%s", call->name);
    (void)taken_by(call); /* loads its code, which stays loaded */
    for (int i = 0; i < ATTEMPTS && least > call->stated + PAGES; i++) {
        size_t taken = taken_by(call);
        least = taken < least ? taken : least;
    }
    tap_diag("%s: %.1f MiB, stated %.1f", call->name, (double)least / 0x1p20, (double)call->stated / 0x1p20);
    if (least > call->stated + PAGES)
        tap_fail("it took %zu bytes more than is stated", least - call->stated);
}

/* ---- every primitive, on a GPU ---- */

typedef struct work_call {
    work_place *place;
    unsigned job;
} work_call;

static void run_work(scankit_context *context, void *state)
{
    const work_call *call = state;
    scankit_context *usual = call->place->context;
    call->place->context = context;
    if (work_do(call->place, call->job) == 0)
        tap_fail("%s", scankit_error_detail(context));
    call->place->context = usual;
}

static void test_work(void)
{
    work_place place;
    work_open(&place, "cuda", "");
    for (unsigned job = 0; job < work_count(); job++) {
        work_call call = {&place, job};
        tap_begin("cuda: %s has the workspace that is stated", work_name(job));
        measure(&(measured_call){run_work, &call, "cuda", work_name(job), work_space(job)});
        tap_end();
    }
    work_close(&place);
}

/* ---- sorts that may overwrite their input ---- */

/* Bytes of keys. On a GPU, enough for skewed keys not to be radix sorted. On a CPU, less time, but more than the 32 MiB
 * up to which malloc() may reuse the heap, so that a second array is visible. */
#define LEAN_BYTES_GPU ((size_t)64 << 20)
#define LEAN_BYTES_CPU ((size_t)36 << 20)
static size_t lean_bytes;

typedef struct lean_place {
    scankit_context *context; /* owns the arrays */
    void *host, *in, *out;
    scankit_type type;
    scankit_sort_options options;
} lean_place;

static void run_lean(scankit_context *context, void *state)
{
    const lean_place *place = state;
    size_t n = lean_bytes / scankit_type_size(place->type);
    if (scankit_upload(place->context, place->in, place->host, lean_bytes) != SCANKIT_OK ||
        scankit_synchronize(place->context) != SCANKIT_OK)
        tap_bail_out("upload: %s", scankit_error_detail(place->context));
    if (scankit_sort(context, place->type, place->in, place->out, n, &place->options) != SCANKIT_OK ||
        scankit_synchronize(context) != SCANKIT_OK)
        tap_fail("%s", scankit_error_detail(context));
}

static void measure_lean(lean_place *place, const char *device_name, data_shape shape, size_t stated)
{
    static const char *const names[] = {
#define X(enumerator, name, text) name,
        SCANKIT_ALGORITHMS(X)
#undef X
    };
    data_fill(place->host, place->type, shape, lean_bytes / scankit_type_size(place->type), 1);
    tap_begin("%s: %s %s, overwritten: the workspace that is stated", device_name, scankit_type_name(place->type),
              data_shape_name(shape));
    for (size_t a = 0; a < sizeof names / sizeof *names; a++) {
        place->options.algorithm = (scankit_algorithm)a;
        measure(&(measured_call){run_lean, place, device_name, names[a], stated});
    }
    tap_end();
}

/* Sorts in place that take little workspace. */
static void measure_in_place(lean_place *place, const char *device_name)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F64};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF};
    lean_place own = *place;
    own.out = own.in;
    for (size_t t = 0; t < 2; t++) {
        own.type = types[t];
        data_fill(own.host, own.type, shapes[t], lean_bytes / scankit_type_size(own.type), 1);
        tap_begin("%s: %s %s in place, overwritten: the workspace that is stated", device_name,
                  scankit_type_name(own.type), data_shape_name(shapes[t]));
        measure(&(measured_call){run_lean, &own, device_name, "in place", lean_bytes / 8 + ((size_t)4 << 20)});
        tap_end();
    }
}

/* A CPU treats all shapes and types alike, so the first ones are enough. */
static void test_lean(const char *device_name, size_t type_count, size_t shape_count, size_t stated)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_U8};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF, DATA_SORTED, DATA_SIXTEEN, DATA_OUTLIERS};
    lean_place place = {.host = data_allocate(lean_bytes, 1), .options = {.overwrite_input = 1}};
    if (scankit_open(&place.context, device_name) != SCANKIT_OK ||
        scankit_allocate(place.context, &place.in, lean_bytes) != SCANKIT_OK ||
        scankit_allocate(place.context, &place.out, lean_bytes) != SCANKIT_OK)
        tap_bail_out("%s: no arrays", device_name);
    for (size_t t = 0; t < type_count; t++)
        for (size_t s = 0; s < (types[t] == SCANKIT_U8 ? 1 : shape_count); s++) {
            place.type = types[t];
            measure_lean(&place, device_name, shapes[s], stated);
        }
    if (scankit_is_host(place.context)) {
        place.options.algorithm = SCANKIT_AUTO;
        measure_in_place(&place, device_name);
    }
    scankit_free(place.context, place.in);
    scankit_free(place.context, place.out);
    scankit_close(place.context);
    free(place.host);
}

/* ---- sorts with little memory ---- */

/* Sorts in a new context, whose workspace is empty. */
static void sort_anew(lean_place *place, void *host)
{
    scankit_context *context;
    if (scankit_open(&context, "cuda") != SCANKIT_OK)
        tap_bail_out("no second context");
    run_lean(context, place);
    if (scankit_download(context, host, place->out, lean_bytes) != SCANKIT_OK ||
        scankit_synchronize(context) != SCANKIT_OK)
        tap_fail("%s", scankit_error_detail(context));
    scankit_close(context);
}

/* Evenly spread keys are sorted without counting if memory suffices, and with counting otherwise. */
static void test_short(void)
{
    const size_t enough = lean_bytes + lean_bytes / 20 + PAGES + ((size_t)6 << 20);
    lean_place place = {.host = data_allocate(lean_bytes, 1), .type = SCANKIT_U32};
    char *usual = data_allocate(lean_bytes, 1), *with_less = data_allocate(lean_bytes, 1);
    void *rest = NULL;
    tap_begin("cuda: a sort does with less memory than it would take");
    data_fill(place.host, place.type, DATA_UNIFORM, lean_bytes / sizeof(uint32_t), 1);
    if (scankit_open(&place.context, "cuda") != SCANKIT_OK ||
        scankit_allocate(place.context, &place.in, lean_bytes) != SCANKIT_OK ||
        scankit_allocate(place.context, &place.out, lean_bytes) != SCANKIT_OK)
        tap_bail_out("cuda: no arrays");
    sort_anew(&place, usual);
    if (scankit_allocate(place.context, &rest, available(place.context) - enough) != SCANKIT_OK)
        tap_fail("the rest of the memory: %s", scankit_error_detail(place.context));
    tap_diag("%.1f MiB are left", (double)available(place.context) / 0x1p20);
    sort_anew(&place, with_less);
    if (memcmp(usual, with_less, lean_bytes) != 0)
        tap_fail("the order is another one");
    tap_end();
    scankit_free(place.context, rest);
    scankit_free(place.context, place.in);
    scankit_free(place.context, place.out);
    scankit_close(place.context);
    free(place.host);
    free(usual);
    free(with_less);
}

int main(void)
{
    if (HAS_ADDRESS_SANITIZER) {
        tap_skip("a sanitizer takes memory", "workspace");
        return tap_finish();
    }
    lean_bytes = LEAN_BYTES_CPU;
    if (!device_wanted("cpu") || access("/proc/self/statm", R_OK) != 0)
        tap_skip("not to be seen here", "workspace of sorts on a CPU");
    else
        test_lean("cpu:2", 2, 2, (size_t)6 << 20);
    if (!device_has_free_gpu("workspace of calls"))
        return tap_finish();
    lean_bytes = LEAN_BYTES_GPU;
    test_lean("cuda", 4, 5, lean_bytes / 8 + ((size_t)8 << 20));
    test_work();
    test_short();
    return tap_finish();
}
