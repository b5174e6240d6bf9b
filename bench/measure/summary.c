/* summary.c - see summary.h. */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* The same row at several sizes. */
typedef struct line {
    const char *primitive;
    char variant[64];
    shape_id shape;
    scankit_type type;
    bool aside; /* as in bench_row */
    unsigned sizes;
    double log_sum, least; /* of the ratios */
    size_t least_n;        /* the size with the least ratio */
} line;

/* The lines of a primitive. */
typedef struct family {
    unsigned count; /* rows: lines times sizes */
    double log_sum;
    const line *least;
} family;

static struct {
    line *lines;
    size_t count, room;
} all;

static bool is_of(const line *l, const bench_row *row, scankit_type type)
{
    return l->type == type && l->shape == row->shape && strcmp(l->primitive, row->primitive) == 0 &&
           strcmp(l->variant, row->variant) == 0;
}

static line *line_of(const bench_row *row, scankit_type type)
{
    for (size_t i = 0; i < all.count; i++)
        if (is_of(&all.lines[i], row, type))
            return &all.lines[i];
    if (all.count == all.room) {
        all.room = 2 * all.room + 16;
        line *more = bench_allocate(all.room * sizeof *more);
        if (all.count > 0)
            memcpy(more, all.lines, all.count * sizeof *more);
        free(all.lines);
        all.lines = more;
    }
    line *added = &all.lines[all.count++];
    *added = (line){.primitive = row->primitive, .shape = row->shape, .type = type, .aside = row->aside};
    snprintf(added->variant, sizeof added->variant, "%s", row->variant);
    return added;
}

void summary_add(const bench_row *row, const bench_job *job, double ratio)
{
    line *l = line_of(row, job->type);
    if (l->sizes == 0 || ratio < l->least) {
        l->least = ratio;
        l->least_n = job->n;
    }
    l->log_sum += log(ratio);
    l->sizes++;
}

static bool has_several_sizes(void)
{
    for (size_t i = 0; i < all.count; i++)
        if (all.lines[i].sizes > 1)
            return true;
    return false;
}

static void print_lines(const char *rival)
{
    printf("Ratio to %s over all sizes: geometric mean and least\n\n", rival);
    printf(ROW_HEAD " %9s %9s\n", "", "type", "", "shape", "sizes", "mean", "least");
    for (size_t i = 0; i < all.count; i++) {
        const line *l = &all.lines[i];
        char sizes[24], least[24];
        snprintf(sizes, sizeof sizes, "%u", l->sizes);
        if (l->sizes > 1)
            printf(ROW_HEAD " %9.2f %9.2f at %s\n", l->primitive, scankit_type_name(l->type), l->variant,
                   shape_name(l->shape), sizes, exp(l->log_sum / l->sizes), l->least, size_text(l->least_n, least));
    }
}

static void family_add(family *f, const line *l)
{
    f->count += l->sizes;
    f->log_sum += l->log_sum;
    if (f->least == NULL || l->least < f->least->least)
        f->least = l;
}

static void family_print(const family *f, const char *name)
{
    char n[24];
    if (f->count > 1)
        printf("%-24s %6u %9.2f %9.2f, %s %s %s at %s\n", name, f->count, exp(f->log_sum / f->count), f->least->least,
               scankit_type_name(f->least->type), f->least->variant, shape_name(f->least->shape),
               size_text(f->least->least_n, n));
}

/* True for the first line of its primitive. */
static bool is_first(size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (strcmp(all.lines[before].primitive, all.lines[i].primitive) == 0)
            return false;
    return true;
}

/* Sorts have a family for uniform data and another for all other shapes of data. */
static void print_families_of(const char *primitive)
{
    family usual = {0, 0, NULL}, shapes = {0, 0, NULL};
    char name[48];
    for (size_t i = 0; i < all.count; i++) {
        const line *l = &all.lines[i];
        if (strcmp(l->primitive, primitive) == 0 && !l->aside)
            family_add(strcmp(primitive, "sort") == 0 && l->shape != SHAPE_uniform ? &shapes : &usual, l);
    }
    family_print(&usual, primitive);
    snprintf(name, sizeof name, "%s, other shapes", primitive);
    family_print(&shapes, name);
}

static void print_families(const char *rival)
{
    printf("\nRatio to %s over all rows of a primitive in which both do the same work\n\n%-24s %6s %9s %9s\n", rival,
           "", "rows", "mean", "least");
    for (size_t i = 0; i < all.count; i++)
        if (is_first(i))
            print_families_of(all.lines[i].primitive);
}

void summary_print(const char *rival)
{
    if (has_several_sizes())
        print_lines(rival);
    if (all.count > 1)
        print_families(rival);
    free(all.lines);
    memset(&all, 0, sizeof all);
}
