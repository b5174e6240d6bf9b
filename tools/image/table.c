/* table.c - see table.h. Sums of integers are compared exactly, modulo 2^64 or 2^32; sums of floats in f64, with a
 * tolerance for the rounding of each step. */
#include "table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "elements.h"

#define RECTANGLES 256
#define SIDE_MOST 64

/* A sum, in both arithmetics: one of them is compared. */
struct sum {
    uint64_t whole;
    double real, magnitude; /* magnitude: the sum of absolute values */
};

struct checking {
    const struct picture *table, *picture;
    const double *mean;
    double rounding; /* tolerated, as a part of the magnitude */
    unsigned channel;
};

static bool is_whole(const struct picture *table)
{
    return table->type == SCANKIT_U32 || table->type == SCANKIT_U64;
}

static size_t index_of(const struct checking *checking, size_t x, size_t y)
{
    return (y * checking->picture->width + x) * checking->picture->channels + checking->channel;
}

static void add(const struct checking *checking, struct sum *sum, size_t x, size_t y)
{
    double value = element_load(checking->picture, index_of(checking, x, y));
    sum->whole += is_whole(checking->table) ? (uint64_t)value : 0;
    value -= checking->mean == NULL ? 0 : checking->mean[checking->channel];
    sum->real += value;
    sum->magnitude += fabs(value);
}

static struct sum entry(const struct checking *checking, size_t x, size_t y)
{
    const unsigned char *at =
        checking->table->pixels + index_of(checking, x, y) * scankit_type_size(checking->table->type);
    struct sum sum = {0};
    uint32_t word;
    float single;
    switch (checking->table->type) {
    case SCANKIT_U32:
        memcpy(&word, at, sizeof word);
        sum.whole = word;
        break;
    case SCANKIT_U64: memcpy(&sum.whole, at, sizeof sum.whole); break;
    case SCANKIT_F32:
        memcpy(&single, at, sizeof single);
        sum.real = single;
        break;
    default: memcpy(&sum.real, at, sizeof sum.real);
    }
    return sum;
}

/* magnitude: of all values that went into the entries behind `found`. */
static bool agrees(const struct checking *checking, struct sum found, struct sum wanted, double magnitude)
{
    if (checking->table->type == SCANKIT_U32)
        return (uint32_t)found.whole == (uint32_t)wanted.whole;
    if (checking->table->type == SCANKIT_U64)
        return found.whole == wanted.whole;
    return fabs(found.real - wanted.real) <= checking->rounding * magnitude || found.real == wanted.real ||
           !isfinite(magnitude);
}

static struct sum minus(struct sum a, struct sum b)
{
    return (struct sum){.whole = a.whole - b.whole, .real = a.real - b.real};
}

/* ---- the borders ---- */

/* The first and the last column of row y, and the first row. above: the direct sum over the rows above. columns: the
 * sums of the columns so far. */
static bool check_row(const struct checking *checking, size_t y, struct sum *above, struct sum *columns)
{
    size_t width = checking->picture->width;
    bool good = true;
    for (size_t x = 0; x < width; x++) {
        add(checking, above, x, y);
        add(checking, &columns[x], x, y);
        if (y == 0 || x + 1 == width)
            good = good && agrees(checking, entry(checking, x, y), *above, above->magnitude);
    }
    return good && agrees(checking, entry(checking, 0, y), columns[0], columns[0].magnitude);
}

static bool check_borders(const struct checking *checking, double *magnitude)
{
    size_t width = checking->picture->width, height = checking->picture->height;
    struct sum *columns = get_memory(width * sizeof *columns), all = {0}, left = {0};
    memset(columns, 0, width * sizeof *columns);
    bool good = true;
    for (size_t y = 0; y < height; y++)
        good = check_row(checking, y, &all, columns) && good;
    for (size_t x = 0; x < width; x++) {
        left.whole += columns[x].whole;
        left.real += columns[x].real;
        left.magnitude += columns[x].magnitude;
        good = good && agrees(checking, entry(checking, x, height - 1), left, left.magnitude);
    }
    free(columns);
    *magnitude = all.magnitude;
    return good;
}

/* ---- rectangles ---- */

static size_t random_below(uint64_t *state, size_t limit)
{
    *state = *state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    return (size_t)(*state >> 33) % limit;
}

static bool check_rectangle(const struct checking *checking, uint64_t *state, double magnitude)
{
    size_t width = checking->picture->width, height = checking->picture->height;
    size_t x0 = random_below(state, width), y0 = random_below(state, height);
    size_t x1 = x0 + random_below(state, width - x0 < SIDE_MOST ? width - x0 : SIDE_MOST);
    size_t y1 = y0 + random_below(state, height - y0 < SIDE_MOST ? height - y0 : SIDE_MOST);
    struct sum direct = {0}, none = {0};
    for (size_t y = y0; y <= y1; y++)
        for (size_t x = x0; x <= x1; x++)
            add(checking, &direct, x, y);
    struct sum above = y0 > 0 ? entry(checking, x1, y0 - 1) : none;
    struct sum left = x0 > 0 ? entry(checking, x0 - 1, y1) : none;
    struct sum corner = x0 > 0 && y0 > 0 ? entry(checking, x0 - 1, y0 - 1) : none;
    struct sum found = minus(minus(entry(checking, x1, y1), above), minus(left, corner));
    return agrees(checking, found, direct, magnitude);
}

bool table_is_right(const struct picture *table, const struct picture *picture, const double *mean)
{
    struct checking checking = {.table = table, .picture = picture, .mean = mean};
    double steps = 8 + 4 * ((double)picture->width + (double)picture->height), magnitude;
    uint64_t state = 1;
    bool good = true;
    checking.rounding = (table->type == SCANKIT_F32 ? FLT_EPSILON : DBL_EPSILON) * steps;
    for (; checking.channel < picture->channels; checking.channel++) {
        good = check_borders(&checking, &magnitude) && good;
        for (int i = 0; i < RECTANGLES; i++)
            good = check_rectangle(&checking, &state, magnitude) && good;
    }
    return good;
}
