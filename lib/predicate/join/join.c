/* join.c - see join.h. */
#include <stdlib.h>

#include "join.h"
#include "tested.h"

typedef struct join {
    sk_graph *g;
    sk_key_set *sets; /* by node */
    uint16_t *now;    /* by node: the one to take for it; 0 where that is yet to be found */
    unsigned result;
} join;

static bool are_joined(const sk_key_set *a, const sk_key_set *b)
{
    return a->of != 0 && a->of == b->of && a->type == b->type;
}

/* Operands precede the nodes that use them. */
static void find_sets(join *j, unsigned result)
{
    for (unsigned id = 1; id <= result; id++) {
        const sk_node *node = &j->g->nodes[id];
        const sk_key_set *a = &j->sets[node->a], *b = &j->sets[node->b];
        if (node->code == SK_STEP_NOT_B8 && a->of != 0)
            j->sets[id] = sk_all_but(a);
        else if ((node->code == SK_STEP_AND_B8 || node->code == SK_STEP_OR_B8) && are_joined(a, b))
            j->sets[id] = sk_combined(a, b, node->code == SK_STEP_AND_B8 ? SK_BOTH : SK_EITHER);
        else if (!sk_is_constant_node(j->g, id))
            j->sets[id] = sk_tested_keys(j->g, node);
    }
}

/* ---- nodes ---- */

static unsigned joined(join *j, unsigned id);

/* Ranges lie between the edges behind the first key: the number is outside of them where the first key is in the set.
 */
static unsigned emit_set(join *j, const sk_key_set *s)
{
    const sk_value_type type = (sk_value_type)s->type;
    bool outside = sk_begins_inside(s);
    size_t first = outside, count = (s->count - first + 1) / 2;
    if (count == 0)
        return sk_emit_truth(j->g, outside);
    unsigned of = joined(j, s->of);
    sk_set_range *ranges = sk_add_ranges(j->g, count);
    if (ranges == NULL)
        return 0;
    for (size_t r = 0, e = first; r < count; r++, e += 2) {
        uint64_t high = e + 1 < s->count ? s->edge[e + 1] - 1 : sk_last_key(type);
        ranges[r] = (sk_set_range){sk_key_bits(type, s->edge[e]), sk_key_bits(type, high)};
    }
    return sk_emit_within(j->g, type, of, count, outside);
}

/* The node with which to go on in place of this one. */
static unsigned joined(join *j, unsigned id)
{
    const sk_node node = j->g->nodes[id];
    const sk_key_set *s = &j->sets[id];
    if (id == 0 || j->now[id] != 0)
        return j->now[id];
    if (s->of != 0 && (s->tests > 1 || id == j->result))
        return j->now[id] = (uint16_t)emit_set(j, s);
    unsigned a = joined(j, node.a), b = joined(j, node.b), c = joined(j, node.c);
    return j->now[id] = (uint16_t)sk_emit_again(j->g, id, a, b, c);
}

unsigned sk_join_tests(sk_graph *g, unsigned result)
{
    join j = {
        .g = g, .result = result, .sets = calloc(result + 1, sizeof *j.sets), .now = calloc(result + 1, sizeof *j.now)};
    bool has_room = g->node_count <= SK_NODES / 2; /* a node becomes one more at most */
    if (j.sets == NULL || j.now == NULL) {
        sk_out_of_memory(g->fault);
    } else if (has_room) {
        find_sets(&j, result);
        result = joined(&j, result);
    }
    free(j.sets);
    free(j.now);
    return result;
}
