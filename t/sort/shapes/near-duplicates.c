/* near-duplicates.c - keys in groups that differ in few last bits: sorts by leading bits or by even ranges do not tell
 * them apart. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

typedef struct group_shape {
    size_t n, size; /* keys, and keys per group */
    unsigned bits;  /* in which the keys of a group differ */
    bool lumps;     /* half of them are neighbouring words */
} group_shape;

/* Groups over the whole range of words of `width` bits, in ascending order. */
static void fill_rising(uint64_t *words, const group_shape *shape, unsigned width, random_state *random)
{
    size_t groups = (shape->n - 1) / shape->size + 1;
    uint64_t range = UINT64_MAX >> (64 - width), step = range / groups;
    uint64_t span = (uint64_t)1 << shape->bits, distance = (span < step ? span : step) / shape->size;
    for (size_t i = 0; i < shape->n; i++) {
        uint64_t base = i / shape->size * step, in_group = i % shape->size;
        uint64_t apart = in_group * distance + (distance > 1 ? random_below(random, distance) : 0);
        words[i] = base + (shape->lumps && in_group < shape->size / 2 ? in_group : apart);
    }
}

static void check_groups(device *d, scankit_type type, const group_shape *shape, bool in_place)
{
    size_t n = shape->n;
    random_state random = random_seeded(n + shape->size);
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu groups of %zu in %u bits%s%s", scankit_type_name(type), n, shape->size, shape->bits,
             shape->lumps ? " with lumps" : "", in_place ? " in place" : "");
    uint64_t *words = data_allocate(n, sizeof *words);
    fill_rising(words, shape, bits_of_words(type), &random);
    check_words(d, type, words, n, &random, in_place);
    free(words);
}

/* In ascending order: 6 of 10 in a cluster of 2^10 words, a tenth the least word, a tenth the greatest, the others
 * anywhere. */
static void fill_few(uint64_t *words, size_t n, unsigned width, random_state *random)
{
    const uint64_t range = UINT64_MAX >> (64 - width);
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = random_below(random, 10), any = random_next(random) & range;
        words[i] = kind < 6 ? range / 2 + any % 1024 : kind == 6 ? 0 : kind == 7 ? range : any;
    }
    sort_words(words, n);
}

/* Up to 1024 keys have one block. With more keys, each block sorts a range of them. */
static void check_few(device *d, scankit_type type)
{
    static const size_t sizes[] = {2,    31,   64,   65,   127,  129,  255,  256,   257,   512,
                                   1000, 1023, 1024, 1025, 1500, 2049, 4389, 12001, 40000, (size_t)1 << 17};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        random_state random = random_seeded(sizes[s]);
        if (!device_case_is_due())
            continue;
        tap_case("%s n %zu", scankit_type_name(type), sizes[s]);
        uint64_t *words = data_allocate(sizes[s], sizeof *words);
        fill_few(words, sizes[s], bits_of_words(type), &random);
        check_words(d, type, words, sizes[s], &random, s % 2 == 1);
        free(words);
    }
}

/* Around the sizes of a CPU's sort by narrow words: no, few or most words lead alike, in pairs or in long runs. */
static void check_few_groups(device *d, scankit_type type)
{
    static const size_t sizes[] = {500, 512, 513, 700, 1024, 1025, 2048, 3001, 4095, 4096, 4097, 9000};
    static const size_t groups[] = {1, 2, 3, 8, 23, 24, 25, 60, 500, 9000};
    enum { GROUPS = sizeof groups / sizeof *groups };
    const unsigned bits[] = {14, 20, (unsigned)scankit_type_size(type) * 8 - 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * GROUPS; i++) {
        const size_t n = sizes[i / GROUPS], size = groups[i % GROUPS] < n ? groups[i % GROUPS] : n;
        const group_shape shape = {n, size, bits[i % 3], i % 2 == 1};
        check_groups(d, type, &shape, i % 4 < 2);
    }
}

/* One key in some has a neighbour that differs in its last bits, so that few words lead alike. Where these are fewest,
 * 40 keys do. */
static void check_some_pairs(device *d, scankit_type type)
{
    static const size_t sizes[] = {600, 1000, 2000, 4000, 4096, 30000};
    for (size_t i = 0; i < 4 * sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i / 4], some = (size_t)3 << 2 * (i % 4);
        const unsigned width = bits_of_words(type);
        random_state random = random_seeded(n + some);
        if (!device_case_is_due())
            continue;
        tap_case("%s n %zu, one in %zu with a neighbour", scankit_type_name(type), n, some);
        uint64_t *words = data_allocate(n, sizeof *words);
        for (size_t k = 0; k < n; k++)
            words[k] = k > 0 && random_below(&random, some) == 0 ? words[k - 1] ^ random_below(&random, 4)
                                                                 : random_next(&random) & UINT64_MAX >> (64 - width);
        for (size_t k = 1; k < 40 && i % 4 == 3; k++)
            words[k] = words[0] ^ random_below(&random, 64);
        sort_words(words, n);
        check_words(d, type, words, n, &random, i % 2 == 1);
        free(words);
    }
}

/* The leading bits are random, but every other bucket of 2^10 has twice as many keys as its neighbours. Below them are
 * clusters in clusters: a cluster of 64 parts has 15 of 16 keys in one of these. */
static uint64_t nested_word(unsigned width, random_state *random)
{
    uint64_t top = random_below(random, 1 << 13);
    if ((top & 8) != 0 && random_below(random, 3) == 0)
        top -= 8;
    uint64_t span = (uint64_t)1 << (width - 13), base = top << (width - 13);
    while (span > 64 && random_below(random, 16) > 0) {
        base += span / 3;
        span /= 64;
    }
    return base + random_below(random, span);
}

static void check_nested(device *d, scankit_type type, size_t n, bool in_place)
{
    random_state random = random_seeded(n);
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu%s", scankit_type_name(type), n, in_place ? " in place" : "");
    uint64_t *words = data_allocate(n, sizeof *words);
    for (size_t i = 0; i < n; i++)
        words[i] = nested_word(bits_of_words(type), &random);
    sort_words(words, n);
    check_words(d, type, words, n, &random, in_place);
    free(words);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_U64, SCANKIT_F64};
    bool is_gpu = strncmp(d->name, "cuda", 4) == 0;
    size_t most = is_gpu ? (size_t)1 << 22 : (size_t)1 << 18;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: near-duplicates", d->name, scankit_type_name(types[t]));
        for (size_t size = 16; size <= 4096; size *= 3) {
            const group_shape shape = {most + size, size, size < 300 ? 14 : 16, false};
            check_groups(d, types[t], &shape, size % 32 == 16);
        }
        for (size_t size = 100; size <= 3000; size *= 3) {
            const group_shape shape = {most + size, size, scankit_type_size(types[t]) == 4 ? 16 : 40, true};
            check_groups(d, types[t], &shape, size % 8 == 4);
        }
        tap_end();
    }
    tap_begin("%s: few keys, most of them in a cluster", d->name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        check_few(d, types[t]);
    tap_end();
    tap_begin("%s: few keys in groups", d->name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        check_few_groups(d, types[t]);
        check_some_pairs(d, types[t]);
    }
    tap_end();
    tap_begin("%s: clusters in clusters", d->name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        check_nested(d, types[t], most, false);
        check_nested(d, types[t], most + most / 8, true);
    }
    tap_end();
    if (!is_gpu)
        return;
    tap_begin("%s: near-duplicates, with a map of the distribution", d->name);
    for (size_t size = 65; size <= 2000; size *= 2)
        check_groups(d, SCANKIT_U32, &(group_shape){((size_t)1 << 24) + 12345, size, 10, false}, false);
    tap_end();
}

int main(void)
{
    return device_each("sort of near-duplicates", test);
}
