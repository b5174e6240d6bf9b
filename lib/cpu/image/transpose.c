/* transpose.c - transposition by tiles, each by way of a buffer that stays in the first cache. A row of the buffer goes
 * out as whole lines.
 *
 * A tile is as narrow as possible: few rows are read at a time, since rows that lie a multiple of 4 KiB apart share
 * their places in the first cache, and tiles follow each other along the rows, as machines foresee such reads. */
#include "cpu/cpu.h"

#define TILE_BYTES ((size_t)16 << 10)   /* at most */
#define STAGED_BYTES ((size_t)32 << 10) /* with a gap behind each row */
#define PIECE ((size_t)128)             /* bytes of a tile's rows and columns, about */
#define LONG_PIECE ((size_t)512)        /* that cannot be whole lines */
#define ROWS_MOST ((size_t)256)         /* of such a tile, where elements are short */
#define STRIP_TILES ((size_t)512)       /* at most; longer strips are read faster */
#define STRIPS_OF_THREAD ((size_t)8)    /* at least, where there are as many tiles */
#define AHEAD_BYTES ((size_t)16 << 10)  /* are asked for, of all rows of a tile */
#define AHEAD_MOST ((size_t)1024)       /* of each row */
#define LONG_ELEMENT ((size_t)1024)     /* goes out by itself */

typedef struct transpose_job {
    sk_transpose_function *tile;
    const sk_kernels *kernels;
    const char *in;
    char *out;
    size_t size, in_pitch, out_pitch, rows, columns;
    size_t tile_rows, tile_columns, strip; /* elements, and tiles */
    size_t staged_pitch;
    size_t lead;        /* rows that the first tiles lack: the others begin with lines of the output */
    size_t column_lead; /* the same of columns, and of lines of the input */
    size_t ahead;       /* bytes of a row */
    bool stream;
} transpose_job;

/* Rows and columns of the input. */
typedef struct tile {
    sk_range rows, columns;
} tile;

static sk_range part_of(size_t number, size_t side, size_t lead, size_t n)
{
    size_t begin = number * side, end = begin + side - lead;
    return (sk_range){begin > lead ? begin - lead : 0, sk_min(end, n)};
}

static size_t parts_of(size_t n, size_t side, size_t lead)
{
    return (n + lead + side - 1) / side;
}

static sk_range rows_of(const transpose_job *job, size_t number)
{
    return part_of(number, job->tile_rows, job->lead, job->rows);
}

static void stage(const transpose_job *job, tile t, char *staged)
{
    job->tile(job->in + t.rows.begin * job->in_pitch + t.columns.begin * job->size, job->in_pitch, staged,
              job->staged_pitch, t.rows.end - t.rows.begin, t.columns.end - t.columns.begin, job->size, job->ahead);
}

static void write_staged(const transpose_job *job, tile t, const char *staged)
{
    const size_t bytes = (t.rows.end - t.rows.begin) * job->size;
    char *to = job->out + t.columns.begin * job->out_pitch + t.rows.begin * job->size;
    if (job->stream)
        job->kernels->stream_rows(staged, job->staged_pitch, to, job->out_pitch, t.columns.end - t.columns.begin,
                                  bytes);
    else
        for (size_t c = t.columns.begin; c < t.columns.end; c++, to += job->out_pitch, staged += job->staged_pitch)
            memcpy(to, staged, bytes);
}

static size_t tiles_across(const transpose_job *job)
{
    return parts_of(job->columns, job->tile_columns, job->column_lead);
}

static size_t tiles_of(const transpose_job *job)
{
    return parts_of(job->rows, job->tile_rows, job->lead) * tiles_across(job);
}

/* Some tiles one beside the other. */
static void transpose_strip(void *state, size_t number, int thread)
{
    const transpose_job *job = state;
    _Alignas(64) char staged[STAGED_BYTES];
    const size_t across = tiles_across(job), end = sk_min((number + 1) * job->strip, tiles_of(job));
    (void)thread;
    for (size_t i = number * job->strip; i < end; i++) {
        const tile t = {rows_of(job, i / across),
                        part_of(i % across, job->tile_columns, job->column_lead, job->columns)};
        stage(job, t, staged);
        write_staged(job, t, staged);
    }
    job->kernels->compress->stream_end();
}

/* In place, a tile and its mirror image change places: tiles are square. */
static void exchange_columns(void *state, size_t number, int thread)
{
    const transpose_job *job = state;
    _Alignas(64) char staged[STAGED_BYTES], mirrored[STAGED_BYTES];
    tile t = {.columns = rows_of(job, number)};
    (void)thread;
    for (size_t r = 0; r <= number; r++) {
        t.rows = rows_of(job, r);
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

/* ---- the shape of tiles ---- */

/* Elements that the first tiles lack; or `side`, where rows begin anywhere in lines. */
static size_t lead_of(const void *rows, size_t pitch, size_t side, size_t size)
{
    if (pitch % 64 != 0 || side * size % 64 != 0)
        return side;
    for (size_t lead = 0; lead < side; lead++)
        if (((uintptr_t)rows - lead * size) % 64 == 0)
            return lead;
    return side;
}

static void choose_squares(transpose_job *job)
{
    size_t side = 128;
    while (side * side * job->size > TILE_BYTES)
        side /= 2;
    job->tile_rows = job->tile_columns = side;
    job->lead = lead_of(job->out, job->out_pitch, side, job->size) % side;
    job->staged_pitch = side * job->size;
}

/* The least power of two of elements that are whole lines, or have no room in a tile. */
static size_t elements_of_lines(size_t size)
{
    size_t elements = 64;
    while (elements > 1 && (elements / 2 * size % 64 == 0 || elements * size > TILE_BYTES))
        elements /= 2;
    return elements;
}

static void choose_tiles(transpose_job *job)
{
    const size_t size = job->size, wide = PIECE % size == 0 ? PIECE : PIECE * 3 / 2;
    job->tile_rows = elements_of_lines(size);
    while (job->tile_rows * size < PIECE)
        job->tile_rows *= 2;
    job->lead = lead_of(job->out, job->out_pitch, job->tile_rows, size);
    if (job->lead == job->tile_rows) {
        job->lead = 0;
        while (job->tile_rows * size < LONG_PIECE && job->tile_rows < ROWS_MOST)
            job->tile_rows *= 2;
    }
    job->tile_columns = sk_min(wide, TILE_BYTES / job->tile_rows) / size;
    if (job->tile_columns == 0)
        job->tile_columns = 1;
    job->column_lead = lead_of(job->in, job->in_pitch, job->tile_columns, size) % job->tile_columns;
    const size_t lines = (job->tile_rows * size + 63) / 64, ahead = AHEAD_BYTES / job->tile_rows / 64 * 64;
    job->staged_pitch = 64 * (lines | 1);
    job->ahead = sk_min(ahead, AHEAD_MOST);
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
    } else if (in == out) {
        choose_squares(&job);
        sk_cpu_each(team, parts_of(columns, job.tile_rows, job.lead), exchange_columns, &job);
    } else {
        choose_tiles(&job);
        const size_t tiles = tiles_of(&job);
        job.strip = sk_min(tiles / ((size_t)team * STRIPS_OF_THREAD) + 1, STRIP_TILES);
        sk_cpu_each(team, (tiles + job.strip - 1) / job.strip, transpose_strip, &job);
    }
    return SCANKIT_OK;
}
