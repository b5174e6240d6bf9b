/* load.c - reads what is sorted in memory: inputs whose size is known, and others. Reading and uploads to a GPU
 * overlap. */
#include <string.h>

#include "common/progress.h"
#include "io/reader.h"
#include "whole_sort.h"

/* With --top, this part of the elements or less is found faster by keeping the best ones while reading. */
#define TOP_PART 4

/* True if keeping the best elements while reading is faster than sorting all. */
static bool wants_few(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    return request->top < sorting->n / TOP_PART && !request->unique && scankit_is_host(sorting->context);
}

/* ---- reading ---- */

static void read_to_host(struct sorting *sorting)
{
    size_t done = 0, step = BLOCK_BYTES * 4;
    for (size_t i = 0; i < sorting->count; i++)
        for (size_t got = step; got == step; done += got) {
            got = input_read(&sorting->inputs[i], sorting->data.data + done, step);
            progress_add(got);
        }
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
        read_to_device(sorting->inputs, sorting->count, sorting->schema->size, sorting->context, sorting->data.data);
}

/* ---- inputs of known size ---- */

/* For a GPU. */
static void start_early(struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    size_t n = sorting_wanted(sorting), size = request->argsort ? sizeof(uint64_t) : sorting->schema->size;
    if (sorting->begun || !result_can_begin_early(sorting->result))
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

bool load_known(struct sorting *sorting, uint64_t bytes)
{
    struct device *device = &sorting->job->device;
    size_t size = sorting->schema->size;
    device_begin(device, &sorting->request->common, bytes, work_of_sort(size, schema_is_number(sorting->schema)));
    sorting->n = bytes / size;
    if (may_start_first(sorting))
        start_early(sorting);
    sorting->context = device_end(device);
    if (is_for_runs(sorting->request) || wants_few(sorting) || !sorting_fits(sorting)) {
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
    uint64_t most = device_limit(&sorting->job->device, &request->common) / sorting_cost(sorting);
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
    uint64_t most = host_room(&sorting->request->common) / sorting_cost(sorting) * size;
    stats_phase(&sorting->job->stats, PHASE_read, SIZE_UNKNOWN);
    ahead->reader = reader_start(sorting->inputs, sorting->count, good_block_bytes(size), 0);
    buffer_reserve(&sorting->data, most, false);
    return read_ahead(&sorting->data, most < sorting->data.room ? most : sorting->data.room, ahead, NULL);
}

bool load_unknown(struct sorting *sorting, struct ahead *ahead)
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
        if (whole && sorting_fits(sorting)) {
            sorting->data = ahead->buffer;
            ahead->buffer = (struct buffer){0};
            return true;
        }
    }
    return !scankit_is_host(sorting->context) && ahead->reader != NULL && load_to_gpu(sorting, most, ahead);
}
