/* box_running.c - one radius for all: sums of columns go down the image, by a row in and a row out, and differences of
 * their prefix are the sums of boxes. Bands of rows begin anew, so results do not depend on the number of threads. */
#include "box.h"
#include "pixels.h"

typedef struct sk_running {
    const scankit_image *in, *out;
    const sk_box *box;
    size_t whole, margin; /* pixels; margin: columns that are summed beyond an edge */
    uint32_t part, unit;  /* the radius beyond `whole`, in units; unit: 1 where sums are of whole pixels, in u32 */
    size_t band_rows;
    char *memory; /* a piece a thread */
    size_t piece;
} sk_running;

/* The pixel at a place at most one length beyond the edges; SIZE_MAX: none. */
static inline size_t sk_place_within(int64_t place, size_t length, scankit_edge edge)
{
    int64_t n = (int64_t)length;
    if (place >= 0 && place < n)
        return (size_t)place;
    if (edge == SCANKIT_EDGE_OMIT)
        return SIZE_MAX;
    if (edge == SCANKIT_EDGE_CLAMP)
        return place < 0 ? 0 : length - 1;
    return (size_t)(place < 0 ? -1 - place : 2 * n - 1 - place);
}

static uint64_t area_at(const sk_running *job, size_t x, size_t y)
{
    const sk_box *box = job->box;
    return sk_box_side_at(x, box->radius, job->in->width, box->edge).length *
           sk_box_side_at(y, box->radius, job->in->height, box->edge).length;
}

/* True if the pixel's area is that of the middle of its row. */
static bool is_interior(const sk_running *job, size_t x)
{
    return job->box->edge != SCANKIT_EDGE_OMIT || (x >= job->margin && x + job->margin < job->in->width);
}

/* sk_box_mean() of sums below 2^32. (n + 1/2) / d, for whole n and d, lies at least 1 / 2d from each whole number. d is
 * below 2^26 and the quotient below 2^16, so the error of the product, below 2^-35, does not reach one. */
#define MEANS(TYPE)                      \
    for (size_t i = begin; i < end; i++) \
    ((TYPE *)out)[i] = (TYPE)(int32_t)(((double)(prefix[i + reach] - prefix[i])) * scale + half)

static void store_interior(const sk_running *job, void *out, const uint32_t *prefix, size_t begin, size_t end,
                           uint64_t area)
{
    size_t reach = (2 * job->whole + 1) * job->in->channels;
    int shift = job->box->shift;
    double below = 2 * (double)area * (shift < 0 ? 256 : 1);
    double scale = (shift > 0 ? 512 : 2) / below, half = 0.5 + 0.5 / below;
    if (job->out->type == SCANKIT_U8)
        MEANS(uint8_t);
    else
        MEANS(uint16_t);
}

static void store_border(const sk_running *job, size_t y, const uint32_t *prefix, size_t begin, size_t end)
{
    size_t channels = job->in->channels, reach = (2 * job->whole + 1) * channels;
    char *out = sk_row_of(job->out, y);
    for (size_t i = begin; i < end; i++) {
        uint64_t area = area_at(job, i / channels, y) >> (2 * SK_BOX_SHIFT);
        sk_put_integer(job->out->type, out, i, sk_box_mean(prefix[i + reach] - prefix[i], area, job->box->shift));
    }
}

static void store_row_u32(const sk_running *job, size_t y, const uint32_t *prefix)
{
    size_t channels = job->in->channels, n = sk_row_elements(job->in), begin = 0, end = n;
    if (job->box->edge == SCANKIT_EDGE_OMIT) {
        begin = sk_min(n, job->margin * channels);
        end = n - begin > begin ? n - begin : begin;
    }
    if (begin < end)
        store_interior(job, sk_row_of(job->out, y), prefix, begin, end,
                       area_at(job, begin / channels, y) >> (2 * SK_BOX_SHIFT));
    store_border(job, y, prefix, 0, begin);
    store_border(job, y, prefix, end, n);
}

/* The sum of a box in square units. Prefixes begin at the left end of its whole pixels. */
#define UNITS(SUM)                                                                               \
    (SUM) SK_BOX_UNIT *(prefix[i + reach] - prefix[i]) +                                         \
        (job->part == 0 ? 0                                                                      \
                        : (SUM)job->part * ((prefix[i + reach + channels] - prefix[i + reach]) + \
                                            (prefix[i] - *(prefix + i - channels))))

static void store_row_u64(const sk_running *job, size_t y, const uint64_t *prefix)
{
    size_t channels = job->in->channels, reach = (2 * job->whole + 1) * channels;
    char *out = sk_row_of(job->out, y);
    uint64_t area = area_at(job, job->in->width / 2, y);
    for (size_t i = 0; i < sk_row_elements(job->in); i++) {
        size_t x = i / channels;
        uint64_t sum = UNITS(uint64_t), of_pixel = is_interior(job, x) ? area : area_at(job, x, y);
        sk_put_integer(job->out->type, out, i, sk_box_mean(sum, of_pixel, job->box->shift));
    }
}

static void store_row_f64(const sk_running *job, size_t y, const double *prefix)
{
    size_t channels = job->in->channels, reach = (2 * job->whole + 1) * channels;
    char *out = sk_row_of(job->out, y);
    bool omit = job->box->edge == SCANKIT_EDGE_OMIT;
    double area = (double)area_at(job, job->in->width / 2, y);
    for (size_t i = 0; i < sk_row_elements(job->in); i++) {
        double sum = UNITS(double), of_pixel = omit ? (double)area_at(job, i / channels, y) : area;
        sk_put_float(job->out->type, out, i, (float)(sum / of_pixel));
    }
}

#define SUM uint32_t
#define FN(name) name##_u32
#include "box_sums.inc"
#define SUM uint64_t
#define FN(name) name##_u64
#include "box_sums.inc"
#define SUM double
#define FN(name) name##_f64
#include "box_sums.inc"

static void run_band(void *state, size_t number, int thread)
{
    const sk_running *job = state;
    size_t begin = number * job->band_rows;
    sk_range band = {begin, sk_min(begin + job->band_rows, job->in->height)};
    void *memory = job->memory + (size_t)thread * job->piece;
    if (job->unit == 1)
        run_band_u32(job, band, memory);
    else if (sk_most_of(job->in->type) > 0)
        run_band_u64(job, band, memory);
    else
        run_band_f64(job, band, memory);
}

static bool fits_u32(const sk_running *job)
{
    uint64_t side = 2 * job->whole + 1, most = sk_most_of(job->in->type);
    return job->part == 0 && most > 0 && most * side * side <= UINT32_MAX;
}

bool sk_box_runs(const scankit_image *in, const sk_box *box)
{
    size_t reach = (box->radius >> SK_BOX_SHIFT) + 2;
    return box->radii == NULL && reach <= in->width && reach <= in->height;
}

scankit_error sk_box_by_running(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    sk_running job = {.in = in, .out = out, .box = box, .whole = box->radius >> SK_BOX_SHIFT};
    job.part = box->radius & (SK_BOX_UNIT - 1);
    job.margin = job.whole + 1;
    job.unit = fits_u32(&job) ? 1 : SK_BOX_UNIT;
    job.band_rows = 64 + 8 * job.whole;
    size_t n = sk_row_elements(in), bands = (in->height + job.band_rows - 1) / job.band_rows;
    int team = sk_cpu_team(device, n * in->height * 8);
    job.piece = (3 * n + (2 * job.margin + 1) * in->channels) * sizeof(uint64_t);
    job.memory = sk_arena_take(&device->workspace, (size_t)team * job.piece);
    if (job.memory == NULL)
        return SCANKIT_E_MEMORY;
    sk_cpu_each(team, bands, run_band, &job);
    return SCANKIT_OK;
}
