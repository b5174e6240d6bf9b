/* scan.c - scans, segmented scans and reductions over a group give what one context does: all operators, also affine,
 * which does not commute. Floats are small integers, whose sums are exact in any order. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

typedef struct group_scan {
    scan_case operands;
    parts_way way;
    bool segmented;
    unsigned heads; /* of 4096 elements, about this many are heads */
} group_scan;

static uint8_t *draw_heads(const group_scan *c, random_state *random)
{
    uint8_t *heads = data_allocate(c->operands.n, 1);
    for (size_t i = 0; i < c->operands.n; i++)
        heads[i] = (uint8_t)(random_below(random, 4096) < c->heads ? 1 + random_below(random, 255) : 0);
    return heads;
}

static void expect_alone(const group_scan *c, const void *initial, const void *in, const uint8_t *heads, void *out)
{
    const scan_case *o = &c->operands;
    scankit_error error =
        c->segmented ? scankit_segmented_scan(parts_alone(), o->type, o->op, o->kind, initial, in, heads, out, o->n)
                     : scankit_scan(parts_alone(), o->type, o->op, o->kind, initial, in, out, o->n);
    if (error != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
}

static void check_scan_group(scankit_group *group, const group_scan *c)
{
    const scan_case *o = &c->operands;
    const size_t size = oracle_size(o->type), lead = o->in_lead * size;
    random_state random = random_seeded(o->seed);
    size_t lengths[PARTS_MAX];
    parts in, out, heads_parts;
    uint64_t initial = random_next(&random) % 7;
    oracle_store(o->type, &initial, 0, oracle_kind(o->type) == ORACLE_FLOAT ? oracle_float_bits(o->type, 3) : initial);
    char *host = data_allocate(o->n, size), *expected = data_allocate(o->n, size);
    fill_operands(o, host);
    uint8_t *heads = draw_heads(c, &random);
    parts_divide(lengths, group, o->n, c->way, &random);
    parts_put(&in, group, host, size, lengths, lead);
    parts_put(&out, group, NULL, size, lengths, lead);
    parts_put(&heads_parts, group, heads, 1, lengths, 1);
    const parts *to = o->in_place ? &in : &out;
    const void *start = o->initial ? &initial : NULL;
    expect_alone(c, start, host, heads, expected);
    bool did = c->segmented ? PARTS_DID(group, scankit_group_segmented_scan(
                                                   group, o->type, o->op, o->kind, start, (const void *const *)in.data,
                                                   (const uint8_t *const *)heads_parts.data, to->data, lengths))
                            : PARTS_DID(group, scankit_group_scan(group, o->type, o->op, o->kind, start,
                                                                  (const void *const *)in.data, to->data, lengths));
    if (did)
        parts_expect(to, lengths, expected, o->n, "scan");
    parts_free(&in);
    parts_free(&out);
    parts_free(&heads_parts);
    free(host);
    free(expected);
    free(heads);
}

static void check_reduce_group(scankit_group *group, const group_scan *c)
{
    const scan_case *o = &c->operands;
    const size_t size = oracle_size(o->type);
    random_state random = random_seeded(o->seed);
    size_t lengths[PARTS_MAX];
    parts in;
    uint64_t result = 0, expected = 0;
    char *host = data_allocate(o->n, size);
    fill_operands(o, host);
    parts_divide(lengths, group, o->n, c->way, &random);
    parts_put(&in, group, host, size, lengths, 0);
    if (scankit_reduce(parts_alone(), o->type, o->op, host, &expected, o->n) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    if (PARTS_DID(group, scankit_group_reduce(group, o->type, o->op, (const void *const *)in.data, &result, lengths)))
        TAP_CHECK(result == expected);
    parts_free(&in);
    free(host);
}

static void check_case(scankit_group *group, group_scan *c, uint64_t seed)
{
    static const unsigned heads[] = {0, 1, 40, 2000};
    random_state random = random_seeded(seed);
    c->operands.seed = seed;
    c->operands.kind = random_below(&random, 2) == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    c->operands.initial = random_below(&random, 2) == 0;
    c->operands.in_place = random_below(&random, 2) == 0;
    c->operands.in_lead = random_size(&random, 4);
    c->operands.n = random_size(&random, 60000);
    c->way = (parts_way)(seed % PARTS_WAY_COUNT);
    c->heads = heads[random_below(&random, sizeof heads / sizeof *heads)];
    tap_case("n %zu, %s, initial %d, in place %d, heads %u", c->operands.n, parts_way_name(c->way), c->operands.initial,
             c->operands.in_place, c->heads);
    if (!device_case_is_due())
        return;
    check_reduce_group(group, c);
    for (int segmented = 0; segmented < 2; segmented++) {
        c->segmented = segmented;
        check_scan_group(group, c);
    }
}

static void test(scankit_group *group, const char *name)
{
    for (int t = 0; t < ORACLE_TYPES; t++) {
        tap_begin("%s: %s: scan, segmented scan, reduce", name, scankit_type_name((scankit_type)t));
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            for (uint64_t seed = 0;
                 seed < 2 * PARTS_WAY_COUNT && scankit_operator_applies((scankit_operator)op, (scankit_type)t);
                 seed++) {
                group_scan c = {.operands = {.type = (scankit_type)t, .op = (scankit_operator)op}};
                check_case(group, &c, seed + (uint64_t)op * 100);
            }
        tap_end();
    }
}

int main(void)
{
    return parts_each_group(test);
}
