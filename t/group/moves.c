/* moves.c - redistribution and splits over a group: elements arrive where the parts of the result say. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/device.h"
#include "support/tap.h"

/* The result's parts: of all elements, or, for an odd seed, of some of them. */
static size_t divide_result(size_t *lengths, const scankit_group *group, size_t n, uint64_t seed, random_state *random)
{
    size_t out_n = seed % 2 == 0 ? n : (size_t)random_below(random, n + 1);
    parts_divide(lengths, group, out_n, (parts_way)(seed / PARTS_WAY_COUNT % PARTS_WAY_COUNT), random);
    return out_n;
}

static void check_move(scankit_group *group, size_t size, uint64_t seed)
{
    random_state random = random_seeded(seed);
    size_t n = random_size(&random, 20000), lengths[PARTS_MAX], out_lengths[PARTS_MAX];
    parts in, out;
    char *host = data_allocate(n, size);
    data_fill_bytes(host, n * size, seed);
    parts_divide(lengths, group, n, (parts_way)(seed % PARTS_WAY_COUNT), &random);
    size_t out_n = divide_result(out_lengths, group, n, seed, &random);
    parts_put(&in, group, host, size, lengths, 1);
    parts_put(&out, group, NULL, size, out_lengths, 3);
    if (PARTS_DID(group, scankit_group_redistribute(group, size, (const void *const *)in.data, lengths, out.data,
                                                    out_lengths)))
        parts_expect(&out, out_lengths, host, out_n, "moved");
    parts_expect(&in, lengths, host, n, "the input");
    parts_free(&in);
    parts_free(&out);
    free(host);
}

static void moves(scankit_group *group, const char *name)
{
    static const size_t sizes[] = {1, 3, 8, 24};
    tap_begin("%s: redistribute", name);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint64_t seed = 0; seed < PARTS_WAY_COUNT * PARTS_WAY_COUNT; seed++) {
            tap_case("elements of %zu bytes, seed %d", sizes[s], (int)seed);
            if (device_case_is_due())
                check_move(group, sizes[s], seed);
        }
    tap_end();
}

static void check_split_group(scankit_group *group, scankit_type type, uint64_t seed)
{
    random_state random = random_seeded(seed);
    const size_t size = scankit_type_size(type);
    unsigned bits = 1 + (unsigned)random_below(&random, 8);
    unsigned bit = (unsigned)random_below(&random, 8 * size - bits + 1);
    size_t n = random_size(&random, 20000), lengths[PARTS_MAX], out_lengths[PARTS_MAX], offsets[257], alone[257];
    parts in, out;
    char *host = data_allocate(n, size), *expected = data_allocate(n, size);
    data_fill(host, type, DATA_ZIPF, n, seed);
    if (scankit_split(parts_alone(), type, host, expected, n, bit, bits, alone) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    parts_divide(lengths, group, n, (parts_way)(seed % PARTS_WAY_COUNT), &random);
    size_t out_n = divide_result(out_lengths, group, n, seed, &random);
    parts_put(&in, group, host, size, lengths, size);
    parts_put(&out, group, NULL, size, out_lengths, 0);
    if (PARTS_DID(group, scankit_group_split(group, type, (const void *const *)in.data, lengths, out.data, out_lengths,
                                             bit, bits, offsets))) {
        parts_expect(&out, out_lengths, expected, out_n, "split");
        TAP_CHECK(memcmp(offsets, alone, (((size_t)1 << bits) + 1) * sizeof *offsets) == 0);
    }
    parts_free(&in);
    parts_free(&out);
    free(host);
    free(expected);
}

static void splits(scankit_group *group, const char *name)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_I16, SCANKIT_U32, SCANKIT_F64};
    tap_begin("%s: split", name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t seed = 0; seed < PARTS_WAY_COUNT * PARTS_WAY_COUNT; seed++) {
            tap_case("%s, seed %d", scankit_type_name(types[t]), (int)seed);
            if (device_case_is_due())
                check_split_group(group, types[t], seed);
        }
    tap_end();
}

static void test(scankit_group *group, const char *name)
{
    moves(group, name);
    splits(group, name);
}

int main(void)
{
    return parts_each_group(test);
}
