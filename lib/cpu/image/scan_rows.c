/* scan_rows.c - scans of the rows of a matrix: many rows by a thread a row, few rows one after the other by all
 * threads. A scan has the same bits for any number of threads, so both ways give the same. */
#include "cpu/cpu.h"

#define ROWS_OF_THREAD 8 /* with at least this many, threads end at about the same time */

typedef struct rows_job {
    sk_device *device;
    scankit_type type;
    scankit_operator op;
    scankit_scan_kind kind;
    const char *in;
    char *out;
    size_t in_pitch, out_pitch, rows, columns;
} rows_job;

static void scan_row(const rows_job *job, size_t row, int team)
{
    sk_scan_by_team(job->device, team, job->type, job->op, job->kind, job->in + row * job->in_pitch,
                    job->out + row * job->out_pitch, job->columns);
}

static void scan_slice(const void *state, sk_range rows)
{
    for (size_t row = rows.begin; row < rows.end; row++)
        scan_row(state, row, 1);
}

scankit_error sk_cpu_scan_rows(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                               const void *in, size_t in_pitch, void *out, size_t out_pitch, size_t rows,
                               size_t columns)
{
    rows_job job = {.device = device, .type = type, .op = op, .kind = kind, .in = in, .out = out};
    const sk_fold *fold = sk_kernels_of(device)->fold(type, op);
    if (fold == NULL)
        return SCANKIT_E_ARGUMENT;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    int team = sk_cpu_team(device, rows * columns * fold->size);
    job.in_pitch = in_pitch;
    job.out_pitch = out_pitch;
    job.rows = rows;
    job.columns = columns;
    sk_cpu_ran(device, SK_CPU_REDUCE_THEN_SCAN);
    if (rows >= (size_t)team * ROWS_OF_THREAD)
        sk_cpu_slices(device, rows * columns * fold->size, rows, scan_slice, &job);
    else
        for (size_t row = 0; row < rows; row++)
            scan_row(&job, row, sk_cpu_team_of(device, columns, fold->size, fold->size));
    return SCANKIT_OK;
}
