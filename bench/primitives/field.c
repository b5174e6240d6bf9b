/* field.c - see field.h. */
#include "field.h"

#include <stdlib.h>
#include <string.h>

#define SLOW 0.4 /* seconds after which an algorithm is left out of larger sizes */

/* ---- places ---- */

static void open_host(bench_state *host, const bench_state *bench)
{
    size_t bytes = bench->room * sizeof(uint32_t);
    *host = (bench_state){
        .repeats = bench->repeats, .patience = bench->patience, .seed = bench->seed, .alone = bench->alone};
    bench_try(host, scankit_open(&host->context, "cpu"), "cpu");
    bench_try(host, scankit_allocate(host->context, &host->in, bytes), "allocate");
    bench_try(host, scankit_allocate(host->context, &host->out, bytes), "allocate");
    bench_try(host, scankit_allocate(host->context, &host->values_in, bench->room), "allocate");
}

void field_open(field_places *places, bench_state *bench, const char *primitive)
{
    if (places->is_open)
        return;
    places->device = bench;
    places->has_gpu = !scankit_is_host(bench->context);
    places->host = *bench;
    if (places->has_gpu)
        open_host(&places->host, bench);
    (void)data_load(&places->host, places->host.in, SHAPE_uniform, SCANKIT_U32, bench->room, bench->seed);
    contest_header(bench, &places->host, primitive);
    places->is_open = true;
}

void field_close(field_places *places)
{
    if (places->has_gpu) {
        scankit_free(places->host.context, places->host.in);
        scankit_free(places->host.context, places->host.out);
        scankit_free(places->host.context, places->host.values_in);
        scankit_close(places->host.context);
    }
    places->is_open = false;
}

/* ---- contestants ---- */

field *field_of(size_t n)
{
    field *f = bench_allocate(sizeof *f);
    f->count = 0;
    f->n = n;
    return f;
}

static contestant *enter(field *f, const char *series, const char *name, const bench_state *bench)
{
    if (f->count == FIELD_MOST)
        bench_fail(name, "too many algorithms");
    contestant *c = &f->all[f->count++];
    *c = (contestant){.series = series, .name = name, .bench = bench, .job = job_for(bench, SCANKIT_U32, f->n)};
    c->job.kind = SCANKIT_EXCLUSIVE;
    c->job.na = f->n; /* for copies */
    c->job.arrays = 1;
    c->job.threads = bench_threads(bench);
    c->job.values_in = bench->values_in;
    return c;
}

void field_enter(field *f, const char *series, const char *name, const bench_state *bench,
                 scankit_error (*run)(contestant *c))
{
    enter(f, series, name, bench)->run = run;
}

static scankit_error run_copy(contestant *c)
{
    return scankit_copy(c->bench->context, c->job.out, c->job.in, c->job.na * scankit_type_size(c->job.type));
}

void field_enter_copy(field *f, const bench_state *bench)
{
    field_enter(f, "copy", "copy", bench, run_copy);
}

void field_enter_rival(field *f, const char *series, const char *name, const bench_state *bench, rival_run rival)
{
    if (rival != NULL)
        enter(f, series, name, bench)->rival = rival;
}

void field_enter_gallery(field *f, const bench_state *bench, const field_runs runs)
{
    const char *device = scankit_is_host(bench->context) ? "cpu" : "cuda";
    const scankit_gallery_row *row;
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        const field_run *how = &runs[row->kind];
        if (how->run != NULL && strcmp(row->device, device) == 0 &&
            scankit_gallery_applies(row, SCANKIT_U32, SCANKIT_SUM))
            field_enter(f, how->series, row->name, bench, how->run);
    }
}

/* ---- one size ---- */

void field_hold(bench_state *bench, field *f, field_times before, bool (*right)(const contestant *c))
{
    for (size_t i = 0; i < f->count; i++)
        f->all[i].left_out = f->all[i].left_out || before[i] > SLOW;
    contest(bench, f->all, f->count, right);
    for (size_t i = 0; i < f->count; i++)
        before[i] = f->all[i].left_out ? before[i] : f->all[i].seconds;
    f->count = 0;
}
