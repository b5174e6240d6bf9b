/* gallery.c - every algorithm of the library's gallery beside the algorithm that the library chooses, rivals and a
 * copy: exclusive sums, reductions and compactions of u32; and scans with the transfers to a GPU and back. */
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "primitives.h"

#define MOST_BUT_OF_SCANS ((size_t)1 << 28) /* elements; above, only scans are measured */

static field_places places;
static bench_state by_wall; /* the device, timed by the host's clock */

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

static const field_runs gallery_runs = {[SCANKIT_BLOCK_SCAN] = {"scan", run_gallery_scan},
                                        [SCANKIT_GRID_SCAN] = {"scan", run_gallery_scan},
                                        [SCANKIT_REDUCTION] = {"reduce", run_gallery_reduce},
                                        [SCANKIT_COMPACTION] = {"compact", run_gallery_compact}};

static void enter_device(field *f)
{
    const bench_state *device = places.device;
    const char *rival = device->rivals != NULL ? device->rivals->name : "";
    field_enter_copy(f, device);
    field_enter(f, "scan", "scankit", device, run_scan);
    field_enter(f, "reduce", "scankit", device, run_reduce);
    field_enter(f, "compact", "scankit", device, run_compact);
    field_enter_rival(f, "scan", rival, device, RIVAL(device, scan));
    field_enter_rival(f, "scan", "Thrust", device, RIVAL(device, scan_thrust));
    field_enter_rival(f, "reduce", rival, device, RIVAL(device, reduce));
    field_enter_rival(f, "compact", rival, device, RIVAL(device, compact_flags));
    field_enter_gallery(f, device, gallery_runs);
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

static void hold(bench_state *bench, field *f, field_times before)
{
    for (size_t i = 0; i < f->count; i++)
        f->all[i].left_out = truth.n > MOST_BUT_OF_SCANS && !is_scan(&f->all[i]);
    field_hold(bench, f, before, is_right);
}

static void measure_transfers(bench_state *bench, field *f, const char *name)
{
    field_times before = {0};
    field_enter(f, "transfers", name, &by_wall, run_scan_there_and_back);
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
    static field_times before, host_before;
    field_open(&places, bench, "gallery");
    by_wall = *bench;
    by_wall.clock = NULL;
    load(n);
    field *f = field_of(n);
    enter_device(f);
    hold(bench, f, before);
    if (places.has_gpu) {
        field_enter_gallery(f, &places.host, gallery_runs);
        hold(bench, f, host_before);
        measure_transfers(bench, f, "pageable");
        measure_pinned(bench, f);
    }
    free(f);
    if (n == bench->room)
        field_close(&places);
}
