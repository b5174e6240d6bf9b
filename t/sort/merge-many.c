/* merge-many.c - merges k sorted arrays, with equals of the earlier array first: keys, pairs and records, of any number
 * and lengths, overlapping in any way. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/sanitizer.h"
#include "support/tap.h"

static const size_t numbers[] = {1, 2, 3, 5, 16, 17, 33, 1000};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static void draw(merge_many_case *c, random_state *random)
{
    c->shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c->options.descending = random_below(random, 3) == 0;
    c->lead = random_next(random) & 1 ? random_below(random, 6) : 0;
    c->gap = random_next(random) & 1 ? random_below(random, 20) : 0;
    c->seed = random_next(random);
}

static void every_number(device *d, scankit_type type, size_t value_size)
{
    static const size_t lengths[] = {1, 10, 100, 3000, 9000};
    random_state random = random_seeded(type);
    tap_begin("%s: %s%s: any number of arrays", d->name, scankit_type_name(type), value_size > 0 ? " pairs" : "");
    for (size_t i = 0; i < NUMBERS; i++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int deal = 0; deal < MANY_DEAL_COUNT; deal++) {
                merge_many_case c = {.type = type, .deal = (many_deal)deal, .n = lengths[l], .k = numbers[i]};
                draw(&c, &random);
                c.value_size = value_size;
                check_merge_many(d, &c);
            }
    tap_end();
}

/* All keys are equal, or few differ: only the values show that the earlier array's come first. */
static void stability(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_EQUAL, DATA_SIXTEEN, DATA_ZIPF, DATA_SPECIAL};
    static const size_t value_sizes[] = {1, 4, 8, 12, 100};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: stable, values of any size", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++) {
            merge_many_case c = {.type = type, .n = 2500, .k = 1 + random_below(&random, 40)};
            draw(&c, &random);
            c.shape = shapes[s];
            c.value_size = value_sizes[v];
            c.deal = (many_deal)random_below(&random, MANY_DEAL_COUNT);
            check_merge_many(d, &c);
        }
    tap_end();
}

static void bits(device *d, scankit_type type)
{
    unsigned width = oracle_bits(type);
    random_state random = random_seeded(type);
    tap_begin("%s: %s: by a range of bits", d->name, scankit_type_name(type));
    for (unsigned begin = 0; begin < width; begin += width / 4)
        for (unsigned end = begin + 1; end <= width; end += width / 4 - 1) {
            merge_many_case c = {.type = type, .n = 1500, .k = 1 + random_below(&random, 20)};
            draw(&c, &random);
            c.shape = DATA_BITS;
            c.options.begin_bit = begin;
            c.options.end_bit = end;
            c.value_size = random_below(&random, 2) * 4;
            check_merge_many(d, &c);
        }
    tap_end();
}

/* Lengths around steps, blocks, tiles and windows: one less and one more. */
static void edges(device *d, scankit_type type)
{
    static const size_t totals[] = {32, 64, 128, 256, 1024, 2048, 4096, 8192, 16384};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: lengths close to powers of two", d->name, scankit_type_name(type));
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++)
        for (size_t n = totals[t] - 1; n <= totals[t] + 1; n++)
            for (size_t k = 2; k <= 8; k += 2) {
                merge_many_case c = {.type = type, .n = n, .k = k};
                draw(&c, &random);
                c.deal = (many_deal)random_below(&random, MANY_DEAL_COUNT);
                check_merge_many(d, &c);
            }
    tap_end();
}

/* Several threads and many tiles. */
static void large(device *d, scankit_type type, size_t value_size)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_ZIPF, DATA_SPECIAL, DATA_EQUAL};
    static const size_t many[] = {2, 16, 100};
    random_state random = random_seeded(type);
    tap_begin("%s: %s%s: large arrays", d->name, scankit_type_name(type), value_size > 0 ? " pairs" : "");
    for (int deal = 0; deal < MANY_DEAL_COUNT; deal++)
        for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
            merge_many_case c = {.type = type, .deal = (many_deal)deal, .n = 310007, .k = many[k]};
            draw(&c, &random);
            c.shape = shapes[random_below(&random, sizeof shapes / sizeof *shapes)];
            c.value_size = value_size;
            check_merge_many(d, &c);
        }
    tap_end();
}

static void check_of_records(device *d, record_case *records, size_t k, random_state *random)
{
    merge_many_case c = {.records = records, .n = records->n, .k = k};
    draw(&c, random);
    records->seed = c.seed;
    c.options.descending = 0;
    c.deal = (many_deal)random_below(random, MANY_DEAL_COUNT);
    check_merge_many(d, &c);
}

static void any_records(device *d)
{
    random_state random = random_seeded(1);
    tap_begin("%s: records by any keys", d->name);
    for (int i = 0; i < 250; i++) {
        record_case records = {.n = random_size(&random, 3000)};
        random_keys(&records, &random);
        check_of_records(d, &records, numbers[random_below(&random, NUMBERS)], &random);
    }
    tap_end();
}

/* Keys of 10 bytes: first all different in the first 8, then all equal there. */
static void long_keys(device *d)
{
    random_state random = random_seeded(2);
    tap_begin("%s: records of 100 bytes by keys of 10", d->name);
    for (size_t offset = 0; offset <= 90; offset += 45)
        for (size_t k = 2; k < 40; k += 7) {
            record_case records = {.record_size = 100, .key_count = 1, .n = 20011};
            records.keys[0] = (scankit_key){.type = SCANKIT_BYTES, .size = 10, .offset = offset};
            check_of_records(d, &records, k, &random);
        }
    tap_end();
}

/* Records that a GPU merges two and two: lengths around its tiles, any alignment, keys whose first 8 bytes may be
 * equal. */
static void short_records(device *d, size_t size)
{
    static const size_t lengths[] = {2047, 2048, 2049, 4096, 4097, 20011}, many[] = {2, 3, 4, 5, 8, 31, 32};
    random_state random = random_seeded(size);
    tap_begin("%s: records of %zu bytes by keys of 10", d->name, size);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
            record_case records = {.record_size = size, .key_count = 1, .n = lengths[l]};
            records.keys[0] =
                (scankit_key){.type = SCANKIT_BYTES, .size = 10, .offset = random_below(&random, size - 9)};
            check_of_records(d, &records, many[k], &random);
        }
    tap_end();
}

/* Longer than the keys and records that a GPU compares as they are, and as long. */
static void longest_records(device *d)
{
    static const size_t sizes[] = {128, 129, 300, 4096, 4097, 5000}, keys[] = {120, 128, 129, 200};
    random_state random = random_seeded(3);
    tap_begin("%s: records and keys of many bytes", d->name);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            record_case records = {.record_size = sizes[s], .key_count = 1, .n = 3001};
            size_t size = keys[k] < sizes[s] ? keys[k] : sizes[s];
            records.keys[0] = (scankit_key){.type = SCANKIT_BYTES, .size = size, .offset = sizes[s] - size};
            check_of_records(d, &records, 2 + k % 2, &random);
        }
    tap_end();
}

/* Every record of the result is one of the inputs'. A record is a number and the two after it. */
static void unsorted_records(device *d, size_t k)
{
    enum { N = 50001, WORDS = 3 };
    static uint32_t in[N][WORDS], out[N][WORDS];
    const scankit_key key = {.type = SCANKIT_BYTES, .size = 4 * WORDS};
    const void *arrays[50];
    size_t counts[50];
    tap_begin("%s: %zu arrays of records that are not sorted", d->name, k);
    for (size_t i = 0; i < N; i++)
        for (size_t w = 0; w < WORDS; w++)
            in[i][w] = (uint32_t)(i * 7919 % N + w);
    char *to_in = device_put(d, 0, in, sizeof in, 0), *to_out = device_put(d, 1, NULL, sizeof out, 0);
    for (size_t i = 0; i < k; i++) {
        size_t begin = N / k * i, end = i + 1 < k ? begin + N / k : N;
        arrays[i] = to_in + begin * sizeof *in;
        counts[i] = end - begin;
    }
    DEVICE_DID(d, scankit_merge_many_records(d->context, sizeof *in, &key, 1, k, arrays, counts, to_out));
    device_get(d, 1, out);
    for (size_t i = 0; i < N; i++)
        if (out[i][0] >= N || out[i][1] != out[i][0] + 1 || out[i][2] != out[i][0] + 2)
            tap_fail("record %zu, which begins with %u, is in no array", i, out[i][0]);
    device_expect(d, 0, in, N, sizeof *in, "input");
    tap_end();
}

/* Every element of the result is one of the inputs', which are not changed. */
static void unsorted(device *d, scankit_type type, size_t k)
{
    enum { N = 150001 };
    static uint16_t in[N], out[N];
    static bool is_there[65536];
    const void *arrays[50];
    size_t counts[50];
    tap_begin("%s: %s: %zu arrays that are not sorted", d->name, scankit_type_name(type), k);
    memset(is_there, 0, sizeof is_there);
    data_fill(in, type, DATA_ZIPF, N, 1);
    for (size_t i = 0; i < N; i++)
        is_there[in[i]] = true;
    char *to_in = device_put(d, 0, in, sizeof in, 0), *to_out = device_put(d, 1, NULL, sizeof out, 0);
    for (size_t i = 0; i < k; i++) {
        size_t begin = N / k * i, end = i + 1 < k ? begin + N / k : N;
        arrays[i] = to_in + begin * sizeof *in;
        counts[i] = end - begin;
    }
    DEVICE_DID(d, scankit_merge_many(d->context, type, k, arrays, counts, to_out, NULL));
    device_get(d, 1, out);
    for (size_t i = 0; i < N; i++)
        if (!is_there[out[i]])
            tap_fail("element %zu, %u, is in no array", i, out[i]);
    device_expect(d, 0, in, N, sizeof *in, "input");
    tap_end();
}

static void nothing(device *d)
{
    const void *arrays[] = {NULL, NULL};
    const size_t counts[] = {0, 0};
    const scankit_key key = {.type = SCANKIT_U32};
    tap_begin("%s: no arrays, and arrays of nothing", d->name);
    DEVICE_DID(d, scankit_merge_many(d->context, SCANKIT_F64, 0, NULL, NULL, NULL, NULL));
    DEVICE_DID(d, scankit_merge_many(d->context, SCANKIT_F64, 2, arrays, counts, NULL, NULL));
    DEVICE_DID(d, scankit_merge_many_pairs(d->context, SCANKIT_U8, 0, NULL, NULL, NULL, NULL, 4, NULL, NULL));
    DEVICE_DID(d, scankit_merge_many_pairs(d->context, SCANKIT_U8, 2, arrays, arrays, counts, NULL, 4, NULL, NULL));
    DEVICE_DID(d, scankit_merge_many_records(d->context, 100, &key, 1, 0, NULL, NULL, NULL));
    DEVICE_DID(d, scankit_merge_many_records(d->context, 100, &key, 1, 2, arrays, counts, NULL));
    tap_end();
}

/* More threads than the workspace has blocks. LLVM's OpenMP does not free what it keeps for a large team, which counts
 * as a leak. */
static void many_threads(void)
{
    device d;
    if (HAS_ADDRESS_SANITIZER) {
        tap_skip("leaks of OpenMP", "cpu:64: large arrays");
        return;
    }
    if (!device_open(&d, "cpu:64", "cpu:64"))
        return;
    large(&d, SCANKIT_U32, 4);
    large(&d, SCANKIT_F64, 0);
    device_close(&d);
}

static void test(device *d)
{
    nothing(d);
    if (strcmp(d->name, "cpu") == 0)
        many_threads();
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_number(d, (scankit_type)type, 0);
        every_number(d, (scankit_type)type, type % 2 == 0 ? 4 : 8);
        stability(d, (scankit_type)type);
        edges(d, (scankit_type)type);
        if (oracle_kind((scankit_type)type) != ORACLE_FLOAT)
            bits(d, (scankit_type)type);
    }
    for (int type = 0; type < ORACLE_TYPES; type++)
        large(d, (scankit_type)type, 0);
    large(d, SCANKIT_U32, 4);
    large(d, SCANKIT_U64, 8);
    any_records(d);
    long_keys(d);
    for (size_t size = 12; size <= 36; size += 4)
        short_records(d, size);
    longest_records(d);
    for (size_t k = 2; k < 50; k = 3 * k + 2)
        unsorted_records(d, k);
    unsorted(d, SCANKIT_U16, 3);
    unsorted(d, SCANKIT_I16, 50);
}

int main(void)
{
    return device_each("merge of many arrays", test);
}
