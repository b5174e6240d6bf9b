/* direct.c - the transport for memory that MPI reads and writes itself. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fault.h"
#include "pieces.h"
#include "transport.h"

static MPI_Request *next_request(sk_ranks *ranks)
{
    if (ranks->count == ranks->room) {
        size_t room = 2 * ranks->room + 64;
        MPI_Request *requests = realloc(ranks->requests, room * sizeof *requests);
        if (requests == NULL)
            return NULL;
        ranks->requests = requests;
        ranks->room = room;
    }
    return &ranks->requests[ranks->count];
}

static scankit_error post(sk_ranks *ranks, sk_pieces pieces, bool sends)
{
    int other = (int)pieces.member;
    for (sk_piece_of_range piece; (piece = sk_next_piece(&pieces)).bytes > 0; ranks->count++) {
        MPI_Request *request = next_request(ranks);
        if (request == NULL)
            return SCANKIT_E_MEMORY;
        int count = (int)piece.bytes;
        if (sends) {
            TRY_MPI(MPI_Isend(piece.data, count, MPI_BYTE, other, SK_MPI_TAG, ranks->comm, request));
            sk_ranks_count(piece.bytes);
        } else {
            TRY_MPI(MPI_Irecv(piece.data, count, MPI_BYTE, other, SK_MPI_TAG, ranks->comm, request));
        }
    }
    return SCANKIT_OK;
}

/* Receives are posted first, so that no message waits for its place. Each rank begins with its neighbour. */
static scankit_error start(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                           const scankit_range *receive, size_t receives)
{
    sk_ranks *ranks = state;
    const size_t members = (size_t)ranks->members, rank = (size_t)ranks->rank;
    ranks->count = 0;
    for (size_t i = 1; i < members; i++)
        TRY(post(ranks, sk_pieces_of(receive, receives, (rank + members - i) % members, ranks->piece), false));
    for (size_t i = 1; i < members; i++)
        TRY(post(ranks, sk_pieces_of(send, sends, (rank + i) % members, ranks->piece), true));
    return sk_ranks_copy_own(ranks, context, send, sends, receive, receives);
}

static scankit_error finish(void *state, scankit_context *context)
{
    sk_ranks *ranks = state;
    size_t count = ranks->count;
    ranks->count = 0;
    for (size_t done = 0; done < count; done += INT_MAX) {
        size_t n = count - done < INT_MAX ? count - done : INT_MAX;
        TRY_MPI(MPI_Waitall((int)n, ranks->requests + done, MPI_STATUSES_IGNORE));
    }
    return scankit_synchronize(context);
}

static scankit_error exchange(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives)
{
    scankit_error started = start(state, context, send, sends, receive, receives);
    scankit_error finished = finish(state, context);
    return started != SCANKIT_OK ? started : finished;
}

const scankit_transport sk_direct_transport = {
    .allgather = sk_ranks_gather, .exchange = exchange, .close = sk_ranks_close, .start = start, .finish = finish};
