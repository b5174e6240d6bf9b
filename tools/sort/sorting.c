/* sorting.c - gpusort's pipeline: read the inputs to the device, sort or merge there, write the result. */
#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "io/npy.h"
#include "request.h"
#include "io/stream.h"
#include "unique.h"

/* A GPU has the way over the bus and back; a processor what it sorts, and more than 16 wait for memory. */
static const struct device_rates sort_rates = {.gpu = 5e9, .cpu_each = 150e6, .cpu_most = 16};

struct job {
    const struct plan *plan;
    struct stats *stats;
    struct input *inputs;
    size_t count;
    struct schema schema;
    scankit_context *context;
    struct buffer data;   /* the elements */
    struct buffer result; /* what is written: the elements again, or their positions */
    size_t result_size;   /* bytes of one of those */
    size_t n;             /* elements */
};

/* ---- opening ---- */

struct input *open_sorted(const struct plan *plan, char *const *paths, size_t count, struct schema *schema)
{
    struct input *inputs =
        inputs_open(paths, count, &plan->common, plan->in_place ? INPUT_REPLACED : INPUT_READ, schema);
    schema_set_keys(schema, plan->keys, plan->key_count, plan->common.big_endian, plan->reverse);
    return inputs;
}

static void open_output(const struct job *job, struct output *output)
{
    const struct common *common = &job->plan->common;
    const struct input *first = &job->inputs[0];
    bool gzip = common->gzip || (job->plan->in_place && first->gzip != NULL);
    output_open(output, job->plan->in_place ? first->name : common->output, gzip, common);
}

/* ---- reading ---- */

/* Memory for an element: itself, a second one while sorting, and more where keys are not the elements themselves. See
 * the workspaces in scankit.h. */
static uint64_t cost(const struct job *job)
{
    const struct schema *schema = &job->schema;
    const scankit_key *key = &schema->keys[0];
    bool plain = schema->key_count == 1 && key->size == schema->size && schema->size <= 8 && key->type != SCANKIT_BYTES;
    uint64_t size = schema->size;
    if (job->plan->argsort)
        return size + 8 + 32;
    if (job->plan->merge)
        return (plain ? 3 : 4) * size + (plain ? 0 : 32);
    return 2 * size + (plain ? 0 : 32);
}

static void check_memory(void *state, scankit_context *context, uint64_t bytes)
{
    const struct job *job = state;
    uint64_t need;
    if (__builtin_mul_overflow(bytes / job->schema.size, cost(job), &need))
        need = UINT64_MAX;
    check_need(&job->plan->common, bytes, need, device_limit(context, &job->plan->common));
}

/* On the CPU, its memory is where the elements are read to. */
static void load_cpu(struct job *job, struct source *source, struct buffer *ahead, uint64_t bytes)
{
    job->context = device_end();
    if (bytes != SIZE_UNKNOWN)
        check_memory(job, job->context, bytes);
    if (ahead->data != NULL) {
        job->data = *ahead;
    } else {
        uint64_t most = device_limit(job->context, &job->plan->common) / cost(job) * job->schema.size;
        bool known = bytes != SIZE_UNKNOWN;
        buffer_reserve(&job->data, known ? bytes + 1 : most + 1, known); /* the end is seen by reading past it */
    }
    bool whole = load_host(&job->data, source);
    check_memory(job, job->context, job->data.used);
    if (!whole)
        fail(NULL, "out of memory: there is more input than %s", bytes_text(job->data.used));
    buffer_trim(&job->data);
}

/* Where the device depends on a size that is not known: as much as the CPU would take on, or all. */
static bool read_ahead(struct job *job, struct source *source, struct buffer *ahead)
{
    uint64_t enough = device_break_even(&job->plan->common, &sort_rates);
    if (enough == UINT64_MAX)
        return true;
    buffer_reserve(ahead, enough, false);
    return load_host(ahead, source);
}

static void load(struct job *job)
{
    const struct common *common = &job->plan->common;
    uint64_t bytes = inputs_size(job->inputs, job->count), guess = bytes;
    struct source source = {job->inputs, job->count, 0};
    struct buffer ahead = {0};
    stats_phase(job->stats, PHASE_read, bytes);
    static bool begun;
    static char device[DEVICE_TEXT];
    if (!begun) {
        if (bytes == SIZE_UNKNOWN && device_is_open_question(common))
            guess = read_ahead(job, &source, &ahead) ? 0 : UINT64_MAX;
        device_choose(common, guess, &sort_rates, device);
        device_begin(device);
    }
    begun = true; /* files sorted in place share a device */
    if (strncmp(device, "cuda", 4) == 0)
        job->context = load_device(&job->data, &source, &ahead, bytes, check_memory, job);
    else
        load_cpu(job, &source, &ahead, bytes);
    job->n = job->data.used / job->schema.size;
    job->stats->elements += job->n;
    job->stats->bytes_in += job->data.used;
}

/* ---- sorting ---- */

static void make_buffer(const struct job *job, struct buffer *buffer, size_t bytes)
{
    *buffer = (struct buffer){0};
    if (scankit_is_host(job->context))
        buffer_reserve(buffer, bytes, true);
    else
        buffer_grow(buffer, job->context, bytes);
    buffer->used = bytes;
}

static void check_sorted(const struct job *job)
{
    const struct schema *schema = &job->schema;
    const char *data = job->data.data;
    for (size_t i = 0; i < job->count; i++) {
        const struct input *input = &job->inputs[i];
        size_t n = (size_t)(input->taken / schema->size), first;
        check_call(job->context, scankit_is_sorted_records(job->context, schema->size, schema->keys, schema->key_count,
                                                           data, n, &first));
        if (first < n)
            fail(input->name, "is not sorted: element %zu (at byte %llu, counting both from 0) is out of order", first,
                 (unsigned long long)(input->header_bytes + first * schema->size));
        data += input->taken;
    }
}

/* Merges neighbours, pair by pair, from one buffer to the other, until one run is left. */
static void merge(struct job *job)
{
    const struct schema *schema = &job->schema;
    size_t runs = job->count, size = schema->size;
    size_t *length = get_memory(runs * sizeof *length); /* elements of each run */
    for (size_t i = 0; i < runs; i++)
        length[i] = (size_t)(job->inputs[i].taken / size);
    struct buffer other = {0};
    if (runs > 1)
        make_buffer(job, &other, job->data.used);
    for (; runs > 1; runs = (runs + 1) / 2) {
        char *from = job->data.data, *to = other.data;
        for (size_t i = 0; i < runs; i += 2) {
            size_t na = length[i], nb = i + 1 < runs ? length[i + 1] : 0;
            check_call(job->context, scankit_merge_records(job->context, size, schema->keys, schema->key_count, from,
                                                           na, from + na * size, nb, to));
            from += (na + nb) * size;
            to += (na + nb) * size;
            length[i / 2] = na + nb;
        }
        struct buffer swap = job->data;
        job->data = other;
        other = swap;
    }
    buffer_free(&other);
    free(length);
}

static void sort(struct job *job)
{
    const struct schema *schema = &job->schema;
    const scankit_sort_options options = {.algorithm = job->plan->algorithm};
    stats_phase(job->stats, PHASE_sort, UINT64_MAX);
    if (job->plan->merge)
        check_sorted(job);
    job->result_size = schema->size;
    if (job->plan->argsort) {
        job->result_size = sizeof(uint64_t);
        make_buffer(job, &job->result, job->n * sizeof(uint64_t));
        check_call(job->context,
                   scankit_argsort_records(job->context, schema->size, schema->keys, schema->key_count, job->data.data,
                                           (uint64_t *)(void *)job->result.data, job->n, &options));
    } else if (job->plan->merge) {
        merge(job);
    } else {
        check_call(job->context, scankit_sort_records(job->context, schema->size, schema->keys, schema->key_count,
                                                      job->data.data, job->data.data, job->n, &options));
    }
    check_call(job->context, scankit_synchronize(job->context));
    stats_device(job->stats, job->context);
}

/* ---- writing ---- */

/* The first of equals only; their number stands in a header in front of them. */
static void make_unique(struct job *job)
{
    const struct schema *schema = &job->schema;
    const scankit_run_options options = {.keys = schema->keys, .key_count = schema->key_count};
    if (job->plan->argsort) { /* elements are equal where the positions lead, which is the host's to find out */
        buffer_to_host(&job->data);
        buffer_to_host(&job->result);
        job->n = unique_positions(schema, job->data.data, (uint64_t *)(void *)job->result.data, job->n);
    } else {
        check_call(job->context, scankit_unique(job->context, schema->size, job->data.data, job->data.data, job->n,
                                                &options, &job->n));
    }
}

static void write_header(const struct job *job, struct output *output, size_t n)
{
    const struct input *first = &job->inputs[0];
    if (job->plan->in_place)
        output_write(output, first->prefix, first->skip);
    if (!first->npy || job->plan->common.raw)
        return;
    size_t bytes;
    const char *descr = job->plan->argsort ? "'<u8'" : job->schema.descr;
    char *header = npy_make_header(descr, job->schema.npy_version, n, &bytes);
    output_write(output, header, bytes);
    free(header);
}

static void write_result(struct job *job, struct output *output)
{
    if (job->plan->unique)
        make_unique(job);
    size_t n = job->n < job->plan->top ? job->n : (size_t)job->plan->top;
    stats_phase(job->stats, PHASE_write, n * job->result_size);
    write_header(job, output, n);
    store(output, job->plan->argsort ? &job->result : &job->data, n * job->result_size);
    output_complete(output);
    output_replace(output);
    job->stats->bytes_out += output->bytes;
}

void sort_files(const struct plan *plan, char *const *paths, size_t count, struct stats *stats)
{
    struct job job = {.plan = plan, .stats = stats, .count = count};
    struct output output;
    job.inputs = open_sorted(plan, paths, count, &job.schema);
    open_output(&job, &output);
    load(&job);
    sort(&job);
    write_result(&job, &output);
    buffer_free(&job.data);
    buffer_free(&job.result);
    inputs_close(job.inputs, count);
    schema_free(&job.schema);
}
