/* staged.h - an output of a tile, which a thread writes from its beginning to its end. Until its place is known, it is
 * staged in the second cache; then that is written, and what follows flows out through the first cache (outflow.h),
 * which is faster.
 *
 * What a block adds lies in a slot of its own. Slots are as far apart as blocks are, so all have the same distance from
 * the elements that are read meanwhile: see sk_outflow_apart(). */
#ifndef SK_STAGED_H
#define SK_STAGED_H

#include "outflow.h"

#define SK_SLOTS_MOST ((size_t)64)

typedef struct sk_staged {
    sk_outflow flow;             /* once placed; its stage is NULL where nothing is wanted */
    char *stage;                 /* of the flow; NULL where nothing is wanted */
    char *slots;                 /* SK_OUTFLOW_LINE bytes before the first are its own */
    size_t pitch;                /* from a slot to the next */
    size_t filled;               /* slots */
    size_t bytes[SK_SLOTS_MOST]; /* of each */
    bool placed;
} sk_staged;

#define SK_STAGE_STREAMED ((size_t)512 << 10) /* of all outputs of a tile, at most, where these leave the caches, */
#define SK_STAGE_CACHED ((size_t)128 << 10)   /* and where they do not */
#define SK_TILES_EACH ((size_t)4)             /* tiles of a thread, at least, if there are as many blocks */

/* Blocks of a tile, of n elements in blocks of `block`. held: bytes that are staged for an element. */
static inline size_t sk_slots_of(size_t n, size_t block, size_t held, int team, bool around_caches)
{
    size_t stage = around_caches ? SK_STAGE_STREAMED : SK_STAGE_CACHED;
    size_t most = held > 0 ? sk_min(SK_SLOTS_MOST, stage / (block * held)) : SK_SLOTS_MOST;
    size_t slots = sk_min(most, n / (block * SK_TILES_EACH * (size_t)team));
    return slots > 0 ? slots : 1;
}

/* Memory for an output of blocks that each add up to `most` bytes, in that many slots at most. */
static inline size_t sk_staged_room(size_t slots, size_t most)
{
    size_t bytes = SK_OUTFLOW_PAGE + sk_outflow_bytes(most);
    return slots == 0 ? bytes : bytes + SK_OUTFLOW_PAGE + SK_OUTFLOW_LINE + sk_outflow_bytes(slots * most);
}

/* Of a tile whose elements begin at `in`. memory: NULL where nothing is wanted. */
static inline void sk_staged_open(sk_staged *staged, const void *in, size_t slots, size_t most, char *memory)
{
    staged->flow = (sk_outflow){0};
    staged->stage = staged->slots = NULL;
    staged->pitch = most;
    staged->filled = 0;
    staged->placed = false;
    if (memory == NULL)
        return;
    staged->stage = sk_outflow_apart(in, SK_OUTFLOW_APART, memory);
    if (slots > 0)
        staged->slots =
            sk_outflow_apart(in, SK_OUTFLOW_APART, memory + SK_OUTFLOW_PAGE + sk_outflow_bytes(most) + SK_OUTFLOW_LINE);
}

/* Where a block's output goes; NULL where nothing is wanted. */
static inline char *sk_staged_at(const sk_staged *staged)
{
    if (staged->placed || staged->stage == NULL)
        return sk_outflow_at(&staged->flow);
    return staged->slots + staged->filled * staged->pitch;
}

static inline void sk_staged_add(sk_staged *staged, const sk_kernels *kernels, size_t bytes, bool around_caches)
{
    if (staged->stage == NULL)
        return;
    if (staged->placed)
        sk_outflow_add(&staged->flow, kernels, bytes, around_caches);
    else
        staged->bytes[staged->filled++] = bytes;
}

/* Writes the lines that a slot completes. What is left of it moves in front of the next slot; returns its bytes. */
static inline size_t sk_staged_stream(char **to, char *slot, size_t before, size_t bytes, char *next,
                                      const sk_kernels *kernels)
{
    char *from = slot - before, line[SK_OUTFLOW_LINE];
    bytes += before;
    size_t beyond = ((uintptr_t)*to + bytes) & (SK_OUTFLOW_LINE - 1), whole = bytes > beyond ? bytes - beyond : 0;
    kernels->compress->stream_part(*to, from, whole);
    *to += whole;
    memcpy(line, from + bytes - sizeof line, sizeof line);
    memcpy(next - sizeof line, line, sizeof line);
    return bytes - whole;
}

/* The output goes to `to`, of which the first `there` slots lie there already. */
static inline void sk_staged_place(sk_staged *staged, char *to, size_t there, const sk_kernels *kernels,
                                   bool around_caches)
{
    size_t rest = 0;
    char *slot = staged->slots;
    if (staged->stage == NULL)
        return;
    for (size_t i = 0; i < staged->filled; i++, slot += staged->pitch)
        if (i >= there && around_caches) {
            rest = sk_staged_stream(&to, slot, rest, staged->bytes[i], slot + staged->pitch, kernels);
        } else {
            if (i >= there)
                memcpy(to, slot, staged->bytes[i]);
            to += staged->bytes[i];
        }
    staged->flow = sk_outflow_to(to, staged->stage);
    if (rest > 0)
        memcpy(sk_outflow_at(&staged->flow), slot - rest, rest);
    staged->flow.end += rest;
    staged->placed = true;
}

#endif
