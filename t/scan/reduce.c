/* reduce.c - reduce equals a sequential reduction: every type and operator, at sizes around every power of two, at
 * every alignment. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void every_size(device *d, scankit_type type, scankit_operator op)
{
    size_list sizes = data_edge_sizes((size_t)1 << 14);
    sizes.size[sizes.count++] = 600011 / oracle_size(type); /* enough for several threads */
    scan_case c = {.type = type, .op = op};
    tap_begin("%s: %s %s: every size", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (size_t i = 0; i < sizes.count; i++) {
        c.n = sizes.size[i];
        c.shape = i % 2 == 0 ? DATA_BITS : DATA_SPECIAL;
        c.in_lead = i % 4 == 0 ? 0 : i % (32 / oracle_size(type));
        c.seed = i;
        check_reduce(d, &c);
    }
    tap_end();
}

/* At every alignment within 16 bytes, with whole tiles of a GPU alone and with more. */
static void every_alignment(device *d, scankit_type type, scankit_operator op)
{
    size_t size = oracle_size(type);
    scan_case c = {.type = type, .op = op};
    tap_begin("%s: %s %s: every alignment", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (c.in_lead = 0; c.in_lead < 16 / size; c.in_lead++)
        for (size_t more = 0; more < 3; more++) {
            c.n = 49152 / size + more * (c.in_lead + 5);
            c.shape = more == 1 ? DATA_SPECIAL : DATA_BITS;
            c.seed++;
            check_reduce(d, &c);
        }
    tap_end();
}

/* A GPU's parts have several tiles, and some have one more. */
static void several_tiles(device *d)
{
    tap_begin("%s: several tiles of a part", d->name);
    for (int type = 0; type < ORACLE_TYPES; type++) {
        bool sums = oracle_kind((scankit_type)type) == ORACLE_UNSIGNED;
        scan_case c = {.type = (scankit_type)type, .op = sums ? SCANKIT_SUM : SCANKIT_MAX, .shape = DATA_BITS};
        c.n = 20000003 / oracle_size(c.type);
        c.in_lead = (size_t)type % 2;
        check_reduce(d, &c);
    }
    tap_end();
}

/* One element decides the result. It stands at each position in turn, so no element may be skipped. */
static void every_position(device *d)
{
    enum { N = 20011 };
    uint32_t *in = data_allocate(N, sizeof *in), result;
    tap_begin("%s: u32 max: every position counts", d->name);
    for (size_t at = 0; at < N; at += 1 + at / 40) {
        tap_case("at %zu", at);
        in[at] = (uint32_t)at + 1;
        const void *from = device_put(d, 0, in, N * sizeof *in, 0);
        if (DEVICE_DID(d, scankit_reduce(d->context, SCANKIT_U32, SCANKIT_MAX, from, &result, N)))
            TAP_CHECK(result == at + 1);
        in[at] = 0;
    }
    tap_end();
    free(in);
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++)
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type)) {
                every_size(d, (scankit_type)type, (scankit_operator)op);
                every_alignment(d, (scankit_type)type, (scankit_operator)op);
            }
    several_tiles(d);
    every_position(d);
}

int main(void)
{
    return device_each("reduce", test);
}
