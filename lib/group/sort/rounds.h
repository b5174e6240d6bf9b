/* rounds.h - in how many rounds the members exchange and merge, and whether they have plenty of memory. */
#ifndef SK_GROUP_ROUNDS_H
#define SK_GROUP_ROUNDS_H

#include "group/common/member.h"

/* What a member knows of its own. */
typedef struct sk_room {
    size_t n, out_n;  /* of the input, and of its part of the result */
    size_t each;      /* bytes of an element, values included */
    size_t copied;    /* elements of a sorted copy */
    size_t sort_each; /* bytes of workspace that the fastest sort takes for each of these */
} sk_room;

typedef struct sk_rounds {
    size_t count;
    bool roomy; /* all members are GPUs with memory for sorted copies, their sorts and what the rounds receive */
} sk_rounds;

/* The same on all members. Refuses parts that take more than there is. Gathers. */
scankit_error sk_choose_rounds(sk_member *member, const sk_room *room, sk_rounds *rounds);

#endif
