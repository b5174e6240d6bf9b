/* device.c - the device of a rank: a GPU of its host, or its share of the host's processors. */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

/* The ranks of this host. */
typedef struct neighbours {
    MPI_Comm comm;
    int rank, count;
} neighbours;

static scankit_error find_neighbours(MPI_Comm comm, neighbours *host)
{
    TRY_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host->comm));
    TRY_MPI(MPI_Comm_rank(host->comm, &host->rank));
    TRY_MPI(MPI_Comm_size(host->comm, &host->count));
    return SCANKIT_OK;
}

/* Each processor is divided among the ranks that may run on it: a launcher may have bound each rank to some. */
static unsigned share_of(const cpu_set_t *mine, const cpu_set_t *all, int count)
{
    double share = 1e-6;
    for (int p = 0; p < CPU_SETSIZE; p++) {
        int users = 0;
        for (int r = 0; CPU_ISSET(p, mine) && r < count; r++)
            users += CPU_ISSET(p, &all[r]) != 0;
        share += users > 0 ? 1.0 / users : 0;
    }
    return share < 1 ? 1 : (unsigned)share;
}

static scankit_error count_threads(const neighbours *host, unsigned *threads)
{
    cpu_set_t mine, *all = malloc((size_t)host->count * sizeof *all);
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        CPU_ZERO(&mine);
    if (all == NULL)
        return SCANKIT_E_MEMORY; /* so small an array: nothing works any more */
    int code = MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, host->comm);
    *threads = code == MPI_SUCCESS ? share_of(&mine, all, host->count) : 1;
    free(all);
    return code == MPI_SUCCESS ? SCANKIT_OK : sk_mpi_fault("MPI_Allgather", code);
}

static scankit_error name_device(const neighbours *host, const char *device, char *name, size_t room)
{
    bool any = strcmp(device, "auto") == 0;
    int gpus = any || strcmp(device, "cuda") == 0 ? scankit_cuda_device_count() : 0;
    unsigned threads;
    TRY(count_threads(host, &threads));
    if (gpus > 0)
        snprintf(name, room, "cuda:%d", host->rank % gpus);
    else if (any || strcmp(device, "cpu") == 0)
        snprintf(name, room, "cpu:%u", threads);
    else
        snprintf(name, room, "%s", device);
    return SCANKIT_OK;
}

scankit_error scankit_mpi_open(scankit_context **context, const char *device, MPI_Comm comm)
{
    neighbours host = {.comm = MPI_COMM_NULL};
    char name[256];
    if (context == NULL)
        return sk_mpi_refuse("the context is NULL");
    *context = NULL;
    scankit_error error = find_neighbours(comm, &host);
    if (error == SCANKIT_OK)
        error = name_device(&host, device == NULL ? "auto" : device, name, sizeof name);
    if (host.comm != MPI_COMM_NULL)
        MPI_Comm_free(&host.comm);
    return error == SCANKIT_OK ? scankit_open(context, name) : error;
}
