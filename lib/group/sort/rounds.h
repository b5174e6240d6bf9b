/* rounds.h - in how many rounds the members exchange and merge. */
#ifndef SK_GROUP_ROUNDS_H
#define SK_GROUP_ROUNDS_H

#include "group/common/member.h"

/* The same on all members, each with n elements of `each` bytes, and a part of out_n elements in the result. copied:
 * elements of the sorted copy that more rounds than one need. Refuses parts that take more than there is. Gathers. */
scankit_error sk_choose_rounds(sk_member *member, size_t n, size_t copied, size_t out_n, size_t each, size_t *rounds);

#endif
