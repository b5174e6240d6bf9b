/* decoding.c - gpurle -d: a thread reads and checks parts of containers, the device expands runs, and a thread writes.
 * Memory is constant, whatever the counts. */
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "container.h"
#include "expander.h"
#include "io/block_queue.h"
#include "io/npy.h"
#include "io/reader.h"
#include "io/writer.h"
#include "rle.h"

/* ---- the reading side ---- */

/* A part of a container that was checked: its header, or a block. */
struct part {
    bool header;
    const struct input *input;
    size_t element;
    struct container_bytes prefix; /* of the header; the receiver frees it */
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
        part->prefix = container->prefix;
        container->prefix = (struct container_bytes){0};
        parts->done = container->begin;
    } else {
        progress_add(container->input->taken - parts->done);
        parts->done = container->input->taken;
    }
    parts->filled++;
    memcpy(block, &part, sizeof part);
    return sizeof part;
}

/* ---- the writing side: fills blocks with pieces of any size ---- */

struct flow {
    struct writer *writer;
    char *block; /* or NULL */
    size_t used, bytes;
};

static void flow_on(struct flow *flow)
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

static void flow_add(struct flow *flow, const char *from, size_t bytes)
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

/* ---- the work ---- */

struct decoding {
    const struct rle_request *request;
    struct output output;
    struct flow flow;
    struct expander expander;
    uint64_t *counts; /* room for BATCH_RUNS */
    uint64_t elements, containers;
    bool npy; /* the output is a .npy file */
};

#define BATCH_RUNS ((size_t)1 << 18) /* runs whose counts are widened at a time */

/* For elements larger than a block. */
static void repeat(struct flow *flow, const char *value, size_t size, uint64_t count)
{
    for (; count > 0; count--)
        flow_add(flow, value, size);
}

/* Expands as many runs as fit into the block, the last one perhaps in part; its count becomes what is left of it.
 * Returns how many are done. */
static size_t expand_piece(struct decoding *decoding, size_t size, const char *values, uint64_t *counts, size_t runs)
{
    struct flow *flow = &decoding->flow;
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
    expander_run(&decoding->expander, size, values, counts, whole + parted, out, n);
    flow->used += n * size;
    if (parted)
        counts[whole] = left;
    return whole;
}

static void expand_block(struct decoding *decoding, size_t size, const struct container_block *block)
{
    const char *values = block->payload.data, *counts = values + block->runs * size;
    for (size_t done = 0, batch; done < block->runs; done += batch) {
        batch = block->runs - done < BATCH_RUNS ? block->runs - done : BATCH_RUNS;
        container_widen(decoding->counts, counts + done * block->width, block->width, batch);
        for (size_t i = 0; i < batch;)
            i += expand_piece(decoding, size, values + (done + i) * size, decoding->counts + i, batch - i);
    }
}

/* A .npy file begins with its header, so nothing can be joined to it. */
static void begin_container(struct decoding *decoding, struct part *part)
{
    const struct container_bytes *prefix = &part->prefix;
    bool npy = npy_ends(prefix->data, prefix->used);
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
    if (block->kind == CONTAINER_RUNS)
        expand_block(decoding, part->element, block);
    else
        flow_add(&decoding->flow, block->payload.data, block->payload.used);
    return true;
}

static void start(struct decoding *decoding, const struct job *job)
{
    struct flow *flow = &decoding->flow;
    flow->bytes = device_block(&job->device, job->common, 1, QUEUE_BLOCKS + 2, 1);
    flow->writer = writer_start_output(&decoding->output, flow->bytes, NULL, job->common);
    decoding->counts = get_memory(BATCH_RUNS * sizeof *decoding->counts);
}

static void finish(struct decoding *decoding, struct job *job)
{
    flow_on(&decoding->flow);
    writer_finish(decoding->flow.writer);
    job->stats.bytes_out += output_finish(&decoding->output);
    stats_end(&job->stats);
    stats_device(&job->stats, &job->device);
    job->stats.elements += decoding->elements;
    expander_free(&decoding->expander);
    free(decoding->counts);
}

void decode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    const struct common *common = &request->common;
    struct decoding decoding = {.request = request};
    struct input *inputs = inputs_open_bytes(paths, count, common);
    uint64_t bytes = inputs_size(inputs, count);
    /* Transfers to and from a GPU take longer than decoding on a CPU. */
    device_begin(&job->device, common, 0, WORK_NONE);
    output_open(&decoding.output, common->output, codec_wanted(common, CODEC_NONE), common);
    stats_phase(&job->stats, PHASE_decode, bytes);
    start(&decoding, job);
    struct parts parts = {.inputs = inputs, .count = count};
    struct reader *reader = reader_start_filling(read_part, &parts, sizeof(struct part *));
    decoding.expander.context = device_end(&job->device);
    reader_run(reader, decode_part, &decoding);
    reader_finish(reader);
    for (size_t i = 0; i < QUEUE_BLOCKS; i++)
        container_free_bytes(&parts.part[i].block.payload);
    finish(&decoding, job);
    for (size_t i = 0; i < count; i++)
        job->stats.bytes_in += inputs[i].taken;
    inputs_close(inputs, count);
}
