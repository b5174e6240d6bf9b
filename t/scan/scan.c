/* scan.c - scan equals a sequential scan: every type, operator and kind, at sizes around every power of
 * two, in place and not, with and without an initial value, at every alignment. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated, anew for each size. */
static void check_sizes(device *d, scan_case c, const size_list *sizes)
{
    random_state random = random_seeded((uint64_t)c.type * 64 + (uint64_t)c.op);
    size_t per_line = 64 / oracle_size(c.type);
    for (size_t i = 0; i < sizes->count; i++) {
        c.n = sizes->size[i];
        c.shape = random_next(&random) & 1 ? DATA_BITS : DATA_SPECIAL;
        c.initial = random_next(&random) & 1;
        c.in_place = random_below(&random, 3) == 0;
        c.in_lead = random_next(&random) & 1 ? random_below(&random, per_line) : 0;
        c.out_lead = random_next(&random) & 1 ? random_below(&random, per_line) : c.in_lead;
        c.seed = random_next(&random);
        check_scan(d, &c);
    }
}

static void every_size(device *d, scankit_type type, scankit_operator op)
{
    size_list sizes = data_edge_sizes((size_t)1 << (op == SCANKIT_SUM ? 15 : 13));
    sizes.size[sizes.count++] = 400003 / oracle_size(type); /* enough for several threads */
    scan_case c = {.type = type, .op = op};
    tap_begin("%s: %s %s: every size", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (int kind = 0; kind < 2; kind++) {
        c.kind = kind == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
        check_sizes(d, c, &sizes);
    }
    tap_end();
}

/* Data of which every element may change the result. */
static data_shape shape_for(scankit_operator op)
{
    return op == SCANKIT_MAX ? DATA_SORTED : op == SCANKIT_MIN ? DATA_REVERSED : DATA_BITS;
}

/* Input and output at every alignment within 16 bytes, with sizes that put the end at every alignment too, and with
 * whole tiles of a GPU alone. */
static void every_alignment(device *d, scankit_type type, scankit_operator op)
{
    size_t size = oracle_size(type), phases = 16 / size;
    const size_t sizes[] = {70, 36000 / size, 32768 / size};
    scan_case c = {.type = type, .op = op, .shape = shape_for(op)};
    tap_begin("%s: %s %s: every alignment", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (c.in_lead = 0; c.in_lead < phases; c.in_lead++)
        for (c.out_lead = 0; c.out_lead < phases; c.out_lead++)
            for (int i = 0; i < 3; i++) {
                c.n = sizes[i] + (i < 2 ? c.in_lead * 3 + c.out_lead : 0);
                c.in_place = c.in_lead == c.out_lead && i > 0;
                c.kind = c.out_lead % 2 == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
                c.seed++;
                check_scan(d, &c);
            }
    tap_end();
}

static void large_sizes(device *d, scankit_type type, scankit_operator op)
{
    /* The last is written around the caches. */
    const size_list sizes = {4, {131071, 131073, 1000003, ((size_t)9 << 20) / oracle_size(type) + 3}};
    scan_case c = {.type = type, .op = op, .kind = SCANKIT_INCLUSIVE, .shape = shape_for(op)};
    tap_begin("%s: %s %s: large sizes", d->name, scankit_type_name(type), scankit_operator_name(op));
    check_sizes(d, c, &sizes);
    c.kind = SCANKIT_EXCLUSIVE;
    check_sizes(d, c, &sizes);
    tap_end();
}

/* A long array in parts: each part's initial value is the last result of the part before. */
static void in_parts(device *d)
{
    enum { N = 100000 };
    uint64_t *in = data_allocate(N, sizeof *in), *expected = data_allocate(N, sizeof *in), carry = 0;
    tap_begin("%s: u64 sum: an array in parts is the array", d->name);
    data_fill(in, SCANKIT_U64, DATA_BITS, N, 7);
    oracle_scan(SCANKIT_U64, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in, expected, N);
    char *array = device_put(d, 0, in, N * sizeof *in, 0);
    for (size_t begin = 0, n = 1; begin < N; begin += n, n = 2 * n + 1) {
        char *part = array + begin * sizeof *in;
        n = n < N - begin ? n : N - begin;
        tap_case("from %zu on, n %zu", begin, n);
        if (DEVICE_DID(d, scankit_scan(d->context, SCANKIT_U64, SCANKIT_SUM, SCANKIT_INCLUSIVE,
                                       begin == 0 ? NULL : &carry, part, part, n)))
            DEVICE_DID(d, scankit_download(d->context, &carry, part + (n - 1) * sizeof *in, sizeof carry));
    }
    device_expect(d, 0, expected, N, sizeof *in, "result");
    tap_end();
    free(in);
    free(expected);
}

static void test(device *d)
{
    static const scankit_operator straight[] = {SCANKIT_SUM, SCANKIT_MAX, SCANKIT_MIN}; /* scanned in one pass */
    for (int type = 0; type < ORACLE_TYPES; type++) {
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (oracle_applies((scankit_operator)op, (scankit_type)type))
                every_size(d, (scankit_type)type, (scankit_operator)op);
        for (size_t i = 0; i < sizeof straight / sizeof *straight; i++) {
            every_alignment(d, (scankit_type)type, straight[i]);
            large_sizes(d, (scankit_type)type, straight[i]);
        }
    }
    in_parts(d);
}

int main(void)
{
    return device_each("scan", test);
}
