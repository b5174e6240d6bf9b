/* cuts.h - exact splitters: where the parts of a merged result begin in the sorted lists of all members. */
#ifndef SK_GROUP_CUTS_H
#define SK_GROUP_CUTS_H

#include "group/common/slices.h"

/* How elements are ordered, for comparisons in host memory. */
typedef struct sk_ordering {
    size_t size; /* bytes of an element */
    const scankit_key *keys;
    size_t key_count;
    uint64_t mask; /* of unsigned elements of at most 8 bytes: the bits that count; 0: the keys decide */
    uint64_t flip; /* bits to invert before: the sign */
} sk_ordering;

#define SK_LISTS_MAX 2

/* A member's sorted lists. */
typedef struct sk_lists {
    size_t count;
    const char *data[SK_LISTS_MAX]; /* device memory */
    size_t n[SK_LISTS_MAX];
} sk_lists;

/* Row p is the splitter of rank begins[p]: that many elements, in the merged order of all lists, are in front of it.
 * Equal elements are ordered by list, then by member, then by place. Rows 0 to `members`. */
typedef struct sk_cuts {
    size_t members, lists;
    size_t *at;
} sk_cuts;

/* The number of elements of a member's list in front of splitter `row`. */
static inline size_t *sk_cut(const sk_cuts *cuts, size_t row, size_t list, size_t member)
{
    return &cuts->at[(row * cuts->lists + list) * cuts->members + member];
}

/* Finds the cuts for result parts that begin at begins[0] = 0, ..., begins[members], which must not pass the number of
 * all elements. free() cuts->at in any case. Gathers and exchanges. */
scankit_error sk_find_cuts(sk_member *member, const sk_ordering *ordering, const sk_lists *lists, const size_t *begins,
                           sk_cuts *cuts);

/* What goes to each member, and comes from each, of one list: `members` slices each. Received slices lie one after the
 * other. Returns the number of elements that come. */
size_t sk_slices_of_cuts(const sk_member *member, const sk_cuts *cuts, size_t list, sk_slice *send, sk_slice *receive);

#endif
