/* in_memory.c - see in_memory.h. On a CPU the sorted beginning is written while the rest is sorted. On a GPU, reading
 * and uploads overlap, and so do downloads and writing. */
#include "in_memory.h"

#include <string.h>

#include "algorithm.h"
#include "common/buffer.h"
#include "common/progress.h"
#include "io/reader.h"
#include "io/writer.h"
#include "prefix_writer.h"

#define BLOCK_BYTES ((size_t)16 << 20)
#define WRITE_BYTES ((size_t)8 << 20) /* from a GPU, by many threads */

/* With --top, this part of the elements or less is found faster by keeping the best ones while reading. */
#define TOP_PART 4

struct sorting {
    const struct sort_request *request;
    const struct schema *schema;
    struct job *job;
    struct input *inputs;
    size_t count;
    struct result *result;
    struct writer *writer; /* on a GPU */
    bool begun;            /* what comes before the elements was written */
    bool lean;             /* sorts with little more memory than the elements */
    scankit_context *context;
    struct buffer data;      /* the elements */
    struct buffer positions; /* with --argsort */
    size_t n;                /* elements */
};

/* ---- whether it can be done ---- */

/* Bytes of the device's memory per element: the element, its copy while sorting, and more if keys are only parts of
 * elements. scankit.h gives the workspaces. */
static uint64_t cost(const struct sorting *sorting)
{
    uint64_t size = sorting->schema->size;
    if (sorting->request->gallery != NULL)
        return algorithm_cost(sorting->request, size);
    if (sorting->request->argsort)
        return size + 8 + 40;
    return 2 * size + (schema_is_number(sorting->schema) ? 0 : 40);
}

/* True if a CPU can sort the elements in place. See overwrite_input in scankit.h. */
static bool can_be_lean(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    bool by_hybrid = request->algorithm == SCANKIT_AUTO || request->algorithm == SCANKIT_HYBRID;
    return by_hybrid && request->gallery == NULL && !request->argsort && schema_is_number(sorting->schema) &&
           scankit_is_host(sorting->context);
}

/* A sort in place takes a 64th of the elements' memory in addition. */
#define LEAN_PART 32

/* The usual sort is preferred: in place, some data take longer. */
static bool fits(struct sorting *sorting)
{
    const struct common *common = &sorting->request->common;
    bool host = scankit_is_host(sorting->context);
    uint64_t limit = host ? host_room(common) : device_limit(&sorting->job->device, common);
    bool has_enough = sorting->n <= limit / cost(sorting);
    sorting->lean = !has_enough && can_be_lean(sorting);
    return has_enough || (sorting->lean && sorting->n <= (limit - limit / LEAN_PART) / sorting->schema->size);
}

/* True if only a merge of runs can do it. */
static bool is_for_runs(const struct sort_request *request)
{
    return request->merge || request->workspace != NULL || (request->argsort && request->unique);
}

/* True if keeping the best elements while reading is faster than sorting all. */
static bool wants_few(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    return request->top < sorting->n / TOP_PART && !request->unique && scankit_is_host(sorting->context);
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

/* Reads inputs of known size. */
static void load(struct sorting *sorting)
{
    size_t bytes = sorting->n * sorting->schema->size;
    stats_phase(&sorting->job->stats, PHASE_read, bytes);
    make_buffer(sorting, &sorting->data, bytes);
    if (scankit_is_host(sorting->context))
        read_to_host(sorting);
    else
        read_to_device(sorting);
}

/* Starts the threads that write what comes from a GPU. If the file system can provide pages beforehand, it does so
 * while the elements are read and sorted. */
static void start_writer(struct sorting *sorting)
{
    sorting->writer = writer_start_output(sorting->result->output, WRITE_BYTES, NULL, &sorting->request->common);
}

/* ---- reading inputs of unknown size ---- */

/* What is read ahead takes up to this part of the host's memory. */
#define AHEAD_PART 4

static void append(struct buffer *buffer, const char *block, size_t bytes)
{
    if (buffer->context != NULL)
        check_call(buffer->context, scankit_upload(buffer->context, buffer->data + buffer->used, block, bytes));
    else
        memcpy(buffer->data + buffer->used, block, bytes);
    buffer->used += bytes;
}

/* Reads to a buffer with room for `most` bytes, which the writer, if there is one, may expect. Returns true at the end
 * of the inputs; otherwise the next block is in ahead. */
static bool read_ahead(struct buffer *buffer, uint64_t most, struct ahead *ahead, struct writer *writer)
{
    while (ahead->block != NULL || (ahead->block = reader_next(ahead->reader, &ahead->block_bytes)) != NULL) {
        size_t end = buffer->used + ahead->block_bytes, room = 2 * buffer->room;
        if (end > most)
            return false;
        if (end > buffer->room && buffer->context != NULL)
            buffer_grow(buffer, buffer->context, room < end ? end : room < most ? room : most);
        append(buffer, ahead->block, ahead->block_bytes);
        ahead->block = NULL;
        if (writer != NULL)
            writer_expect(writer, buffer->used);
    }
    reader_finish(ahead->reader);
    ahead->reader = NULL;
    return true;
}

/* Moves what was read on to the GPU, and reads the rest there. Returns false if it is too much: then it is ahead. */
static bool load_to_gpu(struct sorting *sorting, uint64_t host_most, struct ahead *ahead)
{
    const struct sort_request *request = sorting->request;
    uint64_t most = device_limit(&sorting->job->device, &request->common) / cost(sorting);
    most = most < host_most / sorting->schema->size ? most * sorting->schema->size : host_most;
    reader_pin(ahead->reader, sorting->context);
    buffer_grow(&sorting->data, sorting->context, ahead->buffer.used + ahead->block_bytes + BLOCK_BYTES);
    append(&sorting->data, ahead->buffer.data, ahead->buffer.used);
    buffer_free(&ahead->buffer);
    bool whole = !request->unique && !request->argsort && request->top == UINT64_MAX;
    if (whole && !result_has_head(sorting->result))
        start_writer(sorting);
    if (sorting->writer != NULL)
        writer_pin(sorting->writer, sorting->context);
    if (read_ahead(&sorting->data, most, ahead, sorting->writer))
        return true;
    if (sorting->writer != NULL)
        writer_finish(sorting->writer);
    buffer_to_host(&sorting->data);
    ahead->buffer = sorting->data;
    sorting->data = (struct buffer){0};
    return false;
}

/* Reads all to the host, for an algorithm that sorts only in memory. Returns false if it is too much. */
static bool load_to_host(struct sorting *sorting, struct ahead *ahead)
{
    size_t size = sorting->schema->size;
    uint64_t most = host_room(&sorting->request->common) / cost(sorting) * size;
    stats_phase(&sorting->job->stats, PHASE_read, SIZE_UNKNOWN);
    ahead->reader = reader_start(sorting->inputs, sorting->count, good_block_bytes(size), 0);
    buffer_reserve(&sorting->data, most, false);
    return read_ahead(&sorting->data, most < sorting->data.room ? most : sorting->data.room, ahead, NULL);
}

/* Reads on the host until a GPU would be faster. Returns true if all was read, and is in memory. */
static bool load_unknown(struct sorting *sorting, struct ahead *ahead)
{
    struct device *device = &sorting->job->device;
    const struct common *common = &sorting->request->common;
    enum work work = work_of_sort(sorting->schema->size, schema_is_number(sorting->schema));
    uint64_t most = host_limit(common) / AHEAD_PART, enough = device_break_even(common, work);
    bool forced = device->begun || device_wanted(common) != DEVICE_AUTO;
    if (forced || enough == UINT64_MAX || is_for_runs(sorting->request))
        device_begin(device, common, 0, work);
    sorting->context = device->begun ? device_end(device) : NULL;
    if (device->begun && (scankit_is_host(sorting->context) || is_for_runs(sorting->request)))
        return sorting->request->gallery != NULL && load_to_host(sorting, ahead);
    stats_phase(&sorting->job->stats, PHASE_read, SIZE_UNKNOWN);
    ahead->reader = reader_start(sorting->inputs, sorting->count, good_block_bytes(sorting->schema->size), 0);
    if (sorting->context == NULL) {
        enough = enough < most ? enough : most;
        buffer_reserve(&ahead->buffer, enough, true);
        bool whole = read_ahead(&ahead->buffer, enough, ahead, NULL);
        device_begin(device, common, whole ? 0 : UINT64_MAX, work);
        sorting->context = device_end(device);
        sorting->n = ahead->buffer.used / sorting->schema->size;
        if (whole && fits(sorting)) {
            sorting->data = ahead->buffer;
            ahead->buffer = (struct buffer){0};
            return true;
        }
    }
    return !scankit_is_host(sorting->context) && ahead->reader != NULL && load_to_gpu(sorting, most, ahead);
}

/* ---- sorting ---- */

/* Sorts the elements where they are. ready: told how many are final, or NULL. */
static void sort_elements(const struct sorting *sorting, void (*ready)(void *state, size_t n), void *state)
{
    const struct schema *schema = sorting->schema;
    const scankit_sort_options options = {.algorithm = sorting->request->algorithm,
                                          .overwrite_input = sorting->lean,
                                          .ready = ready,
                                          .ready_state = state};
    double begin = seconds_now();
    check_call(sorting->context, scankit_sort_records(sorting->context, schema->size, schema->keys, schema->key_count,
                                                      sorting->data.data, sorting->data.data, sorting->n, &options));
    check_call(sorting->context, scankit_synchronize(sorting->context));
    if (options.algorithm == SCANKIT_AUTO)
        device_worked(work_of_sort(schema->size, schema_is_number(schema)), sorting->n * schema->size, begin);
}

static void sort_positions(struct sorting *sorting)
{
    const struct schema *schema = sorting->schema;
    const scankit_sort_options options = {.algorithm = sorting->request->algorithm};
    make_buffer(sorting, &sorting->positions, sorting->n * sizeof(uint64_t));
    uint64_t *positions = (uint64_t *)(void *)sorting->positions.data;
    if (sorting->request->gallery != NULL)
        algorithm_sort(sorting->request, sorting->context, &schema->keys[0], sorting->data.data, positions, sorting->n);
    else
        check_call(sorting->context,
                   scankit_argsort_records(sorting->context, schema->size, schema->keys, schema->key_count,
                                           sorting->data.data, positions, sorting->n, &options));
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
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < WRITE_BYTES ? bytes - done : WRITE_BYTES;
        check_call(sorting->context,
                   scankit_download(sorting->context, writer_claim(sorting->writer), data + done, part));
        writer_publish(sorting->writer, part);
        progress_add(part);
    }
    writer_finish(sorting->writer);
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
    else if (request->gallery != NULL)
        algorithm_sort(request, sorting->context, &sorting->schema->keys[0], sorting->data.data, NULL, sorting->n);
    else
        sort_elements(sorting, NULL, NULL);
    check_call(sorting->context, scankit_synchronize(sorting->context));
    stats_device(stats, &sorting->job->device);
    if (request->unique)
        make_unique(sorting);
    size_t n = wanted(sorting);
    const char *data = request->argsort ? sorting->positions.data : sorting->data.data;
    stats_phase(stats, PHASE_write, n * size);
    if (!sorting->begun)
        result_begin(sorting->result, n, true);
    if (sorting->writer == NULL && !scankit_is_host(sorting->context)) {
        start_writer(sorting);
        writer_pin(sorting->writer, sorting->context);
    }
    if (sorting->writer != NULL)
        writer_expect(sorting->writer, n * size);
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
    struct prefix_writer *writer =
        prefix_start(sorting->result->output, sorting->data.data, size, n, &sorting->request->common);
    sort_elements(sorting, prefix_ready, writer);
    stats_device(stats, &sorting->job->device);
    stats_phase(stats, PHASE_write, UINT64_MAX);
    prefix_finish(writer);
}

/* ---- inputs of known size ---- */

/* For a GPU: the file system can provide the output's pages while the elements are read. A file that is replaced only
 * when complete can get its header before. */
static void start_early(struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    const struct output *output = sorting->result->output;
    size_t n = wanted(sorting), size = request->argsort ? sizeof(uint64_t) : sorting->schema->size;
    if (sorting->begun || request->unique ||
        (output->target == NULL && (result_has_head(sorting->result) || !output_is_seekable(output))))
        return;
    result_begin(sorting->result, n, true);
    sorting->begun = true;
    start_writer(sorting);
    writer_expect(sorting->writer, n * size);
}

/* While the GPU starts, it is not known whether all fits its memory. Pages of a temporary are lost with it. */
static bool may_start_first(const struct sorting *sorting)
{
    return sorting->job->device.kind == DEVICE_CUDA && !is_for_runs(sorting->request) &&
           sorting->result->output->target != NULL && !result_has_head(sorting->result);
}

static bool load_known(struct sorting *sorting, uint64_t bytes)
{
    struct device *device = &sorting->job->device;
    size_t size = sorting->schema->size;
    device_begin(device, &sorting->request->common, bytes, work_of_sort(size, schema_is_number(sorting->schema)));
    sorting->n = bytes / size;
    if (may_start_first(sorting))
        start_early(sorting);
    sorting->context = device_end(device);
    if (is_for_runs(sorting->request) || wants_few(sorting) || !fits(sorting)) {
        if (sorting->writer != NULL)
            writer_finish(sorting->writer);
        return false;
    }
    if (!scankit_is_host(sorting->context))
        start_early(sorting);
    if (sorting->writer != NULL)
        writer_pin(sorting->writer, sorting->context);
    load(sorting);
    return true;
}

bool sort_in_memory(const struct sort_request *request, struct input *inputs, size_t count, struct ahead *ahead,
                    struct result *result, struct job *job)
{
    struct sorting sorting = {
        .request = request, .schema = result->schema, .job = job, .inputs = inputs, .count = count};
    uint64_t bytes = inputs_size(inputs, count);
    sorting.result = result;
    if (bytes != SIZE_UNKNOWN ? !load_known(&sorting, bytes) : !load_unknown(&sorting, ahead))
        return false;
    sorting.n = sorting.data.used / sorting.schema->size;
    job->stats.elements += sorting.n;
    job->stats.bytes_in += sorting.data.used;
    bool as_it_sorts = !request->argsort && !request->unique && request->gallery == NULL;
    if (scankit_is_host(sorting.context) && sorting.n > 0 && as_it_sorts)
        sort_and_write(&sorting);
    else
        sort_then_write(&sorting);
    job->stats.bytes_out += result_end(result, wanted(&sorting));
    buffer_free(&sorting.data);
    buffer_free(&sorting.positions);
    return true;
}
