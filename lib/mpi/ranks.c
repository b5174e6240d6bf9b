/* ranks.c - what the transports have in common: the state, gathers, and copies within a rank. */
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "fault.h"
#include "pieces.h"
#include "transport.h"

#define MESSAGE_BYTES ((size_t)1 << 30) /* an int counts them */
#define STAGE_BYTES ((size_t)16 << 20)
#define STAGES 4

/* ---- opening and closing ---- */

void sk_ranks_close(void *state)
{
    sk_ranks *ranks = state;
    int ended = 0;
    MPI_Finalized(&ended);
    sk_ranks_close_nccl(ranks);
    if (ranks->comm != MPI_COMM_NULL && !ended)
        MPI_Comm_free(&ranks->comm);
    if (ranks->context != NULL)
        scankit_unpin(ranks->context, ranks->stage);
    free(ranks->requests);
    free(ranks->stage);
    free(ranks);
}

static scankit_error duplicate(sk_ranks *ranks, MPI_Comm comm)
{
    TRY_MPI(MPI_Comm_dup(comm, &ranks->comm));
    TRY_MPI(MPI_Comm_set_errhandler(ranks->comm, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Comm_rank(ranks->comm, &ranks->rank));
    TRY_MPI(MPI_Comm_size(ranks->comm, &ranks->members));
    return SCANKIT_OK;
}

scankit_error sk_ranks_open(sk_ranks **opened, MPI_Comm comm)
{
    sk_ranks *ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return SCANKIT_E_MEMORY;
    ranks->comm = MPI_COMM_NULL;
    ranks->piece = MESSAGE_BYTES;
    scankit_error error = duplicate(ranks, comm);
    if (error != SCANKIT_OK) {
        sk_ranks_close(ranks);
        return error;
    }
    *opened = ranks;
    return SCANKIT_OK;
}

scankit_error sk_ranks_prepare(sk_ranks *ranks, scankit_context *context, int direct)
{
    const char *text = getenv("SCANKIT_MPI_STAGE");
    size_t asked = text == NULL ? 0 : strtoull(text, NULL, 10);
    ranks->piece = asked > 0 && asked < MESSAGE_BYTES ? asked : direct ? MESSAGE_BYTES : STAGE_BYTES;
    if (direct && asked == 0)
        return SCANKIT_OK;
    ranks->stage = malloc(STAGES * ranks->piece);
    if (ranks->stage == NULL)
        return SCANKIT_E_MEMORY;
    /* Where the system does not pin it, transfers only take longer. */
    if (scankit_pin(context, ranks->stage, STAGES * ranks->piece, 0) == SCANKIT_OK)
        ranks->context = context;
    return SCANKIT_OK;
}

scankit_error sk_ranks_agree(const sk_ranks *ranks, scankit_error error)
{
    int mine = (int)error, worst = mine;
    TRY_MPI(MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, ranks->comm));
    if (mine == SCANKIT_OK && worst != SCANKIT_OK)
        sk_mpi_refuse("another rank failed");
    return (scankit_error)worst;
}

scankit_error sk_ranks_agree_on_pieces(sk_ranks *ranks)
{
    unsigned long long mine = ranks->piece, least = mine;
    TRY_MPI(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, ranks->comm));
    ranks->piece = (size_t)least;
    return SCANKIT_OK;
}

/* ---- gathering ---- */

/* What one rank gives lies at a multiple of `bytes`, of which a message carries n. */
static scankit_error gather_piece(const sk_ranks *ranks, const char *mine, char *all, size_t bytes, size_t n)
{
    MPI_Datatype piece, spaced;
    TRY_MPI(MPI_Type_contiguous((int)n, MPI_BYTE, &piece));
    TRY_MPI(MPI_Type_create_resized(piece, 0, (MPI_Aint)bytes, &spaced));
    TRY_MPI(MPI_Type_commit(&spaced));
    TRY_MPI(MPI_Allgather(mine, (int)n, MPI_BYTE, all, 1, spaced, ranks->comm));
    TRY_MPI(MPI_Type_free(&spaced));
    TRY_MPI(MPI_Type_free(&piece));
    return SCANKIT_OK;
}

scankit_error sk_ranks_gather(void *state, const void *mine, void *all, size_t bytes)
{
    const sk_ranks *ranks = state;
    if (bytes <= ranks->piece) {
        TRY_MPI(MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, ranks->comm));
        return SCANKIT_OK;
    }
    for (size_t done = 0, n; done < bytes; done += n) {
        n = bytes - done < ranks->piece ? bytes - done : ranks->piece;
        TRY(gather_piece(ranks, (const char *)mine + done, (char *)all + done, bytes, n));
    }
    return SCANKIT_OK;
}

/* ---- a rank's own ranges ---- */

scankit_error sk_ranks_copy_own(const sk_ranks *ranks, scankit_context *context, const scankit_range *send,
                                size_t sends, const scankit_range *receive, size_t receives)
{
    sk_pieces from = sk_pieces_of(send, sends, (size_t)ranks->rank, SIZE_MAX);
    sk_pieces to = sk_pieces_of(receive, receives, (size_t)ranks->rank, SIZE_MAX);
    for (;;) {
        sk_piece_of_range source = sk_next_piece(&from), target = sk_next_piece(&to);
        if (source.bytes != target.bytes)
            return sk_mpi_refuse("ranges of a rank to itself do not match");
        if (source.bytes == 0)
            return SCANKIT_OK;
        TRY(scankit_copy(context, target.data, source.data, source.bytes));
    }
}

/* ---- counting ---- */

static atomic_ullong bytes_sent;

void sk_ranks_count(size_t bytes)
{
    atomic_fetch_add(&bytes_sent, bytes);
}

uint64_t scankit_mpi_bytes_sent(void)
{
    return atomic_load(&bytes_sent);
}
