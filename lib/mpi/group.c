/* group.c - opening a group over a communicator. */
#include <stdbool.h>

#include "fault.h"
#include "transport.h"

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

/* MPI can read memory of this context's device. */
static bool is_direct(const scankit_context *context)
{
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if (MPIX_Query_cuda_support() == 1)
        return true;
#endif
    return scankit_is_host(context);
}

/* MPI's other functions may not be called before its start and after its end. */
static scankit_error check_mpi(MPI_Comm comm)
{
    int begun = 0, ended = 0, between = 0;
    if (MPI_Initialized(&begun) != MPI_SUCCESS || MPI_Finalized(&ended) != MPI_SUCCESS || !begun || ended)
        return sk_mpi_refuse("MPI is not initialised");
    if (comm == MPI_COMM_NULL)
        return sk_mpi_refuse("the communicator is MPI_COMM_NULL");
    TRY_MPI(MPI_Comm_test_inter(comm, &between));
    return between ? sk_mpi_refuse("the communicator is an intercommunicator") : SCANKIT_OK;
}

/* NCCL, MPI alone, or MPI through a stage: what this rank's memory and all ranks allow. Collective. */
static scankit_error prepare(sk_ranks *ranks, scankit_context *context)
{
    TRY(sk_ranks_open_nccl(ranks, context));
    if (ranks->nccl != NULL)
        return SCANKIT_OK;
    TRY(sk_ranks_agree(ranks, sk_ranks_prepare(ranks, context, is_direct(context))));
    return sk_ranks_agree_on_pieces(ranks);
}

static const scankit_transport *transport_of(const sk_ranks *ranks)
{
    if (ranks->nccl != NULL)
        return &sk_nccl_transport;
    return ranks->stage != NULL ? &sk_staged_transport : &sk_direct_transport;
}

/* Joins, unless another rank cannot. */
static scankit_error join(scankit_group **group, scankit_context *context, sk_ranks *ranks)
{
    scankit_error error =
        scankit_group_join(group, context, (size_t)ranks->rank, (size_t)ranks->members, transport_of(ranks), ranks);
    scankit_error agreed = sk_ranks_agree(ranks, error);
    if (agreed == SCANKIT_OK)
        return SCANKIT_OK;
    if (error != SCANKIT_OK)
        sk_ranks_close(ranks);
    else
        scankit_group_close(*group);
    *group = NULL;
    return agreed;
}

scankit_error scankit_mpi_group_open(scankit_group **group, scankit_context *context, MPI_Comm comm)
{
    sk_ranks *ranks;
    if (group != NULL)
        *group = NULL;
    TRY(check_mpi(comm));
    TRY(sk_ranks_open(&ranks, comm));
    scankit_error error =
        group == NULL || context == NULL ? sk_mpi_refuse("the group or the context is NULL") : SCANKIT_OK;
    error = sk_ranks_agree(ranks, error);
    if (error == SCANKIT_OK)
        error = prepare(ranks, context);
    if (error == SCANKIT_OK)
        return join(group, context, ranks);
    sk_ranks_close(ranks);
    return error;
}
