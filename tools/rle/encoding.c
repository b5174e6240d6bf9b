/* encoding.c - gpurle's encoder: makes a container's blocks of runs. */
#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "container.h"
#include "expander.h"
#include "io/npy.h"
#include "io/writer.h"
#include "rle.h"

/* Values and counts of a block. */
#define PAYLOAD_BYTES ((size_t)4 << 20)

/* The elements are kept while they are at most this much longer than the runs. */
#define KEPT_BYTES ((size_t)64 << 10)

/* The runs that are added at once: their counts are read several times, and stay in the second-level cache. */
#define CACHED_RUNS ((size_t)8192)

/* The block that is being composed lies in room of the writer: its head, then its values. */
struct composer {
    struct output output;
    struct writer *writer;
    struct run_stream *stream;
    struct expander expander;
    size_t size;    /* bytes of an element */
    char *values;   /* of the block */
    char *counts;   /* as narrow as `bits` allows; room for all that a block can have, at any width */
    uint64_t *wide; /* the same room */
    size_t runs;    /* in the block so far; the bitwise or and the sum of their counts */
    uint64_t bits, elements;
    size_t counted;      /* runs whose counts have been stored; the counts of the others are 1 */
    char *elements_kept; /* room for the elements of a plain block */
    size_t kept;         /* all of the block's elements if this is their number */
    const char *source;  /* elements of the next runs in the input's block */
    uint64_t before;     /* elements of the next run that come before that block */
    char *header;        /* until it is written */
    size_t header_bytes;
    struct container_totals totals;
};

/* ---- blocks ---- */

static size_t room(const struct composer *composer, uint64_t bits)
{
    size_t runs = PAYLOAD_BYTES / (composer->size + container_width(bits));
    return runs > 0 ? runs : 1;
}

/* Stores the counts that have not been. */
static void count_ones(struct composer *composer)
{
    unsigned width = container_width(composer->bits);
    container_ones(composer->counts + composer->counted * width, width, composer->runs - composer->counted);
    composer->counted = composer->runs;
}

static void add_values(struct composer *composer, const char *values, size_t n)
{
    memcpy(composer->values + composer->runs * composer->size, values, n * composer->size);
    composer->runs += n;
}

static void add(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    unsigned width = container_width(composer->bits);
    count_ones(composer);
    container_narrow(composer->counts + composer->runs * width, width, counts, n);
    add_values(composer, values, n);
    composer->counted = composer->runs;
}

/* Makes room for a count that may need a greater width. */
static void add_bits(struct composer *composer, uint64_t bits)
{
    unsigned width = container_width(composer->bits), wider = container_width(composer->bits | bits);
    count_ones(composer);
    composer->bits |= bits;
    if (wider > width) {
        container_widen(composer->wide, composer->counts, width, composer->runs);
        container_narrow(composer->counts, wider, composer->wide, composer->runs);
    }
}

/* Adds up to n runs to the block, up to the first whose count needs more than the block's width. Returns how many. */
static size_t add_narrow(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    unsigned width = container_width(composer->bits);
    uint64_t bits = 0, sum = 0;
    if (n > CACHED_RUNS)
        n = CACHED_RUNS;
    for (size_t i = 0; i < n; i++) {
        bits |= counts[i];
        sum += counts[i];
    }
    if (container_width(bits) > width) {
        sum = 0;
        for (n = 0; container_width(counts[n]) <= width; n++)
            sum += counts[n];
    }
    composer->elements += sum;
    add(composer, values, counts, n);
    return n;
}

/* Adds n runs of one element each to the block, whose counts any width can hold. */
static size_t add_ones(struct composer *composer, const char *values, size_t n)
{
    add_values(composer, values, n);
    composer->elements += n;
    return n;
}

/* Adds a run to the block if it fits with the width that its count needs. Returns how many were added. */
static size_t add_wide(struct composer *composer, const char *value, const uint64_t *count)
{
    if (composer->runs > 0 && composer->runs >= room(composer, composer->bits | *count))
        return 0;
    add_bits(composer, *count);
    composer->elements += *count;
    add(composer, value, count, 1);
    return 1;
}

static size_t add_some(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    if (counts == NULL)
        return add_ones(composer, values, n);
    size_t narrow = add_narrow(composer, values, counts, n);
    return narrow > 0 ? narrow : add_wide(composer, values, counts);
}

/* Whether the block may become plain, and there is room for its elements. */
static bool may_be_plain(const struct composer *composer)
{
    size_t bytes = composer->runs * (composer->size + container_width(composer->bits)) + KEPT_BYTES;
    return composer->elements <= (bytes < PAYLOAD_BYTES ? bytes : PAYLOAD_BYTES) / composer->size;
}

/* Keeps the elements of the runs just added, the first of this value, which saves expanding them. There were `runs`
 * runs of `elements` elements before. While all counts are 1, the values are the elements. */
static void keep(struct composer *composer, const char *value, size_t runs, uint64_t elements)
{
    uint64_t n = composer->elements - elements, before = composer->before < n ? composer->before : n;
    size_t size = composer->size, rest = (size_t)(n - before) * size;
    if (composer->elements > composer->runs && may_be_plain(composer)) {
        if (elements == runs) {
            memcpy(composer->elements_kept, composer->values, runs * size);
            composer->kept = runs;
        }
        if (composer->kept == elements) {
            char *to = composer->elements_kept + elements * size;
            for (uint64_t i = 0; i < before; i++, to += size)
                memcpy(to, value, size);
            if (rest > 0)
                memcpy(to, composer->source, rest);
            composer->kept += n;
        }
    }
    composer->before -= before;
    composer->source += rest;
}

/* A block takes as many runs as fit with the width that their counts need. So blocks depend on the data alone, not on
 * how they arrive. counts is NULL if each is 1. Returns how many were added: fewer than n if the next one does not
 * fit. */
static size_t fill(struct composer *composer, const char *values, const uint64_t *counts, size_t n)
{
    size_t done = 0;
    while (done < n) {
        size_t limit = room(composer, composer->bits);
        if (composer->runs >= limit)
            break;
        size_t most = limit - composer->runs < n - done ? limit - composer->runs : n - done;
        const char *from = values + done * composer->size;
        size_t runs = composer->runs;
        uint64_t elements = composer->elements;
        size_t added = add_some(composer, from, counts == NULL ? NULL : counts + done, most);
        if (added == 0)
            break;
        keep(composer, from, runs, elements);
        done += added;
    }
    return done;
}

/* Writes the header, once. This waits for the first block: the device has started then, and the writer is idle. */
static void put_header(struct composer *composer)
{
    if (composer->header != NULL)
        container_put(&composer->output, composer->header, composer->header_bytes);
    free(composer->header);
    composer->header = NULL;
}

static void begin_block(struct composer *composer)
{
    composer->values = writer_claim(composer->writer) + CONTAINER_BLOCK_HEAD;
    composer->runs = composer->counted = composer->kept = 0;
    composer->bits = composer->elements = 0;
}

/* Replaces the runs by their elements. If all counts are 1, those are the values. */
static void expand(struct composer *composer)
{
    const char *values = composer->values;
    if (composer->elements == composer->runs)
        return;
    if (composer->kept == composer->elements) {
        memcpy(composer->values, composer->elements_kept, composer->kept * composer->size);
        return;
    }
    composer->values = writer_exchange(composer->writer) + CONTAINER_BLOCK_HEAD;
    count_ones(composer);
    container_widen(composer->wide, composer->counts, container_width(composer->bits), composer->runs);
    expander_run(&composer->expander, composer->size, values, composer->wide, composer->runs, composer->values,
                 (size_t)composer->elements);
}

/* Writes the block's runs, or its elements if those are shorter. */
static void put_block(struct composer *composer)
{
    size_t runs = composer->runs, size = composer->size;
    unsigned width = container_width(composer->bits);
    uint64_t elements = composer->elements;
    size_t bytes = runs * (size + width);
    bool plain = elements <= bytes / size && elements * size < bytes;
    put_header(composer);
    if (plain) {
        bytes = (size_t)elements * size;
        expand(composer);
    } else {
        count_ones(composer);
        memcpy(composer->values + runs * size, composer->counts, runs * width);
    }
    container_block(composer->values - CONTAINER_BLOCK_HEAD, plain ? 0 : width, elements, runs);
    writer_publish(composer->writer, CONTAINER_BLOCK_HEAD + bytes + CONTAINER_CRC_BYTES);
    composer->totals.elements += elements;
    composer->totals.runs += runs;
    composer->totals.blocks++;
    composer->values = NULL;
}

static void compose(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct composer *composer = state;
    const struct runs *found = &composer->stream->runs;
    composer->expander.context = found->context;
    composer->source = counts == NULL ? values : found->block;
    composer->before = counts == NULL ? 0 : found->before;
    for (size_t done = 0; done < runs;) {
        if (composer->values == NULL)
            begin_block(composer);
        done += fill(composer, values + done * composer->size, counts == NULL ? NULL : counts + done, runs - done);
        if (done < runs || last)
            put_block(composer);
    }
}

/* ---- what is around them ---- */

/* The first input's skipped bytes, and one .npy header for all inputs. */
static char *join_prefix(const struct pipeline *pipeline, size_t *bytes)
{
    const struct input *first = &pipeline->inputs[0];
    uint64_t elements = inputs_elements(pipeline->inputs, pipeline->count);
    size_t header_bytes = 0;
    char *header = NULL;
    if (first->npy && elements == SIZE_UNKNOWN)
        fail(NULL,
             "a .npy header says how many elements follow, and that is not known of all inputs; --raw needs none");
    if (first->npy)
        header = npy_make_header(pipeline->schema.descr, pipeline->schema.npy_version, elements, &header_bytes);
    char *prefix = get_memory(first->skip + header_bytes);
    if (first->skip > 0)
        memcpy(prefix, first->prefix, first->skip);
    if (header_bytes > 0)
        memcpy(prefix + first->skip, header, header_bytes);
    free(header);
    *bytes = first->skip + header_bytes;
    return prefix;
}

static void make_header(struct composer *composer)
{
    const struct pipeline *pipeline = &composer->stream->pipeline;
    const struct input *first = &pipeline->inputs[0];
    bool joins = pipeline->count > 1 && !pipeline->job->common->raw;
    size_t prefix_bytes = first->prefix_bytes;
    char *joined = joins ? join_prefix(pipeline, &prefix_bytes) : NULL;
    char *schema = schema_description(&pipeline->schema);
    composer->header =
        container_header(composer->size, schema, joins ? joined : first->prefix, prefix_bytes, &composer->header_bytes);
    free(schema);
    free(joined);
}

static void put_end(struct composer *composer)
{
    char part[CONTAINER_END_BYTES];
    container_end(part, &composer->totals);
    container_put(&composer->output, part, sizeof part);
}

void encode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct run_stream stream;
    const struct common *common = &request->common;
    run_stream_open(&stream, request, paths, count, job);
    struct composer composer = {.stream = &stream, .size = stream.pipeline.schema.size};
    size_t least = composer.size + sizeof(uint64_t), payload = least > PAYLOAD_BYTES ? least : PAYLOAD_BYTES;
    output_open(&composer.output, common->output, codec_wanted(common, CODEC_NONE), common);
    run_stream_measure(&stream, 0, 1);
    make_header(&composer);
    size_t room_bytes = room(&composer, 0) * sizeof *composer.wide;
    composer.counts = get_memory(room_bytes);
    composer.wide = get_memory(room_bytes);
    composer.elements_kept = get_memory(PAYLOAD_BYTES);
    composer.writer = writer_start_output(&composer.output, CONTAINER_BLOCK_HEAD + payload + CONTAINER_CRC_BYTES,
                                          container_seal, common);
    run_stream_run(&stream, compose, &composer, COUNTS_BUT_ONES);
    writer_finish(composer.writer);
    free(composer.counts);
    free(composer.wide);
    free(composer.elements_kept);
    put_header(&composer);
    put_end(&composer);
    job->stats.bytes_out += output_finish(&composer.output);
    expander_free(&composer.expander);
    run_stream_close(&stream);
}
