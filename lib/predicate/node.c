/* node.c - the graph of steps. Equal nodes are made once, steps on constants are folded, and truths are simplified. */
#include <string.h>

#include "predicate.h"

static size_t hash_of(const sk_node *node)
{
    uint64_t hash = node->bits;
    const uint64_t parts[] = {(uint64_t)node->code << 32 | (uint64_t)node->type << 16 | (uint64_t)node->load << 8 |
                                  node->swap,
                              (uint64_t)node->a << 32 | (uint64_t)node->b << 16 | node->c};
    for (size_t i = 0; i < 2; i++)
        hash = (hash ^ hash >> 29 ^ parts[i]) * 0x9e3779b97f4a7c15u; /* Knuth's multiplicative hashing */
    return (size_t)(hash >> 32) % (2 * SK_NODES);
}

static bool are_equal(const sk_node *x, const sk_node *y)
{
    return x->code == y->code && x->type == y->type && x->load == y->load && x->swap == y->swap && x->a == y->a &&
           x->b == y->b && x->c == y->c && x->bits == y->bits;
}

/* The node, made where there is no equal one. */
static unsigned add_node(sk_compiler *c, sk_node node)
{
    size_t place = hash_of(&node);
    while (c->table[place] != 0) {
        if (are_equal(&c->nodes[c->table[place]], &node))
            return c->table[place];
        place = (place + 1) % (2 * SK_NODES);
    }
    if (c->node_count == SK_NODES) {
        sk_wrong(c, c->token.at, "the expression needs too many steps");
        return 0;
    }
    c->table[place] = (uint16_t)c->node_count;
    c->nodes[c->node_count] = node;
    return c->node_count++;
}

void sk_forget_nodes(sk_compiler *c, unsigned count)
{
    while (c->node_count > count) {
        unsigned last = --c->node_count;
        size_t place = hash_of(&c->nodes[last]);
        while (c->table[place] != last)
            place = (place + 1) % (2 * SK_NODES);
        c->table[place] = 0;
    }
}

unsigned sk_emit_constant(sk_compiler *c, sk_value_type type, uint64_t bits)
{
    return add_node(c, (sk_node){.code = SK_NODE_CONSTANT, .type = (uint8_t)type, .bits = bits});
}

unsigned sk_emit_f64(sk_compiler *c, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return sk_emit_constant(c, SK_F64, bits);
}

static bool is_truth(const sk_compiler *c, unsigned node, bool truth)
{
    return sk_is_constant_node(c, node) && c->nodes[node].bits == truth;
}

/* AND, OR and NOT where one of the operands decides; 0 where none does. */
static unsigned simplify(const sk_compiler *c, unsigned code, unsigned a, unsigned b)
{
    if (code == SK_STEP_NOT_B8)
        return c->nodes[a].code == SK_STEP_NOT_B8 ? c->nodes[a].a : 0;
    if (code != SK_STEP_AND_B8 && code != SK_STEP_OR_B8)
        return 0;
    bool neutral = code == SK_STEP_AND_B8;
    if (a == b || is_truth(c, b, neutral) || is_truth(c, a, !neutral))
        return a;
    if (is_truth(c, a, neutral) || is_truth(c, b, !neutral))
        return b;
    return 0;
}

unsigned sk_emit(sk_compiler *c, unsigned code, unsigned a, unsigned b)
{
    unsigned simple = simplify(c, code, a, b);
    if (simple != 0)
        return simple;
    sk_value_type type = sk_result_type(code);
    if (sk_is_constant_node(c, a) && sk_is_constant_node(c, b))
        return sk_emit_constant(c, type, sk_fold(code, c->nodes[a].bits, c->nodes[b].bits));
    return add_node(c, (sk_node){.code = (uint16_t)code, .type = (uint8_t)type, .a = (uint16_t)a, .b = (uint16_t)b});
}

unsigned sk_emit_select(sk_compiler *c, sk_value_type type, unsigned condition, unsigned yes, unsigned no)
{
    if (sk_is_constant_node(c, condition))
        return c->nodes[condition].bits != 0 ? yes : no;
    if (yes == no)
        return yes;
    bool narrow = type == SK_U32 || type == SK_I32 || type == SK_F32;
    return add_node(c, (sk_node){.code = narrow ? SK_STEP_SELECT_32 : SK_STEP_SELECT_64,
                                 .type = (uint8_t)type,
                                 .a = (uint16_t)condition,
                                 .b = (uint16_t)yes,
                                 .c = (uint16_t)no});
}

unsigned sk_emit_load(sk_compiler *c, scankit_type type, size_t offset, bool swap)
{
    return add_node(c, (sk_node){.code = SK_STEP_LOAD,
                                 .type = (uint8_t)sk_loaded_type(type),
                                 .load = (uint8_t)type,
                                 .swap = swap,
                                 .bits = offset});
}

unsigned sk_emit_position(sk_compiler *c)
{
    return add_node(c, (sk_node){.code = SK_STEP_POSITION, .type = SK_I64});
}

unsigned sk_emit_in(sk_compiler *c, unsigned code, unsigned a, size_t first_range, size_t ranges)
{
    return add_node(
        c, (sk_node){
               .code = (uint16_t)code, .type = SK_B8, .a = (uint16_t)a, .bits = (uint64_t)first_range << 32 | ranges});
}
