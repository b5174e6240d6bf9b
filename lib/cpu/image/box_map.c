/* box_map.c - a box filter with a radius for each pixel: differences of a summed-area table at the corners of each box
 * (Crow 1984; GPU Gems 3, chapter 39). */
#include "box_pixel.h"

typedef struct map_job {
    const scankit_image *in, *out, *table;
    const sk_box *box;
} map_job;

/* Rows of the table that a box needs, with their weights. */
typedef struct row_weight {
    size_t row; /* from 1 on: row 0 is zeros */
    int64_t weight;
} row_weight;

#define ROWS_MAX 6

static unsigned add_end(row_weight *rows, unsigned count, const sk_box_end *end, size_t height, int sign)
{
    const row_weight parts[] = {{end->at, end->low * sign}, {end->at + 1, end->high * sign}, {height, end->all * sign}};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].row > 0 && parts[i].weight != 0)
            rows[count++] = parts[i];
    return count;
}

/* A value of the table: the sum of the first x pixels of a channel of its first `row` rows. */
static sk_box_total table_at(const scankit_image *table, size_t row, size_t x, unsigned channel)
{
    const char *line = (const char *)table->data + (row - 1) * table->pitch;
    size_t at = (x - 1) * table->channels + channel;
    sk_box_total sum;
    switch (table->type) {
    case SCANKIT_U32: sum.integer = ((const uint32_t *)(const void *)line)[at]; break;
    case SCANKIT_U64: sum.integer = ((const uint64_t *)(const void *)line)[at]; break;
    default: sum.real = ((const double *)(const void *)line)[at];
    }
    return sum;
}

static sk_box_total sum_of(const map_job *job, const row_weight *rows, unsigned row_count, const row_weight *columns,
                           unsigned column_count, unsigned channel)
{
    sk_box_total sum = {0};
    bool real = job->table->type == SCANKIT_F64;
    if (real)
        sum.real = 0;
    for (unsigned r = 0; r < row_count; r++)
        for (unsigned c = 0; c < column_count; c++) {
            sk_box_total value = table_at(job->table, rows[r].row, columns[c].row, channel);
            int64_t weight = rows[r].weight * columns[c].weight;
            if (real)
                sum.real += (double)weight * value.real;
            else
                sum.integer += (uint64_t)weight * value.integer;
        }
    return sum;
}

static void filter_pixel(const map_job *job, size_t x, size_t y, char *out)
{
    const scankit_image *in = job->in;
    const float *radii = (const float *)(const void *)((const char *)job->box->radii + y * job->box->radii_pitch);
    uint32_t radius = sk_box_radius(radii[x]);
    const sk_box_side side_x = sk_box_side_at(x, radius, in->width, job->box->edge);
    const sk_box_side side_y = sk_box_side_at(y, radius, in->height, job->box->edge);
    row_weight rows[ROWS_MAX], columns[ROWS_MAX];
    unsigned row_count = add_end(rows, add_end(rows, 0, &side_y.end, in->height, 1), &side_y.begin, in->height, -1);
    unsigned column_count =
        add_end(columns, add_end(columns, 0, &side_x.end, in->width, 1), &side_x.begin, in->width, -1);
    for (unsigned c = 0; c < in->channels; c++)
        sk_write_mean(job->out->type, out, x * in->channels + c, sum_of(job, rows, row_count, columns, column_count, c),
                      1, side_x.length * side_y.length, job->box->shift);
}

static void filter_rows(const void *state, sk_range rows)
{
    const map_job *job = state;
    for (size_t y = rows.begin; y < rows.end; y++)
        for (size_t x = 0; x < job->in->width; x++)
            filter_pixel(job, x, y, (char *)job->out->data + y * job->out->pitch);
}

/* Weights multiply sums modulo 2^64, so a table of 32 bits must not have wrapped. */
static scankit_type choose_table(const scankit_image *in)
{
    size_t most = sk_picture_most(in->type);
    if (sk_is_float_picture(in))
        return SCANKIT_F64;
    return in->height <= UINT32_MAX / most / in->width ? SCANKIT_U32 : SCANKIT_U64;
}

scankit_error sk_box_by_map(sk_device *device, const scankit_image *in, const scankit_image *out, const sk_box *box)
{
    scankit_image table = *in;
    map_job job = {in, out, &table, box};
    table.type = choose_table(in);
    table.pitch = in->width * in->channels * scankit_type_size(table.type);
    table.data = sk_arena_take(&device->workspace, table.pitch * in->height);
    if (table.data == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = sk_cpu_table(device, in, &table, NULL, SCANKIT_TABLE_AUTO);
    if (error == SCANKIT_OK && !sk_rehearses(device))
        sk_cpu_slices(device, table.pitch * in->height, in->height, filter_rows, &job);
    return error;
}
