/* rank_rle.h - the parts of gpurle as ranks of MPI. */
#ifndef RANK_RLE_H
#define RANK_RLE_H

#include "mpi/rank_files.h"
#include "rle.h"

/* The runs that begin in a rank's elements; memory of the device. */
struct rank_runs {
    void *values;
    uint64_t *counts; /* NULL: not wanted */
    size_t n;
};

/* Reads this rank's elements and finds runs. joined: a run goes on from rank to rank. Frees the elements. */
void rank_runs_find(struct rank_runs *runs, struct rank_files *files, bool counted, bool joined);
void rank_runs_free(struct rank_runs *runs, struct rank_files *files);

#define RUNS_OF_PIECE ((size_t)1 << 18)

/* Passes all runs to take(), in pieces of host memory. */
typedef void take_runs_piece(void *state, const char *values, const uint64_t *counts, size_t n, bool last);
void rank_runs_pass(const struct rank_runs *runs, const struct rank_files *files, take_runs_piece *take, void *state);

/* What gpurle does. Each takes all files. */
void encode_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths);
void decode_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths);
void write_columns_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths);
void write_pairs_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths);
void print_runs_by_ranks(const struct rle_request *request, struct rank_files *files, char *const *paths);

#endif
