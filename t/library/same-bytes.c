/* same-bytes.c - the CPU and the GPU return the same bytes: every integer scan and reduction, every sort, split,
 * merge, compaction and encoding of random input. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define PARTS 8 /* of results, before the offsets of split */
#define RESULT_BYTES(c) ((c)->n * 8 + 64)

/* A random call. It depends on the seed alone, so both devices make the same call. */
struct call {
    scankit_type type;
    scankit_operator op;
    data_shape shape;
    size_t n;
    scankit_sort_options options;
    unsigned bit, bits;
    uint64_t seed;
};

static struct call random_call(uint64_t seed)
{
    random_state random = random_seeded(seed);
    struct call c = {.seed = seed};
    c.type = (scankit_type)random_below(&random, ORACLE_TYPES);
    do
        c.op = (scankit_operator)random_below(&random, ORACLE_OPERATORS);
    while (!oracle_applies(c.op, c.type));
    c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
    c.n = random_size(&random, 2000000);
    c.options.descending = (int)random_below(&random, 2);
    c.options.algorithm = (scankit_algorithm)random_below(&random, ORACLE_ALGORITHMS);
    c.bits = 1 + (unsigned)random_below(&random, 8);
    c.bit = (unsigned)random_below(&random, oracle_bits(c.type) - c.bits + 1);
    return c;
}

/* Only sums and products of floats may differ. */
static bool exact(const struct call *c)
{
    return oracle_kind(c->type) != ORACLE_FLOAT || (c->op != SCANKIT_SUM && c->op != SCANKIT_PROD);
}

/* By arithmetic that shows every rounding, on the float that each type becomes. */
#define PREDICATE "(x * 0.1 + i) * 1.1 / 3 - x > min(x * 0.7, i * 1e3) || x * x * 1e-3 - 7.5 * x < -2.0"

static void run_compact(device *d, const struct call *c, const void *from, char *result)
{
    scankit_predicate *predicate = NULL;
    size_t count = 0;
    void *to = device_put(d, 1, NULL, c->n * 8, 0);
    if (scankit_predicate_compile(&predicate, c->type, PREDICATE, NULL, NULL) != SCANKIT_OK)
        tap_fail("%s does not compile", PREDICATE);
    else if (DEVICE_DID(d, scankit_compact(d->context, predicate, from, to, c->n, NULL, &count)))
        device_get(d, 1, result);
    memcpy(result + c->n * 8, &count, sizeof count);
    scankit_predicate_destroy(predicate);
}

/* Encodes runs, decodes them, and reduces the values beside them. */
static void run_encode(device *d, const struct call *c, const void *in, char *result)
{
    size_t size = oracle_size(c->type), runs = 0, n = 0;
    char *beside = data_allocate(c->n, size);
    data_fill(beside, c->type, DATA_BITS, c->n, ~c->seed);
    const void *from = device_put(d, 0, in, c->n * size, 0), *operands = device_put(d, 3, beside, c->n * size, 0);
    void *values = device_put(d, 1, NULL, c->n * size, 0), *out = NULL;
    uint64_t *counts = device_put(d, 2, NULL, c->n * sizeof *counts, 0);
    if (DEVICE_DID(d, scankit_run_length_encode(d->context, size, from, values, counts, c->n, NULL, &runs))) {
        device_get(d, 1, result);
        device_get(d, 2, result + RESULT_BYTES(c));
        out = device_put(d, 4, NULL, c->n * size, 0);
        DEVICE_DID(d, scankit_run_length_decode(d->context, size, values, counts, runs, out, c->n, &n));
        device_expect(d, 4, in, c->n, size, "round trip");
    }
    out = device_put(d, 4, NULL, c->n * size, 0);
    if (exact(c) && DEVICE_DID(d, scankit_reduce_by_key(d->context, size, from, c->type, c->op, operands, NULL, out,
                                                        c->n, NULL, &runs)))
        device_get(d, 4, result + 2 * RESULT_BYTES(c));
    memcpy(result + RESULT_BYTES(c) - sizeof runs, &runs, sizeof runs);
    free(beside);
}

/* The bytes of all calls on one device, one after the other. */
static void run(device *d, const struct call *c, const void *in, char *result)
{
    size_t size = oracle_size(c->type), bytes = c->n * size,
           *offsets = (size_t *)(void *)(result + PARTS * RESULT_BYTES(c));
    scankit_context *ctx = d->context;
    const void *from = device_put(d, 0, in, bytes, 0);
    void *to = device_put(d, 1, NULL, c->n * 8, 0);
    if (exact(c) && DEVICE_DID(d, scankit_scan(ctx, c->type, c->op, SCANKIT_INCLUSIVE, NULL, from, to, c->n)))
        device_get(d, 1, result);
    if (exact(c))
        DEVICE_DID(d, scankit_reduce(ctx, c->type, c->op, from, result + c->n * 8, c->n));
    to = device_put(d, 1, NULL, c->n * 8, 0);
    if (DEVICE_DID(d, scankit_sort(ctx, c->type, from, to, c->n, &c->options)))
        device_get(d, 1, result + RESULT_BYTES(c));
    to = device_put(d, 1, NULL, c->n * 8, 0);
    if (DEVICE_DID(d, scankit_argsort(ctx, c->type, from, to, c->n, &c->options)))
        device_get(d, 1, result + 2 * RESULT_BYTES(c));
    to = device_put(d, 1, NULL, c->n * 8, 0);
    if (DEVICE_DID(d, scankit_split(ctx, c->type, from, to, c->n, c->bit, c->bits, offsets)))
        device_get(d, 1, result + 3 * RESULT_BYTES(c));
    run_compact(d, c, from, result + 4 * RESULT_BYTES(c));
    run_encode(d, c, in, result + 5 * RESULT_BYTES(c));
}

static void compare(device *cpu, device *gpu, uint64_t seed)
{
    static const char *const calls[PARTS + 1] = {"scan or reduce", "sort",   "argsort",       "split",  "compact",
                                                 "values of runs", "counts", "reduce by key", "offsets"};
    struct call c = random_call(seed);
    size_t part = RESULT_BYTES(&c), bytes = PARTS * part + 257 * sizeof(size_t);
    void *in = data_allocate(c.n, oracle_size(c.type));
    char *of_cpu = data_allocate(bytes, 1), *of_gpu = data_allocate(bytes, 1);
    tap_case("seed %llu: %s %s %s n %zu %s%s bits %u+%u", (unsigned long long)seed, scankit_type_name(c.type),
             scankit_operator_name(c.op), data_shape_name(c.shape), c.n, scankit_algorithm_name(c.options.algorithm),
             c.options.descending ? " descending" : "", c.bit, c.bits);
    data_fill(in, c.type, c.shape, c.n, seed);
    run(cpu, &c, in, of_cpu);
    run(gpu, &c, in, of_gpu);
    size_t i = first_difference(of_cpu, of_gpu, bytes, 1);
    if (i < bytes)
        tap_fail("%s: byte %zu of its result differs", calls[i / part > PARTS ? PARTS : i / part], i % part);
    free(in);
    free(of_cpu);
    free(of_gpu);
}

int main(void)
{
    device cpu = {.name = "cpu"}, gpu = {.name = "cuda"};
    const char *what = "CPU and GPU: the same bytes";
    if (scankit_cuda_device_count() == 0 || !device_wanted("cuda")) {
        tap_skip(scankit_cuda_device_count() == 0 ? "no GPU" : "SCANKIT_TEST_DEVICE leaves it out", "%s", what);
        return tap_finish();
    }
    if (scankit_open(&cpu.context, cpu.name) != SCANKIT_OK || scankit_open(&gpu.context, gpu.name) != SCANKIT_OK)
        tap_bail_out("a device does not open");
    tap_begin("%s", what);
    for (uint64_t seed = 0; seed < 300; seed++)
        compare(&cpu, &gpu, seed);
    tap_end();
    for (unsigned i = 0; i < DEVICE_AREAS; i++) {
        free(cpu.area[i].memory);
        scankit_free(gpu.context, gpu.area[i].memory);
    }
    scankit_close(cpu.context);
    scankit_close(gpu.context);
    return tap_finish();
}
