/* rank_runs.c - the runs of each rank's part. */
#include <stdlib.h>

#include "common/device.h"
#include "rank_rle.h"

/* The elements, and room for as many runs. */
static void *read_elements(struct rank_runs *runs, struct rank_files *files, bool counted)
{
    size_t n = files->n, size = files->schema.size, run = size + (counted ? sizeof(uint64_t) : 0);
    rank_files_check_room(files, n, size + run);
    void *elements = rank_files_room(files, n * size);
    runs->values = rank_files_room(files, n * size);
    runs->counts = counted ? rank_files_room(files, n * sizeof(uint64_t)) : NULL;
    rank_files_read(files, elements);
    return elements;
}

static scankit_error find(struct rank_runs *runs, struct rank_files *files, const void *in, bool joined)
{
    const scankit_run_options options = {.keys = files->schema.keys, .key_count = files->schema.key_count};
    size_t size = files->schema.size;
    if (joined)
        return scankit_group_run_length_encode(files->group, size, &in, &runs->values,
                                               runs->counts == NULL ? NULL : &runs->counts, &files->n, &options,
                                               &runs->n);
    return scankit_run_length_encode(files->context, size, in, runs->values, runs->counts, files->n, &options,
                                     &runs->n);
}

void rank_runs_find(struct rank_runs *runs, struct rank_files *files, bool counted, bool joined)
{
    void *elements = read_elements(runs, files, counted);
    stats_phase(&files->job->stats, PHASE_encode, UINT64_MAX);
    ranks_check(files->group, find(runs, files, elements, joined));
    scankit_free(files->context, elements);
}

void rank_runs_free(struct rank_runs *runs, struct rank_files *files)
{
    scankit_free(files->context, runs->values);
    scankit_free(files->context, runs->counts);
}

void rank_runs_pass(const struct rank_runs *runs, const struct rank_files *files, take_runs_piece *take, void *state)
{
    scankit_context *context = files->context;
    size_t size = files->schema.size;
    char *values = get_memory(RUNS_OF_PIECE * size);
    uint64_t *counts = get_memory(RUNS_OF_PIECE * sizeof *counts);
    for (size_t done = 0, n; done < runs->n; done += n) {
        n = runs->n - done < RUNS_OF_PIECE ? runs->n - done : RUNS_OF_PIECE;
        check_call(context, scankit_download(context, values, (const char *)runs->values + done * size, n * size));
        check_call(context, scankit_download(context, counts, runs->counts + done, n * sizeof *counts));
        take(state, values, counts, n, done + n == runs->n);
    }
    free(values);
    free(counts);
}
