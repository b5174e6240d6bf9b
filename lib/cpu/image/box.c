/* box.c - a pass of a box filter. With one radius, each row has the sums of its columns over the window's rows, which
 * follow the window from row to row; a prefix of these sums along the row gives each pixel's sum as a difference (Crow
 * 1984 for a row). So the time does not depend on the radius.
 *
 * The sums of a band of rows begin anew. Bands depend on sizes alone, so that floats, which round at each step, do not
 * depend on the threads. */
#include "box_pixel.h"

#define BAND_ROWS ((size_t)64)
#define BANDS_LEAST ((size_t)4)
#define WINDOWS 4 /* a band has the rows of that many windows, as the first sums take one */

typedef struct box_job {
    const scankit_image *in, *out;
    const sk_box *box;
    scankit_type sum_type;
    sk_box_sums sums;
    sk_box_means_function *means;
    size_t n, size;     /* elements of a row, and bytes of a sum */
    size_t band;        /* rows */
    int64_t unit;       /* the sums of columns are in units of 1 / unit of a row */
    sk_box_side *sides; /* by column */
    char *scratch;      /* of each thread: sums, and their prefix */
    size_t each;
} box_job;

/* ---- rows of the image, and those that the edges add ---- */

/* The row of the image that stands at that place; NULL: none. */
static const char *row_at(const box_job *job, int64_t row)
{
    int64_t height = (int64_t)job->in->height, turn;
    switch (job->box->edge) {
    case SCANKIT_EDGE_CLAMP: row = row < 0 ? 0 : row >= height ? height - 1 : row; break;
    case SCANKIT_EDGE_MIRROR:
        turn = row % (2 * height) + (row < 0 ? 2 * height : 0);
        turn = turn % (2 * height);
        row = turn < height ? turn : 2 * height - 1 - turn;
        break;
    case SCANKIT_EDGE_OMIT: break;
    }
    if (row < 0 || row >= height)
        return NULL;
    return (const char *)job->in->data + (size_t)row * job->in->pitch;
}

static void add_row(const box_job *job, char *sums, int64_t row, int64_t weight)
{
    const char *at = row_at(job, row);
    if (at != NULL && weight != 0)
        job->sums.add(at, weight, sums, job->n);
}

/* The rows of a window, in whole rows and parts of the ones at its ends. */
typedef struct window {
    int64_t begin, end; /* whole rows */
    int64_t part;       /* of the row before them and of the one behind them, in units */
} window;

static window window_at(const box_job *job, size_t y)
{
    int64_t whole = job->box->radius / SK_BOX_UNIT;
    return (window){(int64_t)y - whole, (int64_t)y + whole + 1, job->box->radius % SK_BOX_UNIT};
}

static void begin_sums(const box_job *job, char *sums, size_t y)
{
    window w = window_at(job, y);
    memset(sums, 0, job->n * job->size);
    for (int64_t row = w.begin; row < w.end; row++)
        add_row(job, sums, row, job->unit);
    add_row(job, sums, w.begin - 1, w.part);
    add_row(job, sums, w.end, w.part);
}

/* From the window of row y - 1 to that of row y. */
static void move_sums(const box_job *job, char *sums, size_t y)
{
    window w = window_at(job, y);
    const char *next = row_at(job, w.end - 1), *last = row_at(job, w.begin - 1);
    if (w.part == 0 && next != NULL && last != NULL) {
        job->sums.slide(next, last, sums, job->n);
        return;
    }
    add_row(job, sums, w.end, w.part);
    add_row(job, sums, w.end - 1, job->unit - w.part);
    add_row(job, sums, w.begin - 1, w.part - job->unit);
    add_row(job, sums, w.begin - 2, -w.part);
}

/* ---- means of a row ---- */

/* Pixels [begin, end), each by its own side. rows: the window's rows, in units of sk_box_side_at(). */
static void write_some(const box_job *job, const char *prefix, size_t y, size_t begin, size_t end, uint64_t rows)
{
    const unsigned channels = job->in->channels;
    const size_t width = job->in->width;
    char *out = (char *)job->out->data + y * job->out->pitch;
    for (size_t x = begin; x < end; x++) {
        const sk_box_side *side = &job->sides[x];
        for (unsigned c = 0; c < channels; c++) {
            const sk_box_prefix line = {job->sum_type, channels, c, width, prefix};
            sk_write_mean(job->out->type, out, x * channels + c, sk_box_sum(&line, side), SK_BOX_UNIT / job->unit,
                          side->length * rows, job->box->shift);
        }
    }
}

/* Pixels whose windows lie within the row, of a whole radius. */
static void write_inner(const box_job *job, const char *prefix, size_t y, size_t whole, uint64_t rows)
{
    const unsigned channels = job->in->channels;
    size_t width = job->in->width, windows = width - 2 * whole;
    double area = (double)(2 * whole + 1) * (double)(rows / SK_BOX_UNIT), scale = 1;
    char *out = (char *)job->out->data + y * job->out->pitch;
    for (int i = 0; i < job->box->shift; i++)
        scale *= 2;
    for (int i = 0; i > job->box->shift; i--)
        area *= 2;
    job->means(prefix, windows * channels, (2 * whole + 1) * channels, area, scale,
               out + whole * channels * scankit_type_size(job->out->type));
}

static void write_row(const box_job *job, const char *prefix, size_t y)
{
    size_t width = job->in->width, whole = job->box->radius / SK_BOX_UNIT;
    const sk_box_side rows = sk_box_side_at(y, job->box->radius, job->in->height, job->box->edge);
    if (job->unit != 1 || width <= 2 * whole) {
        write_some(job, prefix, y, 0, width, rows.length);
        return;
    }
    write_some(job, prefix, y, 0, whole, rows.length);
    write_inner(job, prefix, y, whole, rows.length);
    write_some(job, prefix, y, width - whole, width, rows.length);
}

static void filter_band(void *state, size_t band, int thread)
{
    const box_job *job = state;
    char *sums = job->scratch + (size_t)thread * job->each, *prefix = sums + job->each / 2;
    size_t begin = band * job->band, end = sk_min(begin + job->band, job->in->height);
    begin_sums(job, sums, begin);
    for (size_t y = begin; y < end; y++) {
        if (y > begin)
            move_sums(job, sums, y);
        job->sums.prefix(sums, prefix, job->n, job->in->channels);
        write_row(job, prefix, y);
    }
}

/* ---- the pass ---- */

/* Integers in 32 bits where the sum of a window has room there, else in 64. */
static scankit_type choose_sums(const scankit_image *in, const sk_box *box)
{
    uint64_t side = 2 * (box->radius / SK_BOX_UNIT) + 1, most = sk_picture_most(in->type);
    if (sk_is_float_picture(in))
        return SCANKIT_F64;
    return box->radius % SK_BOX_UNIT == 0 && side * side * most <= UINT32_MAX ? SCANKIT_U32 : SCANKIT_U64;
}

static size_t band_rows(const scankit_image *in, const sk_box *box)
{
    size_t side = 2 * (size_t)(box->radius / SK_BOX_UNIT) + 1;
    size_t rows = WINDOWS * side > BAND_ROWS ? WINDOWS * side : BAND_ROWS;
    size_t most = (in->height + BANDS_LEAST - 1) / BANDS_LEAST;
    return most > BAND_ROWS ? sk_min(rows, most) : BAND_ROWS;
}

static scankit_error filter(sk_device *device, box_job *job)
{
    size_t bands = (job->in->height - 1) / job->band + 1, width = job->in->width;
    int team = sk_cpu_team(device, job->in->height * job->n * job->size);
    job->each = 2 * (((job->n + job->in->channels) * job->size + 255) / 256 * 256);
    job->sides = sk_arena_take(&device->workspace, width * sizeof *job->sides);
    job->scratch = sk_arena_take(&device->workspace, (size_t)team * job->each);
    if (job->sides == NULL || job->scratch == NULL)
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    for (size_t x = 0; x < width; x++)
        job->sides[x] = sk_box_side_at(x, job->box->radius, width, job->box->edge);
    sk_cpu_each(team, bands, filter_band, job);
    return SCANKIT_OK;
}

scankit_error sk_cpu_box(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    const sk_kernels *kernels = sk_kernels_of(device);
    box_job job = {.in = in, .out = out, .box = box, .n = in->width * in->channels};
    size_t mark = sk_arena_mark(&device->workspace);
    scankit_error error;
    if (box->radii != NULL) {
        error = sk_box_by_map(device, in, out, box);
    } else {
        job.sum_type = choose_sums(in, box);
        job.size = scankit_type_size(job.sum_type);
        job.sums = kernels->box_sums(in->type, job.sum_type);
        job.means = kernels->box_means(job.sum_type, out->type);
        job.band = band_rows(in, box);
        job.unit = box->radius % SK_BOX_UNIT == 0 ? 1 : SK_BOX_UNIT;
        error = filter(device, &job);
    }
    sk_arena_reset(&device->workspace, mark);
    return error;
}
