/* segmented-reduce.c - segmented reduce answers what the sequential one does: every type and operator, segments of
 * every length, empty ones at the ends and between, and from any offset and alignment on. */
#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* What is not enumerated is drawn. */
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

static void every_size(device *d, scankit_type type, scankit_operator op)
{
    bool many = op == SCANKIT_SUM || op == SCANKIT_AFFINE;
    size_list sizes = data_edge_sizes((size_t)1 << (many ? 14 : 11));
    if (many)
        sizes.size[sizes.count++] = 800003 / oracle_size(type); /* more than one thread takes */
    segments_case c = {.operands = {.type = type, .op = op}};
    random_state random = random_seeded((uint64_t)type * 64 + (uint64_t)op);
    tap_begin("%s: %s %s: every size", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (size_t i = 0; i < 2 * sizes.count; i++) {
        c.operands.n = sizes.size[i / 2];
        c.structure = (run_structure)random_below(&random, RUN_STRUCTURE_COUNT);
        draw_rest(&c, &random);
        check_segmented_reduce(d, &c);
    }
    tap_end();
}

static void every_structure(device *d, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type);
    segments_case c = {.operands = {.type = type}};
    tap_begin("%s: %s: segments of every length", d->name, scankit_type_name(type));
    for (int structure = 0; structure < RUN_STRUCTURE_COUNT; structure++)
        for (int i = 0; i < 2; i++) {
            c.operands.op = i % 2 == 0 && oracle_applies(SCANKIT_AFFINE, type) ? SCANKIT_AFFINE : SCANKIT_MAX;
            c.operands.n = 200000 + random_below(&random, 100000);
            c.structure = (run_structure)structure;
            draw_rest(&c, &random);
            check_segmented_reduce(d, &c);
        }
    tap_end();
}

/* More empty segments than there are elements, and nothing else. */
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
                every_size(d, (scankit_type)type, (scankit_operator)op);
        every_structure(d, (scankit_type)type);
    }
    empty_segments(d);
}

int main(void)
{
    return device_each("segmented reduce", test);
}
