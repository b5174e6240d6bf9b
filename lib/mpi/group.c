/* group.c - see scankit_mpi.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "transport.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* ---- contexts ---- */

/* This rank's number among the ranks of its host, and how many these are. */
static scankit_error find_neighbours(MPI_Comm comm, int *rank, int *count)
{
    MPI_Comm host;
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) != MPI_SUCCESS)
        return SCANKIT_E_DEVICE;
    bool good = MPI_Comm_rank(host, rank) == MPI_SUCCESS && MPI_Comm_size(host, count) == MPI_SUCCESS;
    MPI_Comm_free(&host);
    return good ? SCANKIT_OK : SCANKIT_E_DEVICE;
}

scankit_error scankit_mpi_open(scankit_context **context, const char *device, MPI_Comm comm)
{
    char name[32];
    int rank, count, gpus = 0;
    if (context == NULL || device == NULL)
        return SCANKIT_E_ARGUMENT;
    *context = NULL;
    scankit_error error = find_neighbours(comm, &rank, &count);
    if (error != SCANKIT_OK)
        return error;
    bool any = strcmp(device, "auto") == 0;
    if (any || strcmp(device, "cuda") == 0)
        gpus = scankit_cuda_device_count();
    if (gpus > 0) {
        snprintf(name, sizeof name, "cuda:%d", rank % gpus);
        return scankit_open(context, name);
    }
    if (!any && strcmp(device, "cpu") != 0)
        return scankit_open(context, device);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(name, sizeof name, "cpu:%ld", processors > count ? processors / count : 1);
    return scankit_open(context, name);
}

/* ---- groups ---- */

/* MPI can read memory of this context's device. */
static bool is_direct(const scankit_context *context)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if (MPIX_Query_cuda_support() == 1)
        return true;
#endif
    return scankit_is_host(context);
}

scankit_error scankit_mpi_group_open(scankit_group **group, scankit_context *context, MPI_Comm comm)
{
    if (group == NULL)
        return SCANKIT_E_ARGUMENT;
    *group = NULL;
    if (context == NULL)
        return SCANKIT_E_ARGUMENT;
    bool direct = is_direct(context);
    sk_ranks *ranks = sk_ranks_open(comm, !direct);
    if (ranks == NULL)
        return SCANKIT_E_DEVICE;
    scankit_error error = scankit_group_join(group, context, (size_t)ranks->rank, (size_t)ranks->members,
                                             direct ? &sk_direct_transport : &sk_staged_transport, ranks);
    if (error != SCANKIT_OK)
        sk_ranks_close(ranks);
    return error;
}
