/* row_flow.h - a row of an image that is made a part at a time and goes around the caches. The lines of a part go out
 * while the next part is made: machines write so at a slow but steady pace, and wait when much comes at once. */
#ifndef SK_ROW_FLOW_H
#define SK_ROW_FLOW_H

#include "cpu/cpu.h"

#define SK_FLOW_LINE ((size_t)64)
#define SK_FLOW_PART ((size_t)960 * sizeof(float)) /* bytes, at most */

typedef struct sk_row_flow {
    /* By turns: the rest of a line of the part before, a part, and room for a whole register. */
    _Alignas(64) char stages[2][SK_FLOW_LINE + SK_FLOW_PART + SK_FLOW_LINE];
    unsigned turn;
    char *line;        /* where the rest belongs: the beginning of a line */
    size_t skip, rest; /* its first bytes belong to others; its bytes, these included */
    sk_lines due;      /* whole lines of the part before */
} sk_row_flow;

static inline void sk_flow_begin(sk_row_flow *flow, void *row)
{
    flow->turn = 0;
    flow->skip = flow->rest = (uintptr_t)row % SK_FLOW_LINE;
    flow->line = (char *)row - flow->rest;
    flow->due.bytes = 0;
}

/* Where the next part goes. */
static inline char *sk_flow_stage(sk_row_flow *flow)
{
    return flow->stages[flow->turn] + SK_FLOW_LINE;
}

/* Lines that wait, of which `bytes` have been written. */
static inline void sk_flow_written(sk_row_flow *flow, const sk_kernels *kernels, size_t bytes)
{
    if (bytes < flow->due.bytes)
        kernels->compress->stream_part(flow->due.to + bytes, flow->due.from + bytes, flow->due.bytes - bytes);
    flow->due.bytes = 0;
}

/* The stage has got a part, and no lines wait. */
static inline void sk_flow_add(sk_row_flow *flow, size_t bytes)
{
    const char *from = sk_flow_stage(flow) - flow->rest;
    const size_t whole = (flow->rest + bytes) / SK_FLOW_LINE * SK_FLOW_LINE, rest = flow->rest + bytes - whole;
    size_t first = 0;
    if (whole > 0 && flow->skip > 0) {
        memcpy(flow->line + flow->skip, from + flow->skip, SK_FLOW_LINE - flow->skip);
        flow->skip = 0;
        first = SK_FLOW_LINE;
    }
    flow->due = (sk_lines){flow->line + first, from + first, whole - first};
    flow->turn ^= 1;
    memcpy(sk_flow_stage(flow) - rest, from + whole, rest);
    flow->line += whole;
    flow->rest = rest;
}

static inline void sk_flow_end(sk_row_flow *flow, const sk_kernels *kernels)
{
    sk_flow_written(flow, kernels, 0);
    memcpy(flow->line + flow->skip, sk_flow_stage(flow) - flow->rest + flow->skip, flow->rest - flow->skip);
}

#endif
