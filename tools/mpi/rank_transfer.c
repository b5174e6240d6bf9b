/* rank_transfer.c - see rank_files.h: a rank's part is read and written, in shared files or in its own. */
#include <stdlib.h>

#include "common/device.h"
#include "io/npy.h"
#include "rank_stream.h"
#include "shared_file.h"

#define BLOCK_BYTES ((size_t)64 << 20)

/* ---- reading ---- */

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The part may begin and end in any input. Ranks without a share of an input take part in its collective reads. */
static void read_part(struct rank_files *files, char *memory)
{
    uint64_t size = files->schema.size, at = 0, begin = files->begin * size, end = begin + files->n * size;
    for (size_t i = 0; i < files->count; i++) {
        const struct input *input = &files->inputs[i];
        uint64_t low = greater(begin, at), high = lesser(end, at + input->size);
        struct shared_part part = {.path = input->name, .name = input->name, .context = files->context};
        part.memory = memory + (low < high ? low - begin : 0);
        part.bytes = low < high ? (size_t)(high - low) : 0;
        part.offset = input->header_bytes + (low < high ? low - at : 0);
        shared_read(&part);
        at += input->size;
    }
}

struct upload {
    scankit_context *context;
    char *to;
};

static void upload_piece(void *state, char *piece, size_t bytes)
{
    struct upload *upload = state;
    check_call(upload->context, scankit_upload(upload->context, upload->to, piece, bytes));
    upload->to += bytes;
}

void rank_files_read(struct rank_files *files, void *memory)
{
    struct stats *stats = &files->job->stats;
    uint64_t bytes = files->n * files->schema.size;
    stats->elements = files->n;
    stats->bytes_in = bytes;
    stats_phase(stats, PHASE_read, bytes);
    if (!files->scattered && !files->job->common->shards) {
        read_part(files, memory);
        return;
    }
    struct upload upload = {files->context, memory};
    rank_files_pass(files, upload_piece, &upload);
}

/* ---- writing ---- */

char *rank_files_header(const struct rank_files *files, size_t which, uint64_t n, size_t *bytes)
{
    const char *descr = files->outputs[which].descr;
    *bytes = 0;
    if (descr == NULL || !files->inputs[0].has_own || files->job->common->raw)
        return NULL;
    return npy_make_header(descr, files->schema.npy_version, n, bytes);
}

static void write_header(struct rank_files *files, size_t which, uint64_t n)
{
    size_t bytes;
    char *header = rank_files_header(files, which, n, &bytes);
    if (header != NULL)
        output_write(&files->outputs[which].output, header, bytes);
    free(header);
}

/* The first rank has the temporary as its output. The others know its name. */
static void write_part(struct rank_files *files, size_t which, const void *memory, size_t size, size_t n)
{
    struct rank_output *output = &files->outputs[which];
    uint64_t head = 0, begin = ranks_before(n), all = ranks_sum(n);
    files->job->stats.bytes_out += n * size;
    if (rank_number() == 0) {
        write_header(files, which, all);
        head = output->output.bytes;
        output->output.bytes += all * size;
    }
    ranks_give(&head, sizeof head);
    const struct shared_part part = {.path = output->shared,
                                     .name = output->path,
                                     .offset = head + begin * size,
                                     .context = files->context,
                                     .memory = (char *)memory,
                                     .bytes = n * size};
    shared_write(&part, true);
}

/* To a shard, or as text or compressed bytes. */
static void write_stream(struct rank_files *files, size_t which, const char *memory, size_t size, size_t n)
{
    struct rank_stream stream;
    size_t bytes = n * size;
    char *stage = get_memory(BLOCK_BYTES);
    rank_stream_open_elements(&stream, files, which, size, n);
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done < BLOCK_BYTES ? bytes - done : BLOCK_BYTES;
        check_call(files->context, scankit_download(files->context, stage, memory + done, part));
        rank_stream_put(&stream, stage, part);
    }
    rank_stream_close(&stream);
    free(stage);
}

void rank_files_write(struct rank_files *files, size_t which, const void *memory, size_t size, size_t n)
{
    const struct common *common = files->job->common;
    stats_phase(&files->job->stats, PHASE_write, n * size);
    if (common->shards || rank_output_encodes(common))
        write_stream(files, which, memory, size, n);
    else
        write_part(files, which, memory, size, n);
}

/* All are complete before the first one is put in its place. */
void rank_files_place(struct rank_files *files)
{
    struct output *outputs[RANK_OUTPUTS];
    bool mine = files->job->common->shards || rank_number() == 0;
    ranks_meet();
    for (size_t i = 0; i < files->output_count && mine; i++)
        output_complete(outputs[i] = &files->outputs[i].output);
    ranks_meet();
    uint64_t bytes = mine ? outputs_replace(outputs, files->output_count) : 0;
    if (files->job->common->shards)
        files->job->stats.bytes_out = bytes;
    ranks_meet();
}
