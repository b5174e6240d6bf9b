/* measure.c - times a row of the benchmark's table and prints it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define REPEATS_MAX 101

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Calls in a row: short ones are timed many together, so that neither the clock nor the wait at the end counts. */
static unsigned calls_for(const bench_state *bench, size_t n)
{
    size_t target = scankit_is_host(bench->context) ? (size_t)1 << 22 : (size_t)1 << 26;
    size_t calls = target / n;
    return calls < 1 ? 1 : calls > 200 ? 200 : (unsigned)calls;
}

void measure_restore(const bench_state *bench, const bench_job *job)
{
    size_t bytes = job->n * scankit_type_size(job->type);
    if (job->in_place)
        bench_try(bench, scankit_copy(bench->context, job->out, job->in, bytes), "restore");
}

/* Seconds of a call; what works in place gets its input back before each, outside of the time. */
static double time_ours(const bench_state *bench, const bench_row *row, const bench_job *job, unsigned calls)
{
    unsigned in_a_row = job->in_place ? 1 : calls;
    double seconds = 0;
    for (unsigned done = 0; done < calls; done += in_a_row) {
        measure_restore(bench, job);
        bench_try(bench, scankit_synchronize(bench->context), "synchronize");
        double begin = now();
        for (unsigned i = 0; i < in_a_row; i++)
            bench_try(bench, row->run(bench->context, job), row->primitive);
        bench_try(bench, scankit_synchronize(bench->context), row->primitive);
        seconds += now() - begin;
    }
    return seconds / calls;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds, unsigned count)
{
    qsort(seconds, count, sizeof *seconds, compare_seconds);
    return count % 2 != 0 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

void measure_header(const bench_state *bench)
{
    const char *rival = bench->rivals != NULL ? bench->rivals->name : "-";
    printf("%s; billions of items a second, medians of %u\n\n", scankit_device_name(bench->context), bench->repeats);
    printf(ROW_HEAD " %9s %9s %6s\n", "", "type", "", "shape", "n", "scankit", rival, "ratio");
    if (bench->csv != NULL)
        fprintf(bench->csv, "device,primitive,type,variant,shape,n,scankit_seconds,rival,rival_seconds,correct\n");
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

static void print_row(const bench_state *bench, const bench_row *row, const bench_job *job, double ours, double rival,
                      bool correct)
{
    char size[24], variant[64];
    variant_text(bench, row, variant);
    const char *type = scankit_type_name(job->type), *shape = shape_name(row->shape);
    printf(ROW_HEAD " %9.4g", row->primitive, type, variant, shape, size_text(job->n, size),
           (double)job->n / ours * 1e-9);
    if (rival > 0)
        printf(" %9.4g %6.2f", (double)job->n / rival * 1e-9, rival / ours);
    printf("%s\n", correct ? "" : "  WRONG RESULT");
    fflush(stdout);
    if (bench->csv != NULL) {
        fprintf(bench->csv, "\"%s\",%s,%s,\"%s\",%s,%zu,%.9g,%s,", scankit_device_name(bench->context), row->primitive,
                type, variant, shape, job->n, ours, rival > 0 ? bench->rivals->name : "");
        if (rival > 0)
            fprintf(bench->csv, "%.9g", rival);
        fprintf(bench->csv, ",%s\n", correct ? "yes" : "no");
    }
}

void measure_left_out(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    char size[24];
    printf(ROW_HEAD " left out: %s\n", row->primitive, scankit_type_name(job->type), row->variant,
           shape_name(row->shape), size_text(job->n, size), scankit_error_detail(bench->context));
}

void measure_row(bench_state *bench, const bench_row *row, const bench_job *job, bool correct)
{
    double ours[REPEATS_MAX], rival[REPEATS_MAX];
    unsigned calls = calls_for(bench, job->n), count = 0;
    bool has_rival = row->rival != NULL;
    double begin = now();
    do {
        ours[count] = time_ours(bench, row, job, calls);
        rival[count] = has_rival ? row->rival(job, calls) : -1;
        has_rival = rival[count] >= 0;
        count++;
    } while (count < bench->repeats && now() - begin < bench->patience);
    if (!correct)
        bench->failures++;
    double our_median = median(ours, count), rival_median = has_rival ? median(rival, count) : -1;
    if (has_rival)
        summary_add(row, job, rival_median / our_median);
    print_row(bench, row, job, our_median, rival_median, correct);
}
