/* order_of.h - what a sort or a merge orders by: elements of a type with options, or records with keys. */
#ifndef SK_GROUP_ORDER_OF_H
#define SK_GROUP_ORDER_OF_H

#include "cuts.h"

typedef struct sk_order {
    scankit_type type; /* of plain elements, where record_size is 0 */
    const scankit_sort_options *options;
    size_t record_size;
    const scankit_key *keys;
    size_t key_count;
} sk_order;

/* The same for comparisons in host memory. The key is made for plain elements, and must last as long as the ordering.
 * False, with a reason, if there is no such order. */
bool sk_ordering_of(const sk_order *order, scankit_key *key, sk_ordering *ordering, const char **wrong);

#endif
