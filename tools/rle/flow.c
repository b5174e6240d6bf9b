/* flow.c - see flow.h. */
#include "flow.h"

#include <string.h>

#include "io/block_queue.h"

/* ---- blocks ---- */

void flow_on(struct flow *flow)
{
    if (flow->block != NULL)
        writer_publish(flow->writer, flow->used);
    flow->block = NULL;
    flow->used = 0;
}

/* Returns room for *n elements of this size. *n is 0 if an element is larger than a block. */
static char *flow_room(struct flow *flow, size_t size, size_t *n)
{
    if (flow->bytes - flow->used < size)
        flow_on(flow);
    if (flow->block == NULL)
        flow->block = writer_claim(flow->writer);
    *n = (flow->bytes - flow->used) / size;
    return flow->block + flow->used;
}

void flow_add(struct flow *flow, const char *from, size_t bytes)
{
    while (bytes > 0) {
        size_t room;
        char *to = flow_room(flow, 1, &room);
        size_t step = bytes < room ? bytes : room;
        memcpy(to, from, step);
        flow->used += step;
        from += step;
        bytes -= step;
    }
}

/* ---- runs ---- */

/* For elements larger than a block. */
static void repeat(struct flow *flow, const char *value, size_t size, uint64_t count)
{
    for (; count > 0; count--)
        flow_add(flow, value, size);
}

/* Expands as many runs as fit into the block, the last one perhaps in part; its count becomes what is left of it.
 * Returns how many are done. */
static size_t expand_piece(struct flow *flow, size_t size, const char *values, uint64_t *counts, size_t runs)
{
    size_t room, n = 0, whole = 0;
    char *out = flow_room(flow, size, &room);
    if (room == 0) {
        repeat(flow, values, size, counts[0]);
        return 1;
    }
    while (whole < runs && counts[whole] <= room - n)
        n += counts[whole++];
    bool parted = whole < runs && n < room;
    uint64_t left = parted ? counts[whole] - (room - n) : 0;
    if (parted)
        counts[whole] = room - n;
    n = parted ? room : n;
    expander_run(&flow->expander, size, values, counts, whole + parted, out, n);
    flow->used += n * size;
    if (parted)
        counts[whole] = left;
    return whole;
}

void flow_expand(struct flow *flow, size_t size, const char *values, uint64_t *counts, size_t runs)
{
    for (size_t i = 0; i < runs;)
        i += expand_piece(flow, size, values + i * size, counts + i, runs - i);
}

/* ---- the output ---- */

void flow_open(struct flow *flow, const struct job *job)
{
    const struct common *common = job->common;
    *flow = (struct flow){.bytes = device_block(&job->device, common, 1, QUEUE_BLOCKS + 2, 1)};
    output_open(&flow->output, common->output, codec_wanted(common, CODEC_NONE), common);
    flow->writer = writer_start_output(&flow->output, flow->bytes, NULL, common);
}

uint64_t flow_finish(struct flow *flow)
{
    flow_on(flow);
    writer_finish(flow->writer);
    expander_free(&flow->expander);
    return output_finish(&flow->output);
}
