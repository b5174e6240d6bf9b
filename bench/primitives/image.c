/* image.c - transposition, summed-area tables, box filters and pyramids of square pictures; an image has n pixels of
 * one channel, or n / 4 of four. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/element.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

#define PLACES 4096 /* at which results are checked */
#define LEVELS_MAX 32

typedef enum image_work { TRANSPOSE, SCAN_ROWS, TABLE, BOX, BOX_MAP, PYRAMID } image_work;

/* A row of the table. to: of a summed-area table. */
typedef struct image_row {
    const char *variant;
    image_work work;
    scankit_type type, to;
    unsigned channels;
    scankit_table_method method;
    double radius;
    scankit_edge edge;
    unsigned passes;
} image_row;

static const image_row rows[] = {
    {"transpose", TRANSPOSE, SCANKIT_F32, .channels = 1},
    {"transpose", TRANSPOSE, SCANKIT_U8, .channels = 1},
    {"transpose", TRANSPOSE, SCANKIT_F64, .channels = 1},
    {"transpose, 3 channels", TRANSPOSE, SCANKIT_U8, .channels = 3},
    {"transpose, 3 channels", TRANSPOSE, SCANKIT_U16, .channels = 3},
    {"transpose, 4 channels", TRANSPOSE, SCANKIT_F32, .channels = 4},
    {"scan of rows", SCAN_ROWS, SCANKIT_F32, .channels = 1},
    {"table: single-pass", TABLE, SCANKIT_F32, SCANKIT_F32, .channels = 1, .method = SCANKIT_TABLE_SINGLE_PASS},
    {"table: transposes", TABLE, SCANKIT_F32, SCANKIT_F32, .channels = 1, .method = SCANKIT_TABLE_TRANSPOSES},
    {"table to u32: single-pass", TABLE, SCANKIT_U8, SCANKIT_U32, .channels = 1, .method = SCANKIT_TABLE_SINGLE_PASS},
    {"table to u32: transposes", TABLE, SCANKIT_U8, SCANKIT_U32, .channels = 1, .method = SCANKIT_TABLE_TRANSPOSES},
    {"table to f32, 4 channels: single-pass", TABLE, SCANKIT_U8, SCANKIT_F32, .channels = 4,
     .method = SCANKIT_TABLE_SINGLE_PASS},
    {"table to f32, 4 channels: transposes", TABLE, SCANKIT_U8, SCANKIT_F32, .channels = 4,
     .method = SCANKIT_TABLE_TRANSPOSES},
    {"box, radius 1", BOX, SCANKIT_F32, .channels = 1, .radius = 1},
    {"box, radius 5", BOX, SCANKIT_F32, .channels = 1, .radius = 5},
    {"box, radius 100", BOX, SCANKIT_F32, .channels = 1, .radius = 100},
    {"box, radius 1000", BOX, SCANKIT_F32, .channels = 1, .radius = 1000},
    {"box, radius 1000, edges left out", BOX, SCANKIT_F32, .channels = 1, .radius = 1000, .edge = SCANKIT_EDGE_OMIT},
    {"box, radius 2.5", BOX, SCANKIT_F32, .channels = 1, .radius = 2.5},
    {"box, radius 1", BOX, SCANKIT_U8, .channels = 1, .radius = 1},
    {"box, radius 5", BOX, SCANKIT_U8, .channels = 1, .radius = 5},
    {"box, radius 100", BOX, SCANKIT_U8, .channels = 1, .radius = 100},
    {"box, radius 1000", BOX, SCANKIT_U8, .channels = 1, .radius = 1000},
    {"box, radius 5, 3 passes", BOX, SCANKIT_U8, .channels = 1, .radius = 5, .passes = 3},
    {"box, a radius a pixel", BOX_MAP, SCANKIT_F32, .channels = 1},
    {"box, a radius a pixel", BOX_MAP, SCANKIT_U8, .channels = 1},
    {"pyramid", PYRAMID, SCANKIT_F32, .channels = 1},
    {"pyramid of sRGB", PYRAMID, SCANKIT_U8, .channels = 1},
    {"pyramid of sRGB, 4 channels", PYRAMID, SCANKIT_U8, .channels = 4},
};

/* What runs: the functions of a row know no more than the job. */
static const image_row *current;

static size_t side_of(size_t n)
{
    return (size_t)sqrt((double)n);
}

static scankit_image picture(const image_row *row, size_t n, scankit_type type, const void *data)
{
    size_t side = side_of(n / row->channels);
    return (scankit_image){type, row->channels, side, side, 0, (void *)data};
}

/* Levels 1 and up, one behind the other in `memory`. */
static unsigned levels_of(const scankit_image *image, void *memory, scankit_image *levels)
{
    unsigned count = scankit_mipmap_levels(image->width, image->height) - 1;
    char *at = memory;
    for (unsigned i = 0; i < count; i++) {
        levels[i] = *image;
        levels[i].width = scankit_mipmap_extent(image->width, i + 1);
        levels[i].height = scankit_mipmap_extent(image->height, i + 1);
        levels[i].data = at;
        at += levels[i].width * levels[i].height * image->channels * scankit_type_size(image->type);
    }
    return count;
}

static scankit_error run(scankit_context *context, const bench_job *job)
{
    const image_row *row = current;
    scankit_image in = picture(row, job->n, row->type, job->in), out = picture(row, job->n, row->type, job->out);
    scankit_image levels[LEVELS_MAX], map = {SCANKIT_F32, 1, in.width, in.height, 0, (void *)job->values_in};
    scankit_table_options table = {.method = row->method, .wrap = 1};
    scankit_box_options box = {.radius = row->radius, .edge = row->edge, .passes = row->passes};
    size_t side = in.width, pixel = row->channels * scankit_type_size(row->type);
    switch (row->work) {
    case TRANSPOSE: return scankit_transpose(context, pixel, job->in, 0, job->out, 0, side, side);
    case SCAN_ROWS:
        return scankit_scan_rows(context, row->type, SCANKIT_SUM, SCANKIT_INCLUSIVE, job->in, 0, job->out, 0, side,
                                 side);
    case TABLE: out.type = row->to; return scankit_summed_area_table(context, &in, &out, &table);
    case BOX: return scankit_box_filter(context, &in, &out, &box);
    case BOX_MAP: box.radii = &map; return scankit_box_filter(context, &in, &out, &box);
    default: return scankit_mipmap(context, &in, levels, levels_of(&in, job->out, levels), 0);
    }
}

static bench_traffic traffic_of(const image_row *row, size_t n)
{
    size_t bytes = n * scankit_type_size(row->type);
    bench_traffic moved = {bytes, bytes};
    if (row->work == TABLE)
        moved.written = n * scankit_type_size(row->to);
    if (row->method == SCANKIT_TABLE_TRANSPOSES)
        moved = (bench_traffic){bytes + 3 * moved.written, 4 * moved.written};
    if (row->work == PYRAMID)
        moved.written = bytes / 3;
    return moved;
}

/* ---- checks at some places: another library's answer is not needed to see that a result is one ---- */

static double value_at(const scankit_image *image, const char *memory, size_t x, size_t y)
{
    return element_load(image->type,
                        memory + (y * image->width + x) * image->channels * scankit_type_size(image->type));
}

/* The mean over a box of the first channel, edges clamped. */
static double mean_around(const scankit_image *image, const char *memory, size_t x, size_t y, long radius)
{
    double sum = 0;
    long last = (long)image->width - 1;
    for (long dy = -radius; dy <= radius; dy++)
        for (long dx = -radius; dx <= radius; dx++) {
            long u = (long)x + dx, v = (long)y + dy;
            u = u < 0 ? 0 : u > last ? last : u;
            v = v < 0 ? 0 : v > last ? last : v;
            sum += value_at(image, memory, (size_t)u, (size_t)v);
        }
    return sum / (double)((2 * radius + 1) * (2 * radius + 1));
}

/* True where the table at (x, y) grows by the row before x; unsigned types may wrap. */
static bool table_grows(const image_row *row, const scankit_image *in, const char *from, const scankit_image *out,
                        const char *to, size_t x, size_t y)
{
    if (x == 0 || y == 0)
        return true;
    double corner = value_at(out, to, x, y) - value_at(out, to, x - 1, y) - value_at(out, to, x, y - 1) +
                    value_at(out, to, x - 1, y - 1);
    double tolerance = row->to == SCANKIT_F32 ? 1e-6 * value_at(out, to, x, y) + 1 : 0;
    return fabs(remainder(corner - value_at(in, from, x, y), 0x1p32)) <= tolerance;
}

static bool is_right_at(const image_row *row, const scankit_image *in, const char *from, const char *to, size_t x,
                        size_t y)
{
    scankit_image out = *in;
    double value = value_at(in, from, x, y);
    switch (row->work) {
    case TRANSPOSE: return memcmp(&value, &(double){value_at(&out, to, y, x)}, sizeof value) == 0;
    case SCAN_ROWS:
        return x == 0 ||
               fabs(value_at(&out, to, x, y) - value_at(&out, to, x - 1, y) - value) <= 1e-5 * value_at(&out, to, x, y);
    case TABLE: out.type = row->to; return table_grows(row, in, from, &out, to, x, y);
    case BOX:
        if (row->radius > 5 || row->radius < 1 || row->passes > 1 || row->radius > floor(row->radius))
            return true; /* t/image/ does these */
        return fabs(mean_around(in, from, x, y, (long)row->radius) - value_at(&out, to, x, y)) <=
               (in->type == SCANKIT_U8 ? 0.5 : 1e-6);
    default: return true;
    }
}

static void *download(const bench_state *bench, const void *from, size_t bytes)
{
    void *copy = bench_allocate(bytes);
    bench_try(bench, scankit_download(bench->context, copy, from, bytes), "download");
    return copy;
}

static bool is_right(const bench_state *bench, const image_row *row, const bench_job *job)
{
    scankit_image in = picture(row, job->n, row->type, job->in);
    size_t out_size = scankit_type_size(row->work == TABLE ? row->to : row->type);
    char *from = download(bench, job->in, job->n * scankit_type_size(row->type));
    char *to = download(bench, job->out, job->n * out_size);
    random_state random;
    bool right = true;
    random_seed(&random, bench->seed);
    for (unsigned i = 0; i < PLACES && right; i++)
        right = is_right_at(row, &in, from, to, random_below(&random, in.width), random_below(&random, in.height));
    free(from);
    free(to);
    return right;
}

/* ---- the rows ---- */

/* Radii that grow from left to right, to a 20th of the width. */
static void load_map(const bench_state *bench, size_t n)
{
    size_t side = side_of(n);
    float *map = bench_allocate(n * sizeof *map);
    for (size_t i = 0; i < n; i++)
        map[i] = (float)(i % side) / 20;
    bench_try(bench, scankit_upload(bench->context, bench->values_in, map, n * sizeof *map), "upload");
    free(map);
}

void bench_image(bench_state *bench, size_t n)
{
    if (side_of(n) * side_of(n) != n || n < 16)
        return;
    load_map(bench, n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_job job = job_for(bench, rows[i].type, n);
        bench_row row = {"image", rows[i].variant, SHAPE_uniform, run, .rival = NULL};
        current = &rows[i];
        row.moved = traffic_of(current, n);
        job.values_in = bench->values_in;
        if (!is_wanted(bench, &row, &job))
            continue;
        (void)data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, is_right(bench, current, &job));
    }
}
