/* rle.h - gpurle's options, and its parts. */
#ifndef RLE_H
#define RLE_H

#include "io/pipeline.h"
#include "runs.h"

struct rle_request {
    struct common common;
    bool decode, list, count, unique; /* none of these, and no columns: encode */
    const char *values, *counts;      /* files of columns; NULL: not wanted */
    const char *keys[KEYS_MAX];       /* the texts of -k */
    size_t key_count;
};

/* Each takes all files, in order. */
void encode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void decode_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void write_pairs(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void read_pairs(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void list_files(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void print_runs(const struct rle_request *request, char *const *paths, size_t count, struct job *job);
void write_columns(const struct rle_request *request, char *const *paths, size_t count, struct job *job);

/* The header of the inputs' container, get_memory()'d; they were opened as INPUT_KEPT, unless raw. */
char *encoding_header(const struct input *inputs, size_t count, const struct schema *schema, bool raw, size_t *bytes);

/* Pairs of an element and its count: their schema, and the header of their text, for free(), or NULL. */
char *pairs_schema(struct schema *pairs, const struct schema *schema, const struct input *inputs,
                   const struct common *common);
void put_pairs(char *to, const char *values, const uint64_t *counts, size_t size, size_t n);

/* Sets the keys of --key. */
void set_run_keys(struct schema *schema, const struct rle_request *request);

/* Writes the line of -c for a run. Returns its end. The most bytes of a line. */
char *put_run(char *to, const scankit_layout *layout, const char *element, uint64_t count);
size_t longest_run(const scankit_layout *layout);

/* ---- the stream of runs: the device finds the runs of each block, and take() gets them ---- */

struct run_stream {
    const struct rle_request *request;
    struct pipeline pipeline;
    struct runs runs;
    take_function *take;
    void *state;                /* of take() */
    struct block_runs *members; /* of a list of devices */
    size_t member_count;
};

void run_stream_open(struct run_stream *stream, const struct rle_request *request, char *const *paths, size_t count,
                     struct job *job);

/* Sets the elements per block. take() uses `each` bytes per element, and all of it gets 1/shares of the memory. */
void run_stream_measure(struct run_stream *stream, size_t each, unsigned shares);

/* Finds all runs. take() gets the counts that are wanted. */
void run_stream_run(struct run_stream *stream, take_function *take, void *state, enum run_counts wanted);

void run_stream_close(struct run_stream *stream);

#endif
