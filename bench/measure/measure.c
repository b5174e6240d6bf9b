/* measure.c - times a row of the benchmark's table and prints it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "state.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double started;

void measure_start(const bench_state *bench)
{
    if (bench->clock != NULL)
        bench->clock->start();
    else
        started = now();
}

double measure_stop(const bench_state *bench, const char *what)
{
    double seconds = bench->clock != NULL ? bench->clock->stop() : 0;
    bench_try(bench, scankit_synchronize(bench->context), what);
    return bench->clock != NULL ? seconds : now() - started;
}

/* Calls in a row: short ones are timed many together, so that neither the clock nor the wait at the end counts. On a
 * GPU two at least, since the first one's way there counts. */
static unsigned calls_for(const bench_state *bench, size_t n)
{
    bool is_host = scankit_is_host(bench->context);
    size_t target = is_host ? (size_t)1 << 22 : (size_t)1 << 26, least = is_host ? 1 : 2;
    size_t calls = target / n;
    return calls < least ? (unsigned)least : calls > 200 ? 200 : (unsigned)calls;
}

void measure_restore(const bench_state *bench, const bench_job *job)
{
    size_t bytes = job->n * scankit_type_size(job->type);
    if (job->in_place)
        bench_try(bench, scankit_copy(bench->context, job->out, job->in, bytes), "restore");
}

/* Seconds of a call; what works in place gets its input back before each, outside of the time. A GPU is still at that
 * when the call is made, for the rivals too, so that the way there does not count. */
static double time_ours(const bench_state *bench, const bench_row *row, const bench_job *job, unsigned calls)
{
    unsigned in_a_row = job->in_place ? 1 : calls;
    double seconds = 0;
    for (unsigned done = 0; done < calls; done += in_a_row) {
        measure_restore(bench, job);
        if (bench->clock == NULL || !job->in_place)
            bench_try(bench, scankit_synchronize(bench->context), "synchronize");
        measure_start(bench);
        for (unsigned i = 0; i < in_a_row; i++)
            bench_try(bench, row->run(bench->context, job), row->primitive);
        seconds += measure_stop(bench, row->primitive);
    }
    return seconds / calls;
}

/* Seconds of a device copy that moves as many bytes: half of them are read, half written. */
static double time_copy(const bench_state *bench, const bench_row *row, unsigned calls)
{
    rival_run copy = RIVAL(bench, copy);
    const bench_job job = {.type = SCANKIT_U8, .na = row->moved / 2, .in = bench->in, .out = bench->out};
    return copy != NULL && row->moved > 0 ? copy(&job, calls) : -1;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure_median(double *seconds, unsigned count)
{
    qsort(seconds, count, sizeof *seconds, compare_seconds);
    return count % 2 != 0 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

void measure_header(const bench_state *bench)
{
    const char *rival = bench->rivals != NULL ? bench->rivals->name : "-";
    printf("%s; billions of items a second, medians of %u\n\n", scankit_device_name(bench->context), bench->repeats);
    printf(ROW_HEAD " %9s %9s %6s %7s\n", "", "type", "", "shape", "n", "scankit", rival, "ratio", "of copy");
    if (bench->csv != NULL)
        fprintf(bench->csv,
                "device,primitive,type,variant,shape,n,scankit_seconds,rival,rival_seconds,copy_seconds,correct\n");
}

const char *size_text(size_t n, char text[24])
{
    if ((n & (n - 1)) == 0)
        snprintf(text, 24, "2^%d", __builtin_ctzll(n));
    else
        snprintf(text, 24, "%zu", n);
    return text;
}

/* What the row sorts by, with what "auto" came to. */
static const char *variant_text(const bench_state *bench, const bench_row *row, char text[64])
{
    const char *ran = scankit_last_algorithm(bench->context);
    bool chosen = strcmp(row->variant, "auto") == 0 && *ran != '\0';
    snprintf(text, 64, "%s%s%s", row->variant, chosen ? ": " : "", chosen ? ran : "");
    return text;
}

/* Seconds of each side, the medians; negative where there is none. */
typedef struct times {
    double ours, rival, copy;
} times;

static void write_csv(const bench_state *bench, const bench_row *row, const bench_job *job, const times *t,
                      bool correct)
{
    char variant[64];
    fprintf(bench->csv, "\"%s\",%s,%s,\"%s\",%s,%zu,%.9g,%s,", scankit_device_name(bench->context), row->primitive,
            scankit_type_name(job->type), variant_text(bench, row, variant), shape_name(row->shape), job->n, t->ours,
            t->rival > 0 ? bench->rivals->name : "");
    if (t->rival > 0)
        fprintf(bench->csv, "%.9g", t->rival);
    fprintf(bench->csv, ",");
    if (t->copy > 0)
        fprintf(bench->csv, "%.9g", t->copy);
    fprintf(bench->csv, ",%s\n", correct ? "yes" : "no");
}

static void print_row(const bench_state *bench, const bench_row *row, const bench_job *job, const times *t,
                      bool correct)
{
    char size[24], variant[64];
    printf(ROW_HEAD " %9.4g", row->primitive, scankit_type_name(job->type), variant_text(bench, row, variant),
           shape_name(row->shape), size_text(job->n, size), (double)job->n / t->ours * 1e-9);
    if (t->rival > 0)
        printf(" %9.4g %6.2f", (double)job->n / t->rival * 1e-9, t->rival / t->ours);
    if (t->copy > 0)
        printf(" %*.2f", t->rival > 0 ? 7 : 24, t->copy / t->ours);
    printf("%s\n", correct ? "" : "  WRONG RESULT");
    fflush(stdout);
    if (bench->csv != NULL)
        write_csv(bench, row, job, t, correct);
}

void measure_left_out(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    char size[24];
    printf(ROW_HEAD " left out: %s\n", row->primitive, scankit_type_name(job->type), row->variant,
           shape_name(row->shape), size_text(job->n, size), scankit_error_detail(bench->context));
}

bool is_wanted(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    return !bench->goals_only || goals_have(row, job);
}

#define REPEATS_MIN 3 /* however short patience is */

/* By turns: ours, the rival, a copy. Medians of fewer than all repeats where patience ends. The first turn on a GPU is
 * not counted: it has rested while the host made data and checked results, and takes a while to come to speed. */
static times measure(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    double ours[REPEATS_MAX], rival[REPEATS_MAX], copy[REPEATS_MAX];
    unsigned calls = calls_for(bench, job->n), count = 0;
    unsigned least = bench->repeats < REPEATS_MIN ? bench->repeats : REPEATS_MIN;
    bool has_rival = row->rival != NULL, rested = bench->clock != NULL;
    double begin = now();
    do {
        ours[count] = time_ours(bench, row, job, calls);
        rival[count] = has_rival ? row->rival(job, calls) : -1;
        copy[count] = time_copy(bench, row, calls);
        has_rival = rival[count] >= 0;
        count += !rested;
        rested = false;
    } while (count < least || (count < bench->repeats && now() - begin < bench->patience));
    return (times){measure_median(ours, count), has_rival ? measure_median(rival, count) : -1,
                   measure_median(copy, count)};
}

void measure_row(bench_state *bench, const bench_row *row, const bench_job *job, bool correct)
{
    times t = measure(bench, row, job);
    if (!correct)
        bench->failures++;
    if (t.rival > 0)
        summary_add(row, job, t.rival / t.ours);
    goals_add(row, job, t.ours, t.rival, t.copy);
    print_row(bench, row, job, &t, correct);
}
