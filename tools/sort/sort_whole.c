/* sort_whole.c - sorts what is in memory, and writes the result. On a CPU the sorted beginning is written while the
 * rest is sorted. On a GPU, downloads and writing overlap. */
#include "algorithm.h"
#include "common/progress.h"
#include "prefix_writer.h"
#include "whole_sort.h"

#define WRITE_BYTES ((size_t)8 << 20) /* from a GPU, by many threads */

/* ---- sorting ---- */

void make_buffer(const struct sorting *sorting, struct buffer *buffer, size_t bytes)
{
    *buffer = (struct buffer){0};
    if (scankit_is_host(sorting->context))
        buffer_reserve(buffer, bytes, true);
    else
        buffer_grow(buffer, sorting->context, bytes);
    buffer->used = bytes;
}

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

/* True if only the first elements of numbers are wanted, which take less than a sort. */
static bool wants_first_numbers(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    return request->top < sorting->n && !request->unique && request->algorithm_name == NULL &&
           schema_is_number(sorting->schema) && !sorting->schema->keys[0].big_endian;
}

/* Leaves the first elements, or their positions. */
static void take_first_numbers(struct sorting *sorting)
{
    const scankit_key *key = &sorting->schema->keys[0];
    const scankit_sort_options options = {.descending = key->descending};
    size_t k = sorting_wanted(sorting), n = sorting->n;
    const bool positions = sorting->request->argsort;
    struct buffer found;
    make_buffer(sorting, &found, k * (positions ? sizeof(uint64_t) : sorting->schema->size));
    if (positions)
        check_call(sorting->context, scankit_top_k_positions(sorting->context, key->type, sorting->data.data,
                                                             (uint64_t *)(void *)found.data, n, k, &options));
    else
        check_call(sorting->context,
                   scankit_top_k(sorting->context, key->type, sorting->data.data, found.data, n, k, &options));
    buffer_free(positions ? &sorting->positions : &sorting->data);
    *(positions ? &sorting->positions : &sorting->data) = found;
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

void start_writer(struct sorting *sorting)
{
    sorting->writer = writer_start_output(sorting->result->output, WRITE_BYTES, NULL, &sorting->request->common);
}

size_t sorting_wanted(const struct sorting *sorting)
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
    if (wants_first_numbers(sorting))
        take_first_numbers(sorting);
    else if (request->argsort)
        sort_positions(sorting);
    else if (request->gallery != NULL)
        algorithm_sort(request, sorting->context, &sorting->schema->keys[0], sorting->data.data, NULL, sorting->n);
    else
        sort_elements(sorting, NULL, NULL);
    check_call(sorting->context, scankit_synchronize(sorting->context));
    stats_device(stats, &sorting->job->device);
    if (request->unique)
        make_unique(sorting);
    size_t n = sorting_wanted(sorting);
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
    size_t n = sorting_wanted(sorting), size = sorting->schema->size;
    stats_phase(stats, PHASE_sort, n * size);
    result_begin(sorting->result, n, true);
    struct prefix_writer *writer =
        prefix_start(sorting->result->output, sorting->data.data, size, n, &sorting->request->common);
    sort_elements(sorting, prefix_ready, writer);
    stats_device(stats, &sorting->job->device);
    stats_phase(stats, PHASE_write, UINT64_MAX);
    prefix_finish(writer);
}

void sort_whole(struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    bool as_it_sorts = !request->argsort && !request->unique && request->gallery == NULL;
    if (scankit_is_host(sorting->context) && sorting->n > 0 && as_it_sorts)
        sort_and_write(sorting);
    else
        sort_then_write(sorting);
}
