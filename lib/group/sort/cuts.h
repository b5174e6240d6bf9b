/* cuts.h - exact splitters: where the parts of a merged result begin in the sorted lists of all members. */
#ifndef SK_GROUP_CUTS_H
#define SK_GROUP_CUTS_H

#include <string.h>

#include "group/common/slices.h"

/* How elements are ordered, for comparisons in host memory. */
typedef struct sk_ordering {
    size_t size; /* bytes of an element */
    const scankit_key *keys;
    size_t key_count;
    uint64_t mask; /* of unsigned elements of at most 8 bytes: the bits that count; 0: the keys decide */
    uint64_t flip; /* bits to invert before: the sign */
} sk_ordering;

/* What decides of an element, if there is a mask. */
static inline uint64_t sk_masked(const sk_ordering *ordering, const char *element)
{
    uint64_t value = 0;
    memcpy(&value, element, ordering->size);
    return (value ^ ordering->flip) & ordering->mask;
}

#define SK_LISTS_MAX 2

/* A member's sorted lists. */
typedef struct sk_lists {
    size_t count;
    const char *data[SK_LISTS_MAX]; /* device memory */
    size_t n[SK_LISTS_MAX];
} sk_lists;

/* Where the parts of a merged result, and the rounds of each part, begin in the lists. Row m * rounds + r is where
 * round r of member m's part begins; the row after the last is where the result ends. Equal elements are ordered by
 * list, then by member, then by place. */
typedef struct sk_cuts {
    size_t members, lists, rounds;
    size_t *at;
} sk_cuts;

static inline size_t sk_cut_rows(const sk_cuts *cuts)
{
    return cuts->members * cuts->rounds + 1;
}

/* The number of elements of a member's list in front of a row. */
static inline size_t *sk_cut(const sk_cuts *cuts, size_t row, size_t list, size_t member)
{
    return &cuts->at[(row * cuts->lists + list) * cuts->members + member];
}

/* Finds the cuts. begins[row] is the number of all elements in front of it: begins[0] = 0, and the last one is at most
 * the number of all elements. free() cuts->at in any case. Gathers and exchanges. */
scankit_error sk_find_cuts(sk_member *member, const sk_ordering *ordering, const sk_lists *lists, const size_t *begins,
                           size_t rounds, sk_cuts *cuts);

/* What goes to each member, and comes from each, in a round, of one list: `members` slices each. Received slices lie
 * one after the other. Returns the number of elements that come. */
size_t sk_slices_of_cuts(const sk_member *member, const sk_cuts *cuts, size_t round, size_t list, sk_slice *send,
                         sk_slice *receive);

#endif
