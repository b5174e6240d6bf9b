/* table.c - see table.h. */
#include "table.h"

#include <string.h>

void table_header(const bench_state *bench)
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

/* The variant; for "auto" also the algorithm that the library chose. */
static const char *variant_text(const bench_state *bench, const bench_row *row, char text[64])
{
    const char *ran = scankit_last_algorithm(bench->context);
    bool chosen = strcmp(row->variant, "auto") == 0 && *ran != '\0';
    snprintf(text, 64, "%s%s%s", row->variant, chosen ? ": " : "", chosen ? ran : "");
    return text;
}

static void write_csv(const bench_state *bench, const bench_row *row, const bench_job *job, const row_times *t,
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

void table_row(const bench_state *bench, const bench_row *row, const bench_job *job, const row_times *t, bool correct)
{
    char size[24], variant[64];
    printf(ROW_HEAD " %9.4g", row->primitive, scankit_type_name(job->type), variant_text(bench, row, variant),
           shape_name(row->shape), size_text(job->n, size), (double)job->n / t->ours * 1e-9);
    if (t->rival > 0)
        printf(" %9.4g %6.2f", (double)job->n / t->rival * 1e-9, t->of_rival);
    if (t->copy > 0)
        printf(" %*.2f", t->rival > 0 ? 7 : 24, t->of_copy);
    printf("%s\n", correct ? "" : "  WRONG RESULT");
    fflush(stdout);
    if (bench->csv != NULL)
        write_csv(bench, row, job, t, correct);
}

void table_left_out(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    char size[24];
    printf(ROW_HEAD " left out: %s\n", row->primitive, scankit_type_name(job->type), row->variant,
           shape_name(row->shape), size_text(job->n, size), scankit_error_detail(bench->context));
}
