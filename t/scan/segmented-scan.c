/* segmented-scan.c - segmented scan equals a sequential one: every type, operator and kind, with heads of all
 * patterns, at sizes around every power of two, at every alignment, in place and not, with and without an initial
 * value.
 */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated. */
static void draw_rest(segments_case *c, random_state *random)
{
    scan_case *o = &c->operands;
    size_t per_line = 64 / oracle_size(o->type);
    o->shape = random_next(random) & 1 ? DATA_BITS : DATA_SPECIAL;
    o->kind = random_next(random) & 1 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
    o->initial = random_next(random) & 1;
    o->in_place = random_below(random, 3) == 0;
    o->in_lead = random_next(random) & 1 ? random_below(random, per_line) : 0;
    o->out_lead = random_next(random) & 1 ? random_below(random, per_line) : o->in_lead;
    o->seed = random_next(random);
    c->head_first = random_next(random) & 1;
    c->heads_lead = random_next(random) & 1 ? random_below(random, 64) : 0;
}

static const segments_way way = {check_segmented_scan, draw_rest};

/* Input, output and heads each at every alignment within 16 bytes. */
static void every_alignment(device *d, scankit_type type, scankit_operator op)
{
    size_t phases = 16 / oracle_size(type);
    segments_case c = {.operands = {.type = type, .op = op, .shape = DATA_BITS}, .structure = RUNS_GEOMETRIC};
    scan_case *o = &c.operands;
    tap_begin("%s: %s %s: every alignment", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (o->in_lead = 0; o->in_lead < phases; o->in_lead++)
        for (o->out_lead = 0; o->out_lead < phases; o->out_lead++)
            for (int large = 0; large < 2; large++) {
                o->n = (large ? 9000 : 70) + o->in_lead * 3 + o->out_lead;
                o->in_place = o->in_lead == o->out_lead && large;
                o->kind = o->out_lead % 2 == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
                o->seed++;
                c.heads_lead = (o->out_lead * 3 + o->seed) % 16;
                check_segmented_scan(d, &c);
            }
    tap_end();
}

/* A long array in parts: each part's initial value is the last result of the part before. */
static void in_parts(device *d)
{
    enum { N = 100000, EACH = 1000 };
    uint64_t *in = data_allocate(N, sizeof *in), *expected = data_allocate(N, sizeof *in), carry = 0;
    uint8_t *heads = data_allocate(N, 1);
    tap_begin("%s: u64 sum: an array in parts is the array", d->name);
    data_fill(in, SCANKIT_U64, DATA_BITS, N, 7);
    memset(heads, 0, N);
    for (size_t begin = 0; begin < N; begin += EACH) {
        heads[begin] = 1;
        oracle_scan(SCANKIT_U64, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in + begin, expected + begin, EACH);
    }
    char *array = device_put(d, 0, in, N * sizeof *in, 0);
    const uint8_t *marks = device_put(d, 1, heads, N, 0);
    for (size_t begin = 0, n = 1; begin < N; begin += n, n = n < EACH / 2 ? 2 * n + 1 : EACH / 2) {
        char *part = array + begin * sizeof *in;
        n = n < N - begin ? n : N - begin;
        tap_case("from %zu on, n %zu", begin, n);
        if (DEVICE_DID(d, scankit_segmented_scan(d->context, SCANKIT_U64, SCANKIT_SUM, SCANKIT_INCLUSIVE,
                                                 begin == 0 ? NULL : &carry, part, marks + begin, part, n)))
            DEVICE_DID(d, scankit_download(d->context, &carry, part + (n - 1) * sizeof *in, sizeof carry));
    }
    device_expect(d, 0, expected, N, sizeof *in, "result");
    tap_end();
    free(in);
    free(expected);
    free(heads);
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type))
                segments_every_size(d, &way, (scankit_type)type, (scankit_operator)op);
        segments_every_structure(d, &way, (scankit_type)type);
        every_alignment(d, (scankit_type)type, SCANKIT_SUM);
        every_alignment(d, (scankit_type)type, SCANKIT_MAX);
        every_alignment(d, (scankit_type)type, SCANKIT_MIN);
    }
    in_parts(d);
}

int main(void)
{
    return device_each("segmented scan", test);
}
