/* runs.c - run-length encoding, unique, reduce by key and decoding over a group: runs that cross parts are joined, over
 * any number of members. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/cases.h"
#include "support/tap.h"

typedef struct expected {
    char *values;
    uint64_t *counts;
    uint32_t *reduced;
    size_t runs;
} expected;

/* What one context makes of it. */
static expected encode_alone(const rle_case *c, const scankit_run_options *options, const void *host,
                             const uint32_t *operands)
{
    expected e = {data_allocate(c->n, c->element_size), data_allocate(c->n, sizeof *e.counts),
                  data_allocate(c->n, sizeof *e.reduced), 0};
    scankit_context *alone = parts_alone();
    if (scankit_reduce_by_key(alone, c->element_size, host, SCANKIT_U32, SCANKIT_AFFINE, operands, NULL, e.reduced,
                              c->n, options, NULL) != SCANKIT_OK ||
        scankit_run_length_encode(alone, c->element_size, host, e.values, e.counts, c->n, options, &e.runs) !=
            SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(alone));
    return e;
}

static void free_expected(expected *e)
{
    free(e->values);
    free(e->counts);
    free(e->reduced);
}

static void check_decode_group(scankit_group *group, const rle_case *c, const parts *values, const parts *counts,
                               const size_t *runs, const void *host)
{
    size_t n[PARTS_MAX], room[PARTS_MAX];
    parts out;
    if (!PARTS_DID(group, scankit_group_run_length_decode(group, c->element_size, (const void *const *)values->data,
                                                          (const uint64_t *const *)counts->data, runs, NULL, NULL, n)))
        return;
    memcpy(room, n, sizeof room);
    parts_put(&out, group, NULL, c->element_size, room, 0);
    if (PARTS_DID(group,
                  scankit_group_run_length_decode(group, c->element_size, (const void *const *)values->data,
                                                  (const uint64_t *const *)counts->data, runs, out.data, room, n)))
        parts_expect(&out, n, host, c->n, "decoded");
    parts_free(&out);
}

/* What a case needs over the members. */
typedef struct arrays {
    parts in, operands, values, counts, reduced;
    size_t lengths[PARTS_MAX], runs[PARTS_MAX];
} arrays;

static void put(arrays *a, scankit_group *group, const rle_case *c, parts_way way, const void *host,
                const uint32_t *operands)
{
    random_state random = random_seeded(c->seed);
    parts_divide(a->lengths, group, c->n, way, &random);
    parts_put(&a->in, group, host, c->element_size, a->lengths, c->in_lead);
    parts_put(&a->operands, group, operands, sizeof *operands, a->lengths, 4);
    parts_put(&a->values, group, NULL, c->element_size, a->lengths, 0);
    parts_put(&a->counts, group, NULL, sizeof(uint64_t), a->lengths, 8);
    parts_put(&a->reduced, group, NULL, sizeof *operands, a->lengths, 0);
}

static void release(arrays *a)
{
    parts_free(&a->in);
    parts_free(&a->operands);
    parts_free(&a->values);
    parts_free(&a->counts);
    parts_free(&a->reduced);
}

static void check_calls(scankit_group *group, const rle_case *c, const scankit_run_options *options, arrays *a,
                        const expected *e, const void *host)
{
    const void *const *in = (const void *const *)a->in.data, *const *operands = (const void *const *)a->operands.data;
    const size_t size = c->element_size;
    if (PARTS_DID(group, scankit_group_unique(group, size, in, a->values.data, a->lengths, options, a->runs)))
        parts_expect(&a->values, a->runs, e->values, e->runs, "unique");
    if (PARTS_DID(group, scankit_group_reduce_by_key(group, size, in, SCANKIT_U32, SCANKIT_AFFINE, operands,
                                                     a->values.data, a->reduced.data, a->lengths, options, a->runs))) {
        parts_expect(&a->values, a->runs, e->values, e->runs, "keys");
        parts_expect(&a->reduced, a->runs, e->reduced, e->runs, "reduced");
    }
    if (PARTS_DID(group,
                  scankit_group_run_length_encode(group, size, in, a->values.data, (uint64_t *const *)a->counts.data,
                                                  a->lengths, options, a->runs))) {
        parts_expect(&a->values, a->runs, e->values, e->runs, "values");
        parts_expect(&a->counts, a->runs, e->counts, e->runs, "counts");
        if (options == NULL)
            check_decode_group(group, c, &a->values, &a->counts, a->runs, host);
    }
}

/* Operands are affine maps, which do not commute. */
static void check_runs(scankit_group *group, const rle_case *c, parts_way way)
{
    const scankit_run_options by_keys = {c->keys, c->key_count}, *options = c->key_count > 0 ? &by_keys : NULL;
    char *host = data_allocate(c->n, c->element_size);
    uint32_t *operands = data_allocate(c->n, sizeof *operands);
    arrays a;
    fill_runs(c, host);
    data_fill_bytes(operands, c->n * sizeof *operands, c->seed);
    expected e = encode_alone(c, options, host, operands);
    put(&a, group, c, way, host, operands);
    check_calls(group, c, options, &a, &e, host);
    release(&a);
    free_expected(&e);
    free(operands);
    free(host);
}

static const struct structure {
    run_structure structure;
    const char *name;
} structures[] = {
#define X(enumerator, name) {RUNS_##enumerator, name},
    RUN_STRUCTURES(X)
#undef X
};

static void test(scankit_group *group, const char *name)
{
    static const size_t sizes[] = {1, 2, 4, 8, 3, 16};
    for (size_t s = 0; s < sizeof structures / sizeof *structures; s++) {
        tap_begin("%s: %s: encode, decode, unique, reduce by key", name, structures[s].name);
        for (uint64_t seed = 0; seed < 6 * PARTS_WAY_COUNT; seed++) {
            random_state random = random_seeded(seed);
            rle_case c = {.element_size = sizes[seed / PARTS_WAY_COUNT],
                          .n = random_size(&random, 30000),
                          .structure = structures[s].structure,
                          .in_lead = (size_t)random_below(&random, 8),
                          .seed = seed};
            if (seed % 4 == 3)
                random_run_keys(&c, &random);
            tap_case("n %zu of %zu bytes, %s, %zu keys", c.n, c.element_size,
                     parts_way_name((parts_way)(seed % PARTS_WAY_COUNT)), c.key_count);
            if (device_case_is_due())
                check_runs(group, &c, (parts_way)(seed % PARTS_WAY_COUNT));
        }
        tap_end();
    }
}

int main(void)
{
    return parts_each_group(test);
}
