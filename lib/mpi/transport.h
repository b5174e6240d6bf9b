/* transport.h - the transports of a group over MPI. Between two ranks, messages arrive in the order in which they were
 * sent, so all have one tag. */
#ifndef SK_MPI_TRANSPORT_H
#define SK_MPI_TRANSPORT_H

#include "nccl_library.h"
#include "scankit_mpi.h"

#define SK_MPI_TAG 1

/* The state of a rank. */
typedef struct sk_ranks {
    MPI_Comm comm;
    int rank, members;
    size_t piece;          /* bytes of a message at most, the same on all ranks */
    MPI_Request *requests; /* under way */
    size_t count, room;
    char *stage;              /* four pieces of host memory, for memory that MPI cannot read; or NULL */
    scankit_context *context; /* which has pinned the stage; or NULL */
    const sk_nccl *nccl;      /* NULL: another transport */
    sk_nccl_comm *nccl_comm;
} sk_ranks;

/* ---- ranks.c ---- */

/* Duplicates the communicator. */
scankit_error sk_ranks_open(sk_ranks **ranks, MPI_Comm comm);
void sk_ranks_close(void *state);

/* Makes a stage unless MPI reads the context's memory itself. SCANKIT_MPI_STAGE=BYTES in the environment makes one of
 * pieces of that size in any case. */
scankit_error sk_ranks_prepare(sk_ranks *ranks, scankit_context *context, int direct);

/* The greatest error of all ranks. */
scankit_error sk_ranks_agree(const sk_ranks *ranks, scankit_error error);

/* The least size of all ranks: a message is cut in the same way at both ends. */
scankit_error sk_ranks_agree_on_pieces(sk_ranks *ranks);

/* Of scankit_transport. */
scankit_error sk_ranks_gather(void *state, const void *mine, void *all, size_t bytes);
scankit_error sk_ranks_copy_own(const sk_ranks *ranks, scankit_context *context, const scankit_range *send,
                                size_t sends, const scankit_range *receive, size_t receives);

/* Counts bytes for scankit_mpi_bytes_sent(). */
void sk_ranks_count(size_t bytes);

/* ---- direct.c: MPI reads and writes the memory itself ---- */

extern const scankit_transport sk_direct_transport;

/* ---- nccl.c: NCCL reads and writes it ---- */

/* Collective. Sets ranks->nccl if all ranks have GPUs and NCCL, and it accepts them. */
scankit_error sk_ranks_open_nccl(sk_ranks *ranks, scankit_context *context);
void sk_ranks_close_nccl(sk_ranks *ranks);

extern const scankit_transport sk_nccl_transport;

/* ---- staged.c: through host memory ---- */

extern const scankit_transport sk_staged_transport;

#endif
