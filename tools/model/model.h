/* model.h - how long each device takes for a tool's work. Pure functions of figures: seconds, and bytes a second. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of work: X(name, bytes written for each byte read, then the rates that hold until they are measured: the CPU's
 * for each processor, how many processors that is true for, the GPU's). Numbers are sorted by their size, which gives
 * the digits. Records are either short or long (LONG_RECORD). Of images, it is the box filter's. In block tools, the
 * GPU's rate includes the bus. */
#define WORKS(X)                       \
    X(sort1, 1, 500e6, 16, 150e9)      \
    X(sort2, 1, 300e6, 16, 150e9)      \
    X(sort4, 1, 165e6, 16, 150e9)      \
    X(sort8, 1, 250e6, 16, 150e9)      \
    X(sort_short, 1, 150e6, 16, 100e9) \
    X(sort_long, 1, 250e6, 16, 100e9)  \
    X(filter, 0.5, 2e9, 16, 15e9)      \
    X(count, 0, 2.5e9, 16, 20e9)       \
    X(scan, 1, 2.5e9, 8, 12e9)         \
    X(reduce, 0, 5e9, 8, 20e9)         \
    X(encode, 0.75, 1.5e9, 8, 12e9)    \
    X(image, 1, 800e6, 16, 10e9)

enum work {
#define X(name, written, cpu, most, gpu) WORK_##name,
    WORKS(X)
#undef X
        WORK_COUNT,
    WORK_NONE /* too little for any GPU */
};

#define LONG_RECORD 32 /* bytes */

/* The work of sorting elements of `size` bytes; number: the key is the whole element. */
enum work work_of_sort(size_t size, bool number);

/* Figures of the machine as a whole: X(name, value until it is measured). start: seconds until a GPU can be used; stop:
 * seconds that the process takes longer to end. read is by all processors, write by one. Transfers are from and to
 * pinned memory. */
#define MACHINE_FIGURES(X) \
    X(start, 0.25)         \
    X(stop, 0.07)          \
    X(read, 10e9)          \
    X(write, 2.5e9)        \
    X(upload, 45e9)        \
    X(download, 45e9)

enum {
#define X(name, value) FIGURE_##name,
    MACHINE_FIGURES(X)
#undef X
        FIGURE_cpu, /* one for each kind of work */
    FIGURE_cuda = FIGURE_cpu + WORK_COUNT,
    FIGURE_COUNT = FIGURE_cuda + WORK_COUNT
};

struct figures {
    double value[FIGURE_COUNT]; /* the CPU's rates are of all processors */
    bool measured[FIGURE_COUNT];
    unsigned processors;
};

/* The built-in figures. */
void figures_default(struct figures *figures, unsigned processors);

/* "sort4 cpu", "start"; as the file names them. text has room for FIGURE_NAME_BYTES. */
#define FIGURE_NAME_BYTES 32
void figure_name(int figure, char *text);

/* True if a figure of this machine may have this value. */
bool figure_possible(int figure, double value);

/* Replaces a figure, unless the value is not possible. */
void figure_set(struct figures *figures, int figure, double value);

/* Takes a measurement of a run; earlier figures count more. Returns true if the figure changed by more than noise. */
bool figure_measured(struct figures *figures, int figure, double value);

/* Seconds on the CPU with this many processors, and on the GPU. */
double model_cpu(const struct figures *figures, enum work work, unsigned processors, uint64_t bytes);
double model_gpu(const struct figures *figures, enum work work, uint64_t bytes);

/* The least bytes for which the GPU takes less time. UINT64_MAX if it never does, and for WORK_NONE. */
uint64_t model_break_even(const struct figures *figures, enum work work, unsigned processors);

#endif
