/* transpose.c - transposition by tiles, each by way of a buffer that stays in the first cache. A row of the buffer goes
 * out as whole lines. */
#include "cpu/cpu.h"

#define TILE_BYTES ((size_t)16 << 10)
#define STRIP_TILES ((size_t)16)
#define LONG_ELEMENT ((size_t)1024) /* goes out by itself */

typedef struct transpose_job {
    sk_transpose_function *tile;
    const sk_kernels *kernels;
    const char *in;
    char *out;
    size_t size, in_pitch, out_pitch, rows, columns;
    size_t side; /* elements of a tile, both ways */
    size_t lead; /* elements that the first tiles lack: the others begin with lines of the output */
    bool stream;
} transpose_job;

/* Rows and columns of the input. */
typedef struct tile {
    sk_range rows, columns;
} tile;

static sk_range part_of(const transpose_job *job, size_t number, size_t n)
{
    size_t begin = number * job->side, end = begin + job->side - job->lead;
    return (sk_range){begin > job->lead ? begin - job->lead : 0, sk_min(end, n)};
}

static size_t tiles_of(const transpose_job *job, size_t n)
{
    return (n + job->lead + job->side - 1) / job->side;
}

static void stage(const transpose_job *job, tile t, char *staged)
{
    job->tile(job->in + t.rows.begin * job->in_pitch + t.columns.begin * job->size, job->in_pitch, staged,
              job->side * job->size, t.rows.end - t.rows.begin, t.columns.end - t.columns.begin, job->size);
}

static void write_staged(const transpose_job *job, tile t, const char *staged)
{
    size_t bytes = (t.rows.end - t.rows.begin) * job->size;
    char *to = job->out + t.columns.begin * job->out_pitch + t.rows.begin * job->size;
    for (size_t c = t.columns.begin; c < t.columns.end; c++, to += job->out_pitch, staged += job->side * job->size)
        if (job->stream)
            job->kernels->compress->stream_part(to, staged, bytes);
        else
            memcpy(to, staged, bytes);
}

/* Some tiles one below the other: they make longer pieces of rows of the output. */
static void transpose_strip(void *state, size_t number, int thread)
{
    const transpose_job *job = state;
    _Alignas(64) char staged[TILE_BYTES];
    size_t across = tiles_of(job, job->columns), first = number / across * STRIP_TILES;
    tile t = {.columns = part_of(job, number % across, job->columns)};
    (void)thread;
    for (size_t r = first; r < sk_min(first + STRIP_TILES, tiles_of(job, job->rows)); r++) {
        t.rows = part_of(job, r, job->rows);
        stage(job, t, staged);
        write_staged(job, t, staged);
    }
    job->kernels->compress->stream_end();
}

static size_t strips_of(const transpose_job *job)
{
    return tiles_of(job, job->columns) * ((tiles_of(job, job->rows) + STRIP_TILES - 1) / STRIP_TILES);
}

/* In place, a tile and its mirror image change places. */
static void exchange_columns(void *state, size_t number, int thread)
{
    const transpose_job *job = state;
    _Alignas(64) char staged[TILE_BYTES], mirrored[TILE_BYTES];
    tile t = {.columns = part_of(job, number, job->columns)};
    (void)thread;
    for (size_t r = 0; r <= number; r++) {
        t.rows = part_of(job, r, job->rows);
        const tile mirror = {t.columns, t.rows};
        stage(job, t, staged);
        stage(job, mirror, mirrored);
        write_staged(job, t, staged);
        write_staged(job, mirror, mirrored);
    }
    job->kernels->compress->stream_end();
}

/* ---- long elements ---- */

static void move_column(void *state, size_t column, int thread)
{
    const transpose_job *job = state;
    (void)thread;
    for (size_t r = 0; r < job->rows; r++)
        memcpy(job->out + column * job->out_pitch + r * job->size, job->in + r * job->in_pitch + column * job->size,
               job->size);
}

static void exchange_bytes(char *a, char *b, size_t bytes)
{
    char held[256];
    for (size_t at = 0, some; at < bytes; at += some) {
        some = sk_min(bytes - at, sizeof held);
        memcpy(held, a + at, some);
        memcpy(a + at, b + at, some);
        memcpy(b + at, held, some);
    }
}

static void exchange_column(void *state, size_t column, int thread)
{
    const transpose_job *job = state;
    (void)thread;
    for (size_t r = 0; r < column; r++)
        exchange_bytes(job->out + column * job->out_pitch + r * job->size,
                       job->out + r * job->out_pitch + column * job->size, job->size);
}

/* A power of two of elements. */
static size_t side_of(size_t size)
{
    size_t side = 128;
    while (side * side * size > TILE_BYTES)
        side /= 2;
    return side;
}

/* 0 where rows begin anywhere in lines. */
static size_t lead_of(const transpose_job *job)
{
    size_t into_line = (uintptr_t)job->out % 64;
    bool same = job->out_pitch % 64 == 0 && into_line % job->size == 0;
    return same && job->side * job->size % 64 == 0 ? into_line / job->size % job->side : 0;
}

scankit_error sk_cpu_transpose(sk_device *device, size_t element_size, const void *in, size_t in_pitch, void *out,
                               size_t out_pitch, size_t rows, size_t columns)
{
    const sk_kernels *kernels = sk_kernels_of(device);
    transpose_job job = {.tile = kernels->transpose(element_size), .kernels = kernels, .in = in, .out = out};
    size_t bytes = rows * columns * element_size;
    int team = sk_cpu_team(device, bytes);
    job.size = element_size;
    job.in_pitch = in_pitch;
    job.out_pitch = out_pitch;
    job.rows = rows;
    job.columns = columns;
    job.stream = bytes >= SK_AROUND_CACHES_BYTES;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    if (element_size >= LONG_ELEMENT) {
        sk_cpu_each(team, columns, in == out ? exchange_column : move_column, &job);
        return SCANKIT_OK;
    }
    job.side = side_of(element_size);
    job.lead = lead_of(&job);
    if (in == out)
        sk_cpu_each(team, tiles_of(&job, columns), exchange_columns, &job);
    else
        sk_cpu_each(team, strips_of(&job), transpose_strip, &job);
    return SCANKIT_OK;
}
