/* compacting.c - gpucompact's pipeline: a thread reads blocks, the device chooses from them, a thread for each output
 * writes. Memory is constant, whatever the input. */
#include "compaction.h"
#include "common/device.h"
#include "io/block_queue.h"
#include "io/sink.h"
#include "io/stream.h"
#include "where.h"

struct job {
    const struct compaction *compaction;
    struct stats *stats;
    struct input *inputs;
    size_t count;
    struct schema schema;
    struct filter filter;
    struct sink sinks[2], *kept, *others; /* NULL: not wanted */
    size_t block;                         /* elements in one */
    uint64_t n, matches;
};

/* A GPU has the way over the bus; a processor what it filters. What comes through a pipe comes slower than either. */
const struct device_rates filter_rates = {.gpu = 20e9, .cpu_each = 2e9, .cpu_most = 16};

/* ---- outputs ---- */

/* descr: of its elements, where it is a .npy file. */
static struct sink *open_sink(struct job *job, struct sink *sink, const char *path, const char *descr)
{
    const struct common *common = &job->compaction->common;
    const struct input *first = &job->inputs[0];
    if (job->compaction->in_place && sink == job->sinks)
        sink_open_in_place(sink, first, common);
    else
        sink_open(sink, path, common->gzip || (job->compaction->in_place && first->gzip != NULL), common);
    if (first->npy && !common->raw)
        sink_npy(sink, descr, job->schema.npy_version, inputs_elements(job->inputs, job->count));
    return sink;
}

static void open_sinks(struct job *job)
{
    const struct compaction *compaction = job->compaction;
    if (compaction->count)
        return;
    const char *path = compaction->in_place ? job->inputs[0].name : compaction->common.output;
    if (compaction->rejects != NULL && outputs_collide(path, compaction->rejects))
        fail_usage("--rejects and the output are the same file");
    job->kept = open_sink(job, &job->sinks[0], path, compaction->index ? "'<u8'" : job->schema.descr);
    if (compaction->rejects != NULL)
        job->others = open_sink(job, &job->sinks[1], compaction->rejects, job->schema.descr);
}

/* ---- memory ---- */

/* Starts the writers. Where elements are held, that takes what the blocks leave. */
static void start_sinks(struct job *job)
{
    const struct common *common = &job->compaction->common;
    size_t size = job->schema.size, kept_size = filter_kept_size(&job->filter);
    size_t each = RING_BLOCKS * (size + (job->kept != NULL ? kept_size : 0) + (job->others != NULL ? size : 0));
    struct sink *const sinks[2] = {job->kept, job->others};
    job->block = device_block(common, size > kept_size ? size : kept_size, each, sinks_holding(sinks) > 0 ? 2 : 1);
    const size_t blocks[2] = {job->block * kept_size, job->block * size};
    sinks_start(sinks, blocks, common, job->block * each);
}

/* ---- the work ---- */

static void filter_inputs(struct job *job)
{
    size_t size = job->schema.size, kept_size = filter_kept_size(&job->filter), bytes;
    struct reader *reader = reader_start(job->inputs, job->count, job->block * size, 0);
    job->filter.context = device_end();
    for (char *block; (block = reader_next(reader, &bytes)) != NULL; job->n += bytes / size) {
        size_t n = bytes / size;
        size_t count = filter_block(&job->filter, block, n, sink_room(job->kept), sink_room(job->others));
        sink_add(job->kept, count * kept_size);
        sink_add(job->others, (n - count) * size);
        job->matches += count;
    }
    reader_finish(reader);
}

static void finish(struct job *job)
{
    sink_complete(job->kept, job->matches);
    sink_complete(job->others, job->n - job->matches);
    for (size_t i = 0; i < 2; i++) {
        struct sink *sink = &job->sinks[i];
        if (sink == job->kept || sink == job->others) {
            output_replace(&sink->output);
            job->stats->bytes_out += sink->output.bytes;
        }
    }
}

uint64_t compact_files(const struct compaction *compaction, char *const *paths, size_t count, struct stats *stats)
{
    struct job job = {.compaction = compaction, .stats = stats, .count = count};
    job.inputs =
        inputs_open(paths, count, &compaction->common, compaction->in_place ? INPUT_REPLACED : INPUT_READ, &job.schema);
    scankit_predicate *predicate = where_compile(compaction->where, &job.schema);
    job.filter =
        (struct filter){.predicate = predicate, .options.invert = compaction->invert, .positions = compaction->index};
    uint64_t bytes = inputs_size(job.inputs, count);
    device_begin_blocks(&compaction->common, bytes, &filter_rates);
    open_sinks(&job);
    start_sinks(&job);
    stats_phase(stats, PHASE_filter, bytes);
    filter_inputs(&job);
    finish(&job);
    stats_end(stats);
    stats_device(stats, job.filter.context);
    stats->elements += job.n;
    stats->bytes_in += job.n * job.schema.size;
    filter_free(&job.filter);
    scankit_predicate_destroy(predicate);
    inputs_close(job.inputs, count);
    schema_free(&job.schema);
    return job.matches;
}
