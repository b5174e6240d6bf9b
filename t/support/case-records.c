/* case-records.c - records with keys against the oracle: see cases.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

void random_key(scankit_key *key, size_t record_size, random_state *random)
{
    *key = (scankit_key){.type = (scankit_type)random_below(random, SCANKIT_BYTES + 1),
                         .descending = (int)random_below(random, 2)};
    if (key->type != SCANKIT_BYTES && oracle_size(key->type) > record_size)
        key->type = SCANKIT_BYTES;
    if (key->type == SCANKIT_BYTES) {
        key->size = 1 + random_below(random, record_size < 20 ? record_size : 20);
    } else {
        key->size = random_below(random, 2) ? oracle_size(key->type) : 0; /* ignored for this type */
        key->big_endian = oracle_size(key->type) > 1 && random_below(random, 2);
    }
    size_t width = key->type == SCANKIT_BYTES ? key->size : oracle_size(key->type);
    key->offset = random_below(random, record_size - width + 1);
}

void random_keys(record_case *c, random_state *random)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 10, 12, 16, 17, 24, 32, 100};
    c->record_size = sizes[random_below(random, sizeof sizes / sizeof *sizes)];
    c->key_count = 1 + random_size(random, RECORD_KEYS);
    for (size_t k = 0; k < c->key_count; k++)
        random_key(&c->keys[k], c->record_size, random);
}

static void fill_bytes_key(const record_case *c, const scankit_key *key, char *records, random_state *random)
{
    unsigned mask = random_below(random, 2) ? 0xff : 0x81; /* the second makes keys equal */
    for (size_t i = 0; i < c->n; i++)
        for (size_t b = 0; b < key->size; b++) {
            bool constant = mask != 0xff && b + 1 < key->size;
            records[i * c->record_size + key->offset + b] = (char)(constant ? 7 : random_next(random) & mask);
        }
}

static void fill_number_key(const record_case *c, const scankit_key *key, char *records, random_state *random)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_EQUAL,         DATA_SPECIAL,
                                        DATA_ZIPF,    DATA_SORTED,  DATA_ALMOST_SORTED, DATA_BITS};
    size_t size = oracle_size(key->type);
    char *column = data_allocate(c->n, size);
    data_shape shape = shapes[random_below(random, sizeof shapes / sizeof *shapes)];
    data_fill(column, key->type, shape, c->n, random_next(random));
    for (size_t i = 0; i < c->n; i++)
        for (size_t b = 0; b < size; b++)
            records[i * c->record_size + key->offset + b] = column[i * size + (key->big_endian ? size - 1 - b : b)];
    free(column);
}

void fill_records(const record_case *c, void *records)
{
    random_state random = random_seeded(c->seed);
    data_fill_bytes(records, c->n * c->record_size, random_next(&random));
    for (size_t k = c->key_count; k-- > 0;) {
        if (c->keys[k].type == SCANKIT_BYTES)
            fill_bytes_key(c, &c->keys[k], records, &random);
        else
            fill_number_key(c, &c->keys[k], records, &random);
    }
}

static void describe(const record_case *c)
{
    char text[RECORD_KEYS * 64] = "", *end = text;
    for (size_t k = 0; k < c->key_count; k++) {
        const scankit_key *key = &c->keys[k];
        end += sprintf(end, " %zu:%s", key->offset, scankit_type_name(key->type));
        if (key->type == SCANKIT_BYTES)
            end += sprintf(end, "%zu", key->size);
        end += sprintf(end, "%s%s", key->big_endian ? " big" : "", key->descending ? " desc" : "");
    }
    tap_case("records of %zu, keys%s, n %zu %s%s lead %zu seed %llu", c->record_size, text, c->n,
             scankit_algorithm_name(c->algorithm), c->in_place ? " in place" : "", c->lead,
             (unsigned long long)c->seed);
}

/* Checks the result of scankit_is_sorted_records() for the records in an area. */
static void check_first(device *d, const record_case *c, const void *area, const char *records, const char *what)
{
    size_t first = ~(size_t)0, expected = 1;
    while (expected < c->n && oracle_compare_records(c->keys, c->key_count, records + expected * c->record_size,
                                                     records + (expected - 1) * c->record_size) >= 0)
        expected++;
    if (expected > c->n)
        expected = c->n;
    if (DEVICE_DID(d, scankit_is_sorted_records(d->context, c->record_size, c->keys, c->key_count, area, c->n, &first)))
        if (first != expected)
            tap_fail("is_sorted of the %s is %zu, should be %zu", what, first, expected);
}

static void check_argsort_records(device *d, const record_case *c, const char *records, const uint64_t *expected)
{
    scankit_sort_options options = {.algorithm = c->algorithm};
    const void *in = device_put(d, 0, records, c->n * c->record_size, c->lead);
    uint64_t *positions = device_put(d, 2, NULL, c->n * 8, 0);
    if (DEVICE_DID(d, scankit_argsort_records(d->context, c->record_size, c->keys, c->key_count, in, positions, c->n,
                                              &options)))
        device_expect(d, 2, expected, c->n, 8, "positions");
    check_first(d, c, in, records, "input");
    device_expect(d, 0, records, c->n, c->record_size, "input");
}

static void check_sort_records(device *d, const record_case *c, const char *records, const char *sorted)
{
    scankit_sort_options options = {.algorithm = c->algorithm};
    const void *in = device_put(d, 0, records, c->n * c->record_size, c->lead);
    void *out = c->in_place ? d->area[0].data : device_put(d, 1, NULL, c->n * c->record_size, c->lead / 2);
    if (!DEVICE_DID(d, scankit_sort_records(d->context, c->record_size, c->keys, c->key_count, in, out, c->n,
                                            c->seed % 2 ? &options : NULL)))
        return;
    device_expect(d, c->in_place ? 0 : 1, sorted, c->n, c->record_size, "records");
    if (!c->in_place)
        device_expect(d, 0, records, c->n, c->record_size, "input");
    check_first(d, c, out, sorted, "result");
}

/* Sorts two parts of the records and merges them, which must be the stable sort of all. */
static void check_merge_records(device *d, const record_case *c, const char *records, const char *sorted)
{
    random_state random = random_seeded(~c->seed);
    size_t size = c->record_size, length[2] = {random_below(&random, c->n + 1), 0}, begin = 0;
    const void *part[2];
    length[1] = c->n - length[0];
    uint64_t *positions = data_allocate(c->n, sizeof *positions);
    char *run = data_allocate(c->n, size);
    for (unsigned side = 0; side < 2; side++) {
        oracle_argsort_records(c->keys, c->key_count, size, records + begin * size, positions, length[side]);
        oracle_gather(size, records + begin * size, positions, run, length[side]);
        part[side] = device_put(d, side, run, length[side] * size, c->lead + side);
        begin += length[side];
    }
    void *out = device_put(d, 2, NULL, c->n * size, c->lead);
    if (DEVICE_DID(d, scankit_merge_records(d->context, size, c->keys, c->key_count, part[0], length[0], part[1],
                                            length[1], out)))
        device_expect(d, 2, sorted, c->n, size, "merged");
    free(positions);
    free(run);
}

void check_records(device *d, const record_case *c)
{
    if (!device_case_is_due())
        return;
    char *records = data_allocate(c->n, c->record_size), *sorted = data_allocate(c->n, c->record_size);
    uint64_t *positions = data_allocate(c->n, sizeof *positions);
    describe(c);
    fill_records(c, records);
    oracle_argsort_records(c->keys, c->key_count, c->record_size, records, positions, c->n);
    oracle_gather(c->record_size, records, positions, sorted, c->n);
    check_argsort_records(d, c, records, positions);
    check_sort_records(d, c, records, sorted);
    check_merge_records(d, c, records, sorted);
    free(records);
    free(sorted);
    free(positions);
}
