/* nccl.c - the transport between GPUs by NCCL, which uses NVLink, or a network that reads the memory of GPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "nccl_library.h"
#include "transport.h"

#define TRY_NCCL(ranks, call)                                                              \
    do {                                                                                   \
        int code_of_nccl = (ranks)->nccl->call;                                            \
        if (code_of_nccl != SK_NCCL_OK)                                                    \
            return sk_mpi_note("NCCL, " #call, (ranks)->nccl->error_string(code_of_nccl)); \
    } while (0)

static scankit_error open_comm(sk_ranks *ranks, scankit_context *context)
{
    sk_nccl_id id = {{0}};
    int status = ranks->rank == 0 ? ranks->nccl->get_id(&id) : SK_NCCL_OK;
    TRY_MPI(MPI_Bcast(&status, 1, MPI_INT, 0, ranks->comm));
    if (status != SK_NCCL_OK)
        return sk_mpi_note("NCCL, get_id", ranks->nccl->error_string(status));
    TRY_MPI(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks->comm));
    /* NCCL takes the thread's current device, and this makes it the context's. */
    TRY(scankit_synchronize(context));
    TRY_NCCL(ranks, open(&ranks->nccl_comm, ranks->members, id, ranks->rank));
    return SCANKIT_OK;
}

#define IDENTITY_BYTES 64

static int has_repetition(const char *identities, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (memcmp(identities + i * IDENTITY_BYTES, identities + j * IDENTITY_BYTES, IDENTITY_BYTES) == 0)
                return 1;
    return 0;
}

/* NCCL gives each rank a GPU of its own. With two ranks on one, its start did not end. */
static scankit_error check_gpus(const sk_ranks *ranks, const scankit_context *context, char *all, int *apart)
{
    char mine[IDENTITY_BYTES] = {0};
    snprintf(mine, sizeof mine, "%s", scankit_device_identity(context));
    TRY_MPI(MPI_Allgather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, ranks->comm));
    *apart = !has_repetition(all, (size_t)ranks->members);
    return SCANKIT_OK;
}

/* All ranks have NCCL, and GPUs of their own. */
static scankit_error check_ranks(const sk_ranks *ranks, const scankit_context *context, int *all)
{
    char *identities = malloc((size_t)ranks->members * IDENTITY_BYTES);
    int mine = identities != NULL && ranks->members > 1 && !scankit_is_host(context) &&
               getenv("SCANKIT_MPI_STAGE") == NULL && sk_nccl_find() != NULL;
    int code = MPI_Allreduce(&mine, all, 1, MPI_INT, MPI_MIN, ranks->comm);
    scankit_error error = code == MPI_SUCCESS ? SCANKIT_OK : sk_mpi_fault("MPI_Allreduce", code);
    if (error == SCANKIT_OK && *all)
        error = check_gpus(ranks, context, identities, all);
    free(identities);
    return error;
}

scankit_error sk_ranks_open_nccl(sk_ranks *ranks, scankit_context *context)
{
    int all = 0;
    TRY(check_ranks(ranks, context, &all));
    if (!all)
        return SCANKIT_OK;
    ranks->nccl = sk_nccl_find();
    /* Where NCCL finds no way between the GPUs, the other transports do. */
    if (sk_ranks_agree(ranks, open_comm(ranks, context)) != SCANKIT_OK)
        sk_ranks_close_nccl(ranks);
    return SCANKIT_OK;
}

void sk_ranks_close_nccl(sk_ranks *ranks)
{
    if (ranks->nccl_comm != NULL)
        ranks->nccl->close(ranks->nccl_comm);
    ranks->nccl_comm = NULL;
    ranks->nccl = NULL;
}

/* Between two ranks, sends and receives match in their order. */
static scankit_error queue(const sk_ranks *ranks, const scankit_range *send, size_t sends, const scankit_range *receive,
                           size_t receives)
{
    for (size_t i = 0; i < sends; i++)
        if ((int)send[i].member != ranks->rank) {
            TRY_NCCL(ranks,
                     send(send[i].data, send[i].bytes, SK_NCCL_BYTES, (int)send[i].member, ranks->nccl_comm, NULL));
            sk_ranks_count(send[i].bytes);
        }
    for (size_t i = 0; i < receives; i++)
        if ((int)receive[i].member != ranks->rank)
            TRY_NCCL(ranks, receive(receive[i].data, receive[i].bytes, SK_NCCL_BYTES, (int)receive[i].member,
                                    ranks->nccl_comm, NULL));
    return SCANKIT_OK;
}

static scankit_error finish(const sk_ranks *ranks, scankit_context *context)
{
    int error = SK_NCCL_OK;
    TRY(scankit_wait_stream(context, NULL));
    TRY(scankit_synchronize(context));
    TRY_NCCL(ranks, async_error(ranks->nccl_comm, &error));
    return error == SK_NCCL_OK || error == SK_NCCL_IN_PROGRESS
               ? SCANKIT_OK
               : sk_mpi_note("NCCL, exchange", ranks->nccl->error_string(error));
}

/* On CUDA's default stream. Not in two halves: NCCL copies by kernels, and a merge beside them takes their processors
 * and their bandwidth. Two H100 sorted 8 GiB in 24.8 ms so, and in 21.2 ms with one exchange before the merge. */
static scankit_error exchange(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives)
{
    const sk_ranks *ranks = state;
    TRY(scankit_synchronize(context)); /* the thread's current device, as above */
    TRY_NCCL(ranks, group_start());
    scankit_error error = queue(ranks, send, sends, receive, receives);
    TRY_NCCL(ranks, group_end());
    if (error == SCANKIT_OK)
        error = sk_ranks_copy_own(ranks, context, send, sends, receive, receives);
    scankit_error finished = finish(ranks, context);
    return error != SCANKIT_OK ? error : finished;
}

const scankit_transport sk_nccl_transport = {
    .allgather = sk_ranks_gather, .exchange = exchange, .close = sk_ranks_close};
