/* outflow.h - an output that one thread writes from its beginning to its end, by way of a stage in the first cache:
 * only whole lines go around the caches, and they go soon, so that reads and writes overlap. */
#ifndef SK_OUTFLOW_H
#define SK_OUTFLOW_H

#include "cpu.h"

#define SK_OUTFLOW_LINE ((size_t)64)
#define SK_OUTFLOW_PAGE ((size_t)4 << 10)
#define SK_OUTFLOW_APART ((size_t)1536) /* the distance of stages: see sk_outflow_apart() */

/* Bytes of a stage, of which up to `most` are added at a time. */
static inline size_t sk_outflow_bytes(size_t most)
{
    return ((most + SK_COMPRESS_SLACK + 63) & ~(size_t)63) + SK_OUTFLOW_LINE;
}

/* Elements are read while outputs are stored to stages, and it matters how far apart these addresses are modulo 4 KiB.
 * Half of 2^25 u32 compacted on a Zen 4, billions a second, where a block's stage begins 0, 512, 1024, ... 3584 bytes
 * behind the block: 6.2, 6.4, 5.9, 6.2, 5.1, 4.9, 4.6, 3.2. Other predicates differ as much.
 *
 * The first line from `memory` on that lies so far behind the elements modulo 4 KiB; at most SK_OUTFLOW_PAGE bytes
 * further on. */
static inline char *sk_outflow_apart(const void *in, size_t distance, char *memory)
{
    return memory + (((uintptr_t)in + distance - (uintptr_t)memory) & (SK_OUTFLOW_PAGE - SK_OUTFLOW_LINE));
}

typedef struct sk_outflow {
    char *stage;       /* aligned to a line; NULL where nothing is wanted */
    char *line;        /* where the stage goes */
    size_t begin, end; /* bytes of the stage that hold output; begin is 0 after the first line */
} sk_outflow;

static inline sk_outflow sk_outflow_to(void *out, void *stage)
{
    size_t begin = (uintptr_t)out & (SK_OUTFLOW_LINE - 1);
    if (out == NULL) /* C does not define NULL - 0 */
        return (sk_outflow){0};
    return (sk_outflow){.stage = stage, .line = (char *)out - begin, .begin = begin, .end = begin};
}

/* Where the next output goes; NULL where nothing is wanted. */
static inline char *sk_outflow_at(const sk_outflow *flow)
{
    return flow->stage != NULL ? flow->stage + flow->end : NULL;
}

/* Writes the whole lines of the stage, to which bytes have been added. */
static inline void sk_outflow_add(sk_outflow *flow, const sk_kernels *kernels, size_t bytes, bool around_caches)
{
    if (flow->stage == NULL)
        return;
    flow->end += bytes;
    size_t whole = flow->end & ~(SK_OUTFLOW_LINE - 1);
    if (whole == 0)
        return;
    if (around_caches)
        kernels->compress->stream_part(flow->line + flow->begin, flow->stage + flow->begin, whole - flow->begin);
    else
        memcpy(flow->line + flow->begin, flow->stage + flow->begin, whole - flow->begin);
    memcpy(flow->stage, flow->stage + whole, SK_OUTFLOW_LINE);
    flow->line += whole;
    flow->begin = 0;
    flow->end -= whole;
}

/* Passes over output that lies there already; the stage is empty. */
static inline void sk_outflow_skip(sk_outflow *flow, size_t bytes)
{
    if (flow->stage != NULL)
        *flow = sk_outflow_to(flow->line + flow->end + bytes, flow->stage);
}

static inline void sk_outflow_end(const sk_outflow *flow, const sk_kernels *kernels)
{
    if (flow->stage == NULL)
        return;
    memcpy(flow->line + flow->begin, flow->stage + flow->begin, flow->end - flow->begin);
    kernels->compress->stream_end();
}

#endif
