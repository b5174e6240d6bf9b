/* algorithms.c - scankit_last_algorithm() returns a name of the public list after every sort, and on a GPU each of the
 * names after the sort that it stands for. */
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
#ifdef SK_CPU_ALGORITHMS
    static const char *const cpu[] = {SK_CPU_ALGORITHMS(X) NULL};
#else
    static const char *const *const cpu = cuda;
#endif
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
    {"radix", SCANKIT_U16, DATA_UNIFORM, 5000, 0, SCANKIT_AUTO, false},
    {"chunk-merge", SCANKIT_U32, DATA_UNIFORM, 20000, 4, SCANKIT_AUTO, false},
    {"sorted", SCANKIT_U32, DATA_SORTED, 2200000, 0, SCANKIT_AUTO, false},
    {"reversed", SCANKIT_U64, DATA_REVERSED, 2200000, 0, SCANKIT_AUTO, false},
    {"counting", SCANKIT_U32, DATA_SIXTEEN, 2200000, 0, SCANKIT_AUTO, false},
    {"hybrid", SCANKIT_U32, DATA_UNIFORM, 2200000, 0, SCANKIT_AUTO, true},
    {"hybrid-uncounted", SCANKIT_U32, DATA_UNIFORM, 4400000, 0, SCANKIT_AUTO, false},
    {"hybrid-pairs", SCANKIT_U32, DATA_UNIFORM, 300000, 4, SCANKIT_AUTO, false},
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
    const size_t count = sizeof sorts / sizeof *sorts, sure = 4;
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

int main(void)
{
    return device_each("names of sorts", test);
}
