/* transport.c - see transport.h. Between two ranks, messages arrive in the order in which they were sent, so all have
 * one tag. */
#include "transport.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

#define TAG 1
#define MESSAGE_BYTES ((size_t)1 << 30) /* an int counts them */
#define STAGE_BYTES ((size_t)64 << 20)

#define TRY_MPI(call)                \
    do {                             \
        if ((call) != MPI_SUCCESS)   \
            return SCANKIT_E_DEVICE; \
    } while (0)

#define TRY(call)                      \
    do {                               \
        scankit_error result = (call); \
        if (result != SCANKIT_OK)      \
            return result;             \
    } while (0)

/* ---- opening and closing ---- */

void sk_ranks_close(void *state)
{
    sk_ranks *ranks = state;
    if (ranks->comm != MPI_COMM_NULL)
        MPI_Comm_free(&ranks->comm);
    free(ranks->requests);
    free(ranks->stage);
    free(ranks);
}

sk_ranks *sk_ranks_open(MPI_Comm comm, int staged)
{
    sk_ranks *ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return NULL;
    ranks->comm = MPI_COMM_NULL;
    bool good = MPI_Comm_dup(comm, &ranks->comm) == MPI_SUCCESS &&
                MPI_Comm_set_errhandler(ranks->comm, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
                MPI_Comm_rank(ranks->comm, &ranks->rank) == MPI_SUCCESS &&
                MPI_Comm_size(ranks->comm, &ranks->members) == MPI_SUCCESS;
    if (good && staged)
        good = (ranks->stage = malloc(2 * STAGE_BYTES)) != NULL;
    if (good)
        return ranks;
    sk_ranks_close(ranks);
    return NULL;
}

/* ---- gathering ---- */

/* A large array goes in pieces of each rank, through `piece`. */
static scankit_error gather_pieces(const sk_ranks *ranks, const char *mine, char *all, size_t bytes, char *piece)
{
    for (size_t done = 0; done < bytes; done += STAGE_BYTES) {
        size_t n = bytes - done < STAGE_BYTES ? bytes - done : STAGE_BYTES;
        TRY_MPI(MPI_Allgather(mine + done, (int)n, MPI_BYTE, piece, (int)n, MPI_BYTE, ranks->comm));
        for (size_t m = 0; m < (size_t)ranks->members; m++)
            memcpy(all + m * bytes + done, piece + m * n, n);
    }
    return SCANKIT_OK;
}

static scankit_error allgather(void *state, const void *mine, void *all, size_t bytes)
{
    const sk_ranks *ranks = state;
    if (bytes <= MESSAGE_BYTES) {
        TRY_MPI(MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, ranks->comm));
        return SCANKIT_OK;
    }
    char *piece = malloc((size_t)ranks->members * STAGE_BYTES);
    if (piece == NULL)
        return SCANKIT_E_MEMORY;
    scankit_error error = gather_pieces(ranks, mine, all, bytes, piece);
    free(piece);
    return error;
}

/* ---- a rank's own ranges ---- */

static scankit_error copy_own(const sk_ranks *ranks, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives)
{
    sk_pieces from = sk_pieces_of(send, sends, (size_t)ranks->rank, SIZE_MAX);
    sk_pieces to = sk_pieces_of(receive, receives, (size_t)ranks->rank, SIZE_MAX);
    for (;;) {
        sk_piece_of_range source = sk_next_piece(&from), target = sk_next_piece(&to);
        if (source.bytes != target.bytes)
            return SCANKIT_E_ARGUMENT;
        if (source.bytes == 0)
            return SCANKIT_OK;
        TRY(scankit_copy(context, target.data, source.data, source.bytes));
    }
}

/* ---- directly ---- */

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
        TRY_MPI(sends ? MPI_Isend(piece.data, count, MPI_BYTE, other, TAG, ranks->comm, request)
                      : MPI_Irecv(piece.data, count, MPI_BYTE, other, TAG, ranks->comm, request));
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
        TRY(post(ranks, sk_pieces_of(receive, receives, (rank + members - i) % members, MESSAGE_BYTES), false));
    for (size_t i = 1; i < members; i++)
        TRY(post(ranks, sk_pieces_of(send, sends, (rank + i) % members, MESSAGE_BYTES), true));
    return copy_own(ranks, context, send, sends, receive, receives);
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
    .allgather = allgather, .exchange = exchange, .close = sk_ranks_close, .start = start, .finish = finish};

/* ---- through the stage ---- */

/* One piece to a rank and one from another, each of no bytes where there is none. */
static scankit_error swap(const sk_ranks *ranks, scankit_context *context, int to, sk_piece_of_range out, int from,
                          sk_piece_of_range in)
{
    char *sent = ranks->stage, *received = ranks->stage + STAGE_BYTES;
    MPI_Request requests[2];
    int count = 0;
    if (in.bytes > 0)
        TRY_MPI(MPI_Irecv(received, (int)in.bytes, MPI_BYTE, from, TAG, ranks->comm, &requests[count++]));
    scankit_error error = out.bytes == 0 ? SCANKIT_OK : scankit_download(context, sent, out.data, out.bytes);
    if (out.bytes > 0)
        TRY_MPI(MPI_Isend(sent, (int)out.bytes, MPI_BYTE, to, TAG, ranks->comm, &requests[count++]));
    TRY_MPI(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
    TRY(error);
    return in.bytes == 0 ? SCANKIT_OK : scankit_upload(context, in.data, received, in.bytes);
}

static scankit_error exchange_staged(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                                     const scankit_range *receive, size_t receives)
{
    sk_ranks *ranks = state;
    const size_t members = (size_t)ranks->members, rank = (size_t)ranks->rank;
    scankit_error error = copy_own(ranks, context, send, sends, receive, receives);
    for (size_t i = 1; i < members; i++) {
        const size_t to = (rank + i) % members, from = (rank + members - i) % members;
        sk_pieces outs = sk_pieces_of(send, sends, to, STAGE_BYTES);
        sk_pieces ins = sk_pieces_of(receive, receives, from, STAGE_BYTES);
        for (;;) {
            sk_piece_of_range out = sk_next_piece(&outs), in = sk_next_piece(&ins);
            if (out.bytes == 0 && in.bytes == 0)
                break;
            /* A rank whose device fails still sends and receives: others wait for it. */
            scankit_error swapped = swap(ranks, context, (int)to, out, (int)from, in);
            error = error == SCANKIT_OK ? swapped : error;
        }
    }
    return error != SCANKIT_OK ? error : scankit_synchronize(context);
}

const scankit_transport sk_staged_transport = {
    .allgather = allgather, .exchange = exchange_staged, .close = sk_ranks_close};
