/* runs.c - keys in runs of equal ones. A CPU encodes, sorts and decodes the runs; if they are more than its sample
 * tells, it takes another way. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

enum { TYPES = 6 };
static const scankit_type types[TYPES] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};

typedef struct runs_case {
    scankit_type type;
    size_t n, length; /* of a run on average */
    bool in_place, descending;
} runs_case;

/* Any bits, also of NaNs. A run begins where the hash of a place says so. */
static void fill_with_runs(const runs_case *c, void *keys)
{
    random_state random = random_seeded(c->n + c->length);
    uint64_t value = random_next(&random);
    for (size_t i = 0; i < c->n; i++) {
        if (random_below(&random, c->length) == 0)
            value = random_next(&random);
        oracle_store(c->type, keys, i, value >> (64 - 8 * oracle_size(c->type)));
    }
}

/* Distinct keys, but at each place where a CPU takes its samples of n - 1 keys the next one is the same. */
static void fill_with_unseen_ends(const runs_case *c, void *keys)
{
    data_fill(keys, c->type, DATA_UNIFORM, c->n, 9);
    for (unsigned log2_looks = 4; log2_looks <= 6; log2_looks += 2) {
        uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
        for (uint64_t i = 0; i < UINT64_C(1) << log2_looks; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            uint64_t part = i << (32 - log2_looks) | random >> (32 + log2_looks); /* of 2^32 */
            for (size_t k = 0; k < 3; k++) {
                size_t place = ((c->n - 1) * part >> 32) + k;
                if (place > 0 && place < c->n)
                    oracle_store(c->type, keys, place, oracle_load(c->type, keys, place - 1));
            }
        }
    }
}

/* Compares with a radix sort, which sort.c compares with the oracle. Frees the keys. */
static void check(device *d, const runs_case *c, void *keys, bool by_runs)
{
    const size_t size = oracle_size(c->type);
    scankit_sort_options options = {.descending = c->descending},
                         by_digits = {.algorithm = SCANKIT_RADIX, .descending = c->descending};
    void *sorted = data_allocate(c->n, size);
    memcpy(sorted, keys, c->n * size);
    void *in = device_put(d, KEYS_IN, keys, c->n * size, size), *out = device_put(d, KEYS_OUT, NULL, c->n * size, 0);
    tap_case("%s n %zu length %zu%s%s", scankit_type_name(c->type), c->n, c->length, c->descending ? " descending" : "",
             c->in_place ? " in place" : "");
    if (DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, c->n, &by_digits)))
        device_get(d, KEYS_OUT, sorted);
    bool did = DEVICE_DID(d, scankit_sort(d->context, c->type, in, c->in_place ? in : out, c->n, &options));
    const char *last = scankit_last_algorithm(d->context);
    device_expect(d, c->in_place ? KEYS_IN : KEYS_OUT, sorted, c->n, size, "keys");
    if (!c->in_place)
        device_expect(d, KEYS_IN, keys, c->n, size, "input");
    if (did && scankit_is_host(d->context) && (strcmp(last, "runs") == 0) != by_runs)
        tap_fail("by %s", last);
    free(keys);
    free(sorted);
}

static void lengths(device *d, scankit_type type)
{
    static const size_t sizes[] = {2048, 5409, 100003, 300007}, of_runs[] = {50, 100, 333, 700};
    tap_begin("%s: %s: runs", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof of_runs / sizeof *of_runs; r++)
            for (int way = 0; way < 4; way++) {
                runs_case c = {type, sizes[s], of_runs[r], way % 2 != 0, way / 2 != 0};
                if (!device_case_is_due())
                    continue;
                void *keys = data_allocate(c.n, oracle_size(type));
                fill_with_runs(&c, keys);
                check(d, &c, keys, true);
            }
    tap_end();
}

static void unseen(device *d, scankit_type type)
{
    tap_begin("%s: %s: ends that no sample sees", d->name, scankit_type_name(type));
    for (size_t n = 2049; n < 1000000; n = 5 * n + 11) {
        runs_case c = {type, n, 1, n % 2 == 0, false};
        void *keys = data_allocate(n, oracle_size(type));
        fill_with_unseen_ends(&c, keys);
        check(d, &c, keys, false);
    }
    tap_end();
}

/* One value is most of the keys, in runs between others. */
static void heavy(device *d, scankit_type type)
{
    tap_begin("%s: %s: runs of one value", d->name, scankit_type_name(type));
    for (size_t n = 2050; n < 1000000; n = 7 * n + 13) {
        runs_case c = {type, n, 100, n % 2 == 0, n % 4 == 1};
        char *keys = data_allocate(n, oracle_size(type)), *others = data_allocate(n, oracle_size(type));
        data_fill(others, type, DATA_UNIFORM, n, n);
        for (size_t i = 0; i < n; i++)
            oracle_store(type, keys, i, i % 97 == 31 ? oracle_load(type, others, i) : 0);
        free(others);
        check(d, &c, keys, false);
    }
    tap_end();
}

/* With little workspace there is another way, or none, and then nothing has been written. */
static void little_memory(device *d, scankit_type type)
{
    const runs_case c = {type, 300007, 100, false, false};
    const size_t size = oracle_size(type), bytes = c.n * size;
    const scankit_sort_options by_digits = {.algorithm = SCANKIT_RADIX};
    void *keys = data_allocate(c.n, size), *sorted = data_allocate(c.n, size), *memory;
    tap_begin("%s: %s: little workspace", d->name, scankit_type_name(type));
    fill_with_runs(&c, keys);
    memcpy(sorted, keys, bytes);
    void *in = device_put(d, KEYS_IN, keys, bytes, 0), *out = device_put(d, KEYS_OUT, NULL, bytes, 0);
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, c.n, &by_digits)))
        device_get(d, KEYS_OUT, sorted);
    for (size_t room = 1024; room < 4 * bytes; room *= 4) {
        tap_case("%zu bytes", room);
        if (!DEVICE_DID(d, scankit_allocate(d->context, &memory, room)) ||
            !DEVICE_DID(d, scankit_set_workspace(d->context, memory, room)))
            break;
        out = device_put(d, KEYS_OUT, NULL, bytes, 0);
        scankit_error error = scankit_sort(d->context, type, in, out, c.n, NULL);
        if (error == SCANKIT_OK)
            device_expect(d, KEYS_OUT, sorted, c.n, size, "keys");
        else if (error != SCANKIT_E_MEMORY)
            tap_fail("error %d", (int)error);
        device_expect(d, KEYS_IN, keys, c.n, size, "input");
        (void)DEVICE_DID(d, scankit_set_workspace(d->context, NULL, 0));
        scankit_free(d->context, memory);
    }
    tap_end();
    free(keys);
    free(sorted);
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++) {
        lengths(d, types[t]);
        unseen(d, types[t]);
        heavy(d, types[t]);
        little_memory(d, types[t]);
    }
}

int main(void)
{
    return device_each("sort of runs", test);
}
