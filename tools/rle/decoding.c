/* decoding.c - gpurle -d: a thread reads and checks parts of containers, the device expands runs, and a thread writes.
 * Memory is constant, whatever the counts. */
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "container.h"
#include "flow.h"
#include "io/block_queue.h"
#include "io/npy.h"
#include "io/reader.h"
#include "rle.h"

/* ---- the reading side ---- */

/* A part of a container that was checked: its header, or a block. */
struct part {
    bool header;
    const struct input *input;
    size_t element;
    struct container_bytes schema, prefix; /* of the header; the receiver frees them */
    struct container_block block;
};

struct parts {
    struct input *inputs; /* not read yet */
    size_t count;
    struct container container;
    bool within;                    /* the container has not ended */
    uint64_t done;                  /* of the input, for the progress */
    struct part part[QUEUE_BLOCKS]; /* used in turn; their payloads' memory is used again */
    size_t filled;
};

/* Begins the next container. Returns false at the end of the last input. */
static bool next_container(struct parts *parts)
{
    while (parts->count > 0) {
        parts->container.input = parts->inputs;
        if (container_next(&parts->container))
            return true;
        container_free(&parts->container);
        parts->container = (struct container){.input = NULL};
        parts->inputs++;
        parts->count--;
    }
    return false;
}

/* Reads the next part. A block of the queue holds a pointer to it. */
static size_t read_part(void *state, char *block)
{
    struct parts *parts = state;
    struct container *container = &parts->container;
    struct part *part = &parts->part[parts->filled % QUEUE_BLOCKS];
    part->header = !(parts->within && container_next_block(container, &part->block));
    parts->within = !part->header || next_container(parts);
    if (!parts->within)
        return 0;
    part->input = container->input;
    part->element = container->element;
    if (part->header) {
        part->schema = container->schema;
        part->prefix = container->prefix;
        container->schema = container->prefix = (struct container_bytes){0};
        parts->done = container->begin;
    } else {
        progress_add(container->input->taken - parts->done);
        parts->done = container->input->taken;
    }
    parts->filled++;
    memcpy(block, &part, sizeof part);
    return sizeof part;
}

/* ---- the work ---- */

struct decoding {
    const struct rle_request *request;
    struct flow flow;
    uint64_t elements, containers;
    struct container_bytes schema; /* of the first container, if text is written */
    bool npy;                      /* the output is a .npy file */
};

/* All containers hold elements of the same fields, which the first one's text describes. */
static void begin_text(struct decoding *decoding, struct part *part)
{
    const struct container_bytes *schema = &part->schema;
    if (decoding->schema.data != NULL) {
        if (schema->used != decoding->schema.used || memcmp(schema->data, decoding->schema.data, schema->used) != 0)
            fail(part->input->name, "holds elements of other fields than the container before it");
        container_free_bytes(&part->schema);
        return;
    }
    scankit_layout *layout = schema_described_layout(schema->data, schema->used);
    output_as_text(&decoding->flow.output, layout, &decoding->request->common, NULL);
    scankit_layout_destroy(layout);
    decoding->schema = *schema;
}

/* A .npy file begins with its header, so nothing can be joined to it. */
static void begin_container(struct decoding *decoding, struct part *part)
{
    const struct container_bytes *prefix = &part->prefix;
    bool npy = npy_ends(prefix->data, prefix->used);
    if (decoding->request->common.to_text)
        begin_text(decoding, part);
    else
        container_free_bytes(&part->schema);
    if (!decoding->request->common.raw) {
        if (decoding->containers > 0 && (npy || decoding->npy))
            fail(part->input->name, "the content of one container cannot follow that of another in a .npy file; --raw "
                                    "leaves the .npy header out");
        decoding->npy = npy;
        flow_add(&decoding->flow, prefix->data, prefix->used);
        flow_on(&decoding->flow);
    }
    decoding->containers++;
    container_free_bytes(&part->prefix);
}

static bool decode_part(void *state, char *queued, size_t bytes)
{
    struct decoding *decoding = state;
    struct part *part;
    memcpy(&part, queued, bytes);
    const struct container_block *block = &part->block;
    if (part->header) {
        begin_container(decoding, part);
        return true;
    }
    decoding->elements += block->elements;
    flow_add_block(&decoding->flow, part->element, block);
    return true;
}

static void finish(struct decoding *decoding, struct job *job)
{
    job->stats.bytes_out += flow_finish(&decoding->flow);
    stats_end(&job->stats);
    stats_device(&job->stats, &job->device);
    job->stats.elements += decoding->elements;
    container_free_bytes(&decoding->schema);
}

void decode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    const struct common *common = &request->common;
    struct decoding decoding = {.request = request};
    struct input *inputs = inputs_open_bytes(paths, count, common);
    uint64_t bytes = inputs_size(inputs, count);
    /* Transfers to and from a GPU take longer than decoding on a CPU. */
    device_begin_first(&job->device, common, 0, WORK_NONE);
    stats_phase(&job->stats, PHASE_decode, bytes);
    flow_open(&decoding.flow, job);
    struct parts parts = {.inputs = inputs, .count = count};
    struct reader *reader = reader_start_filling(read_part, &parts, sizeof(struct part *));
    decoding.flow.expander.context = device_end(&job->device);
    reader_run(reader, decode_part, &decoding);
    reader_finish(reader);
    for (size_t i = 0; i < QUEUE_BLOCKS; i++)
        container_free_bytes(&parts.part[i].block.payload);
    finish(&decoding, job);
    for (size_t i = 0; i < count; i++)
        job->stats.bytes_in += inputs[i].taken;
    inputs_close(inputs, count);
}
