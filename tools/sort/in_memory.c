/* in_memory.c - see in_memory.h. On a CPU the sorted beginning is written while the rest is sorted. On a GPU, reading
 * and uploads overlap, and so do downloads and writing. */
#include "in_memory.h"

#include "common/buffer.h"
#include "common/progress.h"
#include "io/reader.h"
#include "io/writer.h"
#include "prefix_writer.h"

#define BLOCK_BYTES ((size_t)16 << 20)

/* With --top, this part of the elements or less is found faster by keeping the best ones while reading. */
#define TOP_PART 4

struct sorting {
    const struct sort_request *request;
    const struct schema *schema;
    struct job *job;
    struct input *inputs;
    size_t count;
    struct result *result;
    scankit_context *context;
    struct buffer data;      /* the elements */
    struct buffer positions; /* with --argsort */
    size_t n;                /* elements */
};

/* ---- whether it can be done ---- */

static bool is_number(const struct schema *schema)
{
    const scankit_key *key = &schema->keys[0];
    return schema->key_count == 1 && key->size == schema->size && schema->size <= 8 && key->type != SCANKIT_BYTES;
}

/* Bytes of the device's memory per element: the element, its copy while sorting, and more if keys are only parts of
 * elements. scankit.h gives the workspaces. */
static uint64_t cost(const struct sorting *sorting)
{
    uint64_t size = sorting->schema->size;
    if (sorting->request->argsort)
        return size + 8 + 40;
    return 2 * size + (is_number(sorting->schema) ? 0 : 40);
}

static bool fits(const struct sorting *sorting)
{
    uint64_t limit = device_limit(&sorting->job->device, &sorting->request->common);
    return sorting->n <= limit / cost(sorting);
}

/* True if a merge of runs does it better, or only that can. */
static bool is_for_runs(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    bool few = request->top < sorting->n / TOP_PART && !request->unique;
    return request->merge || request->workspace != NULL || (request->argsort && request->unique) ||
           (few && scankit_is_host(sorting->context));
}

/* ---- reading ---- */

static void make_buffer(const struct sorting *sorting, struct buffer *buffer, size_t bytes)
{
    *buffer = (struct buffer){0};
    if (scankit_is_host(sorting->context))
        buffer_reserve(buffer, bytes, true);
    else
        buffer_grow(buffer, sorting->context, bytes);
    buffer->used = bytes;
}

static void read_to_host(struct sorting *sorting)
{
    size_t done = 0, step = BLOCK_BYTES * 4;
    for (size_t i = 0; i < sorting->count; i++)
        for (size_t got = step; got == step; done += got) {
            got = input_read(&sorting->inputs[i], sorting->data.data + done, step);
            progress_add(got);
        }
}

static void read_to_device(struct sorting *sorting)
{
    struct reader *reader = reader_start(sorting->inputs, sorting->count, good_block_bytes(sorting->schema->size), 0);
    size_t done = 0, got;
    reader_pin(reader, sorting->context);
    for (const char *block; (block = reader_next(reader, &got)) != NULL; done += got)
        check_call(sorting->context, scankit_upload(sorting->context, sorting->data.data + done, block, got));
    reader_finish(reader);
}

static void load(struct sorting *sorting)
{
    struct stats *stats = &sorting->job->stats;
    size_t bytes = sorting->n * sorting->schema->size;
    stats_phase(stats, PHASE_read, bytes);
    make_buffer(sorting, &sorting->data, bytes);
    if (scankit_is_host(sorting->context))
        read_to_host(sorting);
    else
        read_to_device(sorting);
    stats->elements += sorting->n;
    stats->bytes_in += bytes;
}

/* ---- sorting ---- */

/* Sorts the elements where they are. ready: told how many are final, or NULL. */
static void sort_elements(const struct sorting *sorting, void (*ready)(void *state, size_t n), void *state)
{
    const struct schema *schema = sorting->schema;
    const scankit_sort_options options = {
        .algorithm = sorting->request->algorithm, .ready = ready, .ready_state = state};
    check_call(sorting->context,
               scankit_sort_records(sorting->context, schema->size, schema->keys, schema->key_count, sorting->data.data,
                                    sorting->data.data, sorting->n, &options));
}

static void sort_positions(struct sorting *sorting)
{
    const struct schema *schema = sorting->schema;
    const scankit_sort_options options = {.algorithm = sorting->request->algorithm};
    make_buffer(sorting, &sorting->positions, sorting->n * sizeof(uint64_t));
    check_call(sorting->context,
               scankit_argsort_records(sorting->context, schema->size, schema->keys, schema->key_count,
                                       sorting->data.data, (uint64_t *)(void *)sorting->positions.data, sorting->n,
                                       &options));
}

/* Keeps the first of equal elements. */
static void make_unique(struct sorting *sorting)
{
    const struct schema *schema = sorting->schema;
    const scankit_run_options options = {.keys = schema->keys, .key_count = schema->key_count};
    check_call(sorting->context, scankit_unique(sorting->context, schema->size, sorting->data.data, sorting->data.data,
                                                sorting->n, &options, &sorting->n));
}

/* ---- writing ---- */

/* Elements of the result. */
static size_t wanted(const struct sorting *sorting)
{
    return sorting->n < sorting->request->top ? sorting->n : (size_t)sorting->request->top;
}

static void write_from_host(struct sorting *sorting, const char *data, size_t bytes)
{
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        output_write(sorting->result->output, data + done, part);
        progress_add(part);
    }
}

static void write_from_device(struct sorting *sorting, const char *data, size_t bytes)
{
    struct writer *writer =
        writer_start_output(sorting->result->output, BLOCK_BYTES, NULL, &sorting->request->common);
    writer_pin(writer, sorting->context);
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        check_call(sorting->context, scankit_download(sorting->context, writer_claim(writer), data + done, part));
        writer_publish(writer, part);
        progress_add(part);
    }
    writer_finish(writer);
}

/* Sorts all, then writes. */
static void sort_then_write(struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    struct stats *stats = &sorting->job->stats;
    size_t size = request->argsort ? sizeof(uint64_t) : sorting->schema->size;
    stats_phase(stats, PHASE_sort, UINT64_MAX);
    if (request->argsort)
        sort_positions(sorting);
    else
        sort_elements(sorting, NULL, NULL);
    check_call(sorting->context, scankit_synchronize(sorting->context));
    stats_device(stats, &sorting->job->device);
    if (request->unique)
        make_unique(sorting);
    size_t n = wanted(sorting);
    const char *data = request->argsort ? sorting->positions.data : sorting->data.data;
    stats_phase(stats, PHASE_write, n * size);
    result_begin(sorting->result, n, true);
    if (scankit_is_host(sorting->context))
        write_from_host(sorting, data, n * size);
    else
        write_from_device(sorting, data, n * size);
}

/* Writes elements as soon as they are in their places. */
static void sort_and_write(struct sorting *sorting)
{
    struct stats *stats = &sorting->job->stats;
    size_t n = wanted(sorting), size = sorting->schema->size;
    stats_phase(stats, PHASE_sort, n * size);
    result_begin(sorting->result, n, true);
    struct prefix_writer *writer = prefix_start(sorting->result->output, sorting->data.data, size, n);
    sort_elements(sorting, prefix_ready, writer);
    stats_device(stats, &sorting->job->device);
    stats_phase(stats, PHASE_write, UINT64_MAX);
    prefix_finish(writer);
}

bool sort_in_memory(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                    struct job *job)
{
    struct sorting sorting = {.request = request, .schema = result->schema, .job = job, .inputs = inputs, .count = count};
    size_t size = sorting.schema->size;
    uint64_t bytes = inputs_size(inputs, count);
    device_begin(&job->device, &request->common, bytes == SIZE_UNKNOWN ? 0 : bytes,
                 work_of_sort(size, is_number(sorting.schema)));
    sorting.context = device_end(&job->device);
    sorting.result = result;
    sorting.n = bytes / size;
    if (bytes == SIZE_UNKNOWN || is_for_runs(&sorting) || !fits(&sorting))
        return false;
    load(&sorting);
    if (scankit_is_host(sorting.context) && sorting.n > 0 && !request->argsort && !request->unique)
        sort_and_write(&sorting);
    else
        sort_then_write(&sorting);
    job->stats.bytes_out += result_end(result, wanted(&sorting));
    buffer_free(&sorting.data);
    buffer_free(&sorting.positions);
    return true;
}
