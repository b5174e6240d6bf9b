/* segmented.c - see segmented.h. Elements are held until a window of whole segments is there. It is sorted at once, and
 * written; the open segment at its end stays. */
#include "segmented.h"

#include <stdlib.h>
#include <string.h>

#include "common/buffer.h"
#include "io/block_queue.h"
#include "io/pipeline.h"
#include "io/segments.h"

struct segmented {
    const struct sort_request *request;
    struct pipeline pipeline;
    struct segments segments;
    struct sink sink;
    scankit_context *context;
    size_t n, room; /* elements held, and room for them */
    char *held, *sorted;
    uint64_t *begins;                       /* of the held segments; room for the end too */
    size_t count;                           /* of held segments */
    struct buffer data, offsets, positions; /* of the device */
};

/* ---- room ---- */

static void *get_more(void *memory, size_t count, size_t size)
{
    void *more = size == 0 || count > SIZE_MAX / size ? NULL : realloc(memory, count * size);
    if (more == NULL)
        fail(NULL, "out of memory: a segment is too large for --segments");
    return more;
}

static void make_room(struct segmented *s, size_t n)
{
    size_t size = s->pipeline.schema.size;
    if (n <= s->room)
        return;
    size_t room = n < s->room / 2 * 3 ? s->room / 2 * 3 : n;
    if (room > host_limit(&s->request->common) / (size + sizeof *s->begins) && s->room > 0)
        fail(NULL, "a segment of more than %zu elements does not fit the memory that --segments may take",
             (size_t)(s->n - s->begins[s->count - 1]));
    s->held = get_more(s->held, room, size);
    s->begins = get_more(s->begins, room + 1, sizeof *s->begins);
    s->room = room;
}

/* ---- a window: the first n elements, of `segments` whole segments ---- */

/* Numbers are sorted in their array. */
static const char *sort_numbers(struct segmented *s, size_t n, size_t segments)
{
    const scankit_key *key = &s->pipeline.schema.keys[0];
    const scankit_sort_options options = {.descending = key->descending};
    scankit_context *context = s->context;
    bool is_host = scankit_is_host(context);
    char *data = is_host ? s->held : buffer_upload(&s->data, context, s->held, n * s->pipeline.schema.size);
    const void *offsets = s->begins;
    if (!is_host)
        offsets = buffer_upload(&s->offsets, context, s->begins, (segments + 1) * sizeof *s->begins);
    check_call(context, scankit_segmented_sort(context, key->type, data, data, n, offsets, segments, &options));
    if (!is_host)
        buffer_download(&s->data, s->held, n * s->pipeline.schema.size);
    else
        check_call(context, scankit_synchronize(context));
    return s->held;
}

/* The positions of the elements in the order of their keys, in host memory. */
static uint64_t *argsort(struct segmented *s, size_t n)
{
    const struct schema *schema = &s->pipeline.schema;
    scankit_context *context = s->context;
    const char *data = scankit_is_host(context) ? s->held : buffer_upload(&s->data, context, s->held, n * schema->size);
    void *to = buffer_room(&s->positions, context, n * sizeof(uint64_t));
    uint64_t *positions = get_memory(n * sizeof *positions);
    check_call(context,
               scankit_argsort_records(context, schema->size, schema->keys, schema->key_count, data, to, n, NULL));
    buffer_download(&s->positions, positions, n * sizeof *positions);
    return positions;
}

/* All are sorted at once. Then each goes to its segment, in that order. */
static const char *sort_records(struct segmented *s, size_t n, size_t segments)
{
    size_t size = s->pipeline.schema.size;
    uint64_t *positions = argsort(s, n), *next = get_memory(segments * sizeof *next);
    uint32_t *number = get_memory(n * sizeof *number);
    s->sorted = get_more(s->sorted, n, size);
    memcpy(next, s->begins, segments * sizeof *next);
    for (size_t b = 0; b < segments; b++)
        for (uint64_t i = s->begins[b]; i < s->begins[b + 1]; i++)
            number[i] = (uint32_t)b;
    for (size_t i = 0; i < n; i++)
        memcpy(s->sorted + next[number[positions[i]]]++ * size, s->held + positions[i] * size, size);
    free(positions);
    free(number);
    free(next);
    return s->sorted;
}

static void write_window(struct segmented *s, const char *data, size_t bytes)
{
    size_t most = s->pipeline.block * s->pipeline.schema.size;
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < most ? bytes - done : most;
        memcpy(sink_room(&s->sink), data + done, part);
        sink_add(&s->sink, part);
    }
}

/* Sorts and writes all held segments but the last `open` ones, which stay: none or one. */
static void flush(struct segmented *s, size_t open)
{
    const struct schema *schema = &s->pipeline.schema;
    size_t segments = s->count - open, n = open > 0 ? s->begins[segments] : s->n;
    bool are_numbers = schema_is_number(schema) && !schema->keys[0].big_endian;
    if (segments == 0)
        return;
    s->begins[segments] = n;
    write_window(s, are_numbers ? sort_numbers(s, n, segments) : sort_records(s, n, segments), n * schema->size);
    s->n -= n;
    memmove(s->held, s->held + n * schema->size, s->n * schema->size);
    s->begins[0] = 0;
    s->count = open;
}

/* ---- the elements ---- */

static void begin(void *state, scankit_context *context)
{
    struct segmented *s = state;
    s->context = context;
}

static void take(void *state, char *block, size_t n)
{
    struct segmented *s = state;
    size_t size = s->pipeline.schema.size;
    const uint8_t *heads = segments_next(&s->segments, block, n);
    make_room(s, s->n + n);
    for (size_t i = 0; i < n; i++)
        if (heads[i] != 0 || s->n + i == 0)
            s->begins[s->count++] = s->n + i;
    memcpy(s->held + s->n * size, block, n * size);
    s->n += n;
    if (s->begins[s->count - 1] >= s->pipeline.block)
        flush(s, 1);
}

static uint64_t size_of_all(const struct segmented *s)
{
    uint64_t size = pipeline_size(&s->pipeline), heads = segments_size(&s->segments);
    return size == SIZE_UNKNOWN || heads == SIZE_UNKNOWN ? SIZE_UNKNOWN : size + heads;
}

static void open_all(struct segmented *s, char *const *paths, size_t count, struct job *job)
{
    const struct sort_request *request = s->request;
    const struct common *common = &request->common;
    struct pipeline *pipeline = &s->pipeline;
    struct schema *schema = &pipeline->schema;
    pipeline_open(pipeline, job, paths, count, request->in_place ? INPUT_REPLACED : INPUT_READ);
    schema_set_keys(schema, request->keys, request->key_count, common->big_endian, request->reverse);
    segments_open(&s->segments, request->segments, schema, common, inputs_elements(pipeline->inputs, count));
    const struct sink_options options = {
        .path = common->output, .in_place = request->in_place, .descr = schema->descr, .exact = true};
    pipeline_open_sink(pipeline, &s->sink, &options);
    pipeline_begin(pipeline, work_of_sort(schema->size, schema_is_number(schema)), false);
}

/* Reading and writing take blocks of their own. A window has up to two blocks, sorted and not, and records positions.
 */
static void start(struct segmented *s, struct sink *const sinks[2])
{
    const struct common *common = &s->request->common;
    struct pipeline *pipeline = &s->pipeline;
    size_t size = pipeline->schema.size, each = (2 * QUEUE_BLOCKS + 5) * size + 4 * sizeof(uint64_t);
    pipeline->block = device_block(&pipeline->job->device, common, size, each + segments_each(&s->segments),
                                   1 + sinks_holding(sinks));
    sinks_start(sinks, (const size_t[2]){pipeline->block * size, 0}, common, pipeline->block * each);
    segments_start(&s->segments, pipeline->block);
}

static void free_all(struct segmented *s)
{
    buffer_free(&s->data);
    buffer_free(&s->offsets);
    buffer_free(&s->positions);
    free(s->held);
    free(s->sorted);
    free(s->begins);
}

void sort_segments(const struct sort_request *request, char *const *paths, size_t count, struct job *job)
{
    struct segmented s = {.request = request};
    struct sink *const sinks[2] = {&s.sink, NULL};
    const struct stage stage = {.begin = begin, .take = take, .state = &s};
    open_all(&s, paths, count, job);
    start(&s, sinks);
    pipeline_run(&s.pipeline, PHASE_sort, size_of_all(&s), &stage);
    segments_end(&s.segments);
    flush(&s, 0);
    job->stats.bytes_out += sinks_finish(sinks, (const uint64_t[2]){s.pipeline.elements, 0});
    free_all(&s);
    segments_close(&s.segments);
    pipeline_close(&s.pipeline);
}
