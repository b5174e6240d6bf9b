/* pieces.h - ranges to or from another rank, in pieces that one message carries. */
#ifndef SK_MPI_PIECES_H
#define SK_MPI_PIECES_H

#include "scankit_mpi.h"

/* Walks over the ranges to or from one member, in their order. */
typedef struct sk_pieces {
    const scankit_range *range;
    size_t count, next, done; /* the next range, and the bytes of it that were taken */
    size_t member, most;      /* bytes of a piece */
} sk_pieces;

typedef struct sk_piece_of_range {
    char *data;
    size_t bytes;
} sk_piece_of_range;

sk_pieces sk_pieces_of(const scankit_range *range, size_t count, size_t member, size_t most);

/* The next piece; of no bytes at the end. */
sk_piece_of_range sk_next_piece(sk_pieces *pieces);

#endif
