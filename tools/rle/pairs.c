/* pairs.c - gpurle's text: encoded, each line is a run, its first element and its length. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "io/reader.h"
#include "rle.h"

#define COUNT_NAME "run.length" /* as --format takes it */
#define BLOCK_BYTES ((size_t)1 << 20)

/* ---- encoding ---- */

struct pairs {
    struct run_stream stream;
    struct output output;
    struct writer *writer;
    size_t size, room; /* bytes of an element; pairs in a block */
};

void put_pairs(char *to, const char *values, const uint64_t *counts, size_t size, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t count = htole64(counts[i]);
        memcpy(to, values + i * size, size);
        memcpy(to + size, &count, sizeof count);
        to += size + sizeof count;
    }
}

static void take(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct pairs *pairs = state;
    (void)last;
    for (size_t done = 0, n; done < runs; done += n) {
        n = runs - done < pairs->room ? runs - done : pairs->room;
        put_pairs(writer_claim(pairs->writer), values + done * pairs->size, counts + done, pairs->size, n);
        writer_publish(pairs->writer, n * (pairs->size + sizeof *counts));
    }
}

/* The header's columns, and one for the lengths. */
char *pairs_schema(struct schema *pairs, const struct schema *schema, const struct input *inputs,
                   const struct common *common)
{
    const char *columns = inputs_header(inputs, common);
    char *header = NULL, delimiter = common->delimiter == '\0' ? '\t' : common->delimiter;
    schema_copy(pairs, schema);
    schema_add_number(pairs, COUNT_NAME);
    if (columns != NULL && asprintf(&header, "%s%ccount", columns, delimiter) < 0)
        fail(NULL, "out of memory");
    return header;
}

static void begin_text(struct pairs *pairs, const struct common *common)
{
    const struct pipeline *pipeline = &pairs->stream.pipeline;
    struct schema schema;
    char *header = pairs_schema(&schema, &pipeline->schema, pipeline->inputs, common);
    output_as_text(&pairs->output, schema.layout, common, header);
    free(header);
    schema_free(&schema);
}

void write_pairs(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct pairs pairs = {.size = 0};
    struct run_stream *stream = &pairs.stream;
    const struct common *common = &request->common;
    run_stream_open(stream, request, paths, count, job);
    pairs.size = stream->pipeline.schema.size;
    size_t pair = pairs.size + sizeof(uint64_t);
    pairs.room = BLOCK_BYTES < pair ? 1 : BLOCK_BYTES / pair;
    output_open(&pairs.output, common->output, codec_wanted(common, CODEC_NONE), common);
    begin_text(&pairs, common);
    run_stream_measure(stream, 0, 1);
    pairs.writer = writer_start_output(&pairs.output, pairs.room * pair, NULL, common);
    run_stream_run(stream, take, &pairs, COUNTS_ALL);
    writer_finish(pairs.writer);
    job->stats.bytes_out += output_finish(&pairs.output);
    run_stream_close(stream);
}

/* ---- decoding ---- */

struct decoder_of_pairs {
    struct schema values;
    struct flow flow;
    const struct input *inputs;
    char *elements; /* of a block, without the lengths */
    uint64_t *counts;
    uint64_t decoded, runs; /* so far */
};

static bool take_pairs(void *state, char *block, size_t bytes)
{
    struct decoder_of_pairs *decoder = state;
    size_t size = decoder->values.size, n = bytes / (size + sizeof(uint64_t));
    for (size_t i = 0; i < n; i++) {
        const char *from = block + i * (size + sizeof(uint64_t));
        uint64_t count;
        memcpy(decoder->elements + i * size, from, size);
        memcpy(&count, from + size, sizeof count);
        decoder->counts[i] = le64toh(count);
        decoder->decoded += decoder->counts[i];
        if (count == 0)
            fail(NULL, "run %llu has the length 0", (unsigned long long)(decoder->runs + i + 1));
    }
    decoder->runs += n;
    flow_expand(&decoder->flow, size, decoder->elements, decoder->counts, n);
    return true;
}

/* The header's columns but the last one, which is the lengths'. */
static void decode_to_text(struct decoder_of_pairs *decoder, const struct common *common)
{
    const char *columns = inputs_header(decoder->inputs, common);
    char *header = columns == NULL ? NULL : copy_text(columns);
    char *last = header == NULL ? NULL : strrchr(header, common->delimiter == '\0' ? '\t' : common->delimiter);
    if (last != NULL)
        *last = '\0';
    output_as_text(&decoder->flow.output, decoder->values.layout, common, header);
    free(header);
}

/* The fields of the elements, and the length. */
static void open_pairs(struct decoder_of_pairs *decoder, const struct common *common, struct schema *schema)
{
    schema_from_options(&decoder->values, common);
    if (decoder->values.layout == NULL)
        fail_usage("say what the text holds with --type or --format");
    schema_copy(schema, &decoder->values);
    schema_add_number(schema, COUNT_NAME);
}

void read_pairs(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct decoder_of_pairs decoder = {.decoded = 0};
    struct schema schema;
    open_pairs(&decoder, &request->common, &schema);
    struct input *inputs = inputs_open_of(paths, count, &request->common, &schema);
    decoder.inputs = inputs;
    device_begin_first(&job->device, &request->common, 0, WORK_NONE);
    stats_phase(&job->stats, PHASE_decode, SIZE_UNKNOWN);
    flow_open(&decoder.flow, job);
    decode_to_text(&decoder, &request->common);
    size_t pairs = BLOCK_BYTES < schema.size ? 1 : BLOCK_BYTES / schema.size;
    decoder.elements = get_memory(pairs * decoder.values.size);
    decoder.counts = get_memory(pairs * sizeof *decoder.counts);
    struct reader *reader = reader_start(inputs, count, pairs * schema.size, 0);
    decoder.flow.expander.context = device_end(&job->device);
    reader_run(reader, take_pairs, &decoder);
    reader_finish(reader);
    job->stats.bytes_out += flow_finish(&decoder.flow);
    stats_end(&job->stats);
    stats_device(&job->stats, &job->device);
    job->stats.elements += decoder.decoded;
    for (size_t i = 0; i < count; i++)
        job->stats.bytes_in += inputs[i].taken;
    inputs_close(inputs, count);
    free(decoder.elements);
    free(decoder.counts);
    schema_free(&decoder.values);
    schema_free(&schema);
}
