/* pivots.c - keys that mislead a sort by pivots: its sample has the least of them. So partitions leave nearly all keys
 * in one part, until bits part them; and one value that many keys have is left over. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Where a CPU's sort of n keys looks for key i of a sample. */
static void find_places(size_t *places, size_t size, size_t n)
{
    uint64_t random = n * UINT64_C(0x9e3779b97f4a7c15);
    const size_t each = n / size;
    for (size_t i = 0; i < size; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        places[i] = i * each + ((random >> 33) * each >> 31);
    }
}

/* 4 of 10 are the same, too few for a sort that counts them. */
static void fill_misleading(uint64_t *words, size_t n, unsigned width)
{
    enum { LEAST = 128, MOST = 256 }; /* keys of a sample, by the size of a key */
    const uint64_t range = UINT64_MAX >> (64 - width);
    random_state random = random_seeded(n + width);
    size_t places[MOST];
    for (size_t i = 0; i < n; i++)
        words[i] = random_below(&random, 10) < 4 ? range / 3 : MOST + random_below(&random, range - MOST);
    for (size_t size = LEAST; size <= MOST; size *= 2) {
        find_places(places, size, n);
        for (size_t i = 0; i < size; i++)
            words[places[i]] = i;
    }
}

/* Positive numbers have the order of their words. */
static void fill_keys(scankit_type type, void *keys, const uint64_t *words, size_t n, bool reversed)
{
    for (size_t i = 0; i < n; i++)
        oracle_store(type, keys, i, words[reversed ? n - 1 - i : i]);
}

static void check(device *d, scankit_type type, size_t n, bool in_place, bool descending)
{
    const size_t size = oracle_size(type);
    const bool is_unsigned = type == SCANKIT_U32 || type == SCANKIT_U64;
    const scankit_sort_options options = {.descending = descending};
    uint64_t *words = data_allocate(n, sizeof *words);
    void *keys = data_allocate(n, size);
    if (device_case_is_due()) {
        tap_case("%s n %zu%s%s", scankit_type_name(type), n, in_place ? " in place" : "",
                 descending ? " descending" : "");
        fill_misleading(words, n, is_unsigned ? bits_of_words(type) : (unsigned)(8 * size) - 2);
        fill_keys(type, keys, words, n, false);
        void *in = device_put(d, KEYS_IN, keys, n * size, size);
        void *out = in_place ? in : device_put(d, KEYS_OUT, NULL, n * size, 0);
        sort_words(words, n);
        fill_keys(type, keys, words, n, descending);
        if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, &options)))
            device_expect(d, in_place ? KEYS_IN : KEYS_OUT, keys, n, size, "keys");
    }
    free(words);
    free(keys);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};
    static const size_t sizes[] = {16384, 40001, 100003, 300007};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: samples of the least keys", d->name, scankit_type_name(types[t]));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int way = 0; way < 4; way++)
                check(d, types[t], sizes[s], way % 2 != 0, way / 2 != 0);
        tap_end();
    }
}

int main(void)
{
    return device_each("sort by pivots", test);
}
