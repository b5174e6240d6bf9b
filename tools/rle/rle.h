/* rle.h - what gpurle is asked to do, and the parts that do it. */
#ifndef RLE_H
#define RLE_H

#include "io/pipeline.h"
#include "runs.h"

struct rle_request {
    struct common common;
    bool decode, list, count, unique; /* none of them: encode, unless there are columns */
    const char *values, *counts;      /* files for columns, NULL where not wanted */
    const char *keys[KEYS_MAX];       /* the texts of -k */
    size_t key_count;
};

/* Each for all files, one behind the other. */
void encode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void decode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void list_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void print_runs(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void write_columns(const struct rle_request *request, char *const *paths, size_t count, struct job *job);

/* ---- the stream of runs: the device finds the runs of each block, and they go on to where the tool wants them ---- */

struct run_stream {
    const struct rle_request *request;
    struct pipeline pipeline;
    struct runs runs;
    take_function *take;
    void *state; /* of take() */
};

void run_stream_open(struct run_stream *stream, const struct rle_request *request, char *const *paths, size_t count,
                     struct job *job);

/* How many elements a block has, where take() uses `each` bytes for each, in one of `shares` of the memory. */
void run_stream_measure(struct run_stream *stream, size_t each, unsigned shares);

/* Finds all runs. take() may leave up to `held` of them; counted: it wants the counts. */
void run_stream_run(struct run_stream *stream, take_function *take, void *state, size_t held, bool counted);

void run_stream_close(struct run_stream *stream);

#endif
