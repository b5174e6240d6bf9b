/* scanning.c - what gpuscan writes: elements whose values are scanned, by a thread of its own. */
#include <string.h>

#include "io/block_queue.h"
#include "scan.h"
#include "io/sink.h"

struct scanning {
    struct pass pass;
    struct sink sink;
};

/* There are as many elements as there were: a .npy header is complete at once where that is known. */
static void open_sink(struct scanning *scanning)
{
    const struct pass *pass = &scanning->pass;
    const struct common *common = &pass->scan->common;
    const struct schema *schema = &pass->schema;
    struct sink *sink = &scanning->sink;
    if (pass->scan->in_place)
        sink_open_in_place(sink, &pass->inputs[0], common);
    else
        sink_open(sink, common->output, common->gzip, common);
    if (!pass->inputs[0].npy || common->raw)
        return;
    uint64_t elements = inputs_elements(pass->inputs, pass->count);
    if (elements != SIZE_UNKNOWN)
        sink_npy_counted(sink, schema->descr, schema->npy_version, elements);
    else
        sink_npy(sink, schema->descr, schema->npy_version, elements);
}

static void scan_block(void *state, const char *block, char *values, const uint8_t *heads, size_t n)
{
    struct scanning *scanning = state;
    struct pass *pass = &scanning->pass;
    size_t bytes = n * pass->schema.size;
    char *room = sink_room(&scanning->sink);
    scanner_scan(&pass->scanner, values, heads, pass->value.whole ? room : values, n);
    if (!pass->value.whole) {
        memcpy(room, block, bytes);
        value_scatter(&pass->value, values, n, room);
    }
    sink_add(&scanning->sink, bytes);
}

void scan_files(const struct scan *scan, char *const *paths, size_t count, struct stats *stats)
{
    struct scanning scanning;
    struct pass *pass = &scanning.pass;
    pass_open(pass, scan, paths, count, stats);
    open_sink(&scanning);
    struct sink *const sinks[2] = {&scanning.sink, NULL};
    size_t each = RING_BLOCKS * pass->schema.size;
    pass_measure(pass, each, 1 + sinks_holding(sinks));
    sinks_start(sinks, (const size_t[2]){pass->block * pass->schema.size, 0}, &scan->common, pass->block * 2 * each);
    pass_run(pass, scan_block, &scanning);
    sink_complete(&scanning.sink, pass->elements);
    output_replace(&scanning.sink.output);
    stats->bytes_out += scanning.sink.output.bytes;
    pass_close(pass);
}
