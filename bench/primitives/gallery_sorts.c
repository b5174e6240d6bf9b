/* gallery_sorts.c - every sort of the library's gallery beside the sort that the library chooses, rivals and a copy: of
 * uniform keys of u32. Beside a GPU, the sorts of the CPU as well, on the host. */
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "order.h"
#include "primitives.h"
#include "rivals/peers.h"

static field_places places;

/* Of the first n keys. */
static uint32_t sum_of_keys;

/* ---- contestants ---- */

static scankit_error run_gallery_sort(contestant *c)
{
    return scankit_gallery_sort(c->bench->context, c->name, c->job.type, 0, c->job.in, c->job.out, 0, NULL, NULL,
                                c->job.n);
}

static scankit_error run_sort(contestant *c)
{
    return scankit_sort(c->bench->context, c->job.type, c->job.in, c->job.out, c->job.n, NULL);
}

static const field_runs sorts = {[SCANKIT_SORT] = {"sort", run_gallery_sort}};

static void enter_own(field *f, const bench_state *bench)
{
    field_enter_copy(f, bench);
    field_enter(f, "sort", "scankit", bench, run_sort);
    field_enter_gallery(f, bench, sorts);
}

/* Other libraries' sorts on a CPU. */
static void enter_peers(field *f, const bench_state *host)
{
    for (const sort_peer *peer = sort_peers(); peer->name != NULL && !host->alone; peer++)
        field_enter_rival(f, "sort", peer->name, host, peer->run);
}

static void enter_rivals(field *f, const bench_state *gpu)
{
    field_enter_rival(f, "sort", gpu->rivals != NULL ? gpu->rivals->name : "", gpu, RIVAL(gpu, sort));
    field_enter_rival(f, "sort", "Thrust", gpu, RIVAL(gpu, sort_thrust));
}

/* ---- checks ---- */

/* Writes a 0 to the end, so that the next check cannot see this result: the array is out of order then. */
static void spoil(const contestant *c)
{
    const uint32_t wrong = 0;
    uint32_t *last = (uint32_t *)c->job.out + c->job.n - 1;
    bench_try(c->bench, scankit_upload(c->bench->context, last, &wrong, sizeof wrong), "upload");
}

/* The keys are in order, and their sum is that of the input. The device itself checks both, which is quick. */
static bool is_right(const contestant *c)
{
    uint32_t sum = 0;
    if (strcmp(c->series, "sort") != 0)
        return true;
    bench_try(c->bench, scankit_reduce(c->bench->context, c->job.type, SCANKIT_SUM, c->job.out, &sum, c->job.n), "sum");
    bool right = sum == sum_of_keys && is_ordered(c->bench, &c->job, 0, 0);
    spoil(c);
    return right;
}

/* ---- one size ---- */

static void load(size_t n)
{
    const bench_state *device = places.device;
    const uint32_t *in = places.host.in;
    sum_of_keys = 0;
    for (size_t i = 0; i < n; i++)
        sum_of_keys += in[i];
    if (places.has_gpu)
        bench_try(device, scankit_upload(device->context, device->in, in, n * sizeof *in), "upload");
}

void bench_gallery_sorts(bench_state *bench, size_t n)
{
    static field_times before, host_before;
    field_open(&places, bench, "gallery-sorts");
    load(n);
    field *f = field_of(n);
    if (places.has_gpu) {
        enter_own(f, bench);
        enter_rivals(f, bench);
        field_hold(bench, f, before, is_right);
    }
    enter_own(f, &places.host);
    enter_peers(f, &places.host);
    field_hold(bench, f, host_before, is_right);
    free(f);
    if (n == bench->room)
        field_close(&places);
}
