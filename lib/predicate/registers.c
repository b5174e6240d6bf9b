/* registers.c - gives the steps that the result needs their registers: a value takes a register when it is computed and
 * frees it at its last use (linear scan: Poletto and Sarkar 1999; without jumps it is exact). */
#include <stdlib.h>
#include <string.h>

#include "registers.h"

#define FOREVER SK_NODES /* the last use of the result */

typedef struct sk_allocation {
    unsigned last_use[SK_NODES]; /* by node: the last node that uses it; 0 if none does */
    uint16_t place[SK_NODES];    /* by node: its register, or the index of its constant */
    unsigned registers, steps, constants;
} sk_allocation;

/* Operands precede the nodes that use them, so one pass from the result backwards finds all needed nodes. */
static void find_uses(const sk_graph *g, unsigned result, sk_allocation *allocation)
{
    allocation->last_use[result] = FOREVER;
    for (unsigned id = result; id > 0; id--) {
        const sk_node *node = &g->nodes[id];
        const uint16_t operands[] = {node->a, node->b, node->c};
        for (int i = 0; i < 3 && allocation->last_use[id] != 0; i++)
            if (allocation->last_use[operands[i]] == 0)
                allocation->last_use[operands[i]] = id;
    }
    allocation->last_use[0] = 0;
}

/* The registers that a step frees: its operands' that are used for the last time, as a set of bits. */
static uint64_t released(const sk_graph *g, const sk_allocation *allocation, unsigned id)
{
    const sk_node *node = &g->nodes[id];
    const uint16_t operands[] = {node->a, node->b, node->c};
    uint64_t registers = 0;
    for (int i = 0; i < 3; i++)
        if (operands[i] != 0 && !sk_is_constant_node(g, operands[i]) && allocation->last_use[operands[i]] == id)
            registers |= (uint64_t)1 << allocation->place[operands[i]];
    return registers;
}

/* Returns false if there are not enough registers. */
static bool allocate(const sk_graph *g, unsigned result, sk_allocation *allocation)
{
    uint64_t free_ones = UINT64_MAX;
    for (unsigned id = 1; id <= result; id++) {
        if (allocation->last_use[id] == 0)
            continue;
        if (sk_is_constant_node(g, id)) {
            allocation->place[id] = (uint16_t)allocation->constants++;
            continue;
        }
        free_ones |= released(g, allocation, id);
        if (free_ones == 0)
            return false;
        unsigned taken = (unsigned)__builtin_ctzll(free_ones);
        free_ones &= free_ones - 1;
        allocation->place[id] = (uint16_t)taken;
        allocation->registers = taken >= allocation->registers ? taken + 1 : allocation->registers;
        allocation->steps++;
    }
    return true;
}

static uint16_t operand(const sk_graph *g, const sk_allocation *allocation, unsigned id)
{
    unsigned first = sk_is_constant_node(g, id) ? allocation->registers : 0;
    return (uint16_t)(first + allocation->place[id]);
}

/* Operands that the step does not have are the same as its first. */
static sk_step step_of(const sk_graph *g, const sk_allocation *allocation, unsigned id)
{
    const sk_node *node = &g->nodes[id];
    sk_step step = {.code = node->code, .to = allocation->place[id], .type = node->load, .swap = node->swap};
    step.a = node->a != 0 ? operand(g, allocation, node->a) : 0;
    step.b = node->b != 0 ? operand(g, allocation, node->b) : step.a;
    step.c = node->c != 0 ? operand(g, allocation, node->c) : step.a;
    if (node->code == SK_STEP_LOAD) {
        step.offset = node->bits;
    } else {
        step.first_range = (uint32_t)(node->bits >> 32);
        step.ranges = (uint32_t)node->bits;
        step.outside = node->outside;
    }
    return step;
}

/* Writes the constants and the steps that the result needs. */
static void fill(const sk_graph *g, unsigned result, const sk_allocation *allocation, sk_step *steps,
                 sk_constant *constants)
{
    for (unsigned id = 1; id <= result; id++) {
        if (allocation->last_use[id] == 0)
            continue;
        if (sk_is_constant_node(g, id))
            *constants++ = (sk_constant){.bits = g->nodes[id].bits, .type = g->nodes[id].type};
        else
            *steps++ = step_of(g, allocation, id);
    }
}

/* The predicate, its ranges, constants and steps, in one allocation; NULL if memory is short. */
static scankit_predicate *build(const sk_graph *g, unsigned result, const sk_allocation *allocation,
                                size_t element_size)
{
    size_t ranges_size = g->range_count * sizeof(sk_set_range);
    size_t constants_size = allocation->constants * sizeof(sk_constant);
    scankit_predicate *predicate =
        malloc(sizeof *predicate + ranges_size + constants_size + allocation->steps * sizeof(sk_step));
    if (predicate == NULL)
        return NULL;
    sk_set_range *ranges = (sk_set_range *)(predicate + 1);
    sk_constant *constants = (sk_constant *)(ranges + g->range_count);
    sk_step *steps = (sk_step *)(constants + allocation->constants);
    if (ranges_size > 0)
        memcpy(ranges, g->ranges, ranges_size);
    fill(g, result, allocation, steps, constants);
    *predicate = (scankit_predicate){0};
    predicate->program = (sk_program){
        .element_size = element_size,
        .registers = allocation->registers,
        .step_count = allocation->steps,
        .constant_count = allocation->constants,
        .range_count = (unsigned)g->range_count,
        .result = operand(g, allocation, result),
        .steps = steps,
        .constants = constants,
        .ranges = ranges,
    };
    return predicate;
}

scankit_predicate *sk_assemble(sk_graph *g, unsigned result, size_t element_size)
{
    sk_allocation *allocation = calloc(1, sizeof *allocation);
    scankit_predicate *predicate = NULL;
    if (allocation == NULL) {
        sk_out_of_memory(g->fault);
        return NULL;
    }
    find_uses(g, result, allocation);
    if (!allocate(g, result, allocation)) {
        sk_wrong(g->fault, 0, "the expression needs too many values at once");
        g->fault->lacks_registers = true;
    } else {
        predicate = build(g, result, allocation, element_size);
        if (predicate == NULL)
            sk_out_of_memory(g->fault);
    }
    free(allocation);
    return predicate;
}
