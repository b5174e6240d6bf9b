/* noncommutative.c - scans and reductions keep the order of operands, shown by an operator that is not commutative. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* The operator must depend on the order, or the other tests here prove nothing. */
static void oracle_tells_order(void)
{
    uint64_t twice = UINT64_C(2) << 32, plus_one = UINT64_C(1) << 32 | 1;
    tap_ok(oracle_combine(SCANKIT_AFFINE, SCANKIT_U64, twice, plus_one) == (UINT64_C(2) << 32 | 1) &&
               oracle_combine(SCANKIT_AFFINE, SCANKIT_U64, plus_one, twice) == (UINT64_C(2) << 32 | 2),
           "affine: doubling then adding one is not adding one then doubling");
}

static void every_size(device *d, scankit_type type)
{
    size_list sizes = data_edge_sizes((size_t)1 << 16);
    sizes.size[sizes.count++] = 1000003;
    scan_case c = {.type = type, .op = SCANKIT_AFFINE, .shape = DATA_BITS};
    tap_begin("%s: %s affine: scan and reduce", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizes.count; i++) {
        c.n = sizes.size[i];
        for (int variant = 0; variant < 4; variant++) {
            c.kind = variant % 2 == 0 ? SCANKIT_INCLUSIVE : SCANKIT_EXCLUSIVE;
            c.initial = variant >= 2;
            c.in_place = (i + (size_t)variant) % 3 == 0;
            c.in_lead = i % 5;
            c.out_lead = i % 3;
            c.seed++;
            check_scan(d, &c);
        }
        check_reduce(d, &c);
    }
    tap_end();
}

/* The header's example: a first-order linear recurrence, x[i] = a[i] x[i-1] + b[i] modulo 2^32. */
static void recurrence(device *d)
{
    enum { N = 70001 };
    uint64_t *maps = data_allocate(N, sizeof *maps), *result = data_allocate(N, sizeof *maps);
    uint32_t x = 12345, start = x;
    tap_begin("%s: affine solves a linear recurrence", d->name);
    data_fill(maps, SCANKIT_U64, DATA_BITS, N, 11);
    void *array = device_put(d, 0, maps, N * sizeof *maps, 0);
    if (DEVICE_DID(d, scankit_scan(d->context, SCANKIT_U64, SCANKIT_AFFINE, SCANKIT_INCLUSIVE, NULL, array, array, N)))
        device_get(d, 0, result);
    for (size_t i = 0; i < N; i++) {
        x = (uint32_t)(maps[i] >> 32) * x + (uint32_t)maps[i];
        if ((uint32_t)(result[i] >> 32) * start + (uint32_t)result[i] != x) {
            tap_fail("x[%zu] is not %u", i, x);
            break;
        }
    }
    tap_end();
    free(maps);
    free(result);
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++)
        if (oracle_applies(SCANKIT_AFFINE, (scankit_type)type))
            every_size(d, (scankit_type)type);
    recurrence(d);
}

int main(void)
{
    oracle_tells_order();
    return device_each("affine", test);
}
