/* flow.h - runs expanded to a stream of elements: what a decoder writes. */
#ifndef FLOW_H
#define FLOW_H

#include "common/job.h"
#include "container.h"
#include "expander.h"
#include "io/writer.h"

/* Blocks of the output, filled with pieces of any size. */
struct flow {
    struct output output;
    struct writer *writer; /* or NULL: write() gets the blocks */
    write_function *write;
    void *sink;
    struct expander expander; /* the caller sets its context before the first run */
    char *own;                /* the block's memory if there is no writer */
    char *block;              /* or NULL */
    size_t used, bytes;
    uint64_t *counts; /* room for the counts of some runs */
};

/* Opens the output that the common options name. */
void flow_open(struct flow *flow, const struct job *job);

/* The same without an output: write() gets the blocks, on the caller's thread. */
void flow_open_to(struct flow *flow, write_function *write, void *sink);

/* Adds bytes as they are. */
void flow_add(struct flow *flow, const char *from, size_t bytes);

/* Ends the block: what was added is written. */
void flow_on(struct flow *flow);

/* Adds each of the values, of `size` bytes, as often as its count says. Changes the counts. */
void flow_expand(struct flow *flow, size_t size, const char *values, uint64_t *counts, size_t runs);

/* Adds the elements of a container's block. element: bytes of one. */
void flow_add_block(struct flow *flow, size_t element, const struct container_block *block);

/* Completes the output, if flow_open() opened one. Returns its bytes. */
uint64_t flow_finish(struct flow *flow);

#endif
