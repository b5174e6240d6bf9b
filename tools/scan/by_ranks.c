/* by_ranks.c - gpuscan as ranks of MPI. Each scans an even part of the elements. */
#include <stdlib.h>

#include "common/device.h"
#include "common/tool.h"
#include "mpi/rank_files.h"
#include "scan.h"
#include "text/number.h"

#define BLOCK_ELEMENTS ((size_t)1 << 20)

struct by_ranks {
    const struct scan_request *request;
    struct rank_files files;
    struct value value;
    char *elements, *values; /* of the device; the same memory if elements are values */
};

static void refuse(const struct scan_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->list, WITH_RANKS, "--list-algorithms"},
        {true, request->in_place, WITH_RANKS, "--in-place"},
        {true, request->segments != NULL, WITH_RANKS, "--segments"},
        {true, request->algorithm != NULL, WITH_RANKS, "--algorithm"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common);
}

static void open_files(struct by_ranks *scan, char *const *paths)
{
    const struct scan_request *request = scan->request;
    struct rank_files *files = &scan->files;
    files->inputs = inputs_open(ranks_paths(files, paths), files->count, &request->common, INPUT_READ, &files->schema);
    value_choose(&scan->value, &files->schema, request->value, request->common.big_endian);
    value_widen(&scan->value, request->op);
    scan_check_operator(request, scan->value.type);
    if (!request->reduce)
        rank_files_output(files, request->common.output, files->schema.descr);
    rank_files_begin(files);
    check_call(files->context, scankit_set_deterministic(files->context, request->deterministic));
}

/* ---- values of elements ---- */

/* Moves values out of elements or back, by blocks in host memory. */
struct blocks {
    char *elements, *values;
};

static void get(const struct by_ranks *scan, const char *device, size_t size, size_t i, char *host, size_t n)
{
    scankit_context *context = scan->files.context;
    check_call(context, scankit_download(context, host, device + i * size, n * size));
}

static void put(const struct by_ranks *scan, char *device, size_t size, size_t i, const char *host, size_t n)
{
    scankit_context *context = scan->files.context;
    check_call(context, scankit_upload(context, device + i * size, host, n * size));
}

static void gather(const struct by_ranks *scan, const struct blocks *blocks, size_t i, size_t n)
{
    get(scan, scan->elements, scan->value.element, i, blocks->elements, n);
    value_gather(&scan->value, blocks->elements, n, blocks->values);
    put(scan, scan->values, scan->value.size, i, blocks->values, n);
}

static void scatter(const struct by_ranks *scan, const struct blocks *blocks, size_t i, size_t n)
{
    get(scan, scan->elements, scan->value.element, i, blocks->elements, n);
    get(scan, scan->values, scan->value.size, i, blocks->values, n);
    value_scatter(&scan->value, blocks->values, n, blocks->elements);
    put(scan, scan->elements, scan->value.element, i, blocks->elements, n);
}

static void each_block(const struct by_ranks *scan,
                       void (*move)(const struct by_ranks *, const struct blocks *, size_t, size_t))
{
    size_t n = scan->files.n;
    if (scan->value.whole)
        return;
    struct blocks blocks = {get_memory(BLOCK_ELEMENTS * scan->value.element),
                            get_memory(BLOCK_ELEMENTS * scan->value.size)};
    for (size_t i = 0; i < n; i += BLOCK_ELEMENTS)
        move(scan, &blocks, i, n - i < BLOCK_ELEMENTS ? n - i : BLOCK_ELEMENTS);
    free(blocks.elements);
    free(blocks.values);
}

static void read_values(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    size_t size = files->schema.size, value = scan->value.size;
    rank_files_check_room(files, files->n, scan->value.whole ? size : size + value);
    scan->elements = rank_files_room(files, files->n * size);
    scan->values = scan->value.whole ? scan->elements : rank_files_room(files, files->n * value);
    rank_files_read(files, scan->elements);
    each_block(scan, gather);
}

/* ---- the work ---- */

static void scan_parts(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    scankit_scan_kind kind = scan->request->exclusive ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE;
    const void *in = scan->values;
    void *out = scan->values;
    ranks_check(files->group, scankit_group_scan(files->group, scan->value.type, scan->request->op, kind, NULL, &in,
                                                 &out, &files->n));
    each_block(scan, scatter);
    rank_files_write(files, 0, scan->elements, files->schema.size, files->n);
    rank_files_place(files);
}

static void reduce_parts(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    _Alignas(VALUE_BYTES) char total[VALUE_BYTES];
    const void *in = scan->values;
    ranks_check(files->group,
                scankit_group_reduce(files->group, scan->value.type, scan->request->op, &in, total, &files->n));
    if (rank_number() == 0)
        scan_put_total(scan->request, &scan->value, total, &files->job->stats);
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct scan_request *request = state;
    struct by_ranks scan = {.request = request, .files = {.job = job, .count = count}};
    refuse(request);
    open_files(&scan, paths);
    read_values(&scan);
    stats_phase(&job->stats, PHASE_scan, UINT64_MAX);
    (request->reduce ? reduce_parts : scan_parts)(&scan);
    rank_files_end(&scan.files);
    return STATUS_DONE;
}
