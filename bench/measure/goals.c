/* goals.c - see goals.h. */
#include "goals.h"

#include <string.h>

#include "table.h"

/* Elements of a row with a goal: the benchmark's default for its largest size. */
#define GOAL_N ((size_t)1 << 28)

/* A row at GOAL_N elements. ratio: speed relative to the rival; of_copy: relative to a copy; 0: no goal. */
typedef struct goal {
    const char *primitive;
    scankit_type type;
    const char *variant;
    shape_id shape;
    double ratio, of_copy, measured_ratio, measured_of_copy;
    bool known; /* measured in this run */
} goal;

static goal goals[] = {
    {"scan", SCANKIT_U32, "exclusive sum", SHAPE_uniform, .ratio = 1.20, .of_copy = 0.97},
    {"scan", SCANKIT_U32, "inclusive sum", SHAPE_uniform, .ratio = 1.20, .of_copy = 0.97},
    {"scan", SCANKIT_F32, "exclusive sum", SHAPE_uniform, .ratio = 1.20, .of_copy = 0.97},
    {"scan", SCANKIT_F32, "inclusive sum", SHAPE_uniform, .ratio = 1.20, .of_copy = 0.97},
    {"scan", SCANKIT_U64, "exclusive sum", SHAPE_uniform, .ratio = 1.08, .of_copy = 0.97},
    {"scan", SCANKIT_F64, "exclusive sum", SHAPE_uniform, .ratio = 1.08, .of_copy = 0.97},
    {"scan", SCANKIT_U8, "exclusive sum", SHAPE_uniform, .ratio = 2.0, .of_copy = 0.8},
    {"scan", SCANKIT_U8, "inclusive sum", SHAPE_uniform, .ratio = 2.0, .of_copy = 0.8},
    {"scan", SCANKIT_U16, "exclusive sum", SHAPE_uniform, .ratio = 2.0, .of_copy = 0.8},
    {"scan", SCANKIT_U16, "inclusive sum", SHAPE_uniform, .ratio = 2.0, .of_copy = 0.8},
    {"compact", SCANKIT_U32, "half, compiled", SHAPE_uniform, .ratio = 1.30, .of_copy = 0.96},
    {"compact", SCANKIT_U32, "half, in place, compiled", SHAPE_uniform, .ratio = 1.30, .of_copy = 0.96},
    {"rle", SCANKIT_U32, "encode, all distinct", SHAPE_uniform, .ratio = 1.2},
    {"rle", SCANKIT_U32, "encode, runs of 8", SHAPE_runs8, .ratio = 1.4},
    {"rle", SCANKIT_U32, "encode, runs of 256", SHAPE_runs256, .ratio = 1.3},
    {"sort", SCANKIT_U32, "auto", SHAPE_uniform, .ratio = 1.7},
    {"sort", SCANKIT_U64, "auto", SHAPE_uniform, .ratio = 2.9},
    {"sort", SCANKIT_F32, "auto", SHAPE_uniform, .ratio = 1.7},
    {"pairs", SCANKIT_U32, "auto", SHAPE_uniform, .ratio = 1.25},
    {"pairs", SCANKIT_U64, "auto", SHAPE_uniform, .ratio = 1.5},
    {"merge", SCANKIT_U32, "two halves", SHAPE_sorted, .ratio = 1.2, .of_copy = 0.85},
};
#define GOALS (sizeof goals / sizeof *goals)

/* A goal without a rival: elements a second, or the speed relative to another row of the library. */
typedef struct own_goal {
    const char *primitive;
    scankit_type type;
    const char *variant;
    size_t n;
    double rate;     /* billions of elements a second; with `row`, relative to that variant */
    const char *row; /* or NULL */
    double rate_of_row, measured;
} own_goal;

static own_goal own_goals[] = {
    {"scan", SCANKIT_F32, "exclusive sum, deterministic", GOAL_N, 0.9, .row = "exclusive sum"},
    {"sort", SCANKIT_U32, "chunk-merge", GOAL_N, 20, .row = NULL},
    {"sort", SCANKIT_U32, "auto", (size_t)1 << 16, 65536 / 20e-6 * 1e-9, .row = NULL}, /* in 20 us */
};
#define OWN_GOALS (sizeof own_goals / sizeof *own_goals)

static bool is_row(const bench_row *row, const bench_job *job, const char *name, scankit_type type, const char *variant)
{
    return job->type == type && strcmp(row->primitive, name) == 0 && strcmp(row->variant, variant) == 0;
}

static bool is_of_goal(const goal *g, const bench_row *row, const bench_job *job)
{
    return job->n == GOAL_N && row->shape == g->shape && is_row(row, job, g->primitive, g->type, g->variant);
}

bool goals_have(const bench_row *row, const bench_job *job)
{
    for (const goal *g = goals; g < goals + GOALS; g++)
        if (is_of_goal(g, row, job))
            return true;
    for (const own_goal *g = own_goals; g < own_goals + OWN_GOALS; g++)
        if (job->n == g->n && row->shape == SHAPE_uniform && is_row(row, job, g->primitive, g->type, g->variant))
            return true;
    return false;
}

bool goals_have_data(const char *primitive, shape_id shape, scankit_type type, size_t n)
{
    for (const goal *g = goals; g < goals + GOALS; g++)
        if (n == GOAL_N && shape == g->shape && type == g->type && strcmp(primitive, g->primitive) == 0)
            return true;
    for (const own_goal *g = own_goals; g < own_goals + OWN_GOALS; g++)
        if (n == g->n && shape == SHAPE_uniform && type == g->type && strcmp(primitive, g->primitive) == 0)
            return true;
    return false;
}

static void add_to_own(const bench_row *row, const bench_job *job, double rate)
{
    for (own_goal *g = own_goals; g < own_goals + OWN_GOALS; g++) {
        if (job->n != g->n || row->shape != SHAPE_uniform)
            continue;
        if (is_row(row, job, g->primitive, g->type, g->variant))
            g->measured = rate;
        if (g->row != NULL && is_row(row, job, g->primitive, g->type, g->row))
            g->rate_of_row = rate;
    }
}

void goals_add(const bench_row *row, const bench_job *job, const row_times *t)
{
    add_to_own(row, job, (double)job->n / t->ours * 1e-9);
    for (goal *g = goals; g < goals + GOALS; g++)
        if (is_of_goal(g, row, job)) {
            g->known = true;
            g->measured_ratio = t->of_rival;
            g->measured_of_copy = t->of_copy;
        }
}

static void print_figures(double measured, double wanted)
{
    if (wanted > 0)
        printf(" %7.2f %7.2f", measured, wanted);
    else
        printf(" %7s %7s", "", "");
}

static void print_goal(const goal *g)
{
    bool met = g->measured_ratio >= g->ratio && (g->of_copy == 0 || g->measured_of_copy >= g->of_copy);
    printf("%-8s %-4s %-30s", g->primitive, scankit_type_name(g->type), g->variant);
    print_figures(g->measured_ratio, g->ratio);
    print_figures(g->measured_of_copy, g->of_copy);
    printf("  %s\n", met ? "met" : "short");
}

static void print_own(const own_goal *g)
{
    char n[24];
    bool is_share = g->row != NULL;
    double measured = is_share && g->rate_of_row > 0 ? g->measured / g->rate_of_row : g->measured;
    printf("%s %s %s at %s: %.3g, goal %.3g%s%s: %s\n", g->primitive, scankit_type_name(g->type), g->variant,
           size_text(g->n, n), measured, g->rate, is_share ? " of " : " billion a second", is_share ? g->row : "",
           measured >= g->rate ? "met" : "short");
}

void goals_print(const char *rival)
{
    unsigned known = 0;
    for (const goal *g = goals; g < goals + GOALS; g++) {
        char n[24];
        if (g->known && known++ == 0)
            printf("\nGoals at %s: speed relative to %s and its goal, speed relative to a copy and its goal\n\n",
                   size_text(GOAL_N, n), rival);
        if (g->known)
            print_goal(g);
    }
    for (const own_goal *g = own_goals; g < own_goals + OWN_GOALS; g++)
        if (g->measured > 0)
            print_own(g);
}
