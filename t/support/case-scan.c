/* case-scan.c - scan and reduce against the oracle: see cases.h */
#include <stdlib.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* For sums, whole numbers whose sums stay below 2^24. For products, 1 and -1 with at most a hundred factors 2 and 1/2.
 * So no order of operations rounds. */
static void fill_exact_floats(const scan_case *c, void *out)
{
    random_state random = random_seeded(c->seed);
    size_t apart = c->n / 100 + 1;
    for (size_t i = 0; i < c->n; i++) {
        int sign = random_next(&random) & 1 ? -1 : 1;
        double factor = i % apart != 0 ? 1 : random_next(&random) & 1 ? 2 : 0.5;
        double value = sign * (c->op == SCANKIT_SUM ? (double)(1 + random_below(&random, 8)) : factor);
        oracle_store(c->type, out, i, oracle_float_bits(c->type, value));
    }
}

static bool rounds(const scan_case *c)
{
    return oracle_kind(c->type) == ORACLE_FLOAT && (c->op == SCANKIT_SUM || c->op == SCANKIT_PROD);
}

void fill_operands(const scan_case *c, void *out)
{
    if (rounds(c))
        fill_exact_floats(c, out);
    else
        data_fill(out, c->type, c->shape, c->n, c->seed);
}

static void describe(const char *what, const scan_case *c)
{
    tap_case("%s %s %s %s n %zu %s%s%sleads %zu %zu shape %s seed %llu", what, c->gallery != NULL ? c->gallery : "",
             scankit_type_name(c->type), scankit_operator_name(c->op), c->n,
             c->kind == SCANKIT_INCLUSIVE ? "inclusive " : "exclusive ", c->initial ? "initial " : "",
             c->in_place ? "in place " : "", c->in_lead, c->out_lead, data_shape_name(c->shape),
             (unsigned long long)c->seed);
}

static scankit_error scan(device *d, const scan_case *c, const void *initial, const void *in, void *out)
{
    return c->gallery == NULL
               ? scankit_scan(d->context, c->type, c->op, c->kind, initial, in, out, c->n)
               : scankit_gallery_scan(d->context, c->gallery, c->type, c->op, c->kind, initial, in, out, c->n);
}

static scankit_error reduce(device *d, const scan_case *c, const void *in, void *result)
{
    return c->gallery == NULL ? scankit_reduce(d->context, c->type, c->op, in, result, c->n)
                              : scankit_gallery_reduce(d->context, c->gallery, c->type, c->op, in, result, c->n);
}

void check_scan(device *d, const scan_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type), bytes = c->n * size;
    void *in = data_allocate(c->n, size), *expected = data_allocate(c->n, size), *initial = data_allocate(1, size);
    scan_case first = *c;
    describe("scan", c);
    fill_operands(c, in);
    first.n = 1;
    first.seed = ~c->seed;
    fill_operands(&first, initial);
    const void *start = c->initial ? initial : NULL;
    oracle_scan(c->type, c->op, c->kind, start, in, expected, c->n);
    void *from = device_put(d, 0, in, bytes, c->in_lead * size);
    void *to = c->in_place ? from : device_put(d, 1, NULL, bytes, c->out_lead * size);
    if (DEVICE_DID(d, scan(d, c, start, from, to))) {
        device_expect(d, c->in_place ? 0 : 1, expected, c->n, size, "result");
        if (!c->in_place)
            device_expect(d, 0, in, c->n, size, "input");
    }
    free(in);
    free(expected);
    free(initial);
}

void check_reduce(device *d, const scan_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type);
    void *in = data_allocate(c->n, size);
    uint64_t result[2] = {UINT64_C(0x5a5a5a5a5a5a5a5a), UINT64_C(0x5a5a5a5a5a5a5a5a)}, guard = result[1];
    describe("reduce", c);
    fill_operands(c, in);
    uint64_t expected = oracle_reduce(c->type, c->op, in, c->n);
    const void *from = device_put(d, 0, in, c->n * size, c->in_lead * size);
    if (DEVICE_DID(d, reduce(d, c, from, result))) {
        uint64_t bits = oracle_load(c->type, result, 0);
        if (bits != expected)
            tap_fail("result is 0x%llx, should be 0x%llx", (unsigned long long)bits, (unsigned long long)expected);
        if (result[1] != guard || oracle_load(SCANKIT_U8, result, size) != 0x5a)
            tap_fail("bytes after the result were written");
        device_expect(d, 0, in, c->n, size, "input");
    }
    void *to = device_put(d, 1, NULL, size, c->in_lead * size);
    if (c->gallery == NULL && DEVICE_DID(d, scankit_reduce_to(d->context, c->type, c->op, from, to, c->n))) {
        uint64_t element;
        oracle_store(c->type, &element, 0, expected);
        device_expect(d, 1, &element, 1, size, "result on the device");
    }
    free(in);
}
