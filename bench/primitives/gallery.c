/* gallery.c - every algorithm of the library's gallery beside the algorithm that the library chooses, rivals and a
 * copy: exclusive sums, reductions and compactions of u32; and scans with the transfers to a GPU and back. */
#include <stdlib.h>
#include <string.h>

#include "measure/contest.h"
#include "measure/device_data.h"
#include "primitives.h"

#define MOST_CONTESTANTS 64
#define SLOW 0.4                            /* seconds after which an algorithm is left out of larger sizes */
#define MOST_BUT_OF_SCANS ((size_t)1 << 28) /* elements; above, only scans are measured */

/* Where the work runs. Kept from size to size. */
static struct {
    bench_state *device;
    bench_state by_wall; /* the device, timed by the host's clock */
    bench_state host;    /* the CPU beside a GPU; without a GPU, the device */
    bool is_open, has_gpu;
} places;

/* The data, and the right results. */
static struct {
    size_t n, matching;
    uint32_t sum, last; /* of all elements; the last element of the exclusive scan */
} truth;

/* ---- contestants ---- */

static scankit_error run_gallery_scan(contestant *c)
{
    return scankit_gallery_scan(c->bench->context, c->name, c->job.type, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL,
                                c->job.in, c->job.out, c->job.n);
}

static scankit_error run_gallery_reduce(contestant *c)
{
    return scankit_gallery_reduce(c->bench->context, c->name, c->job.type, SCANKIT_SUM, c->job.in, &c->result,
                                  c->job.n);
}

static scankit_error run_gallery_compact(contestant *c)
{
    return scankit_gallery_compact(c->bench->context, c->name, c->job.type, c->job.in, c->job.values_in, c->job.out,
                                   c->job.n, c->job.count);
}

static scankit_error run_scan(contestant *c)
{
    return scankit_scan(c->bench->context, c->job.type, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, c->job.in, c->job.out,
                        c->job.n);
}

static scankit_error run_reduce(contestant *c)
{
    return scankit_reduce(c->bench->context, c->job.type, SCANKIT_SUM, c->job.in, &c->result, c->job.n);
}

static scankit_error run_compact(contestant *c)
{
    return scankit_compact_flags(c->bench->context, scankit_type_size(c->job.type), c->job.in, c->job.values_in,
                                 c->job.out, c->job.n, NULL, c->job.count);
}

static scankit_error run_copy(contestant *c)
{
    return scankit_copy(c->bench->context, c->job.out, c->job.in, c->job.na * scankit_type_size(c->job.type));
}

/* Uploads, scans, downloads. */
static scankit_error run_scan_there_and_back(contestant *c)
{
    size_t bytes = c->job.n * sizeof(uint32_t);
    scankit_error error = scankit_upload(c->bench->context, c->bench->in, places.host.in, bytes);
    if (error == SCANKIT_OK)
        error = scankit_scan(c->bench->context, c->job.type, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, c->bench->in,
                             c->bench->out, c->job.n);
    if (error == SCANKIT_OK)
        error = scankit_download(c->bench->context, places.host.out, c->bench->out, bytes);
    return error;
}

static const struct {
    const char *series;
    scankit_error (*run)(contestant *c);
} gallery_kinds[] = {[SCANKIT_BLOCK_SCAN] = {"scan", run_gallery_scan},
                     [SCANKIT_GRID_SCAN] = {"scan", run_gallery_scan},
                     [SCANKIT_REDUCTION] = {"reduce", run_gallery_reduce},
                     [SCANKIT_COMPACTION] = {"compact", run_gallery_compact}};

typedef struct field {
    contestant all[MOST_CONTESTANTS];
    size_t count;
} field;

static contestant *enter(field *f, const char *series, const char *name, const bench_state *bench)
{
    contestant *c = &f->all[f->count++];
    *c = (contestant){.series = series, .name = name, .bench = bench, .job = job_for(bench, SCANKIT_U32, truth.n)};
    c->job.kind = SCANKIT_EXCLUSIVE;
    c->job.na = truth.n; /* for copies */
    c->job.values_in = bench->values_in;
    return c;
}

static void enter_own(field *f, const char *series, const char *name, const bench_state *bench,
                      scankit_error (*run)(contestant *c))
{
    enter(f, series, name, bench)->run = run;
}

static void enter_rival(field *f, const char *series, const char *name, rival_run rival)
{
    if (rival != NULL)
        enter(f, series, name, places.device)->rival = rival;
}

static void enter_gallery(field *f, const char *device, const bench_state *bench)
{
    const scankit_gallery_row *row;
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL && f->count < MOST_CONTESTANTS; i++)
        if (strcmp(row->device, device) == 0 && scankit_gallery_applies(row, SCANKIT_U32, SCANKIT_SUM))
            enter_own(f, gallery_kinds[row->kind].series, row->name, bench, gallery_kinds[row->kind].run);
}

static void enter_device(field *f)
{
    const bench_state *device = places.device;
    const char *rival = device->rivals != NULL ? device->rivals->name : "";
    enter_own(f, "copy", "copy", device, run_copy);
    enter_own(f, "scan", "scankit", device, run_scan);
    enter_own(f, "reduce", "scankit", device, run_reduce);
    enter_own(f, "compact", "scankit", device, run_compact);
    enter_rival(f, "scan", rival, RIVAL(device, scan));
    enter_rival(f, "scan", "Thrust", RIVAL(device, scan_thrust));
    enter_rival(f, "reduce", rival, RIVAL(device, reduce));
    enter_rival(f, "compact", rival, RIVAL(device, compact_flags));
    enter_gallery(f, places.has_gpu ? "cuda" : "cpu", device);
}

/* ---- checks ---- */

/* Overwrites the last element, so that the next check cannot see this result. */
static void spoil(const bench_state *bench)
{
    const uint32_t wrong = ~truth.last;
    uint32_t *last = (uint32_t *)bench->out + truth.n - 1;
    bench_try(bench, scankit_upload(bench->context, last, &wrong, sizeof wrong), "upload");
}

/* Checks the last element, which depends on all others. */
static bool scan_is_right(const bench_state *where)
{
    uint32_t found;
    const uint32_t *last = (const uint32_t *)where->out + truth.n - 1;
    bench_try(where, scankit_download(where->context, &found, last, sizeof found), "download");
    spoil(where);
    return found == truth.last;
}

/* Sums and counts of rivals stay on the device and are not checked. */
static bool is_right(const contestant *c)
{
    if (strcmp(c->series, "scan") == 0)
        return scan_is_right(c->bench);
    if (strcmp(c->series, "transfers") == 0)
        return scan_is_right(&places.host);
    if (c->rival == NULL && strcmp(c->series, "compact") == 0)
        return c->kept == truth.matching;
    if (c->rival == NULL && strcmp(c->series, "reduce") == 0)
        return c->result == truth.sum;
    return true;
}

/* ---- the data ---- */

static void open_places(bench_state *bench)
{
    places.device = bench;
    places.has_gpu = !scankit_is_host(bench->context);
    places.by_wall = *bench;
    places.by_wall.clock = NULL;
    places.host = *bench;
    if (places.has_gpu) {
        size_t bytes = bench->room * sizeof(uint32_t);
        bench_state *host = &places.host;
        *host = (bench_state){.repeats = bench->repeats, .patience = bench->patience, .seed = bench->seed};
        bench_try(host, scankit_open(&host->context, "cpu"), "cpu");
        bench_try(host, scankit_allocate(host->context, &host->in, bytes), "allocate");
        bench_try(host, scankit_allocate(host->context, &host->out, bytes), "allocate");
        bench_try(host, scankit_allocate(host->context, &host->values_in, bench->room), "allocate");
    }
    (void)data_load(&places.host, places.host.in, SHAPE_uniform, SCANKIT_U32, bench->room, bench->seed);
    contest_header(bench, &places.host);
    places.is_open = true;
}

static void close_places(void)
{
    if (places.has_gpu) {
        scankit_free(places.host.context, places.host.in);
        scankit_free(places.host.context, places.host.out);
        scankit_free(places.host.context, places.host.values_in);
        scankit_close(places.host.context);
    }
    places.is_open = false;
}

/* Makes flags for the first n elements, about half of them 1, and the right results. Uploads to the GPU. */
static void load(size_t n)
{
    bench_state *host = &places.host, *device = places.device;
    const uint32_t *in = host->in;
    uint8_t *flags = host->values_in;
    truth.n = n;
    truth.matching = 0;
    truth.sum = 0;
    for (size_t i = 0; i < n; i++) {
        flags[i] = in[i] >> 3 & 1;
        truth.matching += flags[i];
        truth.sum += in[i];
    }
    truth.last = truth.sum - in[n - 1];
    if (places.has_gpu) {
        bench_try(device, scankit_upload(device->context, device->in, in, n * sizeof *in), "upload");
        bench_try(device, scankit_upload(device->context, device->values_in, flags, n), "upload");
    }
}

/* ---- one size ---- */

static bool is_scan(const contestant *c)
{
    return strcmp(c->series, "scan") == 0 || strcmp(c->series, "transfers") == 0;
}

/* before: seconds of each contestant at the size before. The field has the same order at every size. */
static void hold(bench_state *bench, field *f, double before[MOST_CONTESTANTS])
{
    for (size_t i = 0; i < f->count; i++)
        f->all[i].left_out = before[i] > SLOW || (truth.n > MOST_BUT_OF_SCANS && !is_scan(&f->all[i]));
    contest(bench, f->all, f->count, is_right);
    for (size_t i = 0; i < f->count; i++)
        before[i] = f->all[i].left_out ? before[i] : f->all[i].seconds;
    f->count = 0;
}

static void measure_transfers(bench_state *bench, field *f, const char *name)
{
    double before[MOST_CONTESTANTS] = {0};
    enter_own(f, "transfers", name, &places.by_wall, run_scan_there_and_back);
    hold(bench, f, before);
}

/* The same from pinned memory. */
static void measure_pinned(bench_state *bench, field *f)
{
    const rivals_pinning *pinning = bench->rivals != NULL ? bench->rivals->pinning : NULL;
    size_t bytes = truth.n * sizeof(uint32_t);
    if (pinning == NULL || !pinning->pin(places.host.in, bytes))
        return;
    if (pinning->pin(places.host.out, bytes)) {
        measure_transfers(bench, f, "pinned");
        pinning->unpin(places.host.out);
    }
    pinning->unpin(places.host.in);
}

void bench_gallery(bench_state *bench, size_t n)
{
    static double before[MOST_CONTESTANTS], host_before[MOST_CONTESTANTS];
    field *f = bench_allocate(sizeof *f);
    f->count = 0;
    if (!places.is_open)
        open_places(bench);
    load(n);
    enter_device(f);
    hold(bench, f, before);
    if (places.has_gpu) {
        enter_gallery(f, "cpu", &places.host);
        hold(bench, f, host_before);
        measure_transfers(bench, f, "pageable");
        measure_pinned(bench, f);
    }
    free(f);
    if (n == bench->room)
        close_places();
}
