/* dense.c - keys of a short range, with many copies of each value: alone, at either end of the type's range, between
 * other keys, and with some values far more frequent. */
#include <stdlib.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Keys [first, first + range), beside `others` of every 1024 keys that lie below and above. */
typedef struct dense_shape {
    size_t n;
    uint64_t first, range;
    unsigned others;
} dense_shape;

/* The words in order: later values of the range have fewer copies. */
static void fill_rising(uint64_t *words, const dense_shape *shape, uint64_t last)
{
    size_t outside = shape->n * shape->others / 2048, dense = shape->n - 2 * outside;
    const uint64_t end = shape->first + (shape->range - 1);
    for (size_t i = 0; i < outside; i++) {
        words[i] = shape->first / outside * i;
        words[shape->n - 1 - i] = last - (last - end) / outside * i;
    }
    for (size_t i = 0; i < dense; i++) {
        double share = (double)i / (double)dense;
        words[outside + i] = shape->first + (uint64_t)(share * share * share * (double)shape->range);
    }
}

static void check_dense(device *d, scankit_type type, const dense_shape *shape, uint64_t last)
{
    size_t n = shape->n;
    random_state random = random_seeded(n + shape->range);
    bool in_place = random_next(&random) & 1;
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu first %llx range %llu others %u%s", scankit_type_name(type), n, (unsigned long long)shape->first,
             (unsigned long long)shape->range, shape->others, in_place ? " in place" : "");
    uint64_t *words = data_allocate(n, sizeof *words);
    fill_rising(words, shape, last);
    check_words(d, type, words, n, &random, in_place);
    free(words);
}

static void check_range(device *d, scankit_type type, uint64_t range)
{
    static const size_t sizes[] = {257, 1025, 2049, 4095, 4096, 10007, 140001, 300007};
    static const unsigned others[] = {0, 2, 10, 350, 800};
    uint64_t last = UINT64_MAX >> (64 - bits_of_words(type));
    const uint64_t firsts[] = {0, last / 3, last - range + 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t f = 0; f < 3; f++)
            for (unsigned o = 0; o < (f == 1 ? 5 : 1); o++)
                check_dense(d, type, &(dense_shape){sizes[s], firsts[f], range, others[o]}, last);
    for (size_t i = 0; range == 1 && i < 3; i++)
        check_dense(d, type, &(dense_shape){((size_t)9 << 20) / scankit_type_size(type) + i, last / 3, range, 20}, last);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
    static const uint64_t ranges[] = {1, 2, 3, 7, 16, 100, 255, 256, 257, 1000, 1023, 1024, 1025, 5000, 70000};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: short ranges", d->name, scankit_type_name(types[t]));
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            check_range(d, types[t], ranges[r]);
        tap_end();
    }
}

int main(void)
{
    device_each_kernels("cpu:1", test);
    device_each_kernels("cpu:2", test);
    return tap_finish();
}
