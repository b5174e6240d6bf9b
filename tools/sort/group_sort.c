/* group_sort.c - see group_sort.h. Each device gets an even part of the elements, in their order, and has an even part
 * of the result. */
#include "group_sort.h"

#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "io/reader.h"
#include "io/writer.h"
#include "scankit_group.h"
#include "threads/crew.h"

#define WRITE_BYTES ((size_t)8 << 20)

struct group_sort {
    const struct sort_request *request;
    const struct schema *schema;
    struct result *result;
    struct job *job;
    struct device device; /* all of them; another sort goes on with the first one alone */
    scankit_group *group;
    size_t members, n, wanted;        /* wanted: elements of the result */
    size_t *begins, *lengths, *out_n; /* of the parts */
    void **in, **out;
    struct writer *writer; /* NULL: not begun */
};

static void check_group(const struct group_sort *sort, scankit_error error)
{
    if (error != SCANKIT_OK)
        fail(NULL, "%s: %s", scankit_error_string(error), scankit_group_error_detail(sort->group));
}

static scankit_context *context_of(const struct group_sort *sort, size_t member)
{
    return scankit_group_context(sort->group, member);
}

/* ---- opening ---- */

static void open_group(struct group_sort *sort, const char *list)
{
    struct device *device = &sort->device;
    device_begin_list(device, list);
    (void)device_end(device);
    sort->group = device->group;
    sort->members = device_members(device);
}

/* Elements before part m of n elements in even parts. */
static size_t even_begin(const struct group_sort *sort, size_t n, size_t m)
{
    size_t each = n / sort->members, more = n % sort->members;
    return m * each + (m < more ? m : more);
}

static void divide(struct group_sort *sort)
{
    size_t members = sort->members;
    sort->begins = get_memory((members + 1) * sizeof *sort->begins);
    sort->lengths = get_memory(members * sizeof *sort->lengths);
    sort->out_n = get_memory(members * sizeof *sort->out_n);
    sort->in = get_memory(2 * members * sizeof *sort->in);
    sort->out = sort->in + members;
    for (size_t m = 0; m <= members; m++)
        sort->begins[m] = even_begin(sort, sort->n, m);
    for (size_t m = 0; m < members; m++) {
        sort->in[m] = sort->out[m] = NULL;
        sort->lengths[m] = sort->begins[m + 1] - sort->begins[m];
        sort->out_n[m] = even_begin(sort, sort->wanted, m + 1) - even_begin(sort, sort->wanted, m);
    }
}

/* Bytes that a member needs for an element: two arrays, a part of a third, and 40 more to sort records by position. */
static uint64_t cost(const struct group_sort *sort)
{
    uint64_t size = sort->schema->size;
    return schema_is_number(sort->schema) ? 2 * size + (size + 3) / 4 : 3 * size + 40;
}

/* Members with the memory of this one's device: on CPUs all, for they share the host's. */
static size_t members_sharing(const struct group_sort *sort, size_t member)
{
    size_t count = 0;
    bool host = scankit_is_host(context_of(sort, member));
    for (size_t m = 0; m < sort->members; m++)
        count += host ||
                 strcmp(scankit_device_name(context_of(sort, m)), scankit_device_name(context_of(sort, member))) == 0;
    return count;
}

static uint64_t member_limit(const struct group_sort *sort, size_t member)
{
    const struct common *common = &sort->request->common;
    struct device device = {.kind = DEVICE_CUDA, .context = context_of(sort, member)};
    uint64_t limit = scankit_is_host(device.context) ? host_room(common) : device_limit(&device, common);
    return limit / members_sharing(sort, member);
}

static bool fits(const struct group_sort *sort)
{
    for (size_t m = 0; m < sort->members; m++)
        if (sort->lengths[m] > member_limit(sort, m) / cost(sort))
            return false;
    return true;
}

static void close_sort(struct group_sort *sort)
{
    for (size_t m = 0; m < sort->members; m++) {
        scankit_free(context_of(sort, m), sort->in[m]);
        scankit_free(context_of(sort, m), sort->out[m]);
    }
    scankit_group_close(sort->group);
    free(sort->begins);
    free(sort->lengths);
    free(sort->out_n);
    free(sort->in);
}

/* ---- reading, sorting, writing ---- */

static void allocate(struct group_sort *sort)
{
    size_t size = sort->schema->size;
    for (size_t m = 0; m < sort->members; m++) {
        size_t most = sort->lengths[m] > sort->out_n[m] ? sort->lengths[m] : sort->out_n[m];
        check_call(context_of(sort, m), scankit_allocate(context_of(sort, m), &sort->in[m], most * size));
        check_call(context_of(sort, m), scankit_allocate(context_of(sort, m), &sort->out[m], most * size));
    }
}

/* A block may go to several members. */
static void upload(const struct group_sort *sort, const char *block, uint64_t at, size_t bytes, size_t *member)
{
    size_t size = sort->schema->size;
    while (bytes > 0) {
        while (at >= (uint64_t)sort->begins[*member + 1] * size)
            ++*member;
        uint64_t begin = (uint64_t)sort->begins[*member] * size, end = (uint64_t)sort->begins[*member + 1] * size;
        size_t part = bytes < end - at ? bytes : (size_t)(end - at);
        scankit_context *context = context_of(sort, *member);
        check_call(context, scankit_upload(context, (char *)sort->in[*member] + (at - begin), block, part));
        block += part;
        at += part;
        bytes -= part;
    }
}

/* One reader for all members. */
static void load_in_turn(const struct group_sort *sort, struct input *inputs, size_t count)
{
    struct reader *reader = reader_start(inputs, count, good_block_bytes(sort->schema->size), 0);
    size_t got, member = 0;
    uint64_t done = 0;
    reader_pin(reader, context_of(sort, 0));
    for (const char *block; (block = reader_next(reader, &got)) != NULL; done += got)
        upload(sort, block, done, got, &member);
    reader_finish(reader);
}

/* What a member reads. */
struct share {
    struct input *inputs;
    size_t count;
};

struct loading {
    const struct group_sort *sort;
    struct share *share;
};

static void load_member(void *state, size_t m, unsigned thread)
{
    const struct loading *loading = state;
    const struct share *share = &loading->share[m];
    scankit_context *context = context_of(loading->sort, m);
    (void)thread;
    read_to_device(share->inputs, share->count, loading->sort->schema->size, context, loading->sort->in[m]);
}

/* The members' readers share the threads. False if the inputs are not plain. */
static bool share_out(const struct group_sort *sort, struct input *inputs, size_t count, struct share *shares)
{
    const size_t size = sort->schema->size;
    for (size_t m = 0; m < sort->members; m++) {
        shares[m].inputs = inputs_part(inputs, count, (uint64_t)sort->begins[m] * size,
                                       (uint64_t)sort->lengths[m] * size, &shares[m].count);
        if (shares[m].inputs == NULL)
            return false;
        for (size_t i = 0; i < shares[m].count; i++)
            shares[m].inputs[i].threads = (unsigned)(inputs[0].threads / sort->members);
    }
    return true;
}

/* Each member reads its own part of the files, through buffers of its own. */
static void load(const struct group_sort *sort, struct input *inputs, size_t count)
{
    struct share *shares = get_memory(sort->members * sizeof *shares);
    struct loading loading = {sort, shares};
    if (share_out(sort, inputs, count, shares)) {
        crew_run((unsigned)sort->members, sort->members, load_member, &loading);
        for (size_t m = 0; m < sort->members; m++)
            free(shares[m].inputs);
    } else {
        load_in_turn(sort, inputs, count);
    }
    free(shares);
}

static void sort_parts(struct group_sort *sort)
{
    const struct schema *schema = sort->schema;
    const scankit_sort_options options = {.algorithm = sort->request->algorithm, .overwrite_input = 1};
    const scankit_run_options runs = {.keys = schema->keys, .key_count = schema->key_count};
    check_group(sort, scankit_group_sort_records(sort->group, schema->size, schema->keys, schema->key_count,
                                                 (const void *const *)sort->in, sort->out, sort->lengths, sort->out_n,
                                                 &options));
    if (!sort->request->unique)
        return;
    check_group(sort, scankit_group_unique(sort->group, schema->size, (const void *const *)sort->out, sort->in,
                                           sort->out_n, &runs, sort->out_n));
    for (size_t m = 0; m < sort->members; m++) {
        void *unique = sort->in[m];
        sort->in[m] = sort->out[m];
        sort->out[m] = unique;
    }
}

static void begin_result(struct group_sort *sort)
{
    result_begin(sort->result, sort->wanted, true);
    sort->writer = writer_start_output(sort->result->output, WRITE_BYTES, NULL, &sort->request->common);
    writer_pin(sort->writer, context_of(sort, 0));
    writer_expect(sort->writer, sort->wanted * sort->schema->size);
}

static void write_parts(const struct group_sort *sort)
{
    struct writer *writer = sort->writer;
    size_t left = sort->wanted * sort->schema->size;
    for (size_t m = 0; m < sort->members; m++) {
        size_t bytes = sort->out_n[m] * sort->schema->size;
        bytes = bytes < left ? bytes : left;
        left -= bytes;
        for (size_t done = 0, part; done < bytes; done += part) {
            part = bytes - done < WRITE_BYTES ? bytes - done : WRITE_BYTES;
            check_call(context_of(sort, m),
                       scankit_download(context_of(sort, m), writer_claim(writer), (char *)sort->out[m] + done, part));
            writer_publish(writer, part);
            progress_add(part);
        }
    }
    writer_finish(writer);
}

/* After unique there may be fewer elements than asked for. */
static void count_result(struct group_sort *sort)
{
    size_t n = 0;
    for (size_t m = 0; m < sort->members; m++)
        n += sort->out_n[m];
    size_t top = sort->request->top < SIZE_MAX ? (size_t)sort->request->top : SIZE_MAX;
    sort->wanted = n < top ? n : top;
}

static void run(struct group_sort *sort, struct input *inputs, size_t count)
{
    struct stats *stats = &sort->job->stats;
    size_t size = sort->schema->size;
    allocate(sort);
    if (result_can_begin_early(sort->result))
        begin_result(sort);
    stats_phase(stats, PHASE_read, sort->n * size);
    load(sort, inputs, count);
    stats_phase(stats, PHASE_sort, UINT64_MAX);
    sort_parts(sort);
    stats_device(stats, &sort->device);
    count_result(sort);
    stats_phase(stats, PHASE_write, sort->wanted * size);
    if (sort->writer == NULL)
        begin_result(sort);
    write_parts(sort);
    stats->elements += sort->n;
    stats->bytes_in += sort->n * size;
    stats->bytes_out += result_end(sort->result, sort->wanted);
}

static bool is_for_groups(const struct sort_request *request, uint64_t bytes)
{
    return bytes != SIZE_UNKNOWN && !request->merge && !request->argsort && request->workspace == NULL &&
           request->gallery == NULL;
}

static bool sort_on(const char *list, const struct sort_request *request, struct input *inputs, size_t count,
                    struct result *result, struct job *job)
{
    struct group_sort sort = {.request = request, .schema = result->schema, .result = result, .job = job};
    uint64_t bytes = inputs_size(inputs, count);
    if (!is_for_groups(request, bytes))
        return false;
    sort.n = bytes / sort.schema->size;
    sort.wanted = sort.n <= request->top || request->unique ? sort.n : (size_t)request->top;
    open_group(&sort, list);
    divide(&sort);
    bool fit = fits(&sort);
    if (fit)
        run(&sort, inputs, count);
    close_sort(&sort);
    return fit;
}

bool sort_by_group(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                   struct job *job)
{
    return request->devices != NULL && sort_on(request->devices, request, inputs, count, result, job);
}

bool sort_by_all_gpus(const struct sort_request *request, struct input *inputs, size_t count, struct result *result,
                      struct job *job)
{
    bool wanted = device_wanted(&request->common) == DEVICE_AUTO && job->device.kind == DEVICE_CUDA;
    return wanted && sort_on("cuda:all", request, inputs, count, result, job);
}
