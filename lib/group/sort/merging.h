/* merging.h - the second half of a sort, and all of a merge: cut sorted lists, exchange, merge; in rounds, of which
 * each has a range of every part of the result. The exchange of a round goes on beside the merge of the round before.
 */
#ifndef SK_GROUP_MERGING_H
#define SK_GROUP_MERGING_H

#include "order_of.h"

/* Keys or records, and the values beside them, if they have a size. */
typedef struct sk_sorted {
    const void *keys, *values;
    size_t n;
} sk_sorted;

typedef struct sk_merging {
    sk_order order;
    sk_ordering ordering;
    size_t value_size;
    size_t list_count;
    sk_sorted lists[SK_LISTS_MAX];
    size_t rounds;  /* if more than one, no output may be an input */
    bool stays;     /* of one list: it is no output, and the member's own piece is merged from there */
    void *received; /* an array for the keys of one round; NULL: workspace */
    size_t out_n;
    void *out_keys, *out_values;
} sk_merging;

scankit_error sk_merge_lists(sk_member *member, const sk_merging *merging);

#endif
