/* in-place.c - a sort in place with little workspace gives the same order: every type and shape of data, at every
 * alignment, around the sizes of blocks, and with keys that partitions hardly separate. Where memory is short, a sort
 * takes this way by itself, and where there is not even the little, the keys stay as they are. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* What several threads partition, and now and then what one does. */
static void every_shape(device *d, scankit_type type)
{
    static const size_t bytes[] = {420000, 2200000};
    random_state random = random_seeded((uint64_t)type);
    tap_begin("%s: %s: every shape", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < ((size_t)shape % 4 == type % 4 ? 2 : 1); s++) {
            sort_case c = {.type = type, .shape = (data_shape)shape, .seed = random_next(&random)};
            c.n = bytes[s] / oracle_size(type) + random_below(&random, 300);
            c.keys_in_place = true;
            c.lead[KEYS_IN] = random_below(&random, 80);
            c.options.descending = (int)(random_next(&random) & 1);
            c.options.overwrite_input = 1;
            c.options.algorithm = oracle_size(type) < 4 || random_next(&random) & 1 ? SCANKIT_HYBRID : SCANKIT_AUTO;
            check_sort(d, &c);
        }
    tap_end();
}

/* Sizes on both sides of whole blocks. The last block may have no slot in the array. */
static void every_end(device *d, scankit_type type)
{
    tap_begin("%s: %s: every end of a block", d->name, scankit_type_name(type));
    for (size_t more = 0; more <= 66; more++) {
        static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_OUTLIERS, DATA_EQUAL};
        sort_case c = {.type = type, .shape = shapes[more % 4], .seed = more, .keys_in_place = true};
        c.n = ((size_t)5 << 16) / oracle_size(type) + more - 1;
        c.lead[KEYS_IN] = more * 5 % 67;
        c.options.overwrite_input = 1;
        c.options.algorithm = SCANKIT_HYBRID;
        check_sort(d, &c);
    }
    tap_end();
}

/* Most keys have the same leading bits; of these, most have the same next bits; and so on. Every level of partitions
 * separates only few. */
static void fill_nested(uint64_t *keys, size_t n, unsigned one_in)
{
    random_state random = random_seeded(one_in);
    for (size_t i = 0; i < n; i++) {
        unsigned level = 0;
        while (level < 15 && random_below(&random, one_in) > 0)
            level++;
        keys[i] = random_next(&random) >> 4 * level;
    }
}

static void nested(device *d, unsigned one_in, size_t n)
{
    const scankit_sort_options lean = {.overwrite_input = 1}, radix = {.algorithm = SCANKIT_RADIX};
    uint64_t *keys = data_allocate(n, sizeof *keys);
    tap_case("one in %u at each level, n %zu", one_in, n);
    fill_nested(keys, n, one_in);
    void *in = device_put(d, KEYS_IN, keys, n * sizeof *keys, 24);
    void *out = device_put(d, KEYS_OUT, NULL, n * sizeof *keys, 0);
    if (DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U64, in, out, n, &radix)) &&
        DEVICE_DID(d, scankit_sort(d->context, SCANKIT_U64, in, in, n, &lean))) {
        device_get(d, KEYS_OUT, keys);
        device_expect(d, KEYS_IN, keys, n, sizeof *keys, "keys");
    }
    free(keys);
}

static void test(device *d)
{
    for (int t = 0; t < ORACLE_TYPES; t++)
        every_shape(d, (scankit_type)t);
    every_end(d, SCANKIT_U32);
    every_end(d, SCANKIT_F64);
    tap_begin("%s: keys that partitions hardly separate", d->name);
    nested(d, 8, 300007);
    nested(d, 14, 400009);
    nested(d, 14, 1000003);
    tap_end();
}

/* ---- with little memory ---- */

#define SHORT_BYTES ((size_t)36 << 20)

/* Lets the process take up to this much more address space. */
static void leave(size_t bytes)
{
    struct rlimit space;
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%zu", &pages) != 1 || getrlimit(RLIMIT_AS, &space) != 0)
        tap_bail_out("/proc/self/statm cannot be read");
    (void)fclose(file);
    space.rlim_cur = bytes == SIZE_MAX ? space.rlim_max : pages * (size_t)sysconf(_SC_PAGESIZE) + bytes;
    if (setrlimit(RLIMIT_AS, &space) != 0)
        tap_bail_out("setrlimit");
}

/* An emulator may not keep to a limit. */
static bool limit_holds(void)
{
    leave((size_t)1 << 20);
    void *more = malloc((size_t)64 << 20);
    leave(SIZE_MAX);
    free(more);
    return more == NULL;
}

/* Sorts in a new context with so much memory. */
static scankit_error sort_with(size_t bytes, scankit_type type, const void *in, void *out, const char *expected)
{
    scankit_context *context;
    if (scankit_open(&context, "cpu:5") != SCANKIT_OK)
        tap_bail_out("no context");
    leave(bytes);
    scankit_error error = scankit_sort(context, type, in, out, SHORT_BYTES / oracle_size(type), NULL);
    leave(SIZE_MAX);
    if (error == SCANKIT_OK && strcmp(scankit_last_algorithm(context), expected) != 0)
        tap_fail("it ran %s, not %s", scankit_last_algorithm(context), expected);
    scankit_close(context);
    return error;
}

static void expect(scankit_error error, scankit_error wanted, const void *array, const void *expected)
{
    if (error != wanted)
        tap_fail("error %d", (int)error);
    else if (memcmp(array, expected, SHORT_BYTES) != 0)
        tap_fail("the keys are other ones");
}

static void test_short(scankit_type type, data_shape shape)
{
    char *keys = data_allocate(SHORT_BYTES, 1), *array = data_allocate(SHORT_BYTES, 1);
    char *sorted = data_allocate(SHORT_BYTES, 1);
    data_fill(keys, type, shape, SHORT_BYTES / oracle_size(type), 1);
    tap_begin("%s, %s: with less memory", scankit_type_name(type), data_shape_name(shape));
    tap_case("enough");
    expect(sort_with(SIZE_MAX, type, keys, sorted, "hybrid"), SCANKIT_OK, sorted, sorted);
    tap_case("little, out of place");
    expect(sort_with((size_t)20 << 20, type, keys, array, "hybrid-in-place"), SCANKIT_OK, array, sorted);
    tap_case("little, in place");
    memcpy(array, keys, SHORT_BYTES);
    expect(sort_with((size_t)20 << 20, type, array, array, "hybrid-in-place"), SCANKIT_OK, array, sorted);
    tap_case("almost none, in place");
    memcpy(array, keys, SHORT_BYTES);
    expect(sort_with((size_t)64 << 10, type, array, array, ""), SCANKIT_E_MEMORY, array, keys);
    tap_end();
    free(keys);
    free(array);
    free(sorted);
}

/* Heavy values are counted before there is memory to sort the others. */
static void test_short_heavy(scankit_type type)
{
    char *keys = data_allocate(SHORT_BYTES, 1), *array = data_allocate(SHORT_BYTES, 1);
    data_fill(keys, type, DATA_HEAVY, SHORT_BYTES / oracle_size(type), 1);
    memcpy(array, keys, SHORT_BYTES);
    tap_begin("%s, heavy: almost no memory, in place", scankit_type_name(type));
    expect(sort_with((size_t)64 << 10, type, array, array, ""), SCANKIT_E_MEMORY, array, array);
    expect(sort_with(SIZE_MAX, type, array, array, "heavy"), SCANKIT_OK, array, array);
    expect(sort_with(SIZE_MAX, type, keys, keys, "heavy"), SCANKIT_OK, keys, array);
    tap_end();
    free(keys);
    free(array);
}

/* Sanitizers reserve address space of their own. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CAN_LIMIT 0
#elif defined __has_feature
#define CAN_LIMIT \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer))
#else
#define CAN_LIMIT 1
#endif

int main(void)
{
    if (!CAN_LIMIT || !device_wanted("cpu") || access("/proc/self/statm", R_OK) != 0 || !limit_holds()) {
        tap_skip("not to be seen here", "sorts with less memory");
    } else {
        (void)mallopt(M_MMAP_THRESHOLD, 64 << 10);
        test_short(SCANKIT_U32, DATA_UNIFORM);
        test_short(SCANKIT_F64, DATA_UNIFORM);
        test_short(SCANKIT_F32, DATA_ALMOST_SORTED);
        test_short_heavy(SCANKIT_U64);
        test_short_heavy(SCANKIT_F32);
    }
    return device_each("sort in place with little workspace", test);
}
