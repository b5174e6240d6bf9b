/* by_ranks.c - gpuscan as ranks of MPI. Each scans an even part of the elements. */
#include <stdlib.h>

#include "common/device.h"
#include "common/tool.h"
#include "mpi/rank_files.h"
#include "rank_pieces.h"
#include "rank_segments.h"
#include "scan.h"
#include "text/number.h"

#define BLOCK_ELEMENTS ((size_t)1 << 20)

struct by_ranks {
    const struct scan_request *request;
    struct rank_files files;
    struct value value;
    struct rank_segments segments; /* with --segments */
    char *elements, *values;       /* of the device; the same memory if elements are values */
};

static void refuse(const struct scan_request *request)
{
    const struct cli_pair pairs[] = {
        {true, request->list, WITH_RANKS, "--list-algorithms"},
        {true, request->in_place, WITH_RANKS, "--in-place"},
        {true, request->algorithm != NULL, WITH_RANKS, "--algorithm"},
        {true, request->histogram != NULL, WITH_RANKS, "--histogram"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
    ranks_refuse(&request->common, true);
}

static void open_files(struct by_ranks *scan, char *const *paths)
{
    const struct scan_request *request = scan->request;
    struct rank_files *files = &scan->files;
    files->inputs = inputs_open(ranks_paths(files, paths), files->count, &request->common, INPUT_READ, &files->schema);
    value_choose(&scan->value, &files->schema, request->value, request->common.big_endian);
    value_widen(&scan->value, request->op);
    scan_check_operator(request, scan->value.type);
    if (request->segments != NULL)
        rank_segments_open(&scan->segments, request->segments, files);
    if (!request->reduce || request->segments != NULL)
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

static void each_block(const struct by_ranks *scan, size_t n,
                       void (*move)(const struct by_ranks *, const struct blocks *, size_t, size_t))
{
    if (scan->value.whole)
        return;
    struct blocks blocks = {get_memory(BLOCK_ELEMENTS * scan->value.element),
                            get_memory(BLOCK_ELEMENTS * scan->value.size)};
    for (size_t i = 0; i < n; i += BLOCK_ELEMENTS)
        move(scan, &blocks, i, n - i < BLOCK_ELEMENTS ? n - i : BLOCK_ELEMENTS);
    free(blocks.elements);
    free(blocks.values);
}

/* Bytes for an element of a part. */
static size_t each(const struct by_ranks *scan)
{
    const struct scan_request *request = scan->request;
    size_t size = scan->files.schema.size, flags = request->segments == NULL ? 0 : request->reduce ? 2 + size : 1;
    return size + (scan->value.whole ? 0 : scan->value.size) + flags;
}

static void read_values(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    size_t size = files->schema.size, value = scan->value.size;
    rank_files_check_room(files, files->n, each(scan));
    scan->elements = rank_files_room(files, files->n * size);
    scan->values = scan->value.whole ? scan->elements : rank_files_room(files, files->n * value);
    rank_files_read(files, scan->elements);
    each_block(scan, files->n, gather);
    if (scan->request->segments != NULL)
        rank_segments_find(&scan->segments, files, scan->elements, scan->request->reduce);
}

/* ---- the work ---- */

static scankit_error scan_values(struct by_ranks *scan, scankit_scan_kind kind)
{
    struct rank_files *files = &scan->files;
    const void *in = scan->values;
    void *out = scan->values;
    const uint8_t *heads = scan->segments.heads;
    if (heads != NULL)
        return scankit_group_segmented_scan(files->group, scan->value.type, scan->request->op, kind, NULL, &in, &heads,
                                            &out, &files->n);
    return scankit_group_scan(files->group, scan->value.type, scan->request->op, kind, NULL, &in, &out, &files->n);
}

static void scan_parts(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    ranks_check(files->group, scan_values(scan, scan->request->exclusive ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE));
    each_block(scan, scan->files.n, scatter);
    rank_files_write(files, 0, scan->elements, files->schema.size, files->n);
    rank_files_place(files);
}

/* Keeps the flagged ones of this rank's elements, in the same memory or another. Returns how many. */
static size_t keep(const struct by_ranks *scan, char **array, size_t size, const uint8_t *flags)
{
    const struct rank_files *files = &scan->files;
    size_t kept;
    void *out = rank_files_room(files, files->n * size);
    ranks_check(files->group, scankit_compact_flags(files->context, size, *array, flags, out, files->n, NULL, &kept));
    scankit_free(files->context, *array);
    *array = out;
    return kept;
}

/* The scanned value of a segment's last element is the reduction. It moves to the rank of the segment's first element,
 * unless that is only a value. */
static void reduce_segments_of_parts(struct by_ranks *scan)
{
    struct rank_files *files = &scan->files;
    size_t size = scan->value.size, first, last;
    ranks_check(files->group, scan_values(scan, SCANKIT_INCLUSIVE));
    last = keep(scan, &scan->values, size, scan->segments.tails);
    if (scan->value.whole) {
        rank_files_write(files, 0, scan->values, size, last);
    } else {
        first = keep(scan, &scan->elements, files->schema.size, scan->segments.heads);
        const void *in = scan->values;
        void *out = rank_files_room(files, first * size);
        ranks_check(files->group, scankit_group_redistribute(files->group, size, &in, &last, &out, &first));
        scan->values = out;
        each_block(scan, first, scatter);
        rank_files_write(files, 0, scan->elements, files->schema.size, first);
    }
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

static void scan_in_memory(struct by_ranks *scan)
{
    const struct scan_request *request = scan->request;
    read_values(scan);
    stats_phase(&scan->files.job->stats, PHASE_scan, UINT64_MAX);
    if (!request->reduce)
        scan_parts(scan);
    else if (request->segments != NULL)
        reduce_segments_of_parts(scan);
    else
        reduce_parts(scan);
    if (request->segments != NULL)
        rank_segments_close(&scan->segments, &scan->files);
}

int tool_by_ranks(const void *state, char *const *paths, size_t count, struct job *job)
{
    const struct scan_request *request = state;
    struct by_ranks scan = {.request = request, .files = {.job = job, .count = count}};
    refuse(request);
    open_files(&scan, paths);
    if (request->segments == NULL && !rank_files_have_room(&scan.files, scan.files.n, each(&scan)))
        scan_pieces(request, &scan.files, &scan.value);
    else
        scan_in_memory(&scan);
    rank_files_end(&scan.files);
    return STATUS_DONE;
}
