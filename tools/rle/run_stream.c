/* finding.c - gpurle's pipeline of runs, see rle.h. Memory is constant, whatever the input. */
#include "common/device.h"
#include "io/block_queue.h"
#include "rle.h"
#include "io/stream.h"

/* A GPU has the way over the bus; a processor what it compares. */
static const struct device_rates rates = {.gpu = 20e9, .cpu_each = 4e9, .cpu_most = 8};

static void set_keys(struct finding *finding)
{
    const struct rle *rle = finding->rle;
    if (rle->key_count == 0)
        return;
    schema_set_keys(&finding->schema, rle->keys, rle->key_count, rle->common.big_endian, false);
    for (size_t i = 0; i < finding->schema.key_count; i++)
        if (finding->schema.keys[i].descending)
            fail_usage("--key: runs have no order, so nothing can be descending");
}

void finding_open(struct finding *finding, const struct rle *rle, char *const *paths, size_t count, struct stats *stats)
{
    const struct common *common = &rle->common;
    *finding = (struct finding){.rle = rle, .stats = stats, .count = count};
    finding->inputs = inputs_open(paths, count, common, common->raw ? INPUT_READ : INPUT_KEPT, &finding->schema);
    set_keys(finding);
    device_begin_blocks(common, inputs_size(finding->inputs, count), &rates);
}

void finding_measure(struct finding *finding, size_t each, unsigned shares)
{
    size_t size = finding->schema.size, run = size + sizeof(uint64_t);
    finding->block = device_block(&finding->rle->common, size, RING_BLOCKS * size + 2 * run + each, shares);
}

static void find_in_inputs(struct finding *finding, take_function *take, void *state)
{
    struct runs *runs = &finding->runs;
    size_t bytes;
    struct reader *reader = reader_start(finding->inputs, finding->count, finding->block * finding->schema.size, 0);
    runs->context = device_end();
    for (char *block; (block = reader_next(reader, &bytes)) != NULL;) {
        size_t n = bytes / finding->schema.size;
        runs_add(runs, block, n);
        finding->elements += n;
        runs_offer(runs, take, state, false);
    }
    reader_finish(reader);
}

void finding_run(struct finding *finding, take_function *take, void *state, size_t held, bool counted)
{
    stats_phase(finding->stats, PHASE_encode, inputs_size(finding->inputs, finding->count));
    runs_start(&finding->runs, &finding->schema, finding->block, held, counted);
    find_in_inputs(finding, take, state);
    runs_offer(&finding->runs, take, state, true);
}

void finding_close(struct finding *finding)
{
    struct stats *stats = finding->stats;
    stats_end(stats);
    stats_device(stats, finding->runs.context);
    stats->elements += finding->elements;
    stats->bytes_in += finding->elements * finding->schema.size;
    runs_free(&finding->runs);
    inputs_close(finding->inputs, finding->count);
    schema_free(&finding->schema);
}
