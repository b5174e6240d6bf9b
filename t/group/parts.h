/* parts.h - arrays over the members of a group, for tests: uploaded in parts of drawn lengths, with guards behind each
 * part, and compared as a whole with what one context computes. */
#ifndef PARTS_H
#define PARTS_H

#include <stdbool.h>

#include "scankit_group.h"
#include "support/data.h"

#define PARTS_MAX 16 /* members */

/* How an array is divided: X(enumerator, name). */
#define PARTS_WAYS(X)                                          \
    X(EVEN, "even")                                            \
    X(RANDOM, "random") /* any lengths, some of them 0 */      \
    X(FIRST, "first")   /* all elements at the first one */    \
    X(LAST, "last")                                            \
    X(ENDS, "ends")       /* half at each end, none between */ \
    X(SINGLE, "one each") /* and the rest in the middle */

typedef enum parts_way {
#define X(enumerator, name) PARTS_##enumerator,
    PARTS_WAYS(X)
#undef X
        PARTS_WAY_COUNT
} parts_way;

const char *parts_way_name(parts_way way);

/* Lengths of all members that add up to n; lengths gets what the local members have. Every process draws the same. */
void parts_divide(size_t *lengths, const scankit_group *group, size_t n, parts_way way, random_state *random);

/* An array in parts: local member i's data[i] has room for room[i] elements of `size` bytes. */
typedef struct parts {
    scankit_group *group;
    size_t size, room[PARTS_MAX];
    size_t before; /* elements of the members before the local ones */
    void *data[PARTS_MAX];
} parts;

/* Parts of these lengths, with the elements of host, or any bytes if host is NULL. `lead`: bytes between the start of
 * the memory and the data. */
void parts_put(parts *p, scankit_group *group, const void *host, size_t size, const size_t *lengths, size_t lead);
void parts_free(parts *p);

/* Fails the current case unless the first lengths[i] elements of all parts together are `expected`, and the guards are
 * whole. */
void parts_expect(const parts *p, const size_t *lengths, const void *expected, size_t n, const char *what);

/* Runs the test on groups of 1 to 8 CPU members, and on groups of GPUs where there are some; in a program with
 * t/mpi/each_group.c, on the group of all ranks. A test line that is skipped says so. Returns the program's exit
 * status.
 */
int parts_each_group(void (*test)(scankit_group *group, const char *name));

/* The number of elements of the members before the local ones. Collective. */
size_t parts_before(scankit_group *group, const size_t *lengths);

/* A context of the CPU, for what is expected. Opened once. */
scankit_context *parts_alone(void);

/* Fails the current case unless the call returned SCANKIT_OK. */
bool parts_did(scankit_group *group, scankit_error error, const char *call);
#define PARTS_DID(group, call) parts_did((group), (call), #call)

#endif
