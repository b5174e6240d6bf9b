/* encoding.c - gpurle's encoder: a container of the runs of all inputs. */
#include <stdlib.h>
#include <string.h>

#include "common/device.h"
#include "composer.h"
#include "io/npy.h"
#include "rle.h"

/* ---- the header ---- */

/* The first input's skipped bytes, and one .npy header for all inputs. */
static char *join_prefix(const struct input *inputs, size_t count, const struct schema *schema, size_t *bytes)
{
    const struct input *first = &inputs[0];
    uint64_t elements = inputs_elements(inputs, count);
    size_t header_bytes = 0;
    char *header = NULL;
    if (first->has_own && elements == SIZE_UNKNOWN)
        fail(NULL,
             "a .npy header says how many elements follow, and that is not known of all inputs; --raw needs none");
    if (first->has_own)
        header = npy_make_header(schema->descr, schema->npy_version, elements, &header_bytes);
    char *prefix = get_memory(first->skip + header_bytes);
    if (first->skip > 0)
        memcpy(prefix, first->prefix, first->skip);
    if (header_bytes > 0)
        memcpy(prefix + first->skip, header, header_bytes);
    free(header);
    *bytes = first->skip + header_bytes;
    return prefix;
}

char *encoding_header(const struct input *inputs, size_t count, const struct schema *schema, bool raw, size_t *bytes)
{
    bool joins = (count > 1 || inputs[0].arrow != NULL) && !raw;
    size_t prefix_bytes = inputs[0].prefix_bytes;
    char *joined = joins ? join_prefix(inputs, count, schema, &prefix_bytes) : NULL;
    char *text = schema_description(schema);
    char *header = container_header(schema->size, text, joins ? joined : inputs[0].prefix, prefix_bytes, bytes);
    free(text);
    free(joined);
    return header;
}

/* ---- the work ---- */

struct encoding {
    struct output output;
    struct run_stream stream;
    struct composer composer;
    char *header; /* until it is written */
    size_t header_bytes;
};

/* Writes the header, once. This waits for the first runs: the device has started then, and the writer is idle. */
static void put_header(struct encoding *encoding)
{
    if (encoding->header != NULL)
        container_put(output_write, &encoding->output, encoding->header, encoding->header_bytes);
    free(encoding->header);
    encoding->header = NULL;
}

static void compose(void *state, const char *values, const uint64_t *counts, size_t runs, bool last)
{
    struct encoding *encoding = state;
    struct composer *composer = &encoding->composer;
    const struct runs *found = &encoding->stream.runs;
    put_header(encoding);
    composer->expander.context = found->context;
    composer->source = counts == NULL ? values : found->block;
    composer->before = counts == NULL ? 0 : found->before;
    composer_add(composer, values, counts, runs, last);
}

static void put_end(struct encoding *encoding)
{
    char part[CONTAINER_END_BYTES];
    container_end(part, &encoding->composer.totals);
    container_put(output_write, &encoding->output, part, sizeof part);
}

void encode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job)
{
    struct encoding encoding = {.header = NULL};
    struct run_stream *stream = &encoding.stream;
    struct composer *composer = &encoding.composer;
    const struct common *common = &request->common;
    run_stream_open(stream, request, paths, count, job);
    const struct pipeline *pipeline = &stream->pipeline;
    output_open(&encoding.output, common->output, codec_wanted(common, CODEC_NONE), common);
    run_stream_measure(stream, 0, 1);
    encoding.header = encoding_header(pipeline->inputs, count, &pipeline->schema, common->raw, &encoding.header_bytes);
    composer_open(composer, pipeline->schema.size);
    composer->writer = writer_start_output(&encoding.output, composer_block(composer), container_seal, common);
    run_stream_run(stream, compose, &encoding, COUNTS_BUT_ONES);
    writer_finish(composer->writer);
    put_header(&encoding);
    put_end(&encoding);
    job->stats.bytes_out += output_finish(&encoding.output);
    composer_close(composer);
    run_stream_close(stream);
}
