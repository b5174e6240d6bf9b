/* external.h - a sort over ranks of more elements than their memories hold. */
#ifndef RANKS_EXTERNAL_H
#define RANKS_EXTERNAL_H

#include "mpi/rank_files.h"
#include "sort/request.h"

/* Sorts the elements of the files, which ranks divide, and writes the first output. Collective. */
void sort_in_runs_of_ranks(const struct sort_request *request, struct rank_files *files);

#endif
