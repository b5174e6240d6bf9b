/* run_stream.c - gpurle's pipeline of runs, see rle.h. */
#include <stdlib.h>

#include "io/block_queue.h"
#include "rle.h"

void set_run_keys(struct schema *schema, const struct rle_request *request)
{
    if (request->key_count == 0)
        return;
    schema_set_keys(schema, request->keys, request->key_count, request->common.big_endian, false);
    for (size_t i = 0; i < schema->key_count; i++)
        if (schema->keys[i].descending)
            fail_usage("--key: runs have no order, so nothing can be descending");
}

void run_stream_open(struct run_stream *stream, const struct rle_request *request, char *const *paths, size_t count,
                     struct job *job)
{
    *stream = (struct run_stream){.request = request};
    bool bare = request->common.raw || request->common.from_text; /* what is before the elements is not kept */
    pipeline_open(&stream->pipeline, job, paths, count, bare ? INPUT_READ : INPUT_KEPT);
    set_run_keys(&stream->pipeline.schema, request);
    pipeline_begin(&stream->pipeline, WORK_encode, true);
}

void run_stream_measure(struct run_stream *stream, size_t each, unsigned shares)
{
    struct pipeline *pipeline = &stream->pipeline;
    size_t size = pipeline->schema.size, run = size + sizeof(uint64_t);
    each += device_held(&pipeline->job->device, size + run);
    bool cached = pipeline->job->device.kind == DEVICE_CPU; /* a block with its values and counts */
    pipeline->block = device_block(&pipeline->job->device, &stream->request->common, cached ? size + run : size,
                                   QUEUE_BLOCKS * size + run + each, shares);
}

static void begin(void *state, scankit_context *context)
{
    struct run_stream *stream = state;
    stream->runs.context = context;
}

static void take_block(void *state, char *block, size_t n)
{
    struct run_stream *stream = state;
    runs_add(&stream->runs, block, n);
    runs_pass(&stream->runs, stream->take, stream->state, false);
}

/* ---- several devices ---- */

static void begin_members(void *state, const struct device *device)
{
    struct run_stream *stream = state;
    stream->member_count = device_members(device);
    stream->members = get_memory(stream->member_count * sizeof *stream->members);
    for (size_t m = 0; m < stream->member_count; m++)
        stream->members[m] = (struct block_runs){.context = device_member(device, m)};
}

static void find(void *state, size_t member, const char *block, size_t n, uint64_t first)
{
    struct run_stream *stream = state;
    (void)first;
    runs_find(&stream->runs, &stream->members[member], block, n);
}

static void add(void *state, size_t member, size_t n)
{
    struct run_stream *stream = state;
    runs_add_found(&stream->runs, &stream->members[member], n);
    runs_pass(&stream->runs, stream->take, stream->state, false);
}

/* ---- the run ---- */

void run_stream_run(struct run_stream *stream, take_function *take, void *state, enum run_counts wanted)
{
    struct pipeline *pipeline = &stream->pipeline;
    static const struct shared_stage shared = {.begin = begin_members, .prepare = find, .give = add};
    const struct stage stage = {.begin = begin, .take = take_block, .shared = &shared, .state = stream};
    stream->take = take;
    stream->state = state;
    runs_start(&stream->runs, &pipeline->schema, pipeline->block, wanted);
    pipeline_run(pipeline, PHASE_encode, pipeline_size(pipeline), &stage);
    runs_pass(&stream->runs, take, state, true);
}

void run_stream_close(struct run_stream *stream)
{
    for (size_t m = 0; m < stream->member_count; m++)
        block_runs_free(&stream->members[m]);
    free(stream->members);
    runs_free(&stream->runs);
    pipeline_close(&stream->pipeline);
}
