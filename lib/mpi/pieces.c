/* pieces.c - see pieces.h. */
#include "pieces.h"

sk_pieces sk_pieces_of(const scankit_range *range, size_t count, size_t member, size_t most)
{
    return (sk_pieces){range, count, 0, 0, member, most};
}

sk_piece_of_range sk_next_piece(sk_pieces *pieces)
{
    while (pieces->next < pieces->count) {
        const scankit_range *range = &pieces->range[pieces->next];
        size_t left = range->bytes - pieces->done;
        if (range->member == pieces->member && left > 0) {
            size_t bytes = left < pieces->most ? left : pieces->most;
            sk_piece_of_range piece = {(char *)range->data + pieces->done, bytes};
            pieces->done += bytes;
            return piece;
        }
        pieces->next++;
        pieces->done = 0;
    }
    return (sk_piece_of_range){NULL, 0};
}
