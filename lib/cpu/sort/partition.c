/* partition.c - stable distribution of columns by a digit, with many threads: each counts its slice of the input, a
 * scan of the counts over (digit, thread) says where each thread puts its elements of each digit, and each moves them
 * (GPU Gems 3, chapter 39). */
#include "cpu/cpu.h"

bool sk_partition_open(sk_device *device, sk_shape shape, size_t digits, size_t n, sk_partition *partition)
{
    size_t bytes = n * sk_element_size(shape);
    size_t rows = (size_t)sk_cpu_team(device, bytes) * digits;
    *partition = (sk_partition){.digits = digits};
    partition->counts = sk_arena_take(&device->workspace, rows * sizeof(size_t));
    if (bytes >= SK_AROUND_CACHES_BYTES) {
        partition->lines = sk_arena_take(&device->workspace, rows * SK_LINE_BYTES(shape));
        if (partition->lines == NULL)
            return false;
    }
    return partition->counts != NULL;
}

sk_partition sk_partition_of_thread(const sk_partition *partition, sk_shape shape, size_t thread)
{
    sk_partition own = *partition;
    size_t row = thread * partition->digits;
    own.counts += row;
    if (own.lines != NULL)
        own.lines += row * SK_LINE_BYTES(shape);
    if (own.places != NULL)
        own.spills += thread * SK_LINE;
    return own;
}

static bool can_stream(sk_shape shape, sk_columns out, size_t n)
{
    return n * sk_element_size(shape) >= SK_AROUND_CACHES_BYTES && (uintptr_t)out.keys % shape.key_size == 0 &&
           (shape.value_size == 0 || (uintptr_t)out.values % shape.value_size == 0);
}

typedef struct partition_job {
    const sk_partition *partition;
    const sk_partition_kernels *kernels;
    sk_shape shape;
    const sk_digits *digits;
    sk_const_columns in;
    sk_columns out;
    size_t n;
    bool stream; /* writes around the caches */
    size_t *offsets;
    void *records;                                /* output instead of columns, or NULL */
    sk_scatter_records_function *scatter_records; /* to these */
} partition_job;

static void partition_slice(void *state, int thread, int team)
{
    const partition_job *job = state;
    const sk_partition_kernels *k = job->kernels;
    size_t row = (size_t)thread * job->partition->digits, count = (size_t)job->digits->last + 1;
    size_t *cursor = job->partition->counts + row;
    sk_range mine = sk_slice(job->n, thread, team);
    size_t n = mine.end - mine.begin;
    sk_const_columns in = sk_read_at(job->shape, job->in, mine.begin);

    /* Count. */
    memset(cursor, 0, count * sizeof *cursor);
    k->count(job->digits, in.keys, n, cursor);
    sk_cpu_wait(team);
    /* Scan. */
    if (thread == 0)
        sk_scan_cursors(job->partition->counts, job->partition->digits, (size_t)team, count, job->offsets);
    sk_cpu_wait(team);
    /* Move. */
    char *lines = job->stream ? job->partition->lines + row * SK_LINE_BYTES(job->shape) : NULL;
    if (job->records != NULL)
        job->scatter_records(job->digits, in, mine.begin, job->records, n, cursor, lines);
    else if (job->stream)
        k->scatter_lines(job->digits, in, job->out, n, cursor, lines);
    else
        k->scatter(job->digits, in, job->out, n, cursor);
}

void sk_partition_run(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                      sk_const_columns in, sk_columns out, size_t n, size_t *offsets)
{
    if (partition->places != NULL) {
        sk_partition_in_place(device, partition, shape, digits, in.keys, out.keys, n, offsets);
        return;
    }
    partition_job job = {.partition = partition, .shape = shape, .digits = digits, .in = in, .out = out, .n = n};
    job.kernels = &sk_kernels_of(device)->partition[sk_shape_row(shape)];
    job.stream = partition->lines != NULL && can_stream(shape, out, n);
    job.offsets = offsets;
    sk_cpu_together(sk_cpu_team(device, n * sk_element_size(shape)), partition_slice, &job);
}

void sk_partition_to_records(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                             sk_const_columns in, void *records, size_t n, size_t *offsets)
{
    const unsigned row = sk_shape_row(shape);
    partition_job job = {
        .partition = partition, .shape = shape, .digits = digits, .in = in, .n = n, .offsets = offsets};
    job.kernels = &sk_kernels_of(device)->partition[row];
    job.scatter_records = sk_kernels_of(device)->scatter_records[row];
    job.records = records;
    job.stream = partition->lines != NULL;
    sk_cpu_together(sk_cpu_team(device, n * sk_element_size(shape)), partition_slice, &job);
}
