/* slices.h - exchanges of elements: which elements go where. */
#ifndef SK_GROUP_SLICES_H
#define SK_GROUP_SLICES_H

#include "member.h"

/* n elements from `begin` on, to or from a member. */
typedef struct sk_slice {
    size_t member, begin, n;
} sk_slice;

/* An array that is exchanged: elements of `size` bytes, of `from` at the sender, to `to` at the receiver. */
typedef struct sk_column {
    size_t size;
    const void *from;
    void *to;
} sk_column;

/* Slices of each column go and come. For each pair of members they match in their order. */
scankit_error sk_exchange_slices(sk_member *member, const sk_slice *send, size_t sends, const sk_slice *receive,
                                 size_t receives, const sk_column *columns, size_t column_count);

/* The same, to be finished by sk_finish_exchange(). */
scankit_error sk_start_slices(sk_member *member, const sk_slice *send, size_t sends, const sk_slice *receive,
                              size_t receives, const sk_column *columns, size_t column_count);

#endif
