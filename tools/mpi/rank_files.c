/* rank_files.c - see rank_files.h: the start, the division of the elements, and the end. */
#include "rank_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/device.h"
#include "io/file/temporary.h"

#define TYPE_BYTES 1024

/* ---- options and paths ---- */

void ranks_refuse(const struct common *common, bool in_pieces)
{
    const struct cli_pair pairs[] = {
        {true, device_list(common) != NULL, WITH_RANKS, "a list of devices"},
        {true, common->buffer_size > 0 && !in_pieces, WITH_RANKS, "--buffer-size"},
        {true, common->device_memory > 0 || common->device_percent > 0, WITH_RANKS, "--device-memory"},
    };
    cli_exclude(pairs, sizeof pairs / sizeof pairs[0]);
}

char *const *ranks_paths(struct rank_files *files, char *const *paths)
{
    char **own = get_memory(files->count * sizeof *own);
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(paths[i], "-") == 0)
            fail_usage("ranks of MPI cannot share standard input");
        own[i] = files->job->common->shards ? shard_path(paths[i]) : paths[i];
    }
    files->paths = own;
    return own;
}

/* ---- the start ---- */

/* The size of a file without bytes counts as not known, as that of a pipe. */
static bool is_empty(struct input *input)
{
    struct stat status;
    bool empty = fstat(input->descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
    if (empty)
        input->size = 0;
    return empty;
}

bool rank_divides(struct input *input)
{
    return is_empty(input) || input_is_plain(input);
}

/* What is not divided is read twice. */
static void check_inputs(struct rank_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        struct input *input = &files->inputs[i];
        if (rank_divides(input))
            continue;
        if (!input->file)
            fail(input->name, "is no regular file, which ranks of MPI require");
        files->scattered = true;
    }
}

void rank_files_output(struct rank_files *files, const char *path, const char *descr)
{
    if (path == NULL || strcmp(path, "-") == 0)
        fail_usage("ranks of MPI require --output FILE");
    files->outputs[files->output_count++] = (struct rank_output){.path = path, .descr = descr};
}

void rank_files_output_numbers(struct rank_files *files, const char *path, const char *descr)
{
    rank_files_output(files, path, descr);
    files->outputs[files->output_count - 1].numbers = true;
}

static void open_output(const struct rank_files *files, struct rank_output *output)
{
    const struct common *common = files->job->common;
    if (common->shards)
        output_open(&output->output, shard_path(output->path), CODEC_NONE, common);
    else if (rank_number() == 0)
        output_open_shared(&output->output, output->path, common);
}

static void share_output(struct rank_output *output)
{
    if (rank_number() == 0)
        strncpy(output->shared, output_temporary(&output->output), RANK_PATH_BYTES - 1);
    ranks_give(output->shared, RANK_PATH_BYTES);
    if (rank_number() > 0)
        temporary_share(output->shared);
}

/* Shards have one type. */
static void compare_types(const struct rank_files *files)
{
    char first[TYPE_BYTES] = "", *mine = schema_description(&files->schema);
    if (strlen(mine) >= TYPE_BYTES)
        mine[TYPE_BYTES - 1] = '\0';
    strcpy(first, mine);
    ranks_give(first, TYPE_BYTES);
    if (ranks_must_report(strcmp(first, mine) != 0))
        fail(files->inputs[0].name, "holds %s, but the first rank's file %s", mine, first);
    free(mine);
}

/* ---- the division ---- */

uint64_t rank_even_begin(uint64_t n, size_t rank)
{
    uint64_t each = n / rank_count(), more = n % rank_count();
    return rank * each + (rank < more ? rank : more);
}

size_t rank_even_part(uint64_t n)
{
    return (size_t)(rank_even_begin(n, rank_number() + 1) - rank_even_begin(n, rank_number()));
}

static uint64_t count_own(struct rank_files *files)
{
    if (!files->scattered)
        return inputs_size(files->inputs, files->count) / (files->bytes ? 1 : files->schema.size);
    return files->job->common->shards || rank_number() == 0 ? rank_files_count(files) : 0;
}

static void divide(struct rank_files *files, uint64_t own)
{
    bool shards = files->job->common->shards;
    if (!shards)
        ranks_give(&own, sizeof own);
    files->all = shards ? ranks_sum(own) : own;
    files->begin = shards ? ranks_before(own) : rank_even_begin(own, rank_number());
    files->n = shards ? (size_t)own : rank_even_part(own);
}

void rank_files_begin(struct rank_files *files)
{
    bool shards = files->job->common->shards;
    check_inputs(files);
    for (size_t i = 0; i < files->output_count; i++)
        open_output(files, &files->outputs[i]);
    ranks_follow();
    if (shards && !files->bytes)
        compare_types(files);
    for (size_t i = 0; i < files->output_count && !shards; i++)
        share_output(&files->outputs[i]);
    divide(files, count_own(files)); /* may take long, so all know the temporaries by now */
    files->group = ranks_open_group(files->job);
    files->context = files->job->device.context;
}

/* ---- memory ---- */

/* Of this rank's device. CPUs of a host share its memory. */
static size_t room_of_rank(const struct rank_files *files)
{
    size_t available, neighbours = ranks_of_host(), most = files->job->common->buffer_size;
    check_call(files->context, scankit_memory_available(files->context, &available));
    available /= scankit_is_host(files->context) ? neighbours : 1;
    return most > 0 && most < available ? most : available;
}

bool rank_files_have_room(const struct rank_files *files, uint64_t n, size_t bytes)
{
    return ranks_most(n > room_of_rank(files) / bytes) == 0;
}

void rank_files_check_room(const struct rank_files *files, uint64_t n, size_t bytes)
{
    size_t room = room_of_rank(files);
    if (ranks_must_report(n > room / bytes))
        fail(NULL, "rank %zu needs %s for its part, and has %s; start more ranks, on more machines", rank_number(),
             bytes_text(n * bytes), bytes_text(room));
}

void *rank_files_room(const struct rank_files *files, size_t bytes)
{
    void *memory;
    check_call(files->context, scankit_allocate(files->context, &memory, bytes > 0 ? bytes : 1));
    return memory;
}

/* ---- the end ---- */

void rank_files_end(struct rank_files *files)
{
    stats_end(&files->job->stats);
    stats_device(&files->job->stats, &files->job->device);
    ranks_report(&files->job->stats);
    scankit_group_close(files->group);
    ranks_end();
}
