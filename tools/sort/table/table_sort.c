/* table_sort.c - see table_sort.h. The keys become arrays of numbers, by which positions are sorted. Then the rows are
 * gathered while they are written. */
#include "table_sort.h"

#include <stdlib.h>

#include "common/device.h"
#include "common/progress.h"
#include "io/input.h"
#include "io/output.h"
#include "row_order.h"

#define SORT_BYTES 40         /* of a row, for its position and while it is sorted */
#define WRITE_BYTES (1 << 20) /* of positions, at a time */

struct table_sort {
    const struct table_request *request;
    struct job *job;
    struct input *inputs;
    size_t count;
    uint64_t *first; /* row of each input */
    struct arrow_table table;
    struct table_key keys[KEYS_MAX];
    size_t key_count;
    struct key_parts parts;
};

/* ---- reading ---- */

/* What the table and its keys may take, at least a quarter of the memory. The rest is for writing. */
static uint64_t room_for_table(const struct common *common, unsigned threads)
{
    uint64_t limit = host_limit(common), others = ARROW_WRITE_BYTES + threads * ARROW_THREAD_BYTES;
    return others < limit - limit / 4 ? limit - others : limit / 4;
}

static void read_table(struct table_sort *sort, char *const *paths)
{
    const struct common *common = sort->request->common;
    struct arrow_source *sources = get_memory(sort->count * sizeof *sources);
    sort->inputs = inputs_open_tables(paths, sort->count, common, sources);
    sort->first = get_memory(sort->count * sizeof *sort->first);
    sort->table.threads = (unsigned)device_processors(common);
    sort->table.limit = room_for_table(common, sort->table.threads);
    stats_phase(&sort->job->stats, PHASE_read, inputs_size(sort->inputs, sort->count));
    for (size_t i = 0; i < sort->count; i++) {
        sort->first[i] = sort->table.rows;
        arrow_table_read(&sort->table, &sources[i]);
    }
    sort->job->stats.elements += sort->table.rows;
    sort->job->stats.bytes_in += sort->table.bytes;
    free(sources);
}

static void parse_keys(struct table_sort *sort)
{
    const struct table_request *request = sort->request;
    for (size_t i = 0; i < request->by_count; i++)
        table_keys_parse(&sort->table, request->by[i], sort->keys, &sort->key_count);
    for (size_t i = 0; i < sort->key_count; i++)
        sort->keys[i].descending ^= request->reverse;
}

/* ---- memory ---- */

static void refuse_size(const struct table_sort *sort, uint64_t needed, uint64_t limit, const char *memory)
{
    if (needed > limit)
        fail(sort->table.name, "%llu rows do not fit into %s: %s are needed to sort them, and %s may be used",
             (unsigned long long)sort->table.rows, memory, bytes_text(needed), bytes_text(limit));
}

/* Fails if the keys do not fit beside the table, or not into a GPU's memory. */
static void check_memory(struct table_sort *sort)
{
    uint64_t each = table_keys_cost(sort->keys, sort->key_count) + SORT_BYTES, rows = sort->table.rows, keys;
    if (__builtin_mul_overflow(rows, each, &keys) || keys > UINT64_MAX - sort->table.bytes)
        keys = UINT64_MAX - sort->table.bytes;
    refuse_size(sort, keys + sort->table.bytes, sort->table.limit, "memory");
    if (!scankit_is_host(sort->job->device.context))
        refuse_size(sort, keys, device_limit(&sort->job->device, sort->request->common), "the GPU's memory");
}

static scankit_context *begin_device(struct table_sort *sort)
{
    struct device *device = &sort->job->device;
    size_t size = (size_t)table_keys_cost(sort->keys, sort->key_count) + sizeof(uint64_t);
    device_begin(device, sort->request->common, sort->table.rows * size, work_of_sort(size, false));
    scankit_context *context = device_end(device);
    check_memory(sort);
    return context;
}

static void make_keys(struct table_sort *sort, char *const *paths)
{
    read_table(sort, paths);
    parse_keys(sort);
    scankit_context *context = begin_device(sort);
    stats_phase(&sort->job->stats, PHASE_sort, UINT64_MAX);
    table_keys_make(&sort->table, sort->keys, sort->key_count, sort->request->nulls_first, context, &sort->parts);
}

static void close_sort(struct table_sort *sort)
{
    table_keys_free(&sort->parts);
    arrow_table_free(&sort->table);
    inputs_close(sort->inputs, sort->count);
    free(sort->first);
}

/* ---- the result ---- */

static size_t first_wanted(const struct table_sort *sort, uint64_t *positions)
{
    const struct table_request *request = sort->request;
    size_t n = sort->table.rows;
    if (request->unique)
        n = rows_unique(&sort->parts, positions, n);
    return n < request->top ? n : (size_t)request->top;
}

static void write_positions(struct output *output, const uint64_t *positions, size_t n)
{
    const size_t step = WRITE_BYTES / sizeof *positions;
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < step ? n - done : step;
        output_write(output, positions + done, part * sizeof *positions);
        progress_add(part * sizeof *positions);
    }
}

static void write_result(struct table_sort *sort, const uint64_t *positions, size_t n)
{
    const struct common *common = sort->request->common;
    struct output output;
    output_open(&output, common->output, codec_wanted(common, CODEC_NONE), common);
    const struct arrow_target target = {
        .name = output.name, .file = output.target != NULL, .write = output_write, .sink = &output};
    stats_phase(&sort->job->stats, PHASE_write, UINT64_MAX);
    if (sort->request->argsort) {
        output_numbers_as_text(&output, common);
        write_positions(&output, positions, n);
    } else {
        arrow_table_write(&sort->table, &target, positions, n);
    }
    sort->job->stats.bytes_out += output_finish(&output);
}

void sort_table(const struct table_request *request, char *const *paths, size_t count, struct job *job)
{
    struct table_sort sort = {.request = request, .job = job, .count = count};
    make_keys(&sort, paths);
    uint64_t *positions = rows_sorted(job->device.context, &sort.parts);
    stats_device(&job->stats, &job->device);
    size_t n = first_wanted(&sort, positions);
    write_result(&sort, positions, n);
    free(positions);
    close_sort(&sort);
}

/* ---- checking ---- */

static void report(const struct table_sort *sort, uint64_t row)
{
    size_t i = sort->count - 1;
    while (sort->first[i] > row)
        i--;
    progress_end();
    if (!sort->request->check_quietly)
        say(sort->inputs[i].name, "row %llu (counting from 0) is %s", (unsigned long long)(row - sort->first[i]),
            sort->request->unique ? "out of order, or not unique" : "out of order");
}

int check_table(const struct table_request *request, char *const *paths, size_t count, struct job *job)
{
    struct table_sort sort = {.request = request, .job = job, .count = count};
    make_keys(&sort, paths);
    uint64_t row = rows_first_disorder(&sort.parts, request->unique);
    bool sorted = row == sort.table.rows;
    stats_device(&job->stats, &job->device);
    if (!sorted)
        report(&sort, row);
    close_sort(&sort);
    return sorted ? STATUS_DONE : STATUS_NO;
}
