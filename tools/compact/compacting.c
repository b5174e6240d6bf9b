/* compacting.c - gpucompact's pipeline: the device chooses from blocks, a thread for each output writes. */
#include "compaction.h"

#include <stdlib.h>

#include "io/block_queue.h"
#include "io/pipeline.h"
#include "where.h"

struct compacting {
    const struct compact_request *request;
    struct pipeline pipeline;
    struct filter filter;
    struct member *members; /* of a list of devices; or NULL */
    size_t member_count;
    struct sink sinks[2], *kept, *others; /* NULL: not wanted */
    uint64_t matches;
};

/* A device of a list, with its block. */
struct member {
    struct filter filter;
    size_t count; /* of matches */
};

/* ---- outputs ---- */

static void open_sinks(struct compacting *compacting)
{
    const struct compact_request *request = compacting->request;
    struct pipeline *pipeline = &compacting->pipeline;
    const struct input *first = &pipeline->inputs[0];
    const char *descr = pipeline->schema.descr;
    struct sink_options kept = {.path = request->common.output, .in_place = request->in_place};
    kept.numbers = request->index;
    kept.descr = request->index ? "'<u8'" : descr;
    struct sink_options others = {.path = request->rejects, .descr = descr};
    others.codec = request->in_place ? first->codec : CODEC_NONE;
    if (request->count)
        return;
    if (others.path != NULL && outputs_collide(request->in_place ? first->name : kept.path, others.path))
        fail_usage("--rejects and the output are the same file");
    pipeline_open_sink(pipeline, compacting->kept = &compacting->sinks[0], &kept);
    if (others.path != NULL)
        pipeline_open_sink(pipeline, compacting->others = &compacting->sinks[1], &others);
}

/* Starts the writers. Held elements get the memory that the blocks leave. */
static void start_sinks(struct compacting *compacting)
{
    const struct common *common = &compacting->request->common;
    struct pipeline *pipeline = &compacting->pipeline;
    struct sink *const sinks[2] = {compacting->kept, compacting->others};
    size_t size = pipeline->schema.size, kept_size = filter_kept_size(&compacting->filter);
    size_t each = size + (sinks[0] != NULL ? kept_size : 0) + (sinks[1] != NULL ? size : 0);
    each *= QUEUE_BLOCKS;
    each += device_held(&pipeline->job->device, 2 * size + kept_size);
    pipeline->block = device_block(&pipeline->job->device, common, size > kept_size ? size : kept_size, each,
                                   sinks_holding(sinks) > 0 ? 2 : 1);
    const size_t blocks[2] = {pipeline->block * kept_size, pipeline->block * size};
    sinks_start(sinks, blocks, common, pipeline->block * each);
}

/* ---- the work ---- */

static void begin(void *state, scankit_context *context)
{
    struct compacting *compacting = state;
    compacting->filter.context = context;
}

static void add(struct compacting *compacting, size_t n, size_t count)
{
    sink_add(compacting->kept, count * filter_kept_size(&compacting->filter));
    sink_add(compacting->others, (n - count) * compacting->pipeline.schema.size);
    compacting->matches += count;
}

static void take(void *state, char *block, size_t n)
{
    struct compacting *compacting = state;
    char *kept = sink_room(compacting->kept), *others = sink_room(compacting->others);
    add(compacting, n, filter_block(&compacting->filter, block, n, kept, others));
}

/* ---- several devices ---- */

static void begin_members(void *state, const struct device *device)
{
    struct compacting *compacting = state;
    compacting->member_count = device_members(device);
    compacting->members = get_memory(compacting->member_count * sizeof *compacting->members);
    for (size_t m = 0; m < compacting->member_count; m++) {
        compacting->members[m] = (struct member){.filter = compacting->filter};
        compacting->members[m].filter.context = device_member(device, m);
    }
}

static void choose(void *state, size_t member, const char *block, size_t n, uint64_t first)
{
    const struct compacting *compacting = state;
    struct member *m = &compacting->members[member];
    m->count = filter_choose(&m->filter, block, n, first, compacting->kept != NULL, compacting->others != NULL);
}

static void give(void *state, size_t member, size_t n)
{
    struct compacting *compacting = state;
    const struct member *m = &compacting->members[member];
    char *kept = sink_room(compacting->kept), *others = sink_room(compacting->others);
    filter_give(&m->filter, n, m->count, kept, others);
    add(compacting, n, m->count);
}

static void free_filters(struct compacting *compacting)
{
    for (size_t m = 0; m < compacting->member_count; m++)
        filter_free(&compacting->members[m].filter);
    free(compacting->members);
    filter_free(&compacting->filter);
}

static void finish(struct compacting *compacting)
{
    struct pipeline *pipeline = &compacting->pipeline;
    struct sink *const sinks[2] = {compacting->kept, compacting->others};
    const uint64_t elements[2] = {compacting->matches, pipeline->elements - compacting->matches};
    pipeline->job->stats.bytes_out += sinks_finish(sinks, elements);
    pipeline_close(pipeline);
    free_filters(compacting);
}

uint64_t compact_files(const struct compact_request *request, char *const *paths, size_t count, struct job *job)
{
    struct compacting compacting = {.request = request};
    struct pipeline *pipeline = &compacting.pipeline;
    pipeline_open(pipeline, job, paths, count, request->in_place ? INPUT_REPLACED : INPUT_READ);
    scankit_predicate *predicate = where_compile(request->where, &pipeline->schema);
    compacting.filter =
        (struct filter){.predicate = predicate, .options.invert = request->invert, .positions = request->index};
    pipeline_begin(pipeline, request->count ? WORK_count : WORK_filter, true);
    open_sinks(&compacting);
    start_sinks(&compacting);
    static const struct shared_stage shared = {.begin = begin_members, .prepare = choose, .give = give};
    const struct stage stage = {.begin = begin, .take = take, .shared = &shared, .state = &compacting};
    pipeline_run(pipeline, PHASE_filter, pipeline_size(pipeline), &stage);
    finish(&compacting);
    scankit_predicate_destroy(predicate);
    return compacting.matches;
}
