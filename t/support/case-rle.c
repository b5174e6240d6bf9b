/* case-rle.c - runs: encoding, unique, reduction by key and decoding against the oracle: see cases.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* Areas of the device. */
enum { IN, VALUES, COUNTS, REDUCED_IN, REDUCED, DECODED };

/* The input and the expected output. */
struct runs {
    char *in, *values, *reduced_in, *reduced;
    uint64_t *counts;
    size_t runs;
};

static scan_case operands_of(const rle_case *c)
{
    static const data_shape shapes[] = {DATA_BITS, DATA_SPECIAL, DATA_SIXTEEN};
    return (scan_case){
        .type = c->type, .op = c->op, .shape = shapes[c->seed % 3], .n = c->n, .seed = c->seed ^ UINT64_C(0x5eed)};
}

static void reduce_runs(const rle_case *c, struct runs *r, const uint64_t *begins)
{
    size_t size = oracle_size(c->type);
    scan_case operands = operands_of(c);
    r->reduced_in = data_allocate(c->n, size);
    r->reduced = data_allocate(r->runs, size);
    fill_operands(&operands, r->reduced_in);
    for (size_t i = 0; i < r->runs; i++)
        oracle_store(c->type, r->reduced, i,
                     oracle_reduce(c->type, c->op, r->reduced_in + begins[i] * size, r->counts[i]));
}

static struct runs make_runs(const rle_case *c)
{
    size_t size = c->element_size;
    struct runs r = {.in = data_allocate(c->n, size)};
    uint64_t *begins = data_allocate(c->n + 1, sizeof *begins);
    fill_runs(c, r.in);
    r.runs = oracle_runs(size, r.in, c->n, c->keys, c->key_count, begins);
    r.values = data_allocate(r.runs, size);
    r.counts = data_allocate(r.runs, sizeof *r.counts);
    oracle_gather(size, r.in, begins, r.values, r.runs);
    for (size_t i = 0; i < r.runs; i++)
        r.counts[i] = begins[i + 1] - begins[i];
    if (rle_reduces(c->want))
        reduce_runs(c, &r, begins);
    free(begins);
    return r;
}

static void release_runs(struct runs *r)
{
    free(r->in);
    free(r->values);
    free(r->counts);
    free(r->reduced_in);
    free(r->reduced);
}

static void describe(const char *call, const rle_case *c)
{
    static const char *const structures[] = {
#define X(enumerator, name) name,
        RUN_STRUCTURES(X)
#undef X
    };
    static const char *const wants[] = {
#define X(enumerator, name) name,
        RLE_WANTS(X)
#undef X
    };
    char keys[RLE_KEYS * 64] = "", reduction[32] = "", *end = keys;
    for (size_t k = 0; k < c->key_count; k++)
        end += sprintf(end, " %zu:%s%zu", c->keys[k].offset, scankit_type_name(c->keys[k].type), c->keys[k].size);
    if (rle_reduces(c->want))
        snprintf(reduction, sizeof reduction, " %s %s", scankit_type_name(c->type), scankit_operator_name(c->op));
    tap_case("%s %zu bytes n %zu %s%s of %s%s%s%s%s%s%s%s leads %zu %zu %zu seed %llu", call, c->element_size, c->n,
             wants[c->want], reduction, structures[c->structure], c->key_count > 0 ? " by" : "", keys,
             c->in_place ? " in place" : "", c->values_in_place ? " values in place" : "",
             c->want_count ? " counted" : "", c->exact_room ? " exact room" : "", c->zeros ? " zeros" : "", c->in_lead,
             c->out_lead, c->value_lead, (unsigned long long)c->seed);
}

/* ---- encoding ---- */

static bool gives_elements(const rle_case *c)
{
    return c->want != RLE_COUNTS && c->want != RLE_NUMBER && c->want != RLE_REDUCED;
}

static bool gives_counts(const rle_case *c)
{
    return c->want == RLE_ENCODE || c->want == RLE_COUNTS;
}

/* Exact room or room for all elements. A wanted output is NULL only if there are no elements. */
static size_t room(const rle_case *c, size_t runs)
{
    return c->exact_room ? runs : c->n;
}

static scankit_error call(device *d, const rle_case *c, const struct runs *r, size_t *count)
{
    const scankit_run_options options = {c->key_count > 0 ? c->keys : NULL, c->key_count};
    const scankit_run_options *given = c->key_count == 0 && c->seed % 2 == 0 ? NULL : &options;
    size_t size = c->element_size, places = room(c, r->runs), operand = oracle_size(c->type);
    void *in = device_put(d, IN, r->in, c->n * size, c->in_lead), *values = NULL;
    uint64_t *counts = NULL;
    if (gives_elements(c))
        values = c->in_place ? in : device_put(d, VALUES, NULL, places * size, c->out_lead);
    if (gives_counts(c))
        counts = device_put(d, COUNTS, NULL, places * sizeof *counts, c->value_lead * sizeof *counts);
    if (c->want == RLE_UNIQUE)
        return scankit_unique(d->context, size, in, values, c->n, given, count);
    if (!rle_reduces(c->want))
        return scankit_run_length_encode(d->context, size, in, values, counts, c->n, given, count);
    void *reduced_in = device_put(d, REDUCED_IN, r->reduced_in, c->n * operand, c->value_lead * operand);
    void *reduced =
        c->values_in_place ? reduced_in : device_put(d, REDUCED, NULL, places * operand, c->out_lead * operand);
    return scankit_reduce_by_key(d->context, size, in, c->type, c->op, reduced_in, values, reduced, c->n, given, count);
}

/* Past its last element, an output in place may hold anything; any other output is unchanged there. */
static void expect_output(device *d, bool in_place, unsigned in, unsigned out, const void *expected, size_t n,
                          size_t size, const char *what)
{
    if (in_place)
        device_expect(d, in, expected, n, size, what);
    else
        device_expect_part(d, out, expected, n, size, what);
}

static void expect(device *d, const rle_case *c, const struct runs *r)
{
    size_t size = c->element_size, operand = oracle_size(c->type);
    if (c->n == 0)
        return;
    if (gives_elements(c))
        expect_output(d, c->in_place, IN, VALUES, r->values, r->runs, size, "values");
    if (gives_counts(c))
        device_expect_part(d, COUNTS, r->counts, r->runs, sizeof *r->counts, "counts");
    if (!gives_elements(c) || !c->in_place)
        device_expect(d, IN, r->in, c->n, size, "input");
    if (!rle_reduces(c->want))
        return;
    expect_output(d, c->values_in_place, REDUCED_IN, REDUCED, r->reduced, r->runs, operand, "reduced");
    if (!c->values_in_place)
        device_expect(d, REDUCED_IN, r->reduced_in, c->n, operand, "what is reduced");
}

/* Decodes what was encoded without keys, from its place in device memory. */
static void round_trip(device *d, const rle_case *c, const struct runs *r)
{
    size_t n = ~(size_t)0;
    const void *values = d->area[c->in_place ? IN : VALUES].data;
    const uint64_t *counts = (const uint64_t *)(const void *)d->area[COUNTS].data;
    void *out = device_put(d, DECODED, NULL, c->n * c->element_size, c->in_lead);
    if (c->n > 0 &&
        DEVICE_DID(d, scankit_run_length_decode(d->context, c->element_size, values, counts, r->runs, out, c->n, &n))) {
        device_expect(d, DECODED, r->in, c->n, c->element_size, "round trip");
        if (n != c->n)
            tap_fail("%zu elements come back", n);
    }
}

void check_rle(device *d, const rle_case *c)
{
    if (!device_case_is_due())
        return;
    size_t count = ~(size_t)0;
    struct runs r = make_runs(c);
    describe("runs", c);
    if (device_did(d, call(d, c, &r, c->want_count ? &count : NULL), "encoding")) {
        expect(d, c, &r);
        if (c->want_count && count != r.runs)
            tap_fail("%zu runs, should be %zu", count, r.runs);
        if (c->want == RLE_ENCODE && c->key_count == 0)
            round_trip(d, c, &r);
    }
    release_runs(&r);
}

/* ---- decoding ---- */

/* Inserts runs of no elements between the others and at both ends, with any values. */
static void insert_zeros(const rle_case *c, struct runs *r)
{
    size_t size = c->element_size, all = 0, most = 3 * (r->runs + 1);
    random_state random = random_seeded(c->seed + 1);
    char *values = data_allocate(most, size);
    uint64_t *counts = data_allocate(most, sizeof *counts);
    data_fill_bytes(values, most * size, c->seed + 2);
    for (size_t i = 0; i <= r->runs; i++) {
        all += random_below(&random, 3);
        if (i < r->runs) {
            memcpy(values + all * size, r->values + i * size, size);
            counts[all++] = r->counts[i];
        }
    }
    free(r->values);
    free(r->counts);
    r->values = values;
    r->counts = counts;
    r->runs = all;
}

static scankit_error decode(device *d, const rle_case *c, size_t runs, void *out, size_t places, size_t *n)
{
    const uint64_t *counts = (const uint64_t *)(const void *)d->area[COUNTS].data;
    return scankit_run_length_decode(d->context, c->element_size, d->area[VALUES].data, counts, runs, out, places, n);
}

static void decode_into_room(device *d, const rle_case *c, const struct runs *r)
{
    size_t n = ~(size_t)0, places = c->n + (c->exact_room ? 0 : 1 + c->seed % 100);
    void *out = device_put(d, DECODED, NULL, places * c->element_size, c->out_lead);
    if (!device_did(d, decode(d, c, r->runs, out, places, c->want_count ? &n : NULL), "decoding"))
        return;
    if (places > 0)
        device_expect_part(d, DECODED, r->in, c->n, c->element_size, "decoded");
    if (c->want_count && n != c->n)
        tap_fail("%zu elements, should be %zu", n, c->n);
}

static void decode_into_too_little(device *d, const rle_case *c, const struct runs *r)
{
    size_t n, places = c->n - 1 - (c->exact_room ? 0 : c->seed % c->n);
    void *out = device_put(d, DECODED, NULL, c->n * c->element_size, c->out_lead);
    if (decode(d, c, r->runs, out, places, &n) != SCANKIT_E_ARGUMENT)
        tap_fail("room for %zu of %zu elements is not refused", places, c->n);
    device_expect_part(d, DECODED, NULL, 0, c->element_size, "decoded into too little room");
}

static void only_count(device *d, const rle_case *c, const struct runs *r)
{
    size_t n = ~(size_t)0;
    if (device_did(d, decode(d, c, r->runs, NULL, c->seed % 3, &n), "counting") && n != c->n)
        tap_fail("%zu elements are counted, should be %zu", n, c->n);
}

void check_decode(device *d, const rle_case *c)
{
    if (!device_case_is_due())
        return;
    struct runs r = make_runs(c);
    size_t size = c->element_size;
    if (c->zeros)
        insert_zeros(c, &r);
    describe("decode", c);
    device_put(d, VALUES, r.values, r.runs * size, c->in_lead);
    device_put(d, COUNTS, r.counts, r.runs * sizeof *r.counts, c->value_lead * sizeof *r.counts);
    decode_into_room(d, c, &r);
    if (c->n > 0)
        decode_into_too_little(d, c, &r);
    only_count(d, c, &r);
    device_expect(d, VALUES, r.values, r.runs, size, "values");
    device_expect(d, COUNTS, r.counts, r.runs, sizeof *r.counts, "counts");
    release_runs(&r);
}
