/* reducing.c - gpuscan --reduce: one number as text, or for each segment its first element, with the segment's
 * reduction as its value. */
#include <stdlib.h>
#include <string.h>

#include "io/block_queue.h"
#include "scan.h"
#include "text/number.h"

/* ---- of all elements ---- */

static void reduce_block(void *state, const char *block, char *values, const uint8_t *heads, size_t n)
{
    struct pass *pass = state;
    (void)block;
    (void)heads;
    scanner_reduce(&pass->scanner, values, n);
}

static void add_there(void *state, struct scan_member *member, size_t n)
{
    struct pass *pass = state;
    (void)n;
    scanner_add(&pass->scanner, member);
}

void scan_open_text(struct output *output, const struct common *common)
{
    output_open(output, common->output == NULL ? "-" : common->output, CODEC_NONE, common);
}

static uint64_t put_total(struct output *output, const struct value *value, const char *total)
{
    char line[NUMBER_BYTES], stored[VALUE_BYTES];
    scankit_field field = value_store(value, total, stored);
    char *end = put_field(line, &field, stored);
    *end++ = '\n';
    output_write(output, line, (size_t)(end - line));
    return output_finish(output);
}

void scan_put_total(const struct scan_request *request, const struct value *value, const char *total,
                    struct stats *stats)
{
    struct output output;
    scan_open_text(&output, &request->common);
    stats->bytes_out += put_total(&output, value, total);
}

void reduce_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job)
{
    struct pass pass;
    struct output output;
    pass_open(&pass, request, paths, count, job, add_there);
    scan_open_text(&output, &request->common);
    pass_measure(&pass, 0, 1);
    pass_run(&pass, reduce_block, &pass);
    if (pass.pipeline.elements == 0)
        scanner_reduce(&pass.scanner, NULL, 0);
    job->stats.bytes_out += put_total(&output, &pass.value, pass.scanner.total);
    pass_close(&pass);
}

/* ---- of each segment ---- */

struct reducing {
    struct pass pass;
    struct sink sink;
    uint64_t *offsets; /* of the segments in a block */
    char *results;
    char *first; /* first element of the open segment */
    bool open;
    char *room; /* where the next element goes */
    uint64_t segments;
};

static void put(struct reducing *reducing, const char *element, const char *result)
{
    const struct pass *pass = &reducing->pass;
    memcpy(reducing->room, element, pass->pipeline.schema.size);
    value_scatter(&pass->value, result, 1, reducing->room);
    reducing->room += pass->pipeline.schema.size;
    reducing->segments++;
}

/* Finds the segments in a block; the first may continue the open one. Returns how many. */
static size_t find_segments(uint64_t *offsets, const uint8_t *heads, size_t n)
{
    size_t segments = 0;
    offsets[0] = 0;
    for (size_t i = 1; i < n; i++)
        if (heads[i] != 0)
            offsets[++segments] = i;
    offsets[++segments] = n;
    return segments;
}

static void reduce_block_segments(void *state, const char *block, char *values, const uint8_t *heads, size_t n)
{
    struct reducing *reducing = state;
    struct pass *pass = &reducing->pass;
    const uint64_t *offsets = reducing->offsets;
    size_t size = pass->pipeline.schema.size, value = pass->value.size;
    char *room = reducing->room = sink_room(&reducing->sink);
    bool goes_on = reducing->open && heads[0] == 0;
    size_t segments = find_segments(reducing->offsets, heads, n);
    if (reducing->open && !goes_on)
        put(reducing, reducing->first, pass->scanner.total);
    scanner_reduce_segments(&pass->scanner, values, offsets, segments, goes_on, reducing->results);
    for (size_t s = 0; s + 1 < segments; s++)
        put(reducing, s == 0 && goes_on ? reducing->first : block + offsets[s] * size, reducing->results + s * value);
    if (segments > 1 || !goes_on)
        memcpy(reducing->first, block + offsets[segments - 1] * size, size);
    reducing->open = true;
    sink_add(&reducing->sink, (size_t)(reducing->room - room));
}

static void start(struct reducing *reducing)
{
    struct pass *pass = &reducing->pass;
    size_t size = pass->pipeline.schema.size, queue = QUEUE_BLOCKS * size;
    size_t each = queue + sizeof *reducing->offsets + pass->value.size;
    struct sink *const sinks[2] = {&reducing->sink, NULL};
    pass_measure(pass, each, 1 + sinks_holding(sinks));
    sinks_start(sinks, (const size_t[2]){pass->pipeline.block * size, 0}, &pass->request->common,
                pass->pipeline.block * (queue + each));
    reducing->offsets = get_memory((pass->pipeline.block + 1) * sizeof *reducing->offsets);
    reducing->results = get_memory(pass->pipeline.block * pass->value.size);
    reducing->first = get_memory(size);
}

void reduce_segments(const struct scan_request *request, char *const *paths, size_t count, struct job *job)
{
    struct reducing reducing = {.segments = 0};
    struct pass *pass = &reducing.pass;
    pass_open(pass, request, paths, count, job, NULL);
    const struct sink_options options = {.path = request->common.output, .descr = pass->pipeline.schema.descr};
    pipeline_open_sink(&pass->pipeline, &reducing.sink, &options);
    start(&reducing);
    pass_run(pass, reduce_block_segments, &reducing);
    if (reducing.open) {
        reducing.room = sink_room(&reducing.sink);
        put(&reducing, reducing.first, pass->scanner.total);
        sink_add(&reducing.sink, pass->pipeline.schema.size);
    }
    struct sink *const sinks[2] = {&reducing.sink, NULL};
    job->stats.bytes_out += sinks_finish(sinks, (const uint64_t[2]){reducing.segments, 0});
    free(reducing.offsets);
    free(reducing.results);
    free(reducing.first);
    pass_close(pass);
}
