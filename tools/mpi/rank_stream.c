/* rank_stream.c - see rank_stream.h. */
#include "rank_stream.h"

#include <stdlib.h>

#include "common/device.h"
#include "shared_file.h"

/* ---- opening ---- */

static bool has_shards(const struct rank_files *files)
{
    return files->job->common->shards;
}

void rank_stream_open(struct rank_stream *stream, struct rank_files *files, size_t which, uint64_t bytes)
{
    struct rank_output *output = &files->outputs[which];
    *stream = (struct rank_stream){.files = files, .which = which};
    files->job->stats.bytes_out += bytes;
    if (has_shards(files))
        return;
    uint64_t begin = ranks_before(bytes), all = ranks_sum(bytes);
    if (rank_number() == 0)
        output->output.bytes += all;
    stream->shared = shared_stream_open(output->shared, output->path, begin);
}

bool rank_output_encodes(const struct common *common)
{
    return common->to_text || codec_wanted(common, CODEC_NONE) != CODEC_NONE;
}

static void put_bytes(void *state, const void *memory, size_t bytes)
{
    struct rank_stream *stream = state;
    if (stream->hold != NULL)
        hold_add(stream->hold, memory, bytes);
    else if (stream->shared != NULL)
        shared_stream_put(stream->shared, memory, bytes);
    else
        output_write(&stream->files->outputs[stream->which].output, memory, bytes);
}

static void encode_bytes(void *state, const void *memory, size_t bytes)
{
    struct rank_stream *stream = state;
    if (stream->encoder != NULL)
        encoder_write(stream->encoder, memory, bytes);
    else
        put_bytes(stream, memory, bytes);
}

void rank_stream_open_encoded(struct rank_stream *stream, struct rank_files *files, size_t which,
                              const scankit_layout *layout, const char *header)
{
    const struct common *common = files->job->common;
    enum codec codec = codec_wanted(common, CODEC_NONE);
    unsigned threads = host_threads(common, (unsigned)device_processors(common), TEXT_WRITER_BYTES);
    *stream = (struct rank_stream){.files = files, .which = which};
    stream->hold = has_shards(files) ? NULL : rank_hold_open(files);
    if (codec != CODEC_NONE)
        stream->encoder = encoder_open(codec, common, put_bytes, stream);
    if (!has_shards(files) && rank_number() > 0)
        header = NULL;
    if (common->to_text && layout != NULL)
        stream->text = text_writer_open(layout, common, threads, header, encode_bytes, stream);
}

static void open_encoded(struct rank_stream *stream, struct rank_files *files, size_t which)
{
    const struct common *common = files->job->common;
    scankit_layout *numbers = schema_of_numbers();
    bool counts = files->outputs[which].numbers;
    rank_stream_open_encoded(stream, files, which, counts ? numbers : files->schema.layout,
                             counts ? NULL : inputs_header(files->inputs, common));
    scankit_layout_destroy(numbers);
}

void rank_stream_open_elements(struct rank_stream *stream, struct rank_files *files, size_t which, size_t size,
                               uint64_t n)
{
    bool shards = has_shards(files), encodes = rank_output_encodes(files->job->common);
    size_t bytes;
    char *header = rank_files_header(files, which, shards ? n : ranks_sum(n), &bytes);
    bytes = shards || rank_number() == 0 ? bytes : 0;
    if (encodes)
        open_encoded(stream, files, which);
    else
        rank_stream_open(stream, files, which, bytes + n * size);
    if (bytes > 0)
        rank_stream_put(stream, header, bytes);
    free(header);
}

/* ---- writing ---- */

void rank_stream_put(void *state, const void *memory, size_t bytes)
{
    struct rank_stream *stream = state;
    if (stream->text != NULL)
        text_writer_write(stream->text, memory, bytes);
    else
        encode_bytes(stream, memory, bytes);
}

void rank_stream_close(struct rank_stream *stream)
{
    if (stream->text != NULL)
        text_writer_close(stream->text);
    if (stream->encoder != NULL)
        encoder_close(stream->encoder);
    if (stream->hold != NULL)
        rank_hold_write(stream->hold, stream->files, stream->which);
    if (stream->shared != NULL)
        shared_stream_close(stream->shared);
}

/* ---- bytes that wait ---- */

/* Half of the memory that ranks of this host have, each. */
struct hold *rank_hold_open(const struct rank_files *files)
{
    return hold_open(host_limit(files->job->common) / 2 / ranks_of_host(), "the output of a rank waits for its place");
}

void rank_hold_write(struct hold *hold, struct rank_files *files, size_t which)
{
    struct rank_stream stream;
    stats_phase(&files->job->stats, PHASE_write, hold_bytes(hold));
    rank_stream_open(&stream, files, which, hold_bytes(hold));
    hold_pass(hold, rank_stream_put, &stream);
    rank_stream_close(&stream);
    hold_close(hold);
}
