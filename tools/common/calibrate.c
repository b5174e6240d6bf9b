/* calibrate.c - see calibrate.h. */
#include "calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "model/clock.h"
#include "model/figures.h"
#include "model/machine.h"
#include "model/trial_file.h"

#define MOST_BYTES ((size_t)64 << 20)
#define BLOCK_BYTES ((size_t)16 << 20) /* as block tools give a GPU */

/* What is measured on. Arrays of the host: data, result. Arrays of the device: in, out, counts. */
struct bench {
    scankit_context *context;
    bool is_host;
    size_t bytes, block;
    char *data, *result;
    void *in, *out, *counts;
    scankit_predicate *odd;
    struct figures *figures;
};

/* ---- the start of a GPU ---- */

/* Opens the GPU in a child, and lets that end: a GPU's context delays the process's end. */
static bool time_gpu(double *open, double *whole)
{
    int ends[2], status = 0;
    double begin = seconds_now();
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        scankit_context *context;
        void *memory;
        bool good = scankit_open(&context, "cuda") == SCANKIT_OK;
        good = good && scankit_allocate(context, &memory, 4) == SCANKIT_OK;
        good = good && scankit_upload(context, memory, "gpu", 4) == SCANKIT_OK;
        double seconds = seconds_now() - begin;
        _exit(good && write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
    }
    close(ends[1]);
    bool good = child > 0 && read(ends[0], open, sizeof *open) == sizeof *open;
    close(ends[0]);
    good = child > 0 && waitpid(child, &status, 0) == child && status == 0 && good;
    *whole = seconds_now() - begin;
    return good;
}

/* Returns false if there is no GPU. The first start may have to load the driver. */
static bool measure_start(struct figures *figures)
{
    double open, whole;
    if (!time_gpu(&open, &whole) || !time_gpu(&open, &whole))
        return false;
    figure_set(figures, FIGURE_start, open);
    figure_set(figures, FIGURE_stop, whole - open);
    return true;
}

/* ---- the work ---- */

static void upload(struct bench *bench, size_t begin, size_t bytes)
{
    check_call(bench->context, scankit_upload(bench->context, (char *)bench->in + begin, bench->data + begin, bytes));
}

static void download(struct bench *bench, const void *from, size_t bytes)
{
    check_call(bench->context, scankit_download(bench->context, bench->result, from, bytes));
}

static void sort(struct bench *bench, enum work work)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_U32, SCANKIT_U64};
    static const scankit_key number = {.type = SCANKIT_U64, .size = 8}, text = {.type = SCANKIT_BYTES, .size = 10};
    scankit_context *context = bench->context;
    scankit_error error;
    if (work == WORK_sort_short)
        error = scankit_sort_records(context, 16, &number, 1, bench->in, bench->in, bench->bytes / 16, NULL);
    else if (work == WORK_sort_long)
        error = scankit_sort_records(context, 100, &text, 1, bench->in, bench->in, bench->bytes / 100, NULL);
    else
        error = scankit_sort(context, types[work], bench->in, bench->in, bench->bytes / scankit_type_size(types[work]),
                             NULL);
    check_call(context, error);
}

/* A box filter of a picture of u8, which has the bytes of n u32. */
static scankit_error blur(struct bench *bench, const void *in, void *out, size_t n)
{
    const size_t width = 4096;
    scankit_image from = {.type = SCANKIT_U8, .channels = 1, .width = width, .height = 4 * n / width}, to = from;
    const scankit_box_options options = {.radius = 5};
    from.data = (void *)in;
    to.data = out;
    return scankit_box_filter(bench->context, &from, &to, &options);
}

/* Works on a block as the tools do. Returns the elements of the result. */
static size_t compute(struct bench *bench, enum work work, const void *in, void *out, size_t n)
{
    scankit_context *context = bench->context;
    scankit_error error;
    uint32_t sum;
    size_t count = n;
    if (work == WORK_filter || work == WORK_count)
        error =
            scankit_split_predicate(context, bench->odd, in, work == WORK_count ? NULL : out, NULL, n, NULL, &count);
    else if (work == WORK_scan)
        error = scankit_scan(context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in, out, n);
    else if (work == WORK_reduce)
        error = scankit_reduce(context, SCANKIT_U32, SCANKIT_SUM, in, &sum, n);
    else if (work == WORK_image)
        error = blur(bench, in, out, n);
    else
        error = scankit_run_length_encode(context, 4, in, out, bench->counts, n, NULL, &count);
    check_call(context, error);
    return work == WORK_count || work == WORK_reduce ? 0 : count;
}

static void take_block(struct bench *bench, enum work work, size_t begin)
{
    size_t bytes = bench->bytes - begin < bench->block ? bench->bytes - begin : bench->block;
    if (bench->is_host) {
        compute(bench, work, bench->data + begin, bench->result, bytes / 4);
        return;
    }
    upload(bench, begin, bytes);
    size_t count = compute(bench, work, (char *)bench->in + begin, bench->out, bytes / 4);
    download(bench, bench->out, 4 * count);
    if (work == WORK_encode)
        download(bench, bench->counts, 8 * count);
}

static double seconds_of(struct bench *bench, enum work work)
{
    bool sorts = work <= WORK_sort_long;
    if (sorts)
        upload(bench, 0, bench->bytes);
    check_call(bench->context, scankit_synchronize(bench->context));
    double begin = seconds_now();
    if (sorts)
        sort(bench, work);
    for (size_t at = 0; !sorts && at < bench->bytes; at += bench->block)
        take_block(bench, work, at);
    check_call(bench->context, scankit_synchronize(bench->context));
    return seconds_now() - begin;
}

/* The least of some times: the first includes page faults, and others may be disturbed. */
static void measure_work(struct bench *bench, enum work work)
{
    double least = 1e9, sum = 0;
    for (int i = 0; i < 3 || (i < 10 && sum < 0.05); i++) {
        double seconds = seconds_of(bench, work);
        least = seconds < least ? seconds : least;
        sum += seconds;
    }
    figure_set(bench->figures, (int)work + (bench->is_host ? FIGURE_cpu : FIGURE_cuda), (double)bench->bytes / least);
}

static void measure_transfers(struct bench *bench)
{
    double up = 1e9, down = 1e9;
    for (int i = 0; i < 3; i++) {
        double begin = seconds_now();
        upload(bench, 0, bench->bytes);
        check_call(bench->context, scankit_synchronize(bench->context));
        double middle = seconds_now();
        download(bench, bench->in, bench->block);
        double end = seconds_now();
        up = middle - begin < up ? middle - begin : up;
        down = end - middle < down ? end - middle : down;
    }
    figure_set(bench->figures, FIGURE_upload, (double)bench->bytes / up);
    figure_set(bench->figures, FIGURE_download, (double)bench->block / down);
}

/* ---- a device ---- */

/* Random numbers, each four times, so that there are runs. */
static void fill(uint32_t *data, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            state = state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
        data[i] = (uint32_t)(state >> 32);
    }
}

static void open_bench(struct bench *bench, const char *name)
{
    void *memory;
    if (scankit_open(&bench->context, name) != SCANKIT_OK)
        fail(NULL, "cannot start device %s", name);
    bench->is_host = scankit_is_host(bench->context);
    bench->block = bench->is_host ? machine_processors() << 20 : BLOCK_BYTES;
    bench->block = bench->block < BLOCK_BYTES ? bench->block : BLOCK_BYTES;
    void **const arrays[] = {&bench->in, &bench->out, &bench->counts};
    const size_t sizes[] = {bench->bytes, BLOCK_BYTES, 2 * BLOCK_BYTES};
    for (int i = 0; i < 3; i++) {
        check_call(bench->context, scankit_allocate(bench->context, &memory, sizes[i]));
        *arrays[i] = memory;
    }
    /* If the system refuses, transfers are slower. Closing the context ends the pins. */
    (void)scankit_pin(bench->context, bench->data, bench->bytes, 0);
    (void)scankit_pin(bench->context, bench->result, 2 * BLOCK_BYTES, 0);
}

static void close_bench(struct bench *bench)
{
    scankit_free(bench->context, bench->in);
    scankit_free(bench->context, bench->out);
    scankit_free(bench->context, bench->counts);
    scankit_close(bench->context);
}

static void measure_device(struct bench *bench, const char *name)
{
    open_bench(bench, name);
    for (int work = 0; work < WORK_COUNT; work++)
        measure_work(bench, (enum work)work);
    if (!bench->is_host)
        measure_transfers(bench);
    close_bench(bench);
}

/* ---- all of it ---- */

static void measure(struct figures *figures, const struct common *common)
{
    bool gpu = measure_start(figures); /* first, because the child must not inherit threads */
    uint64_t room = host_limit(common) / 8;
    struct bench bench = {.figures = figures, .bytes = MOST_BYTES};
    if (room < MOST_BYTES)
        bench.bytes = room < BLOCK_BYTES ? BLOCK_BYTES : room / BLOCK_BYTES * BLOCK_BYTES;
    bench.data = get_memory(bench.bytes);
    bench.result = get_memory(2 * BLOCK_BYTES);
    fill((uint32_t *)(void *)bench.data, bench.bytes / 4);
    memset(bench.result, 0, 2 * BLOCK_BYTES);
    if (scankit_predicate_compile(&bench.odd, SCANKIT_U32, "x & 1", NULL, NULL) != SCANKIT_OK)
        fail(NULL, "out of memory");
    double read, write;
    if (time_file(bench.data, bench.bytes, &read, &write)) {
        figure_set(figures, FIGURE_read, read);
        figure_set(figures, FIGURE_write, write);
    }
    measure_device(&bench, "cpu");
    if (gpu)
        measure_device(&bench, "cuda");
    scankit_predicate_destroy(bench.odd);
    free(bench.data);
    free(bench.result);
}

static void print_figures(const struct figures *figures)
{
    char name[FIGURE_NAME_BYTES];
    for (int i = 0; i < FIGURE_COUNT; i++) {
        bool seconds = i == FIGURE_start || i == FIGURE_stop;
        figure_name(i, name);
        if (figures->measured[i])
            printf("%-16s %8.3f %s\n", name, figures->value[i] / (seconds ? 1 : 1e9), seconds ? "s" : "GB/s");
    }
}

static bool replace(struct figures *figures, void *state)
{
    *figures = *(const struct figures *)state;
    return true;
}

int calibrate(const struct common *common)
{
    struct figures figures;
    if (figures_path() == NULL)
        fail(NULL, "figures cannot be kept: SCANKIT_NO_CACHE is set, or HOME is not");
    figures_default(&figures, machine_processors());
    measure(&figures, common);
    if (!common->quiet)
        print_figures(&figures);
    const char *error = figures_update(replace, &figures);
    if (!common->quiet)
        cli_end_text();
    if (error != NULL)
        fail(figures_path(), "the figures are not kept: %s", error);
    if (common->verbose)
        say(figures_path(), "the figures are kept here");
    return STATUS_DONE;
}
