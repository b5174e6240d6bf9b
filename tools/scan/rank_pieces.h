/* rank_pieces.h - gpuscan as ranks of MPI that have no room for their parts. */
#ifndef RANK_PIECES_H
#define RANK_PIECES_H

#include "mpi/rank_files.h"
#include "scan.h"

/* Scans this rank's elements in pieces, twice: to reduce them, so that the reduction of the ranks before is known, and
 * to scan. Or prints the reduction of all, with --reduce. Memory is constant. */
void scan_pieces(const struct scan_request *request, struct rank_files *files, const struct value *value);

#endif
