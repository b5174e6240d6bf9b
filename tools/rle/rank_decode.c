/* rank_decode.c - gpurle decodes over ranks: each rank reads, checks and expands some of the blocks, a block at a time.
 */
#include <string.h>

#include "common/progress.h"
#include "division.h"
#include "flow.h"
#include "mpi/rank_stream.h"
#include "rank_rle.h"

struct decoding {
    struct rank_files *files;
    const struct division *division;
    struct flow flow;
    struct rank_stream stream;
    struct container_block block; /* its memory is used again */
};

/* Goes to the part and reads it. */
static void decode_part(struct decoding *decoding, const struct container_part *part)
{
    struct input *input = &decoding->files->inputs[part->input];
    struct container container = {.input = input, .element = part->element};
    input_skip(input, part->offset - input->taken);
    if (!part->header) {
        container_next_block(&container, &decoding->block);
        flow_add_block(&decoding->flow, part->element, &decoding->block);
    } else if (part->bytes > 0) {
        container_next(&container);
        flow_add(&decoding->flow, container.prefix.data, container.prefix.used);
        container_free(&container);
    }
    progress_add(part->bytes);
}

static uint64_t count_bytes(const struct division *division, struct stats *stats)
{
    uint64_t bytes = 0;
    bool overflow = false;
    for (size_t i = division->begin; i < division->end; i++) {
        overflow |= __builtin_add_overflow(bytes, division->parts[i].bytes, &bytes);
        stats->elements += division->parts[i].elements;
        stats->bytes_in += division->parts[i].stored;
    }
    if (overflow || bytes > INT64_MAX / rank_count())
        fail(NULL, "the decoded bytes exceed what a file can have");
    return bytes;
}

static void decode_parts(struct decoding *decoding)
{
    const struct division *division = decoding->division;
    struct rank_files *files = decoding->files;
    uint64_t bytes = count_bytes(division, &files->job->stats);
    stats_phase(&files->job->stats, PHASE_decode, bytes);
    rank_stream_open(&decoding->stream, files, 0, bytes);
    flow_open_to(&decoding->flow, rank_stream_put, &decoding->stream);
    decoding->flow.expander.context = files->context;
    for (size_t i = division->begin; i < division->end; i++)
        decode_part(decoding, &division->parts[i]);
    flow_finish(&decoding->flow);
    rank_stream_close(&decoding->stream);
    container_free_bytes(&decoding->block.payload);
}

void decode_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    const struct common *common = &request->common;
    struct division division = {.parts = NULL};
    struct decoding decoding = {.files = files, .division = &division};
    char *const *own = ranks_paths(files, paths);
    files->bytes = true;
    files->inputs = inputs_open_bytes(own, files->count, common);
    rank_files_output(files, common->output, NULL);
    if (common->shards || rank_number() == 0)
        division_find(&division, own, files->count, common);
    rank_files_begin(files);
    if (!common->shards)
        division_share(&division);
    decode_parts(&decoding);
    rank_files_place(files);
    division_free(&division);
}
