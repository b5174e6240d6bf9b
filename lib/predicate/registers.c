/* registers.c - the steps that a result needs, with their values in registers: each takes one when it is computed and
 * gives it back at its last use (linear scan: Poletto and Sarkar 1999; without jumps it is exact). */
#include <stdlib.h>
#include <string.h>

#include "predicate.h"

#define FOREVER SK_NODES

/* Of each node: who needs it last, 0 if nobody, and its register or the number of its constant. */
typedef struct sk_allocation {
    unsigned last_use[SK_NODES];
    uint16_t place[SK_NODES];
    unsigned registers, steps, constants;
} sk_allocation;

/* Operands precede what uses them, so one way back through the nodes finds all that are needed. */
static void find_uses(const sk_compiler *c, unsigned result, sk_allocation *allocation)
{
    allocation->last_use[result] = FOREVER;
    for (unsigned id = result; id > 0; id--) {
        const sk_node *node = &c->nodes[id];
        const uint16_t operands[] = {node->a, node->b, node->c};
        for (int i = 0; i < 3 && allocation->last_use[id] != 0; i++)
            if (allocation->last_use[operands[i]] == 0)
                allocation->last_use[operands[i]] = id;
    }
    allocation->last_use[0] = 0;
}

/* The registers that are free again when a step has read its operands. */
static uint64_t released(const sk_compiler *c, const sk_allocation *allocation, unsigned id)
{
    const sk_node *node = &c->nodes[id];
    const uint16_t operands[] = {node->a, node->b, node->c};
    uint64_t registers = 0;
    for (int i = 0; i < 3; i++)
        if (operands[i] != 0 && !sk_is_constant_node(c, operands[i]) && allocation->last_use[operands[i]] == id)
            registers |= (uint64_t)1 << allocation->place[operands[i]];
    return registers;
}

/* False where there are not enough registers. */
static bool allocate(const sk_compiler *c, unsigned result, sk_allocation *allocation)
{
    uint64_t free_ones = UINT64_MAX;
    for (unsigned id = 1; id <= result; id++) {
        if (allocation->last_use[id] == 0)
            continue;
        if (sk_is_constant_node(c, id)) {
            allocation->place[id] = (uint16_t)allocation->constants++;
            continue;
        }
        free_ones |= released(c, allocation, id);
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

static uint16_t operand(const sk_compiler *c, const sk_allocation *allocation, unsigned id)
{
    unsigned first = sk_is_constant_node(c, id) ? allocation->registers : 0;
    return (uint16_t)(first + allocation->place[id]);
}

/* Where a step has fewer operands, the others are the first. */
static sk_step step_of(const sk_compiler *c, const sk_allocation *allocation, unsigned id)
{
    const sk_node *node = &c->nodes[id];
    sk_step step = {.code = node->code, .to = allocation->place[id], .type = node->load, .swap = node->swap};
    step.a = node->a != 0 ? operand(c, allocation, node->a) : 0;
    step.b = node->b != 0 ? operand(c, allocation, node->b) : step.a;
    step.c = node->c != 0 ? operand(c, allocation, node->c) : step.a;
    if (node->code == SK_STEP_LOAD) {
        step.offset = node->bits;
    } else {
        step.first_range = (uint32_t)(node->bits >> 32);
        step.ranges = (uint32_t)node->bits;
    }
    return step;
}

static void fill(const sk_compiler *c, unsigned result, const sk_allocation *allocation, sk_step *steps,
                 sk_constant *constants)
{
    for (unsigned id = 1; id <= result; id++) {
        if (allocation->last_use[id] == 0)
            continue;
        if (sk_is_constant_node(c, id))
            *constants++ = (sk_constant){.bits = c->nodes[id].bits, .type = c->nodes[id].type};
        else
            *steps++ = step_of(c, allocation, id);
    }
}

scankit_error sk_assemble(sk_compiler *c, unsigned result, size_t element_size, scankit_predicate **predicate)
{
    sk_allocation *allocation = calloc(1, sizeof *allocation);
    if (allocation == NULL)
        return SCANKIT_E_MEMORY;
    find_uses(c, result, allocation);
    scankit_error error = SCANKIT_OK;
    if (!allocate(c, result, allocation)) {
        sk_wrong(c, 0, "the expression needs too many values at once");
        error = SCANKIT_E_SYNTAX;
    }
    size_t ranges_size = c->range_count * sizeof(sk_set_range);
    size_t constants_size = allocation->constants * sizeof(sk_constant);
    char *memory = NULL;
    if (error == SCANKIT_OK) {
        memory = malloc(sizeof **predicate + ranges_size + constants_size + allocation->steps * sizeof(sk_step));
        error = memory == NULL ? SCANKIT_E_MEMORY : SCANKIT_OK;
    }
    if (memory != NULL) {
        *predicate = (scankit_predicate *)memory;
        sk_set_range *ranges = (sk_set_range *)(memory + sizeof **predicate);
        sk_constant *constants = (sk_constant *)((char *)ranges + ranges_size);
        sk_step *steps = (sk_step *)((char *)constants + constants_size);
        if (ranges_size > 0)
            memcpy(ranges, c->ranges, ranges_size);
        fill(c, result, allocation, steps, constants);
        (*predicate)->program = (sk_program){
            .element_size = element_size,
            .registers = allocation->registers,
            .step_count = allocation->steps,
            .constant_count = allocation->constants,
            .range_count = (unsigned)c->range_count,
            .result = operand(c, allocation, result),
            .steps = steps,
            .constants = constants,
            .ranges = ranges,
        };
    }
    free(allocation);
    return error;
}
