/* sorting.c - gpusort's pipeline: read the inputs to the device, sort or merge there, write the result. */
#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "external.h"
#include "io/npy.h"
#include "io/stream.h"
#include "prefix_writer.h"
#include "request.h"
#include "unique.h"

struct sorting {
    const struct sort_request *request;
    struct job *job;
    struct input *inputs;
    size_t count;
    struct schema schema;
    scankit_context *context;
    struct buffer data;   /* the elements */
    struct buffer result; /* positions, with --argsort */
    size_t result_size;   /* bytes of an element of the output */
    size_t n;             /* elements */
};

/* ---- opening ---- */

struct input *open_sorted(const struct sort_request *request, char *const *paths, size_t count, struct schema *schema)
{
    struct input *inputs =
        inputs_open(paths, count, &request->common, request->in_place ? INPUT_REPLACED : INPUT_READ, schema);
    schema_set_keys(schema, request->keys, request->key_count, request->common.big_endian, request->reverse);
    return inputs;
}

static void open_output(const struct sorting *sorting, struct output *output)
{
    const struct common *common = &sorting->request->common;
    const struct input *first = &sorting->inputs[0];
    enum codec codec = codec_wanted(common, sorting->request->in_place ? first->codec : CODEC_NONE);
    output_open(output, sorting->request->in_place ? first->name : common->output, codec, common);
}

/* ---- reading ---- */

static bool is_plain(const struct schema *schema)
{
    const scankit_key *key = &schema->keys[0];
    return schema->key_count == 1 && key->size == schema->size && schema->size <= 8 && key->type != SCANKIT_BYTES;
}

static enum work work_of(const struct sorting *sorting)
{
    return work_of_sort(sorting->schema.size, is_plain(&sorting->schema));
}

/* Bytes of memory per element: the element, its copy while sorting, and more if keys are only parts of elements.
 * scankit.h gives the workspaces. */
static uint64_t cost(const struct sorting *sorting)
{
    const struct schema *schema = &sorting->schema;
    bool plain = is_plain(schema);
    uint64_t size = schema->size;
    if (sorting->request->argsort)
        return size + 8 + 32;
    if (sorting->request->merge)
        return (plain ? 3 : 4) * size + (plain ? 0 : 32);
    return 2 * size + (plain ? 0 : 32);
}

static void check_memory(void *state, uint64_t bytes)
{
    const struct sorting *sorting = state;
    uint64_t need;
    if (__builtin_mul_overflow(bytes / sorting->schema.size, cost(sorting), &need))
        need = UINT64_MAX;
    check_need(&sorting->request->common, bytes, need, device_limit(&sorting->job->device, &sorting->request->common));
}

/* On the CPU the elements are sorted where they are read to. */
static void load_cpu(struct sorting *sorting, struct source *source, struct buffer *ahead, uint64_t bytes)
{
    sorting->context = device_end(&sorting->job->device);
    if (bytes != SIZE_UNKNOWN)
        check_memory(sorting, bytes);
    if (ahead->data != NULL) {
        sorting->data = *ahead;
    } else {
        uint64_t most =
            device_limit(&sorting->job->device, &sorting->request->common) / cost(sorting) * sorting->schema.size;
        bool known = bytes != SIZE_UNKNOWN;
        buffer_reserve(&sorting->data, known ? bytes + 1 : most + 1, known); /* one byte more, to see the end */
    }
    bool whole = load_host(&sorting->data, source);
    check_memory(sorting, sorting->data.used);
    if (!whole)
        fail(NULL, "out of memory: there is more input than %s", bytes_text(sorting->data.used));
    buffer_trim(&sorting->data);
}

/* Reads from inputs of unknown size until a GPU would be faster, or to the end. */
static bool read_ahead(struct sorting *sorting, struct source *source, struct buffer *ahead)
{
    uint64_t enough = device_break_even(&sorting->request->common, work_of(sorting));
    if (enough == UINT64_MAX)
        return true;
    buffer_reserve(ahead, enough, false);
    return load_host(ahead, source);
}

/* Files that are sorted in place share a device: the best one for the first file. */
static void load(struct sorting *sorting)
{
    const struct common *common = &sorting->request->common;
    struct job *job = sorting->job;
    uint64_t bytes = inputs_size(sorting->inputs, sorting->count), guess = bytes;
    struct source source = {sorting->inputs, sorting->count, 0};
    struct buffer ahead = {0};
    stats_phase(&job->stats, PHASE_read, bytes);
    if (!job->device.begun && bytes == SIZE_UNKNOWN && device_wanted(common) == DEVICE_AUTO)
        guess = read_ahead(sorting, &source, &ahead) ? 0 : UINT64_MAX;
    device_begin(&job->device, common, guess, work_of(sorting));
    if (job->device.kind == DEVICE_CUDA)
        load_device(&sorting->data, &source, &ahead, bytes, &job->device, check_memory, sorting);
    else
        load_cpu(sorting, &source, &ahead, bytes);
    sorting->context = device_end(&job->device);
    sorting->n = sorting->data.used / sorting->schema.size;
    job->stats.elements += sorting->n;
    job->stats.bytes_in += sorting->data.used;
}

/* ---- sorting ---- */

static void make_buffer(const struct sorting *sorting, struct buffer *buffer, size_t bytes)
{
    *buffer = (struct buffer){0};
    if (scankit_is_host(sorting->context))
        buffer_reserve(buffer, bytes, true);
    else
        buffer_grow(buffer, sorting->context, bytes);
    buffer->used = bytes;
}

static void check_sorted(const struct sorting *sorting)
{
    const struct schema *schema = &sorting->schema;
    const char *data = sorting->data.data;
    for (size_t i = 0; i < sorting->count; i++) {
        const struct input *input = &sorting->inputs[i];
        size_t n = (size_t)(input->taken / schema->size), first;
        check_call(sorting->context, scankit_is_sorted_records(sorting->context, schema->size, schema->keys,
                                                               schema->key_count, data, n, &first));
        if (first < n)
            fail(input->name, "is not sorted: element %zu (at byte %llu, counting both from 0) is out of order", first,
                 (unsigned long long)(input->header_bytes + first * schema->size));
        data += input->taken;
    }
}

/* Merges pairs of neighbouring runs from one buffer to the other until one run is left. */
static void merge(struct sorting *sorting)
{
    const struct schema *schema = &sorting->schema;
    size_t runs = sorting->count, size = schema->size;
    size_t *length = get_memory(runs * sizeof *length); /* elements of each run */
    for (size_t i = 0; i < runs; i++)
        length[i] = (size_t)(sorting->inputs[i].taken / size);
    struct buffer other = {0};
    if (runs > 1)
        make_buffer(sorting, &other, sorting->data.used);
    for (; runs > 1; runs = (runs + 1) / 2) {
        char *from = sorting->data.data, *to = other.data;
        for (size_t i = 0; i < runs; i += 2) {
            size_t na = length[i], nb = i + 1 < runs ? length[i + 1] : 0;
            check_call(sorting->context, scankit_merge_records(sorting->context, size, schema->keys, schema->key_count,
                                                               from, na, from + na * size, nb, to));
            from += (na + nb) * size;
            to += (na + nb) * size;
            length[i / 2] = na + nb;
        }
        struct buffer swap = sorting->data;
        sorting->data = other;
        other = swap;
    }
    buffer_free(&other);
    free(length);
}

static void argsort(struct sorting *sorting)
{
    const struct schema *schema = &sorting->schema;
    const scankit_sort_options options = {.algorithm = sorting->request->algorithm};
    make_buffer(sorting, &sorting->result, sorting->n * sizeof(uint64_t));
    check_call(sorting->context,
               scankit_argsort_records(sorting->context, schema->size, schema->keys, schema->key_count,
                                       sorting->data.data, (uint64_t *)(void *)sorting->result.data, sorting->n,
                                       &options));
}

/* Sorts the elements where they are. ready: told how many are final, or NULL. */
static void sort_elements(struct sorting *sorting, void (*ready)(void *state, size_t n), void *state)
{
    const struct schema *schema = &sorting->schema;
    const scankit_sort_options options = {
        .algorithm = sorting->request->algorithm, .ready = ready, .ready_state = state};
    double begin = seconds_now();
    check_call(sorting->context,
               scankit_sort_records(sorting->context, schema->size, schema->keys, schema->key_count, sorting->data.data,
                                    sorting->data.data, sorting->n, &options));
    check_call(sorting->context, scankit_synchronize(sorting->context));
    if (options.algorithm == SCANKIT_AUTO)
        device_worked(work_of(sorting), sorting->data.used, begin);
}

static void sort(struct sorting *sorting)
{
    stats_phase(&sorting->job->stats, PHASE_sort, UINT64_MAX);
    if (sorting->request->argsort) {
        argsort(sorting);
    } else if (sorting->request->merge) {
        check_sorted(sorting);
        merge(sorting);
    } else {
        sort_elements(sorting, NULL, NULL);
    }
    check_call(sorting->context, scankit_synchronize(sorting->context));
    stats_device(&sorting->job->stats, &sorting->job->device);
}

/* ---- writing ---- */

/* Keeps the first of equal elements. This comes before writing: a .npy header holds their number. */
static void make_unique(struct sorting *sorting)
{
    const struct schema *schema = &sorting->schema;
    const scankit_run_options options = {.keys = schema->keys, .key_count = schema->key_count};
    if (sorting->request->argsort) { /* the host compares the elements at the positions */
        buffer_to_host(&sorting->data);
        buffer_to_host(&sorting->result);
        sorting->n = unique_positions(schema, sorting->data.data, (uint64_t *)(void *)sorting->result.data, sorting->n);
    } else {
        check_call(sorting->context, scankit_unique(sorting->context, schema->size, sorting->data.data,
                                                    sorting->data.data, sorting->n, &options, &sorting->n));
    }
}

static void write_header(const struct sorting *sorting, struct output *output, size_t n)
{
    const struct input *first = &sorting->inputs[0];
    if (sorting->request->in_place)
        output_write(output, first->prefix, first->skip);
    if (!first->npy || sorting->request->common.raw)
        return;
    size_t bytes;
    const char *descr = sorting->request->argsort ? "'<u8'" : sorting->schema.descr;
    char *header = npy_make_header(descr, sorting->schema.npy_version, n, &bytes);
    output_write(output, header, bytes);
    free(header);
}

static size_t limit(const struct sorting *sorting)
{
    return sorting->n < sorting->request->top ? sorting->n : (size_t)sorting->request->top;
}

static void write_result(struct sorting *sorting, struct output *output)
{
    if (sorting->request->unique)
        make_unique(sorting);
    size_t n = limit(sorting);
    stats_phase(&sorting->job->stats, PHASE_write, n * sorting->result_size);
    write_header(sorting, output, n);
    store(output, sorting->request->argsort ? &sorting->result : &sorting->data, n * sorting->result_size);
}

/* True if sorted elements can be written before all of them are sorted. */
static bool writes_early(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    return scankit_is_host(sorting->context) && sorting->n > 0 && !request->argsort && !request->merge &&
           !request->unique;
}

static void sort_and_write(struct sorting *sorting, struct output *output)
{
    size_t n = limit(sorting), size = sorting->schema.size;
    stats_phase(&sorting->job->stats, PHASE_sort, n * size);
    write_header(sorting, output, n);
    struct prefix_writer *writer = prefix_start(output, sorting->data.data, size, n);
    sort_elements(sorting, prefix_ready, writer);
    stats_device(&sorting->job->stats, &sorting->job->device);
    stats_phase(&sorting->job->stats, PHASE_write, UINT64_MAX);
    prefix_finish(writer);
}

void sort_files(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    struct sorting sorting = {.request = request, .job = job, .count = count};
    struct output output;
    sorting.inputs = open_sorted(request, paths, count, &sorting.schema);
    open_output(&sorting, &output);
    load(&sorting);
    sorting.result_size = request->argsort ? sizeof(uint64_t) : sorting.schema.size;
    if (writes_early(&sorting)) {
        sort_and_write(&sorting, &output);
    } else {
        sort(&sorting);
        write_result(&sorting, &output);
    }
    job->stats.bytes_out += output_finish(&output);
    buffer_free(&sorting.data);
    buffer_free(&sorting.result);
    inputs_close(sorting.inputs, count);
    schema_free(&sorting.schema);
}
