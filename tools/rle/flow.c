/* flow.c - see flow.h. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "io/block_queue.h"

/* ---- blocks ---- */

void flow_on(struct flow *flow)
{
    if (flow->block != NULL && flow->writer != NULL)
        writer_publish(flow->writer, flow->used);
    else if (flow->block != NULL)
        flow->write(flow->sink, flow->block, flow->used);
    flow->block = NULL;
    flow->used = 0;
}

/* Returns room for *n elements of this size. *n is 0 if an element is larger than a block. */
static char *flow_room(struct flow *flow, size_t size, size_t *n)
{
    if (flow->bytes - flow->used < size)
        flow_on(flow);
    if (flow->block == NULL)
        flow->block = flow->writer != NULL ? writer_claim(flow->writer) : flow->own;
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

/* ---- blocks of containers ---- */

#define BATCH_RUNS ((size_t)1 << 18) /* runs whose counts are widened at a time */

static void expand_block(struct flow *flow, size_t size, const struct container_block *block)
{
    const char *values = block->payload.data, *counts = values + block->runs * size;
    if (flow->counts == NULL)
        flow->counts = get_memory(BATCH_RUNS * sizeof *flow->counts);
    for (size_t done = 0, batch; done < block->runs; done += batch) {
        batch = block->runs - done < BATCH_RUNS ? block->runs - done : BATCH_RUNS;
        container_widen(flow->counts, counts + done * block->width, block->width, batch);
        flow_expand(flow, size, values + done * size, flow->counts, batch);
    }
}

void flow_add_block(struct flow *flow, size_t element, const struct container_block *block)
{
    if (block->kind == CONTAINER_RUNS)
        expand_block(flow, element, block);
    else
        flow_add(flow, block->payload.data, block->payload.used);
}

/* ---- the output ---- */

#define OWN_BYTES ((size_t)8 << 20)

void flow_open(struct flow *flow, const struct job *job)
{
    const struct common *common = job->common;
    *flow = (struct flow){.bytes = device_block(&job->device, common, 1, QUEUE_BLOCKS + 2, 1)};
    output_open(&flow->output, common->output, codec_wanted(common, CODEC_NONE), common);
    flow->writer = writer_start_output(&flow->output, flow->bytes, NULL, common);
}

void flow_open_to(struct flow *flow, write_function *write, void *sink)
{
    *flow = (struct flow){.bytes = OWN_BYTES, .write = write, .sink = sink, .own = get_memory(OWN_BYTES)};
}

uint64_t flow_finish(struct flow *flow)
{
    flow_on(flow);
    expander_free(&flow->expander);
    free(flow->counts);
    free(flow->own);
    if (flow->writer == NULL)
        return 0;
    writer_finish(flow->writer);
    return output_finish(&flow->output);
}
