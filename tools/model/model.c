/* model.c - see model.h.
 *
 * Both devices take a time linear in the bytes; the GPU has its start and end besides.
 *
 * Block tools read, compute and write at the same time, so the slowest of the three sets the time. A CPU computes with
 * the processors that also read and write: their times add up. Writing into one file takes one processor.
 *
 * A sort reads all its input, sorts it and writes it. A CPU partitions the elements first; then it sorts and writes at
 * the same time. On a GPU, the way up overlaps reading, the way down writing. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_FOR_GPU ((uint64_t)8 << 20) /* whatever the figures are */

static const struct work_facts {
    const char *name;
    double written, cpu, gpu;
    unsigned most;
} facts[WORK_COUNT] = {
#define X(name, written, cpu, most, gpu) {#name, written, cpu, gpu, most},
    WORKS(X)
#undef X
};

static const struct {
    const char *name;
    double value;
} machine[] = {
#define X(name, value) {#name, value},
    MACHINE_FIGURES(X)
#undef X
};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

enum work work_of_sort(size_t size, bool number)
{
    if (!number)
        return size < LONG_RECORD ? WORK_sort_short : WORK_sort_long;
    return size == 1 ? WORK_sort1 : size == 2 ? WORK_sort2 : size == 4 ? WORK_sort4 : WORK_sort8;
}

/* ---- figures ---- */

void figures_default(struct figures *figures, unsigned processors)
{
    *figures = (struct figures){.processors = processors};
    for (int i = 0; i < FIGURE_cpu; i++)
        figures->value[i] = machine[i].value;
    for (int i = 0; i < WORK_COUNT; i++) {
        figures->value[FIGURE_cpu + i] = facts[i].cpu * least(processors, facts[i].most);
        figures->value[FIGURE_cuda + i] = facts[i].gpu;
    }
}

void figure_name(int figure, char *text)
{
    int work = (figure - FIGURE_cpu) % WORK_COUNT;
    if (figure < FIGURE_cpu)
        snprintf(text, FIGURE_NAME_BYTES, "%s", machine[figure].name);
    else
        snprintf(text, FIGURE_NAME_BYTES, "%s %s", facts[work].name, figure < FIGURE_cuda ? "cpu" : "cuda");
}

bool figure_possible(int figure, double value)
{
    bool seconds = figure == FIGURE_start || figure == FIGURE_stop;
    return seconds ? value >= 1e-6 && value <= 1e3 : value >= 1e4 && value <= 1e14;
}

void figure_set(struct figures *figures, int figure, double value)
{
    if (!figure_possible(figure, value))
        return;
    figures->value[figure] = value;
    figures->measured[figure] = true;
}

/* The geometric mean, weighted: a run may share the machine with others, and a figure is off by factors. */
bool figure_measured(struct figures *figures, int figure, double value)
{
    if (!figure_possible(figure, value))
        return false;
    double old = figures->value[figure], weight = figures->measured[figure] ? 0.25 : 0.5;
    double now = old * pow(value / old, weight);
    bool changed = !figures->measured[figure] || now < 0.95 * old || now > 1.05 * old;
    if (changed)
        figure_set(figures, figure, now);
    return changed;
}

/* ---- estimates ---- */

/* Seconds for a byte. */
static double cpu_each(const struct figures *figures, enum work work, unsigned threads)
{
    const struct work_facts *w = &facts[work];
    double processors = least(threads, figures->processors);
    double share = least(processors, w->most) / least(figures->processors, w->most);
    double compute = 1 / (figures->value[FIGURE_cpu + work] * share);
    double read = 1 / (figures->value[FIGURE_read] * processors / figures->processors);
    double write = w->written / figures->value[FIGURE_write];
    if (work > WORK_sort_long)
        return most(write, read + compute + write / processors);
    return read + compute / 2 + most(write, compute / 2 + write / processors);
}

static double gpu_each(const struct figures *figures, enum work work)
{
    double compute = 1 / figures->value[FIGURE_cuda + work], read = 1 / figures->value[FIGURE_read];
    double write = facts[work].written / figures->value[FIGURE_write];
    if (work > WORK_sort_long)
        return most(compute, most(read, write));
    double up = 1 / figures->value[FIGURE_upload], down = 1 / figures->value[FIGURE_download];
    return most(read, up) + compute + most(down, write);
}

static double gpu_constant(const struct figures *figures)
{
    return figures->value[FIGURE_start] + figures->value[FIGURE_stop];
}

double model_cpu(const struct figures *figures, enum work work, unsigned processors, uint64_t bytes)
{
    return (double)bytes * cpu_each(figures, work, processors);
}

double model_gpu(const struct figures *figures, enum work work, uint64_t bytes)
{
    return gpu_constant(figures) + (double)bytes * gpu_each(figures, work);
}

uint64_t model_break_even(const struct figures *figures, enum work work, unsigned processors)
{
    if (work == WORK_NONE)
        return UINT64_MAX;
    double gain = cpu_each(figures, work, processors) - gpu_each(figures, work);
    double bytes = gain > 0 ? gpu_constant(figures) / gain : 1e19;
    return bytes >= 1e19 ? UINT64_MAX : bytes < LEAST_FOR_GPU ? LEAST_FOR_GPU : (uint64_t)bytes;
}
