/* box-oracle.c - see box-oracle.h */
#include "image/box-oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/canvas.h"

/* A box along an axis: how many parts of each pixel it covers. A pixel that stands also for places beyond the edges has
 * more parts than it is wide. */
typedef struct box_axis {
    uint64_t *covered, sum;
    size_t first, end; /* other pixels are not covered */
} box_axis;

/* The pixel that an image shows at a place, which may lie beyond its edges; -1 for none. */
static int64_t shown(int64_t place, int64_t length, scankit_edge edge)
{
    if (place >= 0 && place < length)
        return place;
    if (edge == SCANKIT_EDGE_CLAMP)
        return place < 0 ? 0 : length - 1;
    if (edge == SCANKIT_EDGE_OMIT)
        return -1;
    int64_t within = (place % (2 * length) + 2 * length) % (2 * length);
    return within < length ? within : 2 * length - 1 - within;
}

static void cover(box_axis *axis, size_t pixel, uint32_t radius, size_t length, scankit_edge edge)
{
    int64_t begin = (int64_t)pixel * BOX_PARTS - radius, end = ((int64_t)pixel + 1) * BOX_PARTS + radius;
    memset(axis->covered, 0, length * sizeof *axis->covered);
    axis->sum = axis->end = 0;
    axis->first = length;
    for (int64_t place = (begin - BOX_PARTS) / BOX_PARTS; place * BOX_PARTS < end; place++) {
        int64_t from = place * BOX_PARTS, to = from + BOX_PARTS, at = shown(place, (int64_t)length, edge);
        from = from > begin ? from : begin;
        to = to < end ? to : end;
        if (to <= from || at < 0)
            continue;
        axis->covered[at] += (uint64_t)(to - from);
        axis->sum += (uint64_t)(to - from);
        axis->first = (size_t)at < axis->first ? (size_t)at : axis->first;
        axis->end = (size_t)at + 1 > axis->end ? (size_t)at + 1 : axis->end;
    }
}

/* ---- the mean of one box ---- */

typedef struct box_sum {
    uint64_t whole; /* of integers */
    double real;    /* of floats */
} box_sum;

static box_sum sum_box(const double *values, const scankit_image *in, unsigned c, const box_axis *x, const box_axis *y)
{
    box_sum sum = {0, 0};
    for (size_t j = y->first; j < y->end; j++)
        for (size_t i = x->first; i < x->end; i++) {
            double value = values[(j * in->width + i) * in->channels + c];
            uint64_t parts = x->covered[i] * y->covered[j];
            if (canvas_most(in->type) > 0)
                sum.whole += parts * (uint64_t)value;
            else
                sum.real += (double)parts * value;
        }
    return sum;
}

/* One pass's change of an integer's bits. */
typedef struct box_scale {
    uint64_t times, over;
} box_scale;

static double mean_of(box_sum sum, uint64_t area, const scankit_image *in, box_scale scale)
{
    if (canvas_most(in->type) == 0)
        return (double)(float)(sum.real / (double)area);
    return (double)((2 * sum.whole * scale.times + area * scale.over) / (2 * area * scale.over));
}

/* ---- one radius: the sums of rows first, then of columns ---- */

static void add(box_sum *sum, const scankit_image *in, uint64_t parts, box_sum value)
{
    sum->whole += parts * value.whole;
    if (canvas_most(in->type) == 0)
        sum->real += (double)parts * value.real;
}

static box_sum *sum_rows(const scankit_image *in, const double *values, uint32_t radius, scankit_edge edge)
{
    box_axis x = {.covered = data_allocate(in->width, sizeof *x.covered)};
    box_sum *sums = data_allocate(canvas_elements(in), sizeof *sums);
    memset(sums, 0, canvas_elements(in) * sizeof *sums);
    for (size_t i = 0; i < in->width; i++) {
        cover(&x, i, radius, in->width, edge);
        for (size_t j = 0; j < in->height; j++)
            for (size_t k = x.first; k < x.end; k++)
                for (unsigned c = 0; c < in->channels; c++) {
                    double value = values[(j * in->width + k) * in->channels + c];
                    add(&sums[(j * in->width + i) * in->channels + c], in, x.covered[k],
                        (box_sum){canvas_most(in->type) > 0 ? (uint64_t)value : 0, value});
                }
    }
    free(x.covered);
    return sums;
}

static void pass_one_radius(const scankit_image *in, const double *from, uint32_t radius, scankit_edge edge, double *to,
                            box_scale scale)
{
    const size_t row = in->width * in->channels;
    box_axis x = {.covered = data_allocate(in->width, sizeof *x.covered)};
    box_axis y = {.covered = data_allocate(in->height, sizeof *y.covered)};
    box_sum *rows = sum_rows(in, from, radius, edge), *sums = data_allocate(row, sizeof *sums);
    uint64_t *across = data_allocate(in->width, sizeof *across);
    for (size_t i = 0; i < in->width; i++) {
        cover(&x, i, radius, in->width, edge);
        across[i] = x.sum;
    }
    for (size_t j = 0; j < in->height; j++) {
        cover(&y, j, radius, in->height, edge);
        memset(sums, 0, row * sizeof *sums);
        for (size_t k = y.first; k < y.end; k++)
            for (size_t i = 0; i < row; i++)
                add(&sums[i], in, y.covered[k], rows[k * row + i]);
        for (size_t i = 0; i < row; i++)
            *to++ = mean_of(sums[i], across[i / in->channels] * y.sum, in, scale);
    }
    free(x.covered);
    free(y.covered);
    free(across);
    free(rows);
    free(sums);
}

/* ---- passes ---- */

static void pass(const scankit_image *in, const double *from, const uint32_t *radii, scankit_edge edge, double *to,
                 box_scale scale)
{
    box_axis x = {.covered = data_allocate(in->width, sizeof *x.covered)};
    box_axis y = {.covered = data_allocate(in->height, sizeof *y.covered)};
    for (size_t j = 0; j < in->height; j++)
        for (size_t i = 0; i < in->width; i++) {
            uint32_t radius = *radii++;
            cover(&x, i, radius, in->width, edge);
            cover(&y, j, radius, in->height, edge);
            for (unsigned c = 0; c < in->channels; c++)
                *to++ = mean_of(sum_box(from, in, c, &x, &y), x.sum * y.sum, in, scale);
        }
    free(x.covered);
    free(y.covered);
}

static bool is_one_radius(const scankit_image *in, const uint32_t *radii)
{
    for (size_t i = 1; i < in->width * in->height; i++)
        if (radii[i] != radii[0])
            return false;
    return true;
}

void box_oracle(const scankit_image *in, const uint32_t *radii, scankit_edge edge, unsigned passes, double *values)
{
    const uint64_t more = in->type == SCANKIT_U8 ? 256 : 1; /* 8 more bits between passes */
    size_t bytes = canvas_elements(in) * sizeof *values;
    double *from = canvas_values(in);
    passes = passes > 0 ? passes : 1;
    for (unsigned i = 0; i < passes; i++) {
        const box_scale scale = {i + 1 < passes && i == 0 ? more : 1, i > 0 && i + 1 == passes ? more : 1};
        if (is_one_radius(in, radii))
            pass_one_radius(in, from, *radii, edge, values, scale);
        else
            pass(in, from, radii, edge, values, scale);
        memcpy(from, values, bytes);
    }
    free(from);
}

uint32_t box_radius(double radius)
{
    if (!(radius > 0))
        return 0;
    return (uint32_t)floor(fmin(radius, SCANKIT_RADIUS_MAX) * BOX_PARTS + 0.5);
}
