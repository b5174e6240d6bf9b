/* rle.h - what gpurle is asked to do, and the parts that do it. */
#ifndef RLE_H
#define RLE_H

#include "io/input.h"
#include "common/options.h"
#include "runs.h"
#include "common/stats.h"

struct rle {
    struct common common;
    bool decode, list, count, unique; /* none of them: encode, unless there are columns */
    const char *values, *counts;      /* files for columns, NULL where not wanted */
    const char *keys[KEYS_MAX];       /* the texts of -k */
    size_t key_count;
};

/* Each for all files, one behind the other. */
void encode_files(const struct rle *rle, char *const *paths, size_t count, struct stats *stats);
void decode_files(const struct rle *rle, char *const *paths, size_t count, struct stats *stats);
void list_files(const struct rle *rle, char *const *paths, size_t count, struct stats *stats);
void print_runs(const struct rle *rle, char *const *paths, size_t count, struct stats *stats);
void write_columns(const struct rle *rle, char *const *paths, size_t count, struct stats *stats);

/* ---- the pipeline that looks for runs: a thread reads blocks, the device finds the runs in them, and they go on to
 * where the tool wants them ---- */

struct finding {
    const struct rle *rle;
    struct stats *stats;
    struct input *inputs;
    size_t count;
    struct schema schema;
    struct runs runs;
    size_t block; /* elements in one */
    uint64_t elements;
};

void finding_open(struct finding *finding, const struct rle *rle, char *const *paths, size_t count,
                  struct stats *stats);

/* How many elements a block has, where take() uses `each` bytes for each, in one of `shares` of the memory. */
void finding_measure(struct finding *finding, size_t each, unsigned shares);

/* Finds all runs. Up to `held` of them take() may leave; counted: it wants the counts. */
void finding_run(struct finding *finding, take_function *take, void *state, size_t held, bool counted);

void finding_close(struct finding *finding);

#endif
