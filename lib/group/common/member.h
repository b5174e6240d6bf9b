/* member.h - one member of a group, and what members do together.
 *
 * The primitives are written from the view of one member: local work on its context, and collectives, which all members
 * call in the same order. A member may return an error at any place. Its next collective, at the latest the one at the
 * end, then fails on all members. */
#ifndef SK_GROUP_MEMBER_H
#define SK_GROUP_MEMBER_H

#include "internal.h"
#include "scankit_group.h"

#define SK_HEADER_BYTES 192
#define SK_MEMBER_DETAIL 256

typedef struct sk_member {
    scankit_context *context;
    const scankit_transport *transport;
    void *state; /* of the transport */
    size_t rank, members;
    size_t local;       /* the index of its entries in the caller's arrays */
    char *headers;      /* the first messages of a collective, SK_HEADER_BYTES of each member */
    bool exchanging;    /* from a start to its finish */
    size_t round_bytes; /* scankit_group_set_memory() */
    /* A collective has failed on all members. No other may follow in this call. */
    bool failed;
    char detail[SK_MEMBER_DETAIL]; /* about that failure, the same on all members */
} sk_member;

/* all[m] = member m's `bytes` bytes. Host memory. */
scankit_error sk_gather(sk_member *member, const void *mine, void *all, size_t bytes);

/* Waits for all members. If one comes with an error, returns that error on all of them. */
scankit_error sk_agree(sk_member *member, scankit_error error);

/* The transport's exchange. Waits for the context's work before it. If the transport cannot do it in two halves, the
 * start does all. An exchange that is under way when a call ends is finished then. */
scankit_error sk_start_exchange(sk_member *member, const scankit_range *send, size_t sends,
                                const scankit_range *receive, size_t receives);
scankit_error sk_finish_exchange(sk_member *member);

/* Both at once. */
scankit_error sk_exchange(sk_member *member, const scankit_range *send, size_t sends, const scankit_range *receive,
                          size_t receives);

/* A refusal by this member. */
scankit_error sk_member_refuse(sk_member *member, const char *reason);

#define SK_MEMBER_REQUIRE(condition, reason)         \
    do {                                             \
        if (!(condition))                            \
            return sk_member_refuse(member, reason); \
    } while (0)

/* Host memory for n elements of `size` bytes, at least one byte; NULL if there is none. */
void *sk_host_array(size_t n, size_t size);

/* begins[m] = the number of elements of all members below m, for m up to the number of members. Gathers. */
scankit_error sk_gather_begins(sk_member *member, size_t n, size_t *begins);

/* The number of elements before a member's part, and of all members. Gathers. */
typedef struct sk_place {
    size_t before, all;
} sk_place;
scankit_error sk_find_place(sk_member *member, size_t n, sk_place *place);

/* ---- group.c ---- */

/* A primitive's work on one member; `call` holds the caller's arguments. */
typedef scankit_error sk_member_work(sk_member *member, const void *call);

/* Runs it on all local members, each in a thread of its own, and ends the public function of that name. */
scankit_error sk_run(scankit_group *group, const char *function, sk_member_work *work, const void *call);

/* The entry of a member in an array of the caller's, or NULL. */
#define SK_PART(array, member) ((array) == NULL ? NULL : (array)[(member)->local])

#endif
