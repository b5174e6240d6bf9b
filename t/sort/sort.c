/* sort.c - sort gives the one right order: every type, shape of data, algorithm and direction, in place and not, at
 * every alignment, with sizes past a chunk, a bucket and one thread's share. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void both_directions(device *d, sort_case c)
{
    for (int descending = 0; descending < 2; descending++)
        for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
            c.options.descending = descending;
            c.options.algorithm = (scankit_algorithm)algorithm;
            c.keys_in_place = (algorithm + descending + (int)(c.seed % 2)) % 2;
            check_sort(d, &c);
        }
}

static void every_shape(device *d, scankit_type type, data_shape shape)
{
    static const size_t sizes[] = {0, 1, 2, 3, 16, 17, 255, 256, 257, 1000, 4095, 4096, 4097, 9001};
    random_state random = random_seeded((uint64_t)type * 64 + shape);
    sort_case c = {.type = type, .shape = shape};
    tap_begin("%s: %s %s: every algorithm, both directions", d->name, scankit_type_name(type), data_shape_name(shape));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        c.n = sizes[s];
        c.seed = random_next(&random);
        c.lead[KEYS_IN] = random_next(&random) & 1 ? random_below(&random, 17) : 0;
        c.lead[KEYS_OUT] = random_next(&random) & 1 ? random_below(&random, 17) : 0;
        both_directions(d, c);
    }
    tap_end();
}

static void large(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_FB, DATA_ZIPF, DATA_SPECIAL, DATA_ALMOST_SORTED};
    tap_begin("%s: %s: large arrays", d->name, scankit_type_name(type));
    for (size_t s = 0; s < 3; s++) {
        sort_case c = {.type = type, .shape = shapes[(type + s) % 5], .seed = s};
        c.n = (1300003 + 100000 * s) / (oracle_size(type) < 4 ? 4 : oracle_size(type)); /* two chunks, many buckets */
        for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
            c.options.algorithm = (scankit_algorithm)algorithm;
            c.keys_in_place = algorithm % 2;
            check_sort(d, &c);
        }
    }
    tap_end();
}

/* Tens of megabytes: many chunks, wide digits, buckets of buckets. */
static void heavy(device *d, data_shape shape, size_t bytes)
{
    tap_begin("%s: u32, u64 %s: %zu bytes", d->name, data_shape_name(shape), bytes);
    for (int type = SCANKIT_U32; type <= SCANKIT_U64; type++)
        for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
            sort_case c = {.type = (scankit_type)type, .shape = shape, .keys_in_place = true};
            c.n = bytes / oracle_size(c.type);
            c.options.algorithm = (scankit_algorithm)algorithm;
            check_sort(d, &c);
        }
    tap_end();
}

/* A number of keys at which the algorithm changes, or one more or less. The other members vary with size and shape. */
static void at_edge(device *d, scankit_type type, data_shape shape, size_t edge, size_t e, size_t s)
{
    sort_case c = {.type = type, .shape = shape, .seed = e, .n = edge + (s + e) % 3 - 1};
    c.options.descending = (int)((s + e) % 2);
    c.keys_in_place = (s / 2 + e) % 2;
    c.lead[KEYS_IN] = s % 2;
    c.lead[KEYS_OUT] = e % 4;
    check_sort(d, &c);
}

/* Around the numbers of keys from which narrow ones are not sorted as words in one place, and not as words. */
static void narrow(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_ZIPF, DATA_SPECIAL, DATA_ALMOST_SORTED};
    static const size_t edges[] = {257, 513, 1024, 2049, 65536, 262144};
    tap_begin("%s: %s: around the sizes of sorts as words", d->name, scankit_type_name(type));
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t beside = 0; beside < 3; beside++)
                at_edge(d, type, shapes[s], edges[e], e + beside, s);
    tap_end();
}

/* Around the numbers of keys from which a GPU sorts narrow ones by more blocks than one, and by counts. */
static void counted(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_EQUAL, DATA_SIXTEEN, DATA_ZIPF, DATA_OUTLIERS, DATA_SPECIAL};
    static const size_t edges[] = {16, 8192, 32768, 300000, 4194304};
    tap_begin("%s: %s: around the sizes of sorts by counts", d->name, scankit_type_name(type));
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t beside = 0; beside < 3; beside++)
                at_edge(d, type, shapes[s], edges[e], e + beside, s);
    tap_end();
}

/* Around the sizes at which a launch has more blocks or other ones. */
static void one_launch(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_EQUAL, DATA_SIXTEEN, DATA_ZIPF, DATA_OUTLIERS, DATA_SPECIAL};
    static const size_t edges[] = {512, 1024, 4608, 16384, 65536, 131072};
    tap_begin("%s: %s: around the sizes of a sort in one launch", d->name, scankit_type_name(type));
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            at_edge(d, type, shapes[s], edges[e], e, s);
    tap_end();
}

/* Medium sizes: around those at which bins are more and tiles are larger. */
static void sampled(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF,          DATA_SPECIAL,  DATA_SIXTEEN, DATA_BITS,
                                        DATA_STEPS,   DATA_ALMOST_SORTED, DATA_FB,       DATA_SORTED,  DATA_EQUAL,
                                        DATA_WIKI,    DATA_OUTLIERS,      DATA_REVERSED, DATA_UNSEEN};
    static const size_t edges[] = {65536, 131072, 262144, 524288, 1048576, 1081344, 2097152};
    const size_t count = sizeof shapes / sizeof *shapes;
    sort_case unseen = {.type = type, .shape = DATA_UNSEEN, .n = 600011 + 700001 * ((size_t)type % 2)};
    tap_begin("%s: %s: around the sizes of a sort by a sample", d->name, scankit_type_name(type));
    check_sort(d, &unseen);
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t s = 0; s < (e < 4 ? count : 4); s++)
            at_edge(d, type, shapes[(s + e * 4 + type) % count], edges[e], e, s);
    tap_end();
}

/* Enough keys for every reaction to heavy hitters and clusters: radix sort, rounds of splits, counting. */
static void skewed(device *d)
{
    static const data_shape shapes[] = {DATA_REVERSED, DATA_EQUAL,         DATA_SIXTEEN, DATA_ZIPF, DATA_WIKI,
                                        DATA_OUTLIERS, DATA_ALMOST_SORTED, DATA_SPECIAL, DATA_BITS};
    static const scankit_type types[] = {SCANKIT_F32, SCANKIT_U64, SCANKIT_U32, SCANKIT_F64};
    tap_begin("%s: skewed keys, 8400007 of them", d->name);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t t = 0; t < 2; t++) {
            sort_case c = {.type = types[(2 * s + s / 2 + t) % 4], .shape = shapes[s], .seed = s, .n = 8400007};
            c.options.descending = (int)(t % 2);
            c.keys_in_place = (s + t) % 2;
            c.lead[KEYS_IN] = s % 3;
            check_sort(d, &c);
        }
    tap_end();
}

/* Enough keys for the estimate that decides between buckets and radix sort. */
static void by_digits(device *d)
{
    static const data_shape shapes[] = {DATA_RUNS, DATA_ZIPF, DATA_WIKI};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_U64};
    tap_begin("%s: skewed keys, 2^24 and more of them", d->name);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        sort_case c = {.type = types[s], .shape = shapes[s], .seed = s, .n = ((size_t)1 << 24) + s % 3};
        c.options.descending = s == 1;
        c.keys_in_place = s == 1;
        c.lead[KEYS_IN] = s % 3;
        check_sort(d, &c);
    }
    tap_end();
}

/* Enough keys for a chunk-merge that ends in a merge of many runs. */
static void many_runs(device *d)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF};
    static const size_t sizes[] = {(size_t)1 << 24, ((size_t)1 << 24) + 5000001};
    tap_begin("%s: chunk-merge of 2^24 and more keys", d->name);
    for (int type = SCANKIT_U32; type <= SCANKIT_U64; type++)
        for (size_t s = 0; s < 2; s++) {
            sort_case c = {.type = (scankit_type)type, .shape = shapes[s], .seed = s, .n = sizes[s]};
            c.options.algorithm = SCANKIT_CHUNK_MERGE;
            c.keys_in_place = s == 1;
            check_sort(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
            every_shape(d, (scankit_type)type, (data_shape)shape);
        large(d, (scankit_type)type);
        if (oracle_size((scankit_type)type) < 4)
            narrow(d, (scankit_type)type);
    }
    heavy(d, DATA_UNIFORM, 8500003);
    heavy(d, DATA_OUTLIERS, 12000017);
    heavy(d, DATA_STEPS, 8500003);
    if (strncmp(d->name, "cuda", 4) == 0) { /* buckets in two passes, of which CPUs need no more than above */
        heavy(d, DATA_UNIFORM, 52000009);
        heavy(d, DATA_STEPS, 52000009);
        for (int type = 0; type < ORACLE_TYPES; type++)
            if (oracle_size((scankit_type)type) >= 4)
                one_launch(d, (scankit_type)type);
            else
                counted(d, (scankit_type)type);
        for (int type = 0; type < ORACLE_TYPES; type++)
            if (oracle_size((scankit_type)type) >= 4)
                sampled(d, (scankit_type)type);
        skewed(d);
        by_digits(d);
        many_runs(d);
    }
}

int main(void)
{
    return device_each("sort", test);
}
