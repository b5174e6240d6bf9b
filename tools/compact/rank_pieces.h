/* rank_pieces.h - gpucompact as ranks of MPI that have no room for their parts. */
#ifndef RANK_PIECES_H
#define RANK_PIECES_H

#include "compaction.h"
#include "mpi/rank_files.h"

/* Filters this rank's elements in pieces, twice: to count matches, so that its place in the outputs is known, and to
 * write. Returns the matches. Memory is constant. */
size_t filter_pieces(const struct compact_request *request, struct rank_files *files, scankit_predicate *predicate);

#endif
