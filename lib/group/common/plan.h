/* plan.h - a result that consists of stretches of the members' arrays, and is divided into parts. */
#ifndef SK_GROUP_PLAN_H
#define SK_GROUP_PLAN_H

#include "slices.h"

/* A stretch of the result that comes from one member, who has it at `at`. */
typedef struct sk_stretch {
    size_t owner, at, begin, n; /* begin: its place in the result */
} sk_stretch;

typedef struct sk_plan {
    sk_stretch *stretches; /* in order */
    size_t count;
    size_t *begins; /* of the result's parts, members + 1 */
} sk_plan;

/* Room for the plan of a result in parts of out_n elements. Gathers. Close it in any case. */
scankit_error sk_open_plan(sk_member *member, sk_plan *p, size_t stretches, size_t out_n);
void sk_close_plan(sk_plan *p);

/* Appends a stretch. */
void sk_add_stretch(sk_plan *p, size_t owner, size_t at, size_t n);

/* Refuses parts that take more than there is. */
scankit_error sk_check_parts(sk_member *member, const sk_plan *p);

/* Sends and receives. */
scankit_error sk_follow_plan(sk_member *member, const sk_plan *p, const sk_column *column);

#endif
