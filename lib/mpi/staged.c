/* staged.c - the transport for memory that MPI cannot read: pieces go through host memory, two each way, so that a
 * message travels while the piece before it is uploaded and the next one downloaded. */
#include "fault.h"
#include "pieces.h"
#include "transport.h"

/* The messages between a rank and two others: to the one, and from the other. Piece i uses slot i % 2. */
typedef struct swap {
    const sk_ranks *ranks;
    scankit_context *context;
    int to, from;
    MPI_Request sent[2], received[2];
    sk_piece_of_range in[2];
    scankit_error error; /* of the device. A rank whose device fails still sends and receives: others wait for it. */
} swap;

static char *slot_of(const swap *s, int direction, int slot)
{
    return s->ranks->stage + (size_t)(2 * direction + slot) * s->ranks->piece;
}

static void note(swap *s, scankit_error error)
{
    s->error = s->error == SCANKIT_OK ? error : s->error;
}

static scankit_error post_receive(swap *s, int slot, sk_piece_of_range in)
{
    s->in[slot] = in;
    if (in.bytes > 0)
        TRY_MPI(MPI_Irecv(slot_of(s, 0, slot), (int)in.bytes, MPI_BYTE, s->from, SK_MPI_TAG, s->ranks->comm,
                          &s->received[slot]));
    return SCANKIT_OK;
}

static scankit_error post_send(swap *s, int slot, sk_piece_of_range out)
{
    TRY_MPI(MPI_Wait(&s->sent[slot], MPI_STATUS_IGNORE));
    if (out.bytes == 0)
        return SCANKIT_OK;
    note(s, scankit_download(s->context, slot_of(s, 1, slot), out.data, out.bytes));
    TRY_MPI(
        MPI_Isend(slot_of(s, 1, slot), (int)out.bytes, MPI_BYTE, s->to, SK_MPI_TAG, s->ranks->comm, &s->sent[slot]));
    sk_ranks_count(out.bytes);
    return SCANKIT_OK;
}

static scankit_error end_receive(swap *s, int slot)
{
    TRY_MPI(MPI_Wait(&s->received[slot], MPI_STATUS_IGNORE));
    if (s->in[slot].bytes > 0)
        note(s, scankit_upload(s->context, s->in[slot].data, slot_of(s, 0, slot), s->in[slot].bytes));
    s->in[slot].bytes = 0;
    return SCANKIT_OK;
}

/* In step i, message i is under way while piece i - 1 is uploaded. A rank waits only for messages of earlier steps, so
 * no two wait for each other. */
static scankit_error run(swap *s, sk_pieces outs, sk_pieces ins)
{
    for (int slot = 0;; slot = 1 - slot) {
        sk_piece_of_range out = sk_next_piece(&outs), in = sk_next_piece(&ins);
        TRY(post_receive(s, slot, in));
        TRY(post_send(s, slot, out));
        TRY(end_receive(s, 1 - slot));
        if (out.bytes == 0 && in.bytes == 0)
            break;
    }
    TRY_MPI(MPI_Waitall(2, s->sent, MPI_STATUSES_IGNORE));
    return SCANKIT_OK;
}

static scankit_error exchange(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives)
{
    const sk_ranks *ranks = state;
    const size_t members = (size_t)ranks->members, rank = (size_t)ranks->rank;
    scankit_error error = sk_ranks_copy_own(ranks, context, send, sends, receive, receives);
    for (size_t i = 1; i < members; i++) {
        const size_t to = (rank + i) % members, from = (rank + members - i) % members;
        swap s = {.ranks = ranks,
                  .context = context,
                  .to = (int)to,
                  .from = (int)from,
                  .sent = {MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                  .received = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
        TRY(run(&s, sk_pieces_of(send, sends, to, ranks->piece), sk_pieces_of(receive, receives, from, ranks->piece)));
        error = error == SCANKIT_OK ? s.error : error;
    }
    return error != SCANKIT_OK ? error : scankit_synchronize(context);
}

const scankit_transport sk_staged_transport = {
    .allgather = sk_ranks_gather, .exchange = exchange, .close = sk_ranks_close};
