/* rank_stream.c - see rank_stream.h. */
#include "rank_stream.h"

#include <stdlib.h>

#include "shared_file.h"

void rank_stream_open(struct rank_stream *stream, struct rank_files *files, size_t which, uint64_t bytes)
{
    struct rank_output *output = &files->outputs[which];
    struct stats *stats = &files->job->stats;
    stats->bytes_out += bytes;
    *stream = (struct rank_stream){.own = &output->output};
    if (files->job->common->shards)
        return;
    uint64_t begin = ranks_before(bytes), all = ranks_sum(bytes);
    if (rank_number() == 0)
        output->output.bytes += all;
    stream->shared = shared_stream_open(output->shared, output->path, begin);
}

void rank_stream_open_elements(struct rank_stream *stream, struct rank_files *files, size_t which, size_t size,
                               uint64_t n)
{
    bool shards = files->job->common->shards;
    size_t bytes;
    char *header = rank_files_header(files, which, shards ? n : ranks_sum(n), &bytes);
    bytes = shards || rank_number() == 0 ? bytes : 0;
    rank_stream_open(stream, files, which, bytes + n * size);
    if (bytes > 0)
        rank_stream_put(stream, header, bytes);
    free(header);
}

void rank_stream_put(void *state, const void *memory, size_t bytes)
{
    struct rank_stream *stream = state;
    if (stream->shared != NULL)
        shared_stream_put(stream->shared, memory, bytes);
    else
        output_write(stream->own, memory, bytes);
}

void rank_stream_close(struct rank_stream *stream)
{
    if (stream->shared != NULL)
        shared_stream_close(stream->shared);
}

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
