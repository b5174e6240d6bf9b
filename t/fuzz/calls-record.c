/* calls-record.c - sorts, checks and merges of records: see calls.h */
#include <string.h>
#include <time.h>

#include "calls.h"
#include "support/oracle.h"

#define KEYS 6
#define LONG_KEY 32768
#define SLOW 0.5 /* processor seconds that no call may take */

/* Keys anywhere within the record, or sometimes past it. */
static size_t draw_keys(caller *c, size_t record_size, scankit_key *keys)
{
    size_t count = fuzz_below(c->in, KEYS);
    for (size_t k = 0; k < count; k++) {
        unsigned choice = (unsigned)fuzz_number(c->in, 1);
        keys[k] = (scankit_key){.type = choice & 1 ? SCANKIT_BYTES : draw_type(c),
                                .offset = fuzz_below(c->in, record_size),
                                .size = fuzz_below(c->in, record_size + (choice & 2 ? 1 : 0)),
                                .big_endian = choice >> 2 & 1,
                                .descending = choice >> 3 & 1};
        if (keys[k].size > record_size - keys[k].offset && choice & 0xf0)
            keys[k].size = record_size - keys[k].offset;
    }
    return count;
}

static void check_sorted(caller *c, size_t size, const scankit_key *keys, size_t count, const void *records, size_t n)
{
    size_t first = 0;
    FUZZ_CHECK(call_did(scankit_is_sorted_records(c->ctx, size, keys, count, records, n, &first)) && first == n);
}

void call_sort_records(caller *c)
{
    scankit_key keys[KEYS];
    size_t size = draw_size(c), count = draw_keys(c, size, keys), n = draw_count(c, size + 40), first = 0;
    scankit_sort_options options = draw_sort_options(c);
    void *in = draw_array(c, n, size), *out = draw_output(c, in, n, size);
    uint64_t *positions = draw_array(c, n, sizeof *positions);
    if (call_did(scankit_is_sorted_records(c->ctx, size, keys, count, in, n, &first)))
        FUZZ_CHECK(first <= n);
    if (call_did(scankit_argsort_records(c->ctx, size, keys, count, in, positions, n, &options)))
        for (size_t k = 0; k < n; k++)
            FUZZ_CHECK(positions[k] < n);
    if (call_did(scankit_sort_records(c->ctx, size, keys, count, in, out, n, &options)))
        check_sorted(c, size, keys, count, out, n);
}

void call_merge_records(caller *c)
{
    scankit_key keys[KEYS];
    size_t size = draw_size(c), count = draw_keys(c, size, keys);
    size_t na = draw_count(c, size + 40), nb = draw_count(c, size + 40);
    void *a = draw_array(c, na, size), *b = draw_array(c, nb, size), *out = draw_array(c, na + nb, size);
    if (call_did(scankit_sort_records(c->ctx, size, keys, count, a, a, na, NULL)) &&
        call_did(scankit_sort_records(c->ctx, size, keys, count, b, b, nb, NULL))) {
        FUZZ_CHECK(call_did(scankit_merge_records(c->ctx, size, keys, count, a, na, b, nb, out)));
        check_sorted(c, size, keys, count, out, na + nb);
    }
}

/* One very long key: no algorithm may take much longer than the others. Rarely drawn, as each takes long. */
void call_long_records(caller *c)
{
    if (!fuzz_chance(c->in, 16))
        return;
    size_t size = LONG_KEY + fuzz_below(c->in, LONG_KEY), n = 1 + fuzz_below(c->in, 2);
    scankit_key key = {.type = SCANKIT_BYTES, .size = size - fuzz_below(c->in, 9)};
    scankit_sort_options options = draw_sort_options(c);
    void *records = draw_array(c, n, size);
    clock_t begin = clock();
    if (call_did(scankit_sort_records(c->ctx, size, &key, 1, records, records, n, &options)))
        FUZZ_CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < SLOW);
}

/* No records, so that any size is possible: sizes whose sums and products wrap. */
void call_wrong_records(caller *c)
{
    static const size_t sizes[] = {0, 1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1, SIZE_MAX - 7};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    scankit_key keys[KEYS];
    size_t size = sizes[fuzz_below(c->in, SIZES)], count = fuzz_below(c->in, KEYS), first = 1;
    for (size_t k = 0; k < count; k++)
        keys[k] = (scankit_key){.type = SCANKIT_BYTES,
                                .size = sizes[fuzz_below(c->in, SIZES)],
                                .offset = fuzz_chance(c->in, 2) ? sizes[fuzz_below(c->in, SIZES)] : 0};
    if (call_did(scankit_is_sorted_records(c->ctx, size, keys, count, NULL, 0, &first)))
        FUZZ_CHECK(first == 0);
    call_did(scankit_sort_records(c->ctx, size, keys, count, NULL, NULL, 0, NULL));
    call_did(scankit_argsort_records(c->ctx, size, keys, count, NULL, NULL, 0, NULL));
    call_did(scankit_merge_records(c->ctx, size, keys, count, NULL, 0, NULL, 0, NULL));
}
