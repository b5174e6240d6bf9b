/* rank_encode.c - gpurle encodes over ranks: the bytes of one process. Blocks that begin in a rank's runs are that
 * rank's. A shard is a container of its own. */
#include <stdlib.h>

#include "common/device.h"
#include "composer.h"
#include "cuts.h"
#include "mpi/rank_stream.h"
#include "rank_rle.h"

/* ---- which runs a rank writes ---- */

/* The number of the first run, of all ranks, where a block begins in this rank's runs; or UINT64_MAX. */
static uint64_t first_block(const struct rank_runs *runs, const struct rank_files *files)
{
    struct open_block block = {.runs = 0};
    uint64_t *counts = get_memory(runs->n * sizeof *counts + 1), before = ranks_before(runs->n);
    check_call(files->context, scankit_download(files->context, counts, runs->counts, runs->n * sizeof *counts));
    struct survey *survey = counts_survey(counts, runs->n);
    ranks_receive(&block, sizeof block);
    size_t first = counts_cut(survey, files->schema.size, &block);
    ranks_send(&block, sizeof block);
    counts_free(survey);
    free(counts);
    return first < runs->n ? before + first : UINT64_MAX;
}

/* The runs of the blocks that begin in this rank's runs. */
static size_t runs_of_blocks(const struct rank_runs *runs, const struct rank_files *files)
{
    uint64_t *begin = get_memory((rank_count() + 1) * sizeof *begin);
    begin[rank_count()] = ranks_sum(runs->n);
    ranks_all(first_block(runs, files), begin);
    for (size_t i = rank_count(); i-- > 0;)
        begin[i] = begin[i] == UINT64_MAX ? begin[i + 1] : begin[i];
    size_t n = (size_t)(begin[rank_number() + 1] - begin[rank_number()]);
    free(begin);
    return n;
}

static void *redistribute(struct rank_files *files, void *memory, size_t size, size_t n, size_t out_n)
{
    const void *in = memory;
    void *out = rank_files_room(files, out_n * size);
    ranks_check(files->group, scankit_group_redistribute(files->group, size, &in, &n, &out, &out_n));
    scankit_free(files->context, memory);
    return out;
}

static void take_blocks(struct rank_runs *runs, struct rank_files *files)
{
    size_t size = files->schema.size, n = runs_of_blocks(runs, files);
    if (ranks_most(n != runs->n) == 0)
        return;
    rank_files_check_room(files, n, size + sizeof(uint64_t));
    runs->values = redistribute(files, runs->values, size, runs->n, n);
    runs->counts = redistribute(files, runs->counts, sizeof(uint64_t), runs->n, n);
    runs->n = n;
}

/* ---- writing ---- */

static void compose(void *state, const char *values, const uint64_t *counts, size_t n, bool last)
{
    composer_add(state, values, counts, n, last);
}

static void put_block(void *stream, const void *block, size_t bytes)
{
    container_put(rank_stream_put, stream, block, bytes - CONTAINER_CRC_BYTES);
}

static void put_blocks(const struct rank_runs *runs, const struct rank_files *files, struct rank_stream *stream,
                       struct container_totals *totals)
{
    struct composer composer;
    composer_open(&composer, files->schema.size);
    composer.expander.context = files->context;
    composer.writer = writer_start(put_block, stream, composer_block(&composer));
    rank_runs_pass(runs, files, compose, &composer);
    writer_finish(composer.writer);
    *totals = composer.totals;
    composer_close(&composer);
}

static void put_header(const struct rank_files *files, struct rank_stream *stream)
{
    size_t bytes;
    const struct common *common = files->job->common;
    char *header = encoding_header(files->inputs, files->count, &files->schema, common->raw, &bytes);
    container_put(rank_stream_put, stream, header, bytes);
    free(header);
}

static void put_end(struct container_totals totals, struct rank_stream *stream, bool alone)
{
    char part[CONTAINER_END_BYTES];
    if (!alone) {
        totals.elements = ranks_sum(totals.elements);
        totals.runs = ranks_sum(totals.runs);
        totals.blocks = ranks_sum(totals.blocks);
    }
    container_end(part, &totals);
    if (alone || rank_number() + 1 == rank_count())
        container_put(rank_stream_put, stream, part, sizeof part);
}

void encode_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths)
{
    const struct common *common = &request->common;
    bool bare = common->raw || common->from_text;
    struct rank_runs runs;
    struct container_totals totals;
    struct rank_stream stream;
    files->inputs =
        inputs_open(ranks_paths(files, paths), files->count, common, bare ? INPUT_READ : INPUT_KEPT, &files->schema);
    rank_files_output(files, common->output, NULL);
    rank_files_begin(files);
    rank_runs_find(&runs, files, true, !common->shards);
    if (!common->shards)
        take_blocks(&runs, files);
    rank_stream_open_encoded(&stream, files, 0, NULL, NULL);
    if (common->shards || rank_number() == 0)
        put_header(files, &stream);
    put_blocks(&runs, files, &stream, &totals);
    put_end(totals, &stream, common->shards);
    rank_runs_free(&runs, files);
    rank_stream_close(&stream);
    rank_files_place(files);
}
