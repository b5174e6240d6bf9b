/* segmented-floats.c - sums of floats in segments come out with the same bits on every run, on a CPU with any number of
 * threads, and wherever the arrays lie. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

enum { N = 600000, KINDS = 6, TYPES = 3 };

static const scankit_type types[TYPES] = {SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};

/* The approximate number of elements of a segment, for each kind of case. */
static const size_t lengths[KINDS] = {2 * N, 3, 100, 250, 9000, 150000};

struct input {
    double *values;
    uint8_t *heads;
    uint64_t *offsets;
    size_t segments;
};

static struct input make_input(size_t length)
{
    random_state random = random_seeded(length);
    struct input in = {data_allocate(N, sizeof *in.values), data_allocate(N, 1), data_allocate(N + 1, 8), 0};
    for (size_t i = 0; i < N; i++) {
        in.values[i] = (double)(random_next(&random) >> 11) / 9007199254740992.0 * 2e6 - 1e6;
        in.heads[i] = random_below(&random, length) == 0;
        if (i == 0 || in.heads[i])
            in.offsets[in.segments++] = i;
    }
    in.offsets[in.segments] = N;
    return in;
}

/* Puts the values as floats of the type. Halves are smaller, so that few sums are infinite. */
static void put_values(device *d, const struct input *in, scankit_type type, size_t lead)
{
    size_t size = oracle_size(type);
    void *values = data_allocate(N, size);
    double scale = type == SCANKIT_F16 ? 1e-5 : 1;
    for (size_t i = 0; i < N; i++)
        oracle_store(type, values, i, oracle_float_bits(type, scale * in->values[i]));
    device_put(d, 0, values, N * size, lead * size);
    free(values);
}

/* Scans, then reduces: N elements of the one, then the segments of the other. */
static char *run(device *d, const struct input *in, scankit_type type, size_t lead)
{
    size_t size = oracle_size(type);
    char *results = data_allocate(N + in->segments, size);
    put_values(d, in, type, lead);
    const uint8_t *heads = device_put(d, 1, in->heads, N, lead);
    void *out = device_put(d, 2, NULL, N * size, 0);
    if (DEVICE_DID(d, scankit_segmented_scan(d->context, type, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, d->area[0].data,
                                             heads, out, N)))
        device_get(d, 2, results);
    const uint64_t *offsets = device_put(d, 1, in->offsets, (in->segments + 1) * 8, 0);
    out = device_put(d, 2, NULL, in->segments * size, 0);
    if (DEVICE_DID(
            d, scankit_segmented_reduce(d->context, type, SCANKIT_SUM, d->area[0].data, offsets, out, in->segments)))
        device_get(d, 2, results + N * size);
    return results;
}

/* The result of the first run on a device of this kind. */
static char *earlier[2][TYPES][KINDS];

static void same_bits(device *d, const struct input *in, int t, int kind, size_t lead)
{
    scankit_type type = types[t];
    char **kept = &earlier[!scankit_is_host(d->context)][t][kind];
    char *results = run(d, in, type, lead);
    tap_case("%s, segments of about %zu, lead %zu", scankit_type_name(type), lengths[kind], lead);
    if (*kept == NULL) {
        *kept = results;
    } else {
        size_t differs = first_difference(*kept, results, N + in->segments, oracle_size(type));
        if (differs < N + in->segments)
            tap_fail("%s %zu differs", differs < N ? "element" : "segment", differs < N ? differs : differs - N);
        free(results);
    }
}

static void test(device *d)
{
    tap_begin("%s: the same bits on every run", d->name);
    for (int kind = 0; kind < KINDS; kind++) {
        struct input in = make_input(lengths[kind]);
        for (size_t lead = 0; lead < 3; lead++)
            for (int t = 0; t < TYPES; t++)
                same_bits(d, &in, t, kind, lead);
        free(in.values);
        free(in.heads);
        free(in.offsets);
    }
    tap_end();
}

int main(void)
{
    return device_each("floats in segments", test);
}
