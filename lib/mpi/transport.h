/* transport.h - the transport of a group over MPI. */
#ifndef SK_MPI_TRANSPORT_H
#define SK_MPI_TRANSPORT_H

#include "scankit_mpi.h"

/* The state of a rank. */
typedef struct sk_ranks {
    MPI_Comm comm;
    int rank, members;
    MPI_Request *requests; /* under way */
    size_t count, room;
    char *stage; /* two buffers of host memory, for memory that MPI cannot read; or NULL */
} sk_ranks;

/* MPI reads and writes the memory itself; and through the stage. */
extern const scankit_transport sk_direct_transport, sk_staged_transport;

/* Duplicates the communicator. staged: with a stage. NULL: MPI failed, or there is no memory. */
sk_ranks *sk_ranks_open(MPI_Comm comm, int staged);
void sk_ranks_close(void *state);

#endif
