/* scanning.c - gpuscan's scans: writes elements with their values scanned. */
#include <string.h>

#include "io/block_queue.h"
#include "scan.h"

struct scanning {
    struct pass pass;
    struct sink sink;
};

static void scan_block(void *state, const char *block, char *values, const uint8_t *heads, size_t n)
{
    struct scanning *scanning = state;
    struct pass *pass = &scanning->pass;
    size_t bytes = n * pass->pipeline.schema.size;
    char *room = sink_room(&scanning->sink);
    scanner_scan(&pass->scanner, values, heads, pass->value.whole ? room : values, n);
    if (!pass->value.whole) {
        memcpy(room, block, bytes);
        value_scatter(&pass->value, values, n, room);
    }
    sink_add(&scanning->sink, bytes);
}

static void scan_there(void *state, struct scan_member *member, size_t n)
{
    struct scanning *scanning = state;
    scanner_scan_there(&scanning->pass.scanner, member, sink_room(&scanning->sink), n);
    sink_add(&scanning->sink, n * scanning->pass.pipeline.schema.size);
}

void scan_files(const struct scan_request *request, char *const *paths, size_t count, struct job *job)
{
    struct scanning scanning;
    struct pass *pass = &scanning.pass;
    struct pipeline *pipeline = &pass->pipeline;
    struct sink *const sinks[2] = {&scanning.sink, NULL};
    pass_open(pass, request, paths, count, job, scan_there);
    const struct sink_options options = {
        .path = request->common.output, .in_place = request->in_place, .descr = pipeline->schema.descr, .exact = true};
    pipeline_open_sink(pipeline, &scanning.sink, &options);
    size_t size = pipeline->schema.size, each = QUEUE_BLOCKS * size;
    pass_measure(pass, each, 1 + sinks_holding(sinks));
    sinks_start(sinks, (const size_t[2]){pipeline->block * size, 0}, &request->common, pipeline->block * 2 * each);
    pass_run(pass, scan_block, &scanning);
    job->stats.bytes_out += sinks_finish(sinks, (const uint64_t[2]){pipeline->elements, 0});
    pass_close(pass);
}
