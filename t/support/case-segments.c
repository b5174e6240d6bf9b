/* case-segments.c - segmented scan and reduce against the oracle, a segment at a time: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* Areas of the device. */
enum { IN, MARKS, OUT };

static void describe(const char *what, const segments_case *c)
{
    static const char *const structures[] = {
#define X(enumerator, name) name,
        RUN_STRUCTURES(X)
#undef X
    };
    const scan_case *o = &c->operands;
    tap_case("%s %s %s n %zu, %s, %s%s%s%sempty %zu leads %zu %zu %zu shape %s seed %llu", what,
             scankit_type_name(o->type), scankit_operator_name(o->op), o->n, structures[c->structure],
             o->kind == SCANKIT_INCLUSIVE ? "inclusive " : "exclusive ", o->initial ? "initial " : "",
             c->head_first ? "head first " : "", o->in_place ? "in place " : "", c->most_empty, o->in_lead, o->out_lead,
             c->heads_lead, data_shape_name(o->shape), (unsigned long long)o->seed);
}

/* Fills in where non-empty segments begin, with n after the last. Returns their number. */
static size_t find_begins(const segments_case *c, uint64_t *begins)
{
    size_t n = c->operands.n;
    rle_case runs = {.element_size = 1, .n = n, .structure = c->structure, .seed = c->operands.seed};
    char *elements = data_allocate(n, 1);
    fill_runs(&runs, elements);
    size_t count = oracle_runs(1, elements, n, NULL, 0, begins);
    free(elements);
    return count;
}

/* ---- scan ---- */

/* A head's byte may be any value but 0. */
static void mark_heads(const segments_case *c, const uint64_t *begins, size_t count, uint8_t *heads)
{
    random_state random = random_seeded(c->operands.seed);
    memset(heads, 0, c->operands.n);
    for (size_t s = c->head_first ? 0 : 1; s < count; s++)
        heads[begins[s]] = (uint8_t)(1 + random_below(&random, 255));
}

static void expect_scan(const segments_case *c, const void *initial, const uint64_t *begins, size_t count,
                        const char *in, char *out)
{
    const scan_case *o = &c->operands;
    size_t size = oracle_size(o->type);
    for (size_t s = 0; s < count; s++)
        oracle_scan(o->type, o->op, o->kind, s == 0 && !c->head_first ? initial : NULL, in + begins[s] * size,
                    out + begins[s] * size, begins[s + 1] - begins[s]);
}

void check_segmented_scan(device *d, const segments_case *c)
{
    const scan_case *o = &c->operands;
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(o->type), n = o->n;
    void *in = data_allocate(n, size), *expected = data_allocate(n, size), *first = data_allocate(1, size);
    uint8_t *heads = data_allocate(n, 1);
    uint64_t *begins = data_allocate(n + 1, sizeof *begins);
    scan_case of_first = *o;
    of_first.n = 1;
    of_first.seed = ~o->seed;
    const void *initial = o->initial ? first : NULL;
    describe("segmented scan", c);
    fill_operands(o, in);
    fill_operands(&of_first, first);
    size_t count = find_begins(c, begins);
    mark_heads(c, begins, count, heads);
    expect_scan(c, initial, begins, count, in, expected);
    const void *from = device_put(d, IN, in, n * size, o->in_lead * size);
    const uint8_t *marks = device_put(d, MARKS, heads, n, c->heads_lead);
    unsigned result = o->in_place ? IN : OUT;
    void *to = o->in_place ? d->area[IN].data : device_put(d, OUT, NULL, n * size, o->out_lead * size);
    if (DEVICE_DID(d, scankit_segmented_scan(d->context, o->type, o->op, o->kind, initial, from, marks, to, n))) {
        device_expect(d, result, expected, n, size, "result");
        device_expect(d, MARKS, heads, n, 1, "heads");
        if (!o->in_place)
            device_expect(d, IN, in, n, size, "input");
    }
    free(in);
    free(expected);
    free(first);
    free(heads);
    free(begins);
}

/* ---- reduce ---- */

/* Inserts empty segments: a few here and there, and many at both ends and at one place between. Offsets begin at
 * `front`. Returns the number of segments. */
static size_t make_offsets(const segments_case *c, const uint64_t *begins, size_t count, size_t front,
                           uint64_t **offsets)
{
    random_state random = random_seeded(~c->operands.seed);
    size_t middle = random_below(&random, count + 1), segments = 0;
    uint64_t *to = *offsets = data_allocate(count + 2 + (c->most_empty > 0 ? 3 * (count + c->most_empty + 2) : 0), 8);
    for (size_t s = 0; s <= count; s++) {
        bool many = s == 0 || s == middle || s == count;
        size_t empty = random_below(&random, 8) == 0 ? random_below(&random, 4) : 0;
        if (many)
            empty = random_size(&random, c->most_empty + 1);
        for (empty = c->most_empty > 0 ? empty : 0; empty > 0; empty--)
            to[segments++] = front + begins[s];
        to[segments++] = front + begins[s];
    }
    return segments - 1;
}

void check_segmented_reduce(device *d, const segments_case *c)
{
    const scan_case *o = &c->operands;
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(o->type), n = o->n, front = o->seed % 3 == 0 ? o->seed % 13 : 0;
    char *in = data_allocate(front + n, size);
    uint64_t *begins = data_allocate(n + 1, sizeof *begins), *offsets;
    describe("segmented reduce", c);
    memset(in, 0x77, front * size);
    fill_operands(o, in + front * size);
    begins[0] = 0;
    size_t segments = make_offsets(c, begins, find_begins(c, begins), front, &offsets);
    char *expected = data_allocate(segments, size);
    for (size_t s = 0; s < segments; s++)
        oracle_store(o->type, expected, s,
                     oracle_reduce(o->type, o->op, in + offsets[s] * size, offsets[s + 1] - offsets[s]));
    const void *from = device_put(d, IN, in, (front + n) * size, o->in_lead * size);
    const uint64_t *marks = device_put(d, MARKS, offsets, (segments + 1) * 8, c->heads_lead * 8);
    void *results = device_put(d, OUT, NULL, segments * size, o->out_lead * size);
    if (DEVICE_DID(d, scankit_segmented_reduce(d->context, o->type, o->op, from, marks, results, segments))) {
        device_expect(d, OUT, expected, segments, size, "results");
        device_expect(d, MARKS, offsets, segments + 1, 8, "offsets");
        device_expect(d, IN, in, front + n, size, "input");
    }
    free(in);
    free(begins);
    free(offsets);
    free(expected);
}

/* ---- tests of both ---- */

void segments_every_size(device *d, const segments_way *way, scankit_type type, scankit_operator op)
{
    bool many = op == SCANKIT_SUM || op == SCANKIT_AFFINE;
    size_list sizes = data_edge_sizes((size_t)1 << (many ? 13 : 11));
    if (many)
        sizes.size[sizes.count++] = 800003 / oracle_size(type); /* enough for several threads */
    segments_case c = {.operands = {.type = type, .op = op}};
    random_state random = random_seeded((uint64_t)type * 64 + (uint64_t)op);
    tap_begin("%s: %s %s: every size", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (size_t i = 0; i < 2 * sizes.count; i++) {
        c.operands.n = sizes.size[i / 2];
        c.structure = (run_structure)random_below(&random, RUN_STRUCTURE_COUNT);
        way->draw_rest(&c, &random);
        way->check(d, &c);
    }
    tap_end();
}

void segments_every_structure(device *d, const segments_way *way, scankit_type type)
{
    random_state random = random_seeded((uint64_t)type);
    segments_case c = {.operands = {.type = type}};
    tap_begin("%s: %s: segments of every kind", d->name, scankit_type_name(type));
    for (int structure = 0; structure < RUN_STRUCTURE_COUNT; structure++)
        for (int i = 0; i < 2; i++) {
            c.operands.op = i % 2 == 0 && oracle_applies(SCANKIT_AFFINE, type) ? SCANKIT_AFFINE : SCANKIT_MAX;
            c.operands.n = 200000 + random_below(&random, 100000);
            c.structure = (run_structure)structure;
            way->draw_rest(&c, &random);
            way->check(d, &c);
        }
    tap_end();
}
