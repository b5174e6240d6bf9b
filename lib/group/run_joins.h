/* run_joins.h - runs that cross parts. Such a run belongs to the member where it begins; the members behind it leave
 * its elements out. */
#ifndef SK_GROUP_RUN_JOINS_H
#define SK_GROUP_RUN_JOINS_H

#include "group/common/fold.h"
#include "group/common/member.h"

/* What a member has of a run that began before its part. */
typedef struct sk_run_share {
    size_t n;                   /* of the part */
    size_t skip;                /* its first elements, if they belong to a run from before; else 0 */
    char total[SK_ELEMENT_MAX]; /* the reduction of their values, if there are any */
} sk_run_share;

/* The part's elements: their size, and which of their bytes count. */
typedef struct sk_run_part {
    size_t element_size, n;
    const char *in;
    const scankit_run_options *options;
} sk_run_part;

/* *skip = the number of the part's first elements that belong to a run from before. Gathers. */
scankit_error sk_find_run_from_before(sk_member *member, const sk_run_part *part, size_t *skip);

/* shares[m] = member m's; the caller frees them. Gathers. */
scankit_error sk_gather_run_shares(sk_member *member, const sk_run_share *mine, sk_run_share **shares);

/* The last run of this member goes on over shares[m] of these members: from `rank` + 1 up to, not including, the
 * returned one. */
size_t sk_end_of_run(const sk_member *member, const sk_run_share *shares);

#endif
