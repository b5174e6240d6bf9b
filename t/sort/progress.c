/* progress.c - a sort reports elements that stay as they are, ever more of them, and all of them in the end. Each
 * report's elements are copied at once, and compared with the output at the end. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

struct reports {
    const char *out;
    char *copy; /* NULL: out is not in host memory */
    size_t size, n, calls;
    bool rises;
};

static void on_ready(void *state, size_t n)
{
    struct reports *reports = state;
    reports->rises = reports->rises && n > reports->n;
    if (reports->copy != NULL && n > reports->n)
        memcpy(reports->copy + reports->n * reports->size, reports->out + reports->n * reports->size,
               (n - reports->n) * reports->size);
    reports->n = n;
    reports->calls++;
}

/* Whether the reports of a sort of n elements are right; `sorted` is its output in host memory. */
static void check_reports(const device *d, const struct reports *reports, const void *sorted, size_t n)
{
    if (reports->n != n)
        tap_fail("the last report has %zu elements", reports->n);
    TAP_CHECK(reports->rises);
    TAP_CHECK(scankit_is_host(d->context) || reports->calls == 1);
    TAP_CHECK(reports->copy == NULL || memcmp(reports->copy, sorted, n * reports->size) == 0);
}

static struct reports start_reports(const device *d, const void *out, size_t size, size_t n)
{
    struct reports reports = {.out = out, .size = size, .rises = true};
    if (scankit_is_host(d->context))
        reports.copy = data_allocate(n, size);
    return reports;
}

static void sort_keys(device *d, scankit_type type, data_shape shape, size_t n, bool in_place, int descending)
{
    size_t size = oracle_size(type);
    if (!device_case_is_due())
        return;
    tap_case("%s %s n %zu%s%s", scankit_type_name(type), data_shape_name(shape), n, in_place ? " in place" : "",
             descending ? " descending" : "");
    void *keys = data_allocate(n, size);
    data_fill(keys, type, shape, n, n);
    const void *in = device_put(d, KEYS_IN, keys, n * size, 0);
    unsigned area = in_place ? KEYS_IN : KEYS_OUT;
    void *out = in_place ? d->area[KEYS_IN].data : device_put(d, KEYS_OUT, NULL, n * size, 0);
    struct reports reports = start_reports(d, out, size, n);
    scankit_sort_options options = {.descending = descending, .ready = on_ready, .ready_state = &reports};
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, &options))) {
        device_get(d, area, keys);
        check_reports(d, &reports, keys, n);
    }
    free(keys);
    free(reports.copy);
}

/* Records that are their key, and records that are not. */
static void sort_records(device *d, size_t size, const scankit_key *key, size_t n, bool in_place)
{
    if (!device_case_is_due())
        return;
    tap_case("records of %zu bytes, n %zu%s", size, n, in_place ? " in place" : "");
    void *records = data_allocate(n, size);
    data_fill_bytes(records, n * size, n);
    const void *in = device_put(d, KEYS_IN, records, n * size, 0);
    unsigned area = in_place ? KEYS_IN : KEYS_OUT;
    void *out = in_place ? d->area[KEYS_IN].data : device_put(d, KEYS_OUT, NULL, n * size, 0);
    struct reports reports = start_reports(d, out, size, n);
    scankit_sort_options options = {.ready = on_ready, .ready_state = &reports};
    if (DEVICE_DID(d, scankit_sort_records(d->context, size, key, 1, in, out, n, &options))) {
        device_get(d, area, records);
        check_reports(d, &reports, records, n);
    }
    free(records);
    free(reports.copy);
}

static void every_type(device *d, scankit_type type)
{
    static const size_t sizes[] = {1, 2, 1000, 70001, 1500007};
    tap_begin("%s: %s", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            sort_keys(d, type, (data_shape)shape, sizes[s], (shape + (int)s) % 2 == 0, (shape + (int)s) / 2 % 2);
    tap_end();
}

static void records(device *d)
{
    const scankit_key whole = {.type = SCANKIT_I64}, part = {.type = SCANKIT_BYTES, .offset = 3, .size = 10};
    tap_begin("%s: records", d->name);
    for (size_t n = 1; n < 400000; n = 5 * n + 3)
        for (int in_place = 0; in_place < 2; in_place++) {
            sort_records(d, 8, &whole, n, in_place != 0);
            sort_records(d, 100, &part, n, in_place != 0);
        }
    tap_end();
}

/* A call that is refused, and a function without reports, report nothing. */
static void silent(device *d)
{
    struct reports reports = {.rises = true};
    scankit_sort_options options = {.begin_bit = 9, .end_bit = 3, .ready = on_ready, .ready_state = &reports};
    uint32_t keys[4] = {3, 1, 2, 0};
    tap_begin("%s: calls without reports", d->name);
    void *in = device_put(d, KEYS_IN, keys, sizeof keys, 0);
    tap_case("bits that no key has");
    TAP_CHECK(scankit_sort(d->context, SCANKIT_U32, in, in, 4, &options) == SCANKIT_E_ARGUMENT);
    options = (scankit_sort_options){.ready = on_ready, .ready_state = &reports};
    tap_case("pairs");
    void *values = device_put(d, VALUES_IN, keys, sizeof keys, 0);
    DEVICE_DID(d, scankit_sort_pairs(d->context, SCANKIT_U32, in, in, 4, values, values, 4, &options));
    TAP_CHECK(reports.calls == 0);
    tap_end();
}

static void test(device *d)
{
    for (int t = 0; t < ORACLE_TYPES; t++)
        every_type(d, (scankit_type)t);
    records(d);
    silent(d);
}

int main(void)
{
    return device_each("reports of a sort", test);
}
