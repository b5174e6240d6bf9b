/* table.c - summed-area tables (Crow 1984). In one pass: threads take bands of rows in order, and each makes a band
 * from left to right, a chunk of columns after the other. Before a chunk it waits until the band above has finished its
 * own (after Kasagi, Nakano and Ito 2014). The last row of a band goes to the next band by a row of the workspace,
 * which stays in the caches. So the image is read once, and the table is written once and not read.
 *
 * Each row of the table is the one above plus the scan of a row of the image. So floats are added in the same order
 * whatever the bands, the chunks and the threads are. */
#include "cpu/turn.h"
#include "image_rows.h"

#define BAND_ROWS ((size_t)16)
#define CHUNKS_OF_THREAD 2 /* of a row, at least: threads wait less */

typedef struct table_job {
    sk_row_source source;
    const scankit_image *out;
    sk_table_function *table;
    size_t n, size;      /* elements of a row, and bytes of an element */
    size_t chunk, slack; /* elements, and chunks by which a band lets the one above begin before it */
    bool stream;
    char *above;                     /* the last row of the band above */
    sk_turn *turns;                  /* of a chunk's column: band that may make it */
    _Alignas(64) atomic_size_t next; /* band to take */
} table_job;

/* From the picture to the table: pixels are widened ahead of the kernel where it does not do it. */
static table_job job_of(const sk_device *device, const scankit_image *in, const scankit_image *out, const double *mean)
{
    table_job job = {.source = sk_row_source_of(device, in, out->type, mean), .out = out};
    const sk_kernels *kernels = job.source.kernels;
    job.size = scankit_type_size(out->type);
    job.n = out->width * out->channels;
    job.table = mean == NULL ? kernels->table(in->type, out->type, out->channels) : NULL;
    if (job.table != NULL)
        job.source.widen = NULL;
    else
        job.table = kernels->table(out->type, out->type, out->channels);
    return job;
}

/* What a thread has for itself. */
typedef struct table_state {
    _Alignas(64) char carry[BAND_ROWS * SK_TABLE_CARRY];
    _Alignas(64) char rows[SK_TABLE_ROWS * SK_CHUNK_BYTES];
} table_state;

static size_t chunks_of(const table_job *job)
{
    return (job->n + job->chunk - 1) / job->chunk;
}

static char *out_at(const table_job *job, size_t row, size_t element)
{
    return (char *)job->out->data + row * job->out->pitch + element * job->size;
}

/* A part of some rows, to which rows of input at `next` come near. */
static sk_table_part part_of(const table_job *job, size_t row, sk_range part, unsigned rows, char *buffer,
                             const char *next)
{
    sk_table_part to = {.out = out_at(job, row, part.begin), .out_pitch = job->out->pitch};
    to.in = sk_read_rows(&job->source, row, part, rows, buffer, &to.in_pitch);
    to.n = part.end - part.begin;
    to.begins = part.begin == 0;
    to.ends = part.end == job->n;
    to.next = next;
    if (to.in == buffer) {
        sk_ask_for_rows(&job->source, next, to.n, rows);
        to.next = buffer;
    }
    return to;
}

static void make_rows(const table_job *job, table_state *state, size_t row, sk_range part, unsigned rows, char *carry,
                      const char *next)
{
    sk_table_part to = part_of(job, row, part, rows, state->rows, next);
    to.above = job->above + part.begin * job->size;
    to.carry = carry;
    to.stream = job->stream;
    job->table(&to, rows);
}

static void make_band(table_job *job, table_state *state, size_t band)
{
    sk_range rows = {band * BAND_ROWS, sk_min((band + 1) * BAND_ROWS, job->out->height)};
    memset(state->carry, 0, sizeof state->carry);
    sk_wait_for_turn(&job->turns[job->slack], band);
    for (size_t c = 0; c < chunks_of(job); c++) {
        const sk_range part = {c * job->chunk, sk_min((c + 1) * job->chunk, job->n)};
        sk_wait_for_turn(&job->turns[c], band);
        for (size_t row = rows.begin, below; row < rows.end; row = below) {
            below = sk_min(row + SK_TABLE_ROWS, rows.end);
            const char *next = below < rows.end ? sk_row_at(&job->source, below, part.begin)
                                                : sk_row_at(&job->source, rows.begin, part.end);
            make_rows(job, state, row, part, (unsigned)(below - row),
                      state->carry + (row - rows.begin) * SK_TABLE_CARRY, next);
        }
        sk_pass_turn(&job->turns[c], band);
    }
}

static void make_bands(void *state, int thread, int team)
{
    table_job *job = state;
    table_state own;
    size_t bands = (job->out->height + BAND_ROWS - 1) / BAND_ROWS, band;
    (void)thread, (void)team;
    while ((band = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < bands)
        make_band(job, &own, band);
    job->source.kernels->compress->stream_end();
}

/* Whole registers, and whole pixels. */
static size_t chunk_of(const table_job *job, int team)
{
    size_t part = job->n * job->size / ((size_t)team * CHUNKS_OF_THREAD);
    return sk_min(part / SK_CHUNK_UNIT * SK_CHUNK_UNIT + SK_CHUNK_UNIT, SK_CHUNK_BYTES) / job->size;
}

static scankit_error single_pass(sk_device *device, table_job *job)
{
    size_t row = job->n * job->size, mark = sk_arena_mark(&device->workspace);
    int team = sk_cpu_team(device, row * job->out->height);
    job->chunk = chunk_of(job, team);
    job->slack = chunks_of(job) / ((size_t)team * 2);
    job->stream = row * job->out->height >= SK_AROUND_CACHES_BYTES;
    job->above = sk_arena_take(&device->workspace, row + 64);
    job->turns = sk_arena_take(&device->workspace, chunks_of(job) * sizeof *job->turns);
    if (job->above == NULL || job->turns == NULL) {
        sk_arena_reset(&device->workspace, mark);
        return SCANKIT_E_MEMORY;
    }
    if (!sk_rehearses(device)) {
        memset(job->above, 0, row + 64);
        for (size_t c = 0; c < chunks_of(job); c++)
            atomic_init(&job->turns[c].now, 0);
        sk_cpu_together(team, make_bands, job);
    }
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

/* ---- by transposition (Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007) ---- */

/* A scan of each row by itself: nothing stands above it. */
static void scan_rows(void *state, size_t row, int thread)
{
    const table_job *job = state;
    _Alignas(64) char carry[SK_TABLE_CARRY] = {0}, above[SK_CHUNK_BYTES + 64], rows[SK_CHUNK_BYTES];
    (void)thread;
    for (size_t at = 0; at < job->n; at += job->chunk) {
        const sk_range part = {at, sk_min(at + job->chunk, job->n)};
        sk_table_part to = part_of(job, row, part, 1, rows, sk_row_at(&job->source, row, part.end));
        to.above = above;
        to.carry = carry;
        memset(above, 0, (part.end - at) * job->size + 64);
        job->table(&to, 1);
    }
}

static scankit_error scan_image(sk_device *device, const scankit_image *in, const scankit_image *out,
                                const double *mean)
{
    table_job job = job_of(device, in, out, mean);
    job.chunk = SK_CHUNK_BYTES / job.size;
    if (!sk_rehearses(device))
        sk_cpu_each(sk_cpu_team(device, out->height * job.n * job.size), out->height, scan_rows, &job);
    return SCANKIT_OK;
}

static scankit_error by_transposes(sk_device *device, const scankit_image *in, const scankit_image *out,
                                   const double *mean)
{
    size_t pixel = out->channels * scankit_type_size(out->type), mark = sk_arena_mark(&device->workspace);
    scankit_image turned = {out->type, out->channels, out->height, out->width, out->height * pixel, NULL};
    turned.data = sk_arena_take(&device->workspace, turned.height * turned.pitch);
    if (turned.data == NULL)
        return SCANKIT_E_MEMORY;
    scan_image(device, in, out, mean);
    sk_cpu_transpose(device, pixel, out->data, out->pitch, turned.data, turned.pitch, out->height, out->width);
    scan_image(device, &turned, &turned, NULL);
    sk_cpu_transpose(device, pixel, turned.data, turned.pitch, out->data, out->pitch, out->width, out->height);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

scankit_error sk_cpu_table(sk_device *device, const scankit_image *in, const scankit_image *out, const double *mean,
                           scankit_table_method method)
{
    sk_cpu_ran(device, method == SCANKIT_TABLE_TRANSPOSES ? SK_CPU_TRANSPOSES : SK_CPU_SINGLE_PASS);
    if (method == SCANKIT_TABLE_TRANSPOSES)
        return by_transposes(device, in, out, mean);
    table_job job = job_of(device, in, out, mean);
    return single_pass(device, &job);
}
