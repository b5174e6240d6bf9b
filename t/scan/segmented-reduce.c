/* segmented-reduce.c - segmented reduce equals a sequential one: every type and operator, segments of
 * every length, empty ones at the ends and between, and from any offset and alignment on. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated. */
static void draw_rest(segments_case *c, random_state *random)
{
    scan_case *o = &c->operands;
    o->shape = random_next(random) & 1 ? DATA_BITS : DATA_SPECIAL;
    o->in_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    o->out_lead = random_next(random) & 1 ? random_below(random, 16) : 0;
    o->seed = random_next(random);
    c->heads_lead = random_next(random) & 1 ? random_below(random, 4) : 0;
    c->most_empty = random_next(random) & 1 ? 1 + random_size(random, 3000) : 0;
}

static const segments_way way = {check_segmented_reduce, draw_rest};

/* Nothing but empty segments, more of them than elements. */
static void empty_segments(device *d)
{
    segments_case c = {.operands = {.type = SCANKIT_U32, .op = SCANKIT_AFFINE}};
    tap_begin("%s: empty segments", d->name);
    for (c.operands.n = 0; c.operands.n < 20000; c.operands.n = 7 * c.operands.n + 1)
        for (c.most_empty = 1; c.most_empty < 300000; c.most_empty *= 5) {
            c.structure = (run_structure)(c.operands.seed++ % RUN_STRUCTURE_COUNT);
            check_segmented_reduce(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type))
                segments_every_size(d, &way, (scankit_type)type, (scankit_operator)op);
        segments_every_structure(d, &way, (scankit_type)type);
    }
    empty_segments(d);
}

int main(void)
{
    return device_each("segmented reduce", test);
}
