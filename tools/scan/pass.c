/* pass.c - gpuscan's pass over its inputs, see scan.h. Memory is constant, whatever the input. */
#include <stdlib.h>

#include "common/device.h"
#include "io/block_queue.h"
#include "scan.h"
#include "io/stream.h"

/* A GPU has the way over the bus; a processor what it scans. */
static const struct device_rates rates = {.gpu = 20e9, .cpu_each = 2.5e9, .cpu_most = 8};

/* Where results depend on the order of additions, that depends on nothing but the elements: blocks are of this size on
 * every device, however many processors there are. */
#define ROUNDING_BLOCK_BYTES ((size_t)4 << 20)

static bool rounds(const struct scanner *scanner)
{
    return (scanner->type == SCANKIT_F32 || scanner->type == SCANKIT_F64) &&
           (scanner->op == SCANKIT_SUM || scanner->op == SCANKIT_PROD);
}

static void check_operator(const struct scan *scan, scankit_type type)
{
    if (!scankit_operator_applies(scan->op, type))
        fail_usage("--op=%s: there is no such operator of %s", scankit_operator_name(scan->op),
                   scankit_type_name(type));
    gallery_check(scan, type);
}

void pass_open(struct pass *pass, const struct scan *scan, char *const *paths, size_t count, struct stats *stats)
{
    const struct common *common = &scan->common;
    *pass = (struct pass){.scan = scan, .stats = stats, .count = count};
    pass->inputs = inputs_open(paths, count, common, scan->in_place ? INPUT_REPLACED : INPUT_READ, &pass->schema);
    value_choose(&pass->value, &pass->schema, scan->value, common->big_endian);
    check_operator(scan, pass->value.type);
    if (scan->segments != NULL)
        segments_open(&pass->segments, scan->segments, &pass->schema, common, inputs_elements(pass->inputs, count));
    pass->scanner = (struct scanner){.type = pass->value.type, .op = scan->op, .algorithm = scan->algorithm};
    pass->scanner.kind = scan->exclusive ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE;
    device_begin_blocks(common, inputs_size(pass->inputs, count), &rates);
}

void pass_measure(struct pass *pass, size_t each, unsigned shares)
{
    const struct common *common = &pass->scan->common;
    size_t size = pass->schema.size;
    each += RING_BLOCKS * size + (pass->value.whole ? 0 : pass->value.size);
    each += pass->scan->segments == NULL ? 0 : segments_each(&pass->segments);
    pass->block = rounds(&pass->scanner) ? device_block_of(common, ROUNDING_BLOCK_BYTES, size, each, shares)
                                         : device_block(common, size, each, shares);
}

/* Bytes that will be read, for the progress. */
static uint64_t size_of_all(const struct pass *pass)
{
    uint64_t size = inputs_size(pass->inputs, pass->count);
    uint64_t flags = pass->scan->segments == NULL ? 0 : segments_size(&pass->segments);
    return size == SIZE_UNKNOWN || flags == SIZE_UNKNOWN ? SIZE_UNKNOWN : size + flags;
}

void pass_run(struct pass *pass, take_block *take, void *state)
{
    size_t size = pass->schema.size, bytes;
    bool segmented = pass->scan->segments != NULL;
    stats_phase(pass->stats, PHASE_scan, size_of_all(pass));
    struct reader *reader = reader_start(pass->inputs, pass->count, pass->block * size, 0);
    if (segmented)
        segments_start(&pass->segments, pass->block);
    pass->values = pass->value.whole ? NULL : get_memory(pass->block * pass->value.size);
    scanner_start(&pass->scanner, device_end(), pass->scan->deterministic);
    for (char *block; (block = reader_next(reader, &bytes)) != NULL; pass->elements += bytes / size) {
        size_t n = bytes / size;
        const uint8_t *heads = segmented ? segments_next(&pass->segments, block, n) : NULL;
        if (!pass->value.whole)
            value_gather(&pass->value, block, n, pass->values);
        take(state, block, pass->value.whole ? block : pass->values, heads, n);
    }
    reader_finish(reader);
    if (segmented)
        segments_end(&pass->segments);
}

void pass_close(struct pass *pass)
{
    struct stats *stats = pass->stats;
    stats_end(stats);
    stats_device(stats, pass->scanner.context);
    stats->elements += pass->elements;
    stats->bytes_in += pass->elements * pass->schema.size;
    scanner_free(&pass->scanner);
    if (pass->scan->segments != NULL)
        segments_close(&pass->segments);
    free(pass->values);
    inputs_close(pass->inputs, pass->count);
    schema_free(&pass->schema);
}
