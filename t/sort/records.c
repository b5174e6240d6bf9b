/* records.c - records sort, argsort, check and merge by keys of every type, byte order, direction and number. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* One key alone, so that a failure names it. */
static void one_key(device *d, scankit_type type, size_t size)
{
    static const size_t sizes[] = {0, 1, 2, 300, 5003};
    tap_begin("%s: one key: %s%zu", d->name, scankit_type_name(type), size);
    for (int big = 0; big <= (size > 1 && type != SCANKIT_BYTES); big++)
        for (int descending = 0; descending < 2; descending++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int whole = 0; whole < 2; whole++) {
                    record_case c = {.record_size = whole ? size : size + 3 + s, .key_count = 1, .n = sizes[s]};
                    c.keys[0] = (scankit_key){whole ? 0 : s, type, size, big, descending};
                    c.in_place = s % 2;
                    c.lead = s % 4;
                    c.seed = s * 8 + (uint64_t)whole;
                    check_records(d, &c);
                }
    tap_end();
}

static void many_keys(device *d)
{
    static const size_t sizes[] = {0, 1, 2, 17, 256, 1000, 3001};
    random_state random = random_seeded(5);
    tap_begin("%s: random keys", d->name);
    for (int i = 0; i < 300; i++) {
        record_case c = {.n = sizes[random_below(&random, sizeof sizes / sizeof *sizes)]};
        random_keys(&c, &random);
        c.algorithm = (scankit_algorithm)random_below(&random, ORACLE_ALGORITHMS);
        c.in_place = random_next(&random) & 1;
        c.lead = random_next(&random) & 1 ? random_below(&random, 16) : 0;
        c.seed = random_next(&random);
        check_records(d, &c);
    }
    tap_end();
}

/* The records of sort benchmarks: 100 bytes with a key of 10. */
static void long_records(device *d)
{
    record_case c = {.record_size = 100, .key_count = 1, .keys = {{0, SCANKIT_BYTES, 10, 0, 0}}, .n = 100003};
    tap_begin("%s: 100-byte records with 10-byte keys", d->name);
    for (c.seed = 0; c.seed < 4; c.seed++) {
        c.in_place = c.seed % 2;
        check_records(d, &c);
    }
    tap_end();
}

static void most_keys(device *d)
{
    enum { KEYS = 64 };
    scankit_key keys[KEYS + 1];
    char records[3][KEYS];
    tap_begin("%s: 64 keys, no more", d->name);
    for (size_t k = 0; k <= KEYS; k++)
        keys[k] = (scankit_key){k % KEYS, SCANKIT_U8, 0, 0, k == KEYS - 1};
    for (int i = 0; i < 3; i++)
        for (size_t b = 0; b < KEYS; b++)
            records[i][b] = (char)(b == KEYS - 1 ? i : 9); /* only the last key differs, and it is descending */
    void *array = device_put(d, 0, records, sizeof records, 0);
    if (DEVICE_DID(d, scankit_sort_records(d->context, KEYS, keys, KEYS, array, array, 3, NULL)))
        device_get(d, 0, records);
    TAP_CHECK(records[0][KEYS - 1] == 2 && records[1][KEYS - 1] == 1 && records[2][KEYS - 1] == 0);
    TAP_CHECK(scankit_sort_records(d->context, KEYS, keys, KEYS + 1, array, array, 3, NULL) == SCANKIT_E_ARGUMENT);
    tap_end();
}

/* Processor seconds, the least of three tries. */
static double seconds_to_sort(device *d, scankit_algorithm algorithm, const scankit_key *key, const char *records,
                              size_t n)
{
    double least = 1e9;
    scankit_sort_options options = {.algorithm = algorithm};
    for (int tries = 0; tries < 3; tries++) {
        void *array = device_put(d, 0, records, n * key->size, 0);
        clock_t begin = clock();
        TAP_CHECK(scankit_sort_records(d->context, key->size, key, 1, array, array, n, &options) == SCANKIT_OK);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        least = seconds < least ? seconds : least;
    }
    return least;
}

/* A radix pass handles hundreds of counters, which would dominate a sort of two records. With threads, an emulator
 * takes many seconds. */
static void few_records_with_long_keys(device *d)
{
    enum { N = 2, KEY = 200003 };
    const scankit_key key = {.type = SCANKIT_BYTES, .size = KEY};
    if (strncmp(d->name, "cpu", 3) != 0 || (strcmp(d->name, "cpu:1") != 0 && !device_case_is_due()))
        return;
    tap_begin("%s: two records with a key of 200003 bytes: no sort takes much longer than auto", d->name);
    char *records = data_allocate(N, KEY), *sorted = data_allocate(N, KEY);
    data_fill(records, SCANKIT_U8, DATA_UNIFORM, (size_t)N * KEY, 1);
    records[0] = 1;
    records[KEY] = 0;
    double usual = seconds_to_sort(d, SCANKIT_AUTO, &key, records, N);
    for (int a = 1; a < ORACLE_ALGORITHMS; a++) {
        tap_case("%s", scankit_algorithm_name((scankit_algorithm)a));
        double seconds = seconds_to_sort(d, (scankit_algorithm)a, &key, records, N);
        if (seconds > 4 * usual + 0.1)
            tap_fail("%.3f s, auto takes %.3f s", seconds, usual);
        device_get(d, 0, sorted);
        TAP_CHECK(memcmp(sorted, records + KEY, KEY) == 0 && memcmp(sorted + KEY, records, KEY) == 0);
    }
    free(records);
    free(sorted);
    tap_end();
}

static void test(device *d)
{
    static const size_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 40};
    for (int type = 0; type < ORACLE_TYPES; type++)
        one_key(d, (scankit_type)type, oracle_size((scankit_type)type));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        one_key(d, SCANKIT_BYTES, lengths[i]);
    many_keys(d);
    long_records(d);
    most_keys(d);
    few_records_with_long_keys(d);
}

int main(void)
{
    return device_each("records", test);
}
