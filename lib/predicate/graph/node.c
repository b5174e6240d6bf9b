/* node.c - the graph of steps. */
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "node.h"

void sk_graph_open(sk_graph *graph, bool repeats, sk_fault *fault)
{
    graph->fault = fault;
    graph->repeats = repeats;
    graph->nodes[0] = (sk_node){.code = SK_NODE_CONSTANT};
    graph->node_count = 1;
}

void sk_graph_close(sk_graph *graph)
{
    free(graph->ranges);
}

/* ---- the table of nodes ---- */

static size_t hash_of(const sk_node *node)
{
    uint64_t hash = node->bits;
    const uint64_t parts[] = {(uint64_t)node->code << 32 | (uint64_t)node->outside << 24 | (uint64_t)node->type << 16 |
                                  (uint64_t)node->load << 8 | node->swap,
                              (uint64_t)node->a << 32 | (uint64_t)node->b << 16 | node->c};
    for (size_t i = 0; i < 2; i++)
        hash = (hash ^ hash >> 29 ^ parts[i]) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: Knuth's multiplier */
    return (size_t)(hash >> 32) % (2 * SK_NODES);
}

static bool are_equal(const sk_node *x, const sk_node *y)
{
    return x->code == y->code && x->type == y->type && x->load == y->load && x->swap == y->swap &&
           x->outside == y->outside && x->a == y->a && x->b == y->b && x->c == y->c && x->bits == y->bits;
}

/* Returns the node equal to `node`, and makes it if there is none or values are repeated. */
static unsigned add_node(sk_graph *g, sk_node node)
{
    bool exists_once = !g->repeats || node.code == SK_NODE_CONSTANT;
    size_t place = hash_of(&node);
    while (g->table[place] != 0) {
        if (exists_once && are_equal(&g->nodes[g->table[place]], &node))
            return g->table[place];
        place = (place + 1) % (2 * SK_NODES);
    }
    if (g->node_count == SK_NODES) {
        sk_wrong(g->fault, g->fault->here, "the expression needs too many steps");
        return 0;
    }
    g->table[place] = (uint16_t)g->node_count;
    g->nodes[g->node_count] = node;
    return g->node_count++;
}

/* The last node goes first: linear probing then needs no marks for removed entries. */
void sk_forget_nodes(sk_graph *g, unsigned count)
{
    while (g->node_count > count) {
        unsigned last = --g->node_count;
        size_t place = hash_of(&g->nodes[last]);
        while (g->table[place] != last)
            place = (place + 1) % (2 * SK_NODES);
        g->table[place] = 0;
    }
}

/* ---- steps ---- */

unsigned sk_emit_constant(sk_graph *g, sk_value_type type, uint64_t bits)
{
    return add_node(g, (sk_node){.code = SK_NODE_CONSTANT, .type = (uint8_t)type, .bits = bits});
}

unsigned sk_emit_f64(sk_graph *g, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return sk_emit_constant(g, SK_F64, bits);
}

static bool is_truth(const sk_graph *g, unsigned node, bool truth)
{
    return sk_is_constant_node(g, node) && g->nodes[node].bits == truth;
}

/* AND, OR and NOT that are one of their operands (or of its operands); 0 if they are not. */
static unsigned simplify(const sk_graph *g, unsigned code, unsigned a, unsigned b)
{
    if (code == SK_STEP_NOT_B8)
        return g->nodes[a].code == SK_STEP_NOT_B8 ? g->nodes[a].a : 0;
    if (code != SK_STEP_AND_B8 && code != SK_STEP_OR_B8)
        return 0;
    bool neutral = code == SK_STEP_AND_B8;
    if (a == b || is_truth(g, b, neutral) || is_truth(g, a, !neutral))
        return a;
    if (is_truth(g, a, neutral) || is_truth(g, b, !neutral))
        return b;
    return 0;
}

unsigned sk_emit(sk_graph *g, unsigned code, unsigned a, unsigned b)
{
    unsigned simple = simplify(g, code, a, b);
    if (simple != 0)
        return simple;
    sk_value_type type = sk_result_type(code);
    if (sk_is_constant_node(g, a) && sk_is_constant_node(g, b))
        return sk_emit_constant(g, type, sk_fold(code, g->nodes[a].bits, g->nodes[b].bits));
    return add_node(g, (sk_node){.code = (uint16_t)code, .type = (uint8_t)type, .a = (uint16_t)a, .b = (uint16_t)b});
}

unsigned sk_emit_select(sk_graph *g, sk_value_type type, unsigned condition, unsigned yes, unsigned no)
{
    if (sk_is_constant_node(g, condition))
        return g->nodes[condition].bits != 0 ? yes : no;
    if (yes == no)
        return yes;
    bool narrow = sk_value_size(type) == 4;
    return add_node(g, (sk_node){.code = narrow ? SK_STEP_SELECT_32 : SK_STEP_SELECT_64,
                                 .type = (uint8_t)type,
                                 .a = (uint16_t)condition,
                                 .b = (uint16_t)yes,
                                 .c = (uint16_t)no});
}

unsigned sk_emit_load(sk_graph *g, scankit_type type, size_t offset, bool swap)
{
    return add_node(g, (sk_node){.code = SK_STEP_LOAD,
                                 .type = (uint8_t)sk_loaded_type(type),
                                 .load = (uint8_t)type,
                                 .swap = swap,
                                 .bits = offset});
}

unsigned sk_emit_position(sk_graph *g)
{
    return add_node(g, (sk_node){.code = SK_STEP_POSITION, .type = SK_I64});
}

sk_set_range *sk_add_ranges(sk_graph *g, size_t count)
{
    sk_set_range *ranges = realloc(g->ranges, (g->range_count + count) * sizeof *ranges);
    if (ranges == NULL) {
        sk_out_of_memory(g->fault);
        return NULL;
    }
    g->ranges = ranges;
    g->range_count += count;
    return ranges + g->range_count - count;
}

unsigned sk_emit_in(sk_graph *g, unsigned code, unsigned a, size_t count)
{
    uint64_t first = g->range_count - count;
    return add_node(g, (sk_node){.code = (uint16_t)code, .type = SK_B8, .a = (uint16_t)a, .bits = first << 32 | count});
}

unsigned sk_emit_within(sk_graph *g, sk_value_type type, unsigned a, size_t count, bool outside)
{
    static const uint16_t codes[] = {
        [SK_U32] = SK_STEP_WITHIN_32, [SK_I32] = SK_STEP_WITHIN_32,  [SK_U64] = SK_STEP_WITHIN_64,
        [SK_I64] = SK_STEP_WITHIN_64, [SK_F32] = SK_STEP_WITHIN_F32, [SK_F64] = SK_STEP_WITHIN_F64,
    };
    uint64_t first = g->range_count - count;
    return add_node(
        g, (sk_node){
               .code = codes[type], .type = SK_B8, .outside = outside, .a = (uint16_t)a, .bits = first << 32 | count});
}

unsigned sk_emit_again(sk_graph *g, unsigned node, unsigned a, unsigned b, unsigned c)
{
    sk_node again = g->nodes[node];
    again.a = (uint16_t)a, again.b = (uint16_t)b, again.c = (uint16_t)c;
    return again.code < SK_STEP_REGULAR ? sk_emit(g, again.code, a, b) : add_node(g, again);
}
