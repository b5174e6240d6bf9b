/* node.h - the graph of steps that the result is computed by: steps before they have registers.
 *
 * Nodes are made in an order in which operands precede the steps that use them. Steps on constants are folded, AND, OR
 * and NOT are simplified, and equal nodes exist once: a call may return a node that existed before. A value that is
 * used again much later keeps its register until then. In a graph that repeats values, each is computed where it is
 * used instead. */
#ifndef SK_PREDICATE_NODE_H
#define SK_PREDICATE_NODE_H

#include "fault.h"
#include "program.h"

#define SK_NODE_CONSTANT UINT16_MAX
#define SK_NODES 4096

typedef struct sk_node {
    uint16_t code;      /* sk_step_code or SK_NODE_CONSTANT */
    uint8_t type;       /* sk_value_type of the value */
    uint8_t load, swap; /* LOAD: the scankit_type, and whether it is big-endian */
    bool outside;       /* WITHIN */
    uint16_t a, b, c;   /* operands; 0: none */
    uint64_t bits;      /* constant: its bits; LOAD: the offset; IN and WITHIN: first_range << 32 | ranges */
} sk_node;

typedef struct sk_graph {
    sk_fault *fault;
    bool repeats;            /* equal nodes exist more than once; constants, which need no registers, do not */
    sk_node nodes[SK_NODES]; /* nodes[0] means no node */
    unsigned node_count;
    uint16_t table[2 * SK_NODES]; /* hash table of nodes, linear probing */
    sk_set_range *ranges;
    size_t range_count;
} sk_graph;

/* `graph` is all zeros. */
void sk_graph_open(sk_graph *graph, bool repeats, sk_fault *fault);
void sk_graph_close(sk_graph *graph);

/* These return a node. After an error it may be 0. */

/* A regular step; b is 0 if it has one operand. */
unsigned sk_emit(sk_graph *g, unsigned code, unsigned a, unsigned b);
unsigned sk_emit_select(sk_graph *g, sk_value_type type, unsigned condition, unsigned yes, unsigned no);
unsigned sk_emit_load(sk_graph *g, scankit_type type, size_t offset, bool swap);
unsigned sk_emit_position(sk_graph *g);
unsigned sk_emit_constant(sk_graph *g, sk_value_type type, uint64_t bits);
unsigned sk_emit_f64(sk_graph *g, double number);

/* Room for more ranges; NULL if memory is short. */
sk_set_range *sk_add_ranges(sk_graph *g, size_t count);

/* The IN step of the last `count` ranges. */
unsigned sk_emit_in(sk_graph *g, unsigned code, unsigned a, size_t count);

/* The WITHIN step of the last `count` ranges, of a number that is taken for a `type`. */
unsigned sk_emit_within(sk_graph *g, sk_value_type type, unsigned a, size_t count, bool outside);

/* The same step of other operands. */
unsigned sk_emit_again(sk_graph *g, unsigned node, unsigned a, unsigned b, unsigned c);

/* Removes the last nodes until `count` remain. */
void sk_forget_nodes(sk_graph *g, unsigned count);

static inline unsigned sk_emit_truth(sk_graph *g, bool truth)
{
    return sk_emit_constant(g, SK_B8, truth);
}

static inline bool sk_is_constant_node(const sk_graph *g, unsigned node)
{
    return g->nodes[node].code == SK_NODE_CONSTANT;
}

/* True if the node's value has 4 bytes. */
static inline bool sk_is_narrow(const sk_graph *g, unsigned node)
{
    return sk_value_size((sk_value_type)g->nodes[node].type) == 4;
}

#endif
