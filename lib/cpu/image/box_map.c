/* box_map.c - boxes from a summed-area table (Crow 1984): each pixel may have a radius of its own. */
#include "box.h"
#include "box_taps.h"

typedef struct map_job {
    const scankit_image *in, *out, *table;
    const sk_box *box;
} map_job;

static uint32_t radius_at(const sk_box *box, size_t x, size_t y)
{
    if (box->radii == NULL)
        return box->radius;
    return sk_box_radius(((const float *)((const char *)box->radii + y * box->radii_pitch))[x]);
}

static uint64_t integer_sum(const scankit_image *table, const sk_box_taps *x, const sk_box_taps *y, unsigned c)
{
    uint64_t sum = 0;
    for (unsigned j = 0; j < y->count; j++) {
        const uint64_t *row = (const uint64_t *)sk_row_of(table, y->at[j] - 1);
        uint64_t across = 0;
        for (unsigned i = 0; i < x->count; i++)
            across += (uint64_t)x->weight[i] * row[(x->at[i] - 1) * table->channels + c];
        sum += (uint64_t)y->weight[j] * across;
    }
    return sum;
}

static double float_sum(const scankit_image *table, const sk_box_taps *x, const sk_box_taps *y, unsigned c)
{
    double sum = 0;
    for (unsigned j = 0; j < y->count; j++) {
        const double *row = (const double *)sk_row_of(table, y->at[j] - 1);
        double across = 0;
        for (unsigned i = 0; i < x->count; i++)
            across += (double)x->weight[i] * row[(x->at[i] - 1) * table->channels + c];
        sum += (double)y->weight[j] * across;
    }
    return sum;
}

static void map_pixel(const map_job *job, size_t x, size_t y)
{
    const scankit_image *out = job->out, *table = job->table;
    uint32_t radius = radius_at(job->box, x, y);
    const sk_box_taps across = sk_box_taps_at(x, radius, out->width, job->box->edge);
    const sk_box_taps down = sk_box_taps_at(y, radius, out->height, job->box->edge);
    uint64_t area = across.length * down.length;
    for (unsigned c = 0; c < out->channels; c++) {
        size_t i = x * out->channels + c;
        if (table->type == SCANKIT_U64)
            sk_put_integer(out->type, sk_row_of(out, y), i,
                           sk_box_mean(integer_sum(table, &across, &down, c), area, job->box->shift));
        else
            sk_put_float(out->type, sk_row_of(out, y), i, (float)(float_sum(table, &across, &down, c) / (double)area));
    }
}

static void map_rows(const void *state, sk_range rows)
{
    const map_job *job = state;
    for (size_t y = rows.begin; y < rows.end; y++)
        for (size_t x = 0; x < job->out->width; x++)
            map_pixel(job, x, y);
}

/* ---- the table: rows by themselves, then columns, each thread a part ---- */

static void scan_integers(const map_job *job, size_t y)
{
    const char *row = sk_row_of(job->in, y);
    uint64_t *sums = (uint64_t *)sk_row_of(job->table, y);
    unsigned channels = job->in->channels;
    for (size_t i = 0; i < sk_row_elements(job->in); i++)
        sums[i] = sk_integer_at(job->in->type, row, i) + (i < channels ? 0 : sums[i - channels]);
}

static void scan_floats(const map_job *job, size_t y)
{
    const char *row = sk_row_of(job->in, y);
    double *sums = (double *)sk_row_of(job->table, y);
    unsigned channels = job->in->channels;
    for (size_t i = 0; i < sk_row_elements(job->in); i++)
        sums[i] = (double)sk_float_at(job->in->type, row, i) + (i < channels ? 0 : sums[i - channels]);
}

static void scan_table_rows(const void *state, sk_range rows)
{
    const map_job *job = state;
    for (size_t y = rows.begin; y < rows.end; y++)
        if (job->table->type == SCANKIT_U64)
            scan_integers(job, y);
        else
            scan_floats(job, y);
}

static void scan_table_columns(const void *state, sk_range columns)
{
    const map_job *job = state;
    for (size_t y = 1; y < job->table->height; y++) {
        char *above = sk_row_of(job->table, y - 1), *row = sk_row_of(job->table, y);
        if (job->table->type == SCANKIT_U64)
            for (size_t i = columns.begin; i < columns.end; i++)
                ((uint64_t *)row)[i] += ((const uint64_t *)above)[i];
        else
            for (size_t i = columns.begin; i < columns.end; i++)
                ((double *)row)[i] += ((const double *)above)[i];
    }
}

scankit_error sk_box_by_table(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    scankit_image table = *in;
    size_t elements = sk_row_elements(in);
    table.type = sk_most_of(in->type) > 0 ? SCANKIT_U64 : SCANKIT_F64;
    table.pitch = elements * sizeof(uint64_t);
    table.data = sk_arena_take(&device->workspace, table.height * table.pitch);
    if (table.data == NULL)
        return SCANKIT_E_MEMORY;
    const map_job job = {in, out, &table, box};
    size_t bytes = table.height * table.pitch;
    sk_cpu_slices(device, bytes, in->height, scan_table_rows, &job);
    sk_cpu_slices(device, bytes, elements, scan_table_columns, &job);
    sk_cpu_slices(device, 4 * bytes, in->height, map_rows, &job);
    return SCANKIT_OK;
}
