/* box.c - a pass of a box filter with one radius: each row has the sums of its columns over the window's rows, which
 * follow the window from row to row. box_rows.h makes rows of these.
 *
 * The sums of a band of rows begin anew. Bands of floats, which round at each step, depend on sizes alone, so that the
 * results do not depend on the threads. */
#include "box_rows.h"

#define BAND_ROWS ((size_t)64)  /* at least */
#define BANDS_LEAST ((size_t)4) /* and their number is a multiple of it: few threads end together */
#define BANDS_OF_THREAD 2       /* of integers, which are the same in any bands */
#define WINDOWS 4               /* a band has the rows of that many windows at least, as the first sums take one */

typedef struct box_job {
    const scankit_image *in, *out;
    const sk_box *box;
    sk_box_line line;
    size_t n, band; /* elements of a row, and rows */
    char *scratch;  /* of each thread: a line for each row of a pass */
} box_job;

/* ---- sums of columns ---- */

/* The row of the image that stands at that place; NULL: none. */
static const char *row_at(const box_job *job, int64_t place)
{
    int64_t row = sk_box_shown(place, job->in->height, job->box->edge);
    return row < 0 ? NULL : (const char *)job->in->data + (size_t)row * job->in->pitch;
}

static void add_row(const box_job *job, char *sums, int64_t row, int64_t weight)
{
    const char *at = row_at(job, row);
    if (at != NULL && weight != 0)
        job->line.steps.add(at, weight, sums, job->n, job->in->pitch);
}

/* The rows of a window, in whole rows and parts of the ones at its ends. */
typedef struct window {
    int64_t begin, end; /* whole rows */
    int64_t part;       /* of the row before them and of the one behind them, in units */
} window;

/* Of row y, which may be the one before the first. */
static window window_at(const box_job *job, int64_t y)
{
    int64_t whole = (int64_t)job->line.whole;
    return (window){y - whole, y + whole + 1, (int64_t)job->line.part};
}

static void begin_sums(const box_job *job, char *sums, int64_t y)
{
    window w = window_at(job, y);
    memset(sums, 0, job->in->width * job->line.pixel);
    for (int64_t row = w.begin; row < w.end; row++)
        add_row(job, sums, row, job->line.unit);
    add_row(job, sums, w.begin - 1, w.part);
    add_row(job, sums, w.end, w.part);
}

/* What moves the sums from the window of row y - 1 to that of row y, if these are two whole rows. */
static sk_box_move move_to(const box_job *job, size_t y)
{
    window w = window_at(job, (int64_t)y);
    const sk_box_move move = {row_at(job, w.end - 1), row_at(job, w.begin - 1)}, none = {NULL, NULL};
    return w.part == 0 && move.next != NULL && move.last != NULL ? move : none;
}

/* The same at once, whatever the rows. */
static void move_sums(const box_job *job, char *sums, size_t y)
{
    window w = window_at(job, (int64_t)y);
    add_row(job, sums, w.end, w.part);
    add_row(job, sums, w.end - 1, job->line.unit - w.part);
    add_row(job, sums, w.begin - 1, w.part - job->line.unit);
    add_row(job, sums, w.begin - 2, -w.part);
}

/* ---- rows ---- */

/* Of windows with that many rows, in units, and the full width. */
static sk_box_divisor divisor_of(const box_job *job, uint64_t rows)
{
    const uint64_t square = (uint64_t)(SK_BOX_UNIT / job->line.unit) * (uint64_t)(SK_BOX_UNIT / job->line.unit);
    return job->line.steps.divisor((SK_BOX_UNIT + 2 * (uint64_t)job->box->radius) * rows / square, job->box->shift);
}

/* Returns how many rows from row y on are made together: as many as a pass makes, if moves lead to each; or one. The
 * windows of all rows that are moved to are alike. */
static unsigned moves_from(const box_job *job, size_t y, size_t end, const sk_box_divisor *by, sk_box_move *moves)
{
    const unsigned most = sk_box_rows_of_pass(&job->line, by);
    moves[0] = move_to(job, y);
    if (moves[0].next == NULL || end - y < most)
        return 1;
    for (unsigned r = 1; r < most; r++)
        if ((moves[r] = move_to(job, y + r)).next == NULL)
            return 1;
    return most;
}

static void filter_band(void *state, size_t band, int thread)
{
    const box_job *job = state;
    char *lines = job->scratch + (size_t)thread * job->line.steps.rows * job->line.bytes,
         *sums = sk_box_columns(&job->line, lines);
    size_t begin = band * job->band, end = sk_min(begin + job->band, job->in->height);
    uint64_t length = 0;
    unsigned count;
    sk_box_divisor by = {0};
    begin_sums(job, sums, (int64_t)begin - 1);
    for (size_t y = begin; y < end; y += count) {
        const uint64_t here = sk_box_side_at(y, job->box->radius, job->in->height, job->box->edge).length;
        sk_box_move moves[SK_BOX_ROWS];
        if (here != length)
            by = divisor_of(job, here);
        length = here;
        count = moves_from(job, y, end, &by, moves);
        if (moves[0].next == NULL)
            move_sums(job, sums, y);
        sk_box_rows_write(&job->line, lines, moves, count, y, &by, length);
    }
    job->line.kernels->compress->stream_end();
}

/* ---- the pass ---- */

static size_t band_rows(const scankit_image *in, const sk_box *box, int team)
{
    const size_t windows = WINDOWS * (2 * (size_t)(box->radius / SK_BOX_UNIT) + 1);
    size_t bands = in->height / (windows > BAND_ROWS ? windows : BAND_ROWS) / BANDS_LEAST * BANDS_LEAST;
    if (!sk_is_float_picture(in))
        bands = sk_min(bands, BANDS_OF_THREAD * (size_t)team);
    if (bands < BANDS_LEAST)
        bands = BANDS_LEAST;
    const size_t rows = (in->height + bands - 1) / bands;
    return rows > BAND_ROWS ? rows : BAND_ROWS;
}

static scankit_error filter(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    box_job job = {.in = in, .out = out, .box = box};
    job.n = in->width * in->channels;
    if (!sk_box_line_open(device, &job.line, in, out, box))
        return SCANKIT_E_MEMORY;
    int team = sk_cpu_team(device, in->height * in->width * job.line.pixel);
    job.band = band_rows(in, box, team);
    job.scratch = sk_arena_take(&device->workspace, (size_t)team * job.line.steps.rows * job.line.bytes);
    if (job.scratch == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device))
        sk_cpu_each(team, (in->height - 1) / job.band + 1, filter_band, &job);
    return SCANKIT_OK;
}

scankit_error sk_cpu_box(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    size_t mark = sk_arena_mark(&device->workspace);
    scankit_error error = box->radii != NULL ? sk_box_by_map(device, in, out, box) : filter(device, in, out, box);
    sk_arena_reset(&device->workspace, mark);
    return error;
}
