/* rank_exchange.c - see rank_exchange.h. */
#include "rank_exchange.h"

#include <mpi.h>
#include <stdlib.h>

#include "common/cli.h"
#include "rank.h"

static uint64_t exchanged;

uint64_t ranks_exchanged(void)
{
    return exchanged;
}

void ranks_exchange_numbers(const uint64_t *to, uint64_t *from)
{
    MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, MPI_COMM_WORLD);
}

void ranks_exchange(const struct rank_message *to, const struct rank_message *from)
{
    size_t p = rank_count();
    int open = 0;
    MPI_Request *requests = get_memory(2 * p * sizeof *requests);
    for (size_t r = 0; r < p; r++)
        if (from[r].bytes > 0)
            MPI_Irecv(from[r].memory, (int)from[r].bytes, MPI_BYTE, (int)r, 0, MPI_COMM_WORLD, &requests[open++]);
    for (size_t r = 0; r < p; r++) {
        exchanged += r == rank_number() ? 0 : to[r].bytes;
        if (to[r].bytes > 0)
            MPI_Isend(to[r].memory, (int)to[r].bytes, MPI_BYTE, (int)r, 0, MPI_COMM_WORLD, &requests[open++]);
    }
    MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
    free(requests);
}

void ranks_collect(const void *mine, void *all, const size_t *bytes)
{
    size_t p = rank_count();
    int *counts = get_memory(2 * p * sizeof *counts), *places = counts + p, end = 0;
    for (size_t r = 0; r < p; r++) {
        counts[r] = (int)bytes[r];
        places[r] = end;
        end += counts[r];
    }
    MPI_Allgatherv(mine, counts[rank_number()], MPI_BYTE, all, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    free(counts);
}
