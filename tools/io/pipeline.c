/* pipeline.c - see pipeline.h. */
#include "pipeline.h"

#include "reader.h"
#include "threads/crew.h"

void pipeline_open(struct pipeline *pipeline, struct job *job, char *const *paths, size_t count, enum input_use use)
{
    *pipeline = (struct pipeline){.job = job, .count = count};
    pipeline->inputs = inputs_open(paths, count, job->common, use, &pipeline->schema);
}

void pipeline_begin(struct pipeline *pipeline, enum work work, bool together)
{
    const struct common *common = pipeline->job->common;
    const char *list = device_list(common);
    uint64_t bytes = pipeline_size(pipeline);
    if (list != NULL && together)
        device_begin_list(&pipeline->job->device, list);
    else
        device_begin_first(&pipeline->job->device, common, bytes == SIZE_UNKNOWN ? 0 : bytes, work);
}

void pipeline_open_sink(struct pipeline *pipeline, struct sink *sink, const struct sink_options *options)
{
    const struct common *common = pipeline->job->common;
    const struct input *first = &pipeline->inputs[0];
    uint64_t elements = inputs_elements(pipeline->inputs, pipeline->count);
    pipeline->sinks[pipeline->sinks[0] != NULL] = sink;
    if (options->in_place)
        sink_open_in_place(sink, first, common);
    else
        sink_open(sink, options->path, codec_wanted(common, options->codec), common);
    if (options->numbers)
        output_numbers_as_text(&sink->output, common);
    else
        output_as_text(&sink->output, pipeline->schema.layout, common, inputs_header(first, common));
    if (options->descr == NULL || !first->has_own || common->raw)
        return;
    if (options->exact && elements != SIZE_UNKNOWN)
        sink_npy_counted(sink, options->descr, pipeline->schema.npy_version, elements);
    else
        sink_npy(sink, options->descr, pipeline->schema.npy_version, elements);
}

uint64_t pipeline_size(const struct pipeline *pipeline)
{
    return inputs_size(pipeline->inputs, pipeline->count);
}

static bool take_block(void *state, char *block, size_t bytes)
{
    struct pipeline *pipeline = state;
    size_t n = bytes / pipeline->schema.size;
    pipeline->stage->take(pipeline->stage->state, block, n);
    pipeline->elements += n;
    return true;
}

/* ---- several devices ---- */

struct shared_run {
    struct pipeline *pipeline;
    struct reader *reader;
};

static void run_member(void *state, size_t member, unsigned thread)
{
    const struct shared_run *run = state;
    struct pipeline *pipeline = run->pipeline;
    const struct stage *stage = pipeline->stage;
    (void)thread;
    for (struct block *block; (block = reader_take(run->reader)) != NULL;) {
        size_t n = block->bytes / pipeline->schema.size;
        stage->shared->prepare(stage->state, member, block->data, n, block->number * pipeline->block);
        reader_wait_turn(run->reader, block);
        stage->shared->give(stage->state, member, n);
        pipeline->elements += n;
        reader_pass(run->reader, block);
    }
}

/* A thread that ends early does another member's blocks, of which none are left. */
static void run_members(struct pipeline *pipeline, struct reader *reader)
{
    const struct device *device = &pipeline->job->device;
    struct shared_run run = {pipeline, reader};
    size_t members = device_members(device);
    pipeline->stage->shared->begin(pipeline->stage->state, device);
    crew_run((unsigned)members, members, run_member, &run);
}

/* ---- the run ---- */

static void run_alone(struct pipeline *pipeline, struct reader *reader, scankit_context *context)
{
    const struct stage *stage = pipeline->stage;
    if (stage->begin != NULL)
        stage->begin(stage->state, context);
    reader_run(reader, take_block, pipeline);
}

void pipeline_run(struct pipeline *pipeline, enum phase phase, uint64_t bytes, const struct stage *stage)
{
    stats_phase(&pipeline->job->stats, phase, bytes);
    struct reader *reader = reader_start(pipeline->inputs, pipeline->count, pipeline->block * pipeline->schema.size, 0);
    scankit_context *context = device_end(&pipeline->job->device);
    if (!scankit_is_host(context)) {
        reader_pin(reader, context);
        sinks_pin(pipeline->sinks, context);
    }
    pipeline->stage = stage;
    if (device_members(&pipeline->job->device) > 1)
        run_members(pipeline, reader);
    else
        run_alone(pipeline, reader, context);
    reader_finish(reader);
}

void pipeline_close(struct pipeline *pipeline)
{
    struct stats *stats = &pipeline->job->stats;
    stats_end(stats);
    stats_device(stats, &pipeline->job->device);
    stats->elements += pipeline->elements;
    stats->bytes_in += pipeline->elements * pipeline->schema.size;
    inputs_close(pipeline->inputs, pipeline->count);
    schema_free(&pipeline->schema);
}
