/* group.h - a group: its members of this process, and the threads that run them. */
#ifndef SK_GROUP_H
#define SK_GROUP_H

#include "crew.h"
#include "member.h"

#define SK_MEMBERS_MAX 256 /* of one process */

struct scankit_group {
    size_t members, rank, local;
    sk_member *member;       /* the local ones */
    char *headers;           /* of all local members */
    scankit_context **owned; /* the contexts to close with the group, or NULL */
    sk_crew *crew;           /* NULL for one local member */
    char detail[384];
};

/* ---- in_process.c: members of one process ---- */

extern const scankit_transport sk_in_process;

/* States for `members` members, one each; all or none. SCANKIT_E_MEMORY. */
scankit_error sk_in_process_open(size_t members, void **states);

#endif
