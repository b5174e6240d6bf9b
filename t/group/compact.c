/* compact.c - compaction over a group: elements, both halves, positions; the position in the whole array counts. */
#include <stdlib.h>

#include "parts.h"
#include "support/device.h"
#include "support/tap.h"

typedef struct arrays {
    parts in, matching, others;
    size_t lengths[PARTS_MAX], other_lengths[PARTS_MAX], counts[PARTS_MAX];
} arrays;

static void put(arrays *a, scankit_group *group, const uint32_t *host, size_t n, parts_way way, uint64_t seed)
{
    random_state random = random_seeded(seed);
    parts_divide(a->lengths, group, n, way, &random);
    parts_put(&a->in, group, host, sizeof *host, a->lengths, 4);
    parts_put(&a->matching, group, NULL, sizeof *host, a->lengths, 8);
    parts_put(&a->others, group, NULL, sizeof *host, a->lengths, 0);
}

static void release(arrays *a)
{
    parts_free(&a->in);
    parts_free(&a->matching);
    parts_free(&a->others);
}

static void check_elements(scankit_group *group, arrays *a, const scankit_predicate *predicate,
                           const scankit_compact_options *options, const uint32_t *host, size_t n, bool in_place)
{
    uint32_t *matching = data_allocate(n, sizeof *host), *others = data_allocate(n, sizeof *host);
    size_t count;
    parts *to = in_place ? &a->in : &a->matching;
    if (scankit_split_predicate(parts_alone(), predicate, host, matching, others, n, options, &count) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    if (PARTS_DID(group, scankit_group_compact(group, predicate, (const void *const *)a->in.data, to->data,
                                               a->others.data, a->lengths, options, a->counts))) {
        for (size_t i = 0; i < scankit_group_local(group); i++)
            a->other_lengths[i] = a->lengths[i] - a->counts[i];
        parts_expect(to, a->counts, matching, count, "matching");
        parts_expect(&a->others, a->other_lengths, others, n - count, "others");
    }
    free(matching);
    free(others);
}

static void check_positions(scankit_group *group, arrays *a, const scankit_predicate *predicate,
                            const scankit_compact_options *options, const uint32_t *host, size_t n)
{
    uint64_t *expected = data_allocate(n, sizeof *expected);
    size_t count;
    parts positions;
    parts_put(&positions, group, NULL, sizeof *expected, a->lengths, 0);
    if (scankit_compact_positions(parts_alone(), predicate, host, expected, n, options, &count) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    if (PARTS_DID(group,
                  scankit_group_compact_positions(group, predicate, (const void *const *)a->in.data,
                                                  (uint64_t *const *)positions.data, a->lengths, options, a->counts)))
        parts_expect(&positions, a->counts, expected, count, "positions");
    parts_free(&positions);
    free(expected);
}

static void check(scankit_group *group, const scankit_predicate *predicate, parts_way way, uint64_t seed)
{
    random_state random = random_seeded(seed);
    size_t n = random_size(&random, 50000);
    scankit_compact_options options = {.invert = seed % 2 == 0, .first = random_below(&random, 1000)};
    uint32_t *host = data_allocate(n, sizeof *host);
    arrays a;
    tap_case("n %zu, %s, seed %d", n, parts_way_name(way), (int)seed);
    if (device_case_is_due()) {
        data_fill(host, SCANKIT_U32, DATA_UNIFORM, n, seed);
        put(&a, group, host, n, way, seed);
        check_positions(group, &a, predicate, &options, host, n);
        check_elements(group, &a, predicate, &options, host, n, seed % 3 == 0);
        release(&a);
    }
    free(host);
}

static void test(scankit_group *group, const char *name)
{
    static const char *const texts[] = {"x % 3 == 0", "i % 5 < 2", "x > 4000000000", "1", "0"};
    tap_begin("%s: compaction, both halves, positions", name);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        scankit_predicate *predicate;
        if (scankit_predicate_compile(&predicate, SCANKIT_U32, texts[t], NULL, NULL) != SCANKIT_OK)
            tap_bail_out("%s does not compile", texts[t]);
        for (int way = 0; way < PARTS_WAY_COUNT; way++)
            for (uint64_t seed = 0; seed < 4; seed++)
                check(group, predicate, (parts_way)way, 10 * t + seed);
        scankit_predicate_destroy(predicate);
    }
    tap_end();
}

int main(void)
{
    return parts_each_group(test);
}
