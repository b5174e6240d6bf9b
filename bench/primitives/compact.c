/* compact.c - compaction and split by a predicate or by flags, of uniform data. */
#include "kept.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/table.h"
#include "primitives.h"

static const void *from_of(const bench_job *job)
{
    return job->in_place ? job->out : job->in;
}

static scankit_error compact_once(scankit_context *context, const bench_job *job)
{
    scankit_compact_options options = {.evaluation = job->evaluation};
    return scankit_compact(context, job->compiled, from_of(job), job->out, job->n, &options, job->count);
}

static scankit_error positions_once(scankit_context *context, const bench_job *job)
{
    scankit_compact_options options = {.evaluation = job->evaluation};
    return scankit_compact_positions(context, job->compiled, job->in, job->out, job->n, &options, job->count);
}

static scankit_error split_once(scankit_context *context, const bench_job *job)
{
    scankit_compact_options options = {.evaluation = job->evaluation};
    return scankit_split_predicate(context, job->compiled, job->in, job->out, job->values_out, job->n, &options,
                                   job->count);
}

static scankit_error flags_once(scankit_context *context, const bench_job *job)
{
    return scankit_compact_flags(context, scankit_type_size(job->type), job->in, job->values_in, job->out, job->n, NULL,
                                 job->count);
}

/* What a row does. */
typedef struct compact_way {
    const char *text;
    scankit_error (*run)(scankit_context *context, const bench_job *job);
    size_t rival;   /* offset in struct rivals */
    kept_part part; /* what `out` gets */
    bool in_place, by_flags, keeps_others;
} compact_way;

#define RIVAL_AT(name) offsetof(rivals, name)
static const compact_way to_other = {.text = "", .run = compact_once, .rival = RIVAL_AT(compact)};
static const compact_way in_place = {", in place", compact_once, RIVAL_AT(compact), .in_place = true};
static const compact_way by_flags = {", by flags", flags_once, RIVAL_AT(compact_flags), .by_flags = true};
static const compact_way positions = {", positions", positions_once, RIVAL_AT(positions), .part = KEPT_POSITIONS};
static const compact_way split = {", split", split_once, RIVAL_AT(split_predicate), .keeps_others = true};

static bool is_right(const bench_state *bench, const bench_job *job, const compact_way *way, size_t count)
{
    return kept_is_right(bench, job, way->part, job->out, count) &&
           (!way->keeps_others || kept_is_right(bench, job, KEPT_OTHERS, job->values_out, count));
}

/* Every element is read, and its flag if the row has flags. The result is written. */
static bench_traffic bytes_moved(const bench_job *job, const compact_way *way, size_t count)
{
    size_t size = scankit_type_size(job->type), written = way->part == KEPT_POSITIONS ? sizeof(uint64_t) : size;
    return (bench_traffic){job->n * (size + way->by_flags), (way->keeps_others ? job->n : count) * written};
}

static void measure_way(bench_state *bench, bench_job *job, const compact_way *way, const char *how)
{
    char variant[64];
    snprintf(variant, sizeof variant, "%s%s%s", predicate_label(job->predicate), way->text, how);
    bench_row row = {"compact", variant, SHAPE_uniform, way->run, .rival = rival_for(bench, way->rival)};
    size_t count = 0;
    if (!is_wanted(bench, &row, job))
        return;
    if (way->by_flags)
        kept_load_flags(bench, job, bench->values_in);
    job_restore(bench, job);
    job->count = &count;
    scankit_error error = row.run(bench->context, job);
    job->count = NULL;
    if (error == SCANKIT_E_NO_DEVICE && job->evaluation == SCANKIT_COMPILE) {
        table_left_out(bench, &row, job);
        return;
    }
    bench_try(bench, error, row.primitive);
    row.moved = bytes_moved(job, way, count);
    row.aside = job->evaluation == SCANKIT_INTERPRET; /* rivals are compiled */
    measure_row(bench, &row, job, is_right(bench, job, way, count));
}

/* On a GPU once interpreted and once compiled. */
static void measure_predicate(bench_state *bench, size_t n, predicate_id predicate, const compact_way *way)
{
    bench_job job = job_for(bench, predicate_type(predicate), n);
    scankit_predicate *compiled;
    bench_try(bench, scankit_predicate_compile(&compiled, job.type, predicate_text(predicate), NULL, NULL),
              "predicate");
    job.predicate = predicate;
    job.compiled = compiled;
    job.in_place = way->in_place;
    job.values_in = bench->values_in;
    job.values_out = bench->values_out;
    if (way->by_flags || scankit_is_host(bench->context)) {
        measure_way(bench, &job, way, "");
    } else {
        job.evaluation = SCANKIT_INTERPRET;
        measure_way(bench, &job, way, ", interpreted");
        job.evaluation = SCANKIT_COMPILE;
        measure_way(bench, &job, way, ", compiled");
    }
    scankit_predicate_destroy(compiled);
}

static void load(const bench_state *bench, scankit_type type, size_t n)
{
    if (is_data_wanted(bench, "compact", SHAPE_uniform, type, n))
        (void)data_load(bench, bench->in, SHAPE_uniform, type, n, bench->seed);
}

void bench_compact(bench_state *bench, size_t n)
{
    load(bench, SCANKIT_U32, n);
    measure_predicate(bench, n, PREDICATE_HALF_U32, &to_other);
    measure_predicate(bench, n, PREDICATE_HALF_U32, &in_place);
    measure_predicate(bench, n, PREDICATE_HALF_U32, &by_flags);
    measure_predicate(bench, n, PREDICATE_HALF_U32, &positions);
    measure_predicate(bench, n, PREDICATE_HALF_U32, &split);
    measure_predicate(bench, n, PREDICATE_FOUR_U32, &to_other);
    measure_predicate(bench, n, PREDICATE_REM_U32, &to_other);
    measure_predicate(bench, n, PREDICATE_RARE_U32, &to_other);
    measure_predicate(bench, n, PREDICATE_MOST_U32, &to_other);
    measure_predicate(bench, n, PREDICATE_MOST_U32, &in_place);
    load(bench, SCANKIT_U64, n);
    measure_predicate(bench, n, PREDICATE_HALF_U64, &to_other);
    measure_predicate(bench, n, PREDICATE_HALF_U64, &in_place);
    measure_predicate(bench, n, PREDICATE_REM_U64, &to_other);
    load(bench, SCANKIT_F32, n);
    measure_predicate(bench, n, PREDICATE_HALF_F32, &to_other);
    load(bench, SCANKIT_F64, n);
    measure_predicate(bench, n, PREDICATE_HALF_F64, &to_other);
    measure_predicate(bench, n, PREDICATE_SQUARE_F64, &to_other);
}
