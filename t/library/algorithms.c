/* algorithms.c - scankit_last_algorithm() returns a name of the public list after every sort, and on a GPU each of the
 * names after the sort that it stands for; on a GPU also after small scans, compactions and run-length calls. */
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

static bool is_listed(const scankit_context *context, const char *ran)
{
#define X(enumerator, name, text, source) name,
    static const char *const cuda[] = {SK_CUDA_SORTS(X) NULL};
    static const char *const cpu[] = {SK_CPU_ALGORITHMS(X) NULL};
#undef X
    const char *const *names = scankit_is_host(context) ? cpu : cuda;
    while (*names != NULL && strcmp(*names, ran) != 0)
        names++;
    return *names != NULL;
}

/* A sort, and the name that it has on a GPU. The GPU's shared memory may be too small for all but the first four. */
typedef struct named_sort {
    const char *name;
    scankit_type type;
    data_shape shape;
    size_t n, value_size;
    scankit_algorithm algorithm;
    bool in_place;
} named_sort;

static const named_sort sorts[] = {
    {"block-ranges", SCANKIT_F32, DATA_UNIFORM, 1000, 0, SCANKIT_AUTO, false},
    {"sample", SCANKIT_I64, DATA_BITS, 200000, 0, SCANKIT_AUTO, false},
    {"radix", SCANKIT_U16, DATA_UNIFORM, 60000, 0, SCANKIT_AUTO, false},
    {"counting", SCANKIT_I8, DATA_UNIFORM, 5000, 0, SCANKIT_AUTO, false},
    {"chunk-merge", SCANKIT_U64, DATA_UNIFORM, 20000, 4, SCANKIT_AUTO, true},
    {"block-ranges", SCANKIT_U64, DATA_UNIFORM, 20000, 4, SCANKIT_AUTO, false},
    {"block-ranges", SCANKIT_U16, DATA_UNIFORM, 20000, 1, SCANKIT_AUTO, false},
    {"words", SCANKIT_U32, DATA_UNIFORM, 200000, 4, SCANKIT_AUTO, false},
    {"sorted", SCANKIT_U32, DATA_SORTED, 2200000, 0, SCANKIT_AUTO, false},
    {"reversed", SCANKIT_U64, DATA_REVERSED, 2200000, 0, SCANKIT_AUTO, false},
    {"counting", SCANKIT_U32, DATA_SIXTEEN, 2200000, 0, SCANKIT_AUTO, false},
    {"counting", SCANKIT_F16, DATA_UNIFORM, 4400000, 0, SCANKIT_AUTO, false},
    {"hybrid", SCANKIT_U32, DATA_UNIFORM, 2200000, 0, SCANKIT_AUTO, true},
    {"hybrid-uncounted", SCANKIT_U32, DATA_UNIFORM, 4400000, 0, SCANKIT_AUTO, false},
    {"hybrid-pairs", SCANKIT_U32, DATA_UNIFORM, 600000, 4, SCANKIT_AUTO, false},
    {"sorted", SCANKIT_U64, DATA_SORTED, 300000, 8, SCANKIT_AUTO, false},
    {"radix", SCANKIT_U32, DATA_UNIFORM, 300000, 0, SCANKIT_RADIX, false},
    {"chunk-merge", SCANKIT_U64, DATA_UNIFORM, 300000, 0, SCANKIT_CHUNK_MERGE, false},
};

enum { KEYS, VALUES, SORTED_KEYS, SORTED_VALUES };

static const char *name_of(device *d, const named_sort *s, size_t n)
{
    const scankit_sort_options options = {.algorithm = s->algorithm};
    size_t size = scankit_type_size(s->type);
    void *keys = data_allocate(n, size), *values = data_allocate(n, s->value_size + 1);
    data_fill(keys, s->type, s->shape, n, 1);
    data_fill_bytes(values, n * s->value_size, 2);
    void *in = device_put(d, KEYS, keys, n * size, 0), *out = in;
    if (!s->in_place)
        out = device_put(d, SORTED_KEYS, NULL, n * size, 0);
    if (s->value_size == 0) {
        DEVICE_DID(d, scankit_sort(d->context, s->type, in, out, n, &options));
    } else {
        void *values_in = device_put(d, VALUES, values, n * s->value_size, 0);
        void *values_out = device_put(d, SORTED_VALUES, NULL, n * s->value_size, 0);
        DEVICE_DID(d,
                   scankit_sort_pairs(d->context, s->type, in, out, s->value_size, values_in, values_out, n, &options));
    }
    free(keys);
    free(values);
    return scankit_last_algorithm(d->context);
}

static void test(device *d)
{
    const size_t count = sizeof sorts / sizeof *sorts, sure = 5;
    tap_begin("%s: sorts name their algorithm", d->name);
    for (size_t i = 0; i < count; i++) {
        const named_sort *s = &sorts[i];
        bool is_host = scankit_is_host(d->context);
        const char *ran = name_of(d, s, is_host ? s->n / 16 : s->n);
        tap_case("%s of %s, %zu: %s", scankit_type_name(s->type), data_shape_name(s->shape), s->n, ran);
        TAP_CHECK(is_listed(d->context, ran));
        if (!is_host)
            TAP_CHECK(strcmp(ran, s->name) == 0 || (i >= sure && strcmp(ran, "radix") == 0));
    }
    tap_end();
}

/* ---- other primitives: small calls on a GPU ---- */

enum { SMALL = 3000, LONG = 40000 }; /* bytes of all data; of a long element */

static scankit_error run_scan(device *d, void *in, void *out, size_t *count)
{
    *count = SMALL / 4;
    return scankit_scan(d->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in, out, *count);
}

static scankit_error run_fixed_scan(device *d, void *in, void *out, size_t *count)
{
    *count = SMALL / 4 - 1;
    DEVICE_DID(d, scankit_set_deterministic(d->context, 1));
    scankit_error error =
        scankit_scan(d->context, SCANKIT_F32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, (char *)in + 4, out, *count);
    DEVICE_DID(d, scankit_set_deterministic(d->context, 0));
    return error;
}

static scankit_error run_segmented_scan(device *d, void *in, void *out, size_t *count)
{
    *count = SMALL / 4;
    return scankit_segmented_scan(d->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, in, in, out, *count);
}

static scankit_error run_segmented_reduce(device *d, void *in, void *out, size_t *count)
{
    static const uint64_t offsets[] = {0, 9, 99};
    *count = 2;
    void *from = device_put(d, SORTED_VALUES, offsets, sizeof offsets, 0);
    return scankit_segmented_reduce(d->context, SCANKIT_U32, SCANKIT_SUM, in, from, out, *count);
}

/* An operator that is not commutative. */
static scankit_error run_ordered_segments(device *d, void *in, void *out, size_t *count)
{
    static const uint64_t offsets[] = {0, 9, 99};
    *count = 2;
    void *from = device_put(d, SORTED_VALUES, offsets, sizeof offsets, 0);
    return scankit_segmented_reduce(d->context, SCANKIT_U32, SCANKIT_AFFINE, in, from, out, *count);
}

static scankit_error run_compact(device *d, void *in, void *out, size_t *count)
{
    return scankit_compact_flags(d->context, 4, in, in, out, SMALL / 4, NULL, count);
}

static scankit_error run_long_compact(device *d, void *in, void *out, size_t *count)
{
    return scankit_compact_flags(d->context, LONG, in, in, out, 2, NULL, count);
}

static scankit_error run_encode(device *d, void *in, void *out, size_t *count)
{
    return scankit_run_length_encode(d->context, 4, in, out, NULL, SMALL / 4, NULL, count);
}

static scankit_error run_odd_encode(device *d, void *in, void *out, size_t *count)
{
    return scankit_run_length_encode(d->context, 3, in, out, NULL, SMALL / 3, NULL, count);
}

static scankit_error decode(device *d, size_t size, void *in, void *out, size_t *count)
{
    static const uint64_t counts[] = {3, 0, 7};
    void *from = device_put(d, SORTED_VALUES, counts, sizeof counts, 0);
    return scankit_run_length_decode(d->context, size, in, from, 3, out, 10, count);
}

static scankit_error run_decode(device *d, void *in, void *out, size_t *count)
{
    return decode(d, 4, in, out, count);
}

static scankit_error run_odd_decode(device *d, void *in, void *out, size_t *count)
{
    return decode(d, 3, in, out, count);
}

/* Numbers in the other byte order are sorted as words. */
static scankit_error run_swapped_sort(device *d, void *in, void *out, size_t *count)
{
    const scankit_key key = {.type = SCANKIT_U32, .big_endian = 1};
    *count = SMALL / 4;
    return scankit_sort_records(d->context, 4, &key, 1, in, out, *count, NULL);
}

static scankit_error run_segmented_sort(device *d, void *in, void *out, size_t *count)
{
    static const uint64_t offsets[] = {0, 9, 99};
    *count = SMALL / 4;
    void *from = device_put(d, SORTED_VALUES, offsets, sizeof offsets, 0);
    return scankit_segmented_sort(d->context, SCANKIT_U32, in, out, *count, from, 2, NULL);
}

/* More segments than slices are for; nearly all are empty. */
static scankit_error run_many_segments(device *d, void *in, void *out, size_t *count)
{
    enum { SEGMENTS = (1 << 17) + 1 };
    static uint64_t offsets[SEGMENTS + 1];
    *count = SMALL / 4;
    for (size_t i = 0; i <= SEGMENTS; i++)
        offsets[i] = i < *count ? i / 2 : *count;
    void *from = device_put(d, SORTED_VALUES, offsets, sizeof offsets, 0);
    return scankit_segmented_sort(d->context, SCANKIT_U32, in, out, *count, from, SEGMENTS, NULL);
}

static const struct small_call {
    const char *name;
    scankit_error (*run)(device *d, void *in, void *out, size_t *count);
} calls[] = {
    {"look-back", run_scan},
    {"three-kernel", run_fixed_scan},
    {"look-back", run_segmented_scan},
    {"own-blocks", run_segmented_reduce},
    {"merge-path", run_ordered_segments},
    {"slices", run_segmented_sort},
    {"networks", run_many_segments},
    {"look-back", run_compact},
    {"positions", run_long_compact},
    {"look-back", run_encode},
    {"look-back, by flags", run_odd_encode},
    {"expand-few", run_decode},
    {"expand-numbers", run_odd_decode},
    {"network-merge", run_swapped_sort},
};

static void test_calls(device *d)
{
    static char data[2 * LONG];
    if (scankit_is_host(d->context) || getenv("SCANKIT_CUDA_ENGINE") != NULL)
        return;
    tap_begin("%s: scans, compactions, run-length calls and a sort of words name their algorithm", d->name);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        size_t count = 0;
        data_fill_bytes(data, sizeof data, 3);
        void *in = device_put(d, KEYS, data, sizeof data, 0), *out = device_put(d, VALUES, NULL, sizeof data, 0);
        DEVICE_DID(d, calls[i].run(d, in, out, &count));
        const char *ran = scankit_last_algorithm(d->context);
        tap_case("%zu: %s for %s", i, ran, calls[i].name);
        TAP_CHECK(strcmp(ran, calls[i].name) == 0);
    }
    tap_end();
}

static void test_all(device *d)
{
    test(d);
    test_calls(d);
}

int main(void)
{
    return device_each("names of algorithms", test_all);
}
