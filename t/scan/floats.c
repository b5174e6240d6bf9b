/* floats.c - sums and products of floats stay within their error bounds and have the same bits on each run where the
 * header promises it. min and max are exact, NaNs included. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static const size_t sizes[] = {1, 2, 100, 4095, 4097, 30000, 65537, 1000003};
#define SIZES (sizeof sizes / sizeof *sizes)

/* Under an emulator or a sanitizer, a million floats take seconds. */
static bool is_due(size_t n)
{
    return n < 1000000 || device_case_is_due();
}

static double value_of(scankit_type type, const void *array, size_t i)
{
    return oracle_double(type, oracle_load(type, array, i));
}

static void store(scankit_type type, void *array, size_t i, double value)
{
    oracle_store(type, array, i, oracle_float_bits(type, value));
}

/* Mixed signs for sums; values close to 1 for products, which then neither overflow nor underflow. */
static void fill(scankit_type type, scankit_operator op, void *array, size_t n)
{
    random_state random = random_seeded(n);
    for (size_t i = 0; i < n; i++) {
        double unit = (double)(random_next(&random) >> 11) / 9007199254740992.0;
        double term = type == SCANKIT_F16 ? unit - 0.5 : unit * 2000 - 1000; /* sums of halves stay below 65504 */
        store(type, array, i, op == SCANKIT_SUM ? term : 1 + (unit - 0.5) * 1e-3);
    }
}

static long double magnitude(long double x)
{
    return x < 0 ? -x : x;
}

/* The distance from 1 to the next float of the type. */
static long double epsilon_of(scankit_type type)
{
    return ldexpl(1, -(int)oracle_fraction(type));
}

/* The error of n additions in any order is less than n epsilon times the sum of the magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, section 4.2); of n multiplications, less than n epsilon times the product. */
static void check_errors(scankit_type type, scankit_operator op, const void *in, const void *out, size_t n)
{
    long double exact = op == SCANKIT_SUM ? 0 : 1, scale = 0;
    long double epsilon = epsilon_of(type);
    for (size_t i = 0; i < n; i++) {
        long double x = value_of(type, in, i), y = value_of(type, out, i);
        exact = op == SCANKIT_SUM ? exact + x : exact * x;
        scale = op == SCANKIT_SUM ? scale + magnitude(x) : magnitude(exact);
        if (!(magnitude(y - exact) <= (long double)(i + 1) * epsilon * scale)) {
            tap_fail("element %zu is %Lg, should be %Lg", i, y, exact);
            return;
        }
    }
}

static bool scan(device *d, scankit_type type, scankit_operator op, const void *in, void *out, size_t n, size_t lead)
{
    size_t bytes = n * oracle_size(type);
    const void *from = device_put(d, 0, in, bytes, lead);
    void *to = device_put(d, 1, NULL, bytes, 0);
    if (!DEVICE_DID(d, scankit_scan(d->context, type, op, SCANKIT_INCLUSIVE, NULL, from, to, n)))
        return false;
    device_get(d, 1, out);
    return true;
}

static void errors(device *d, scankit_type type, scankit_operator op)
{
    tap_begin("%s: %s %s: errors stay within bounds", d->name, scankit_type_name(type), scankit_operator_name(op));
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = sizes[s];
        if (!is_due(n))
            continue;
        void *in = data_allocate(n, oracle_size(type)), *out = data_allocate(n, oracle_size(type));
        tap_case("n %zu", n);
        fill(type, op, in, n);
        if (scan(d, type, op, in, out, n, 0))
            check_errors(type, op, in, out, n);
        const void *from = device_put(d, 0, in, n * oracle_size(type), 0);
        uint64_t result = 0;
        tap_case("reduce n %zu", n);
        if (DEVICE_DID(d, scankit_reduce(d->context, type, op, from, &result, n))) {
            double last = value_of(type, out, n - 1), sum = value_of(type, &result, 0);
            long double bound = epsilon_of(type) * 2000.0L * (long double)(n * n);
            if (!(magnitude((long double)sum - (long double)last) <= bound))
                tap_fail("the reduction is %g, the scan's last %g", sum, last);
        }
        free(in);
        free(out);
    }
    tap_end();
}

/* Scans twice, with other work between, on one context or on two; and again `lead` elements further on. */
static void same_bits(device *d, device *other, scankit_type type, scankit_operator op, size_t lead)
{
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = sizes[s], size = oracle_size(type);
        if (!is_due(n))
            continue;
        void *in = data_allocate(n, size), *once = data_allocate(n, size), *again = data_allocate(n, size);
        tap_case("%s %s n %zu", scankit_type_name(type), scankit_operator_name(op), n);
        fill(type, op, in, n);
        if (scan(d, type, op, in, once, n, 0) && scan(other, type, op, in, again, n, lead * size)) {
            size_t i = first_difference(once, again, n, size);
            if (i < n)
                tap_fail("element %zu is %.17g, then %.17g", i, value_of(type, once, i), value_of(type, again, i));
        }
        uint64_t first = 0, second = 0;
        DEVICE_DID(d, scankit_reduce(d->context, type, op, device_put(d, 0, in, n * size, 0), &first, n));
        DEVICE_DID(other, scankit_reduce(other->context, type, op, device_put(other, 0, in, n * size, 0), &second, n));
        if (first != second)
            tap_fail("reduction: bits differ");
        free(in);
        free(once);
        free(again);
    }
}

static void same_bits_everywhere(device *d, device *other, size_t lead, const char *what)
{
    static const scankit_type types[] = {SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
    tap_begin("%s: %s", d->name, what);
    for (int i = 0; i < 3; i++) {
        same_bits(d, other, types[i], SCANKIT_SUM, lead);
        same_bits(d, other, types[i], SCANKIT_PROD, lead);
    }
    tap_end();
}

static device open_other(const char *name)
{
    device other = {.name = name};
    if (scankit_open(&other.context, name) != SCANKIT_OK)
        tap_bail_out("cannot open %s", name);
    return other;
}

/* The kernels for GPUs without bulk copies. Every GPU uses them for arrays that are not aligned. */
static device open_with_tiles(const char *name)
{
    const char *engine = getenv("SCANKIT_CUDA_ENGINE");
    char *before = engine != NULL ? strdup(engine) : NULL;
    setenv("SCANKIT_CUDA_ENGINE", "tiles", 1);
    device other = open_other(name);
    if (before != NULL)
        setenv("SCANKIT_CUDA_ENGINE", before, 1);
    else
        unsetenv("SCANKIT_CUDA_ENGINE");
    free(before);
    scankit_set_deterministic(other.context, 1);
    return other;
}

static void close_other(device *other)
{
    for (int i = 0; i < DEVICE_AREAS; i++)
        if (scankit_is_host(other->context))
            free(other->area[i].memory);
        else
            scankit_free(other->context, other->area[i].memory);
    scankit_close(other->context);
}

/* On the CPU, the bits never depend on threads or mode. On a GPU, they are the same on each run in deterministic mode.
 */
static void deterministic(device *d)
{
    if (scankit_is_host(d->context)) {
        device other = open_other("cpu:2");
        same_bits_everywhere(d, &other, 0, "the same bits as two threads");
        close_other(&other);
    }
    if (tap_ok(scankit_set_deterministic(d->context, 1) == SCANKIT_OK, "%s: deterministic mode", d->name))
        same_bits_everywhere(d, d, 1, "deterministic: the same bits on every run");
    if (!scankit_is_host(d->context)) {
        device other = open_with_tiles(d->name);
        same_bits_everywhere(d, &other, 0, "deterministic: the same bits as every other GPU's");
        close_other(&other);
    }
    scankit_set_deterministic(d->context, 0);
}

static void extremes(device *d, scankit_type type, scankit_operator op)
{
    tap_begin("%s: %s %s: exact, with NaNs and both zeros", d->name, scankit_type_name(type),
              scankit_operator_name(op));
    for (size_t s = 0; s < SIZES; s++)
        for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
            scan_case c = {.type = type,
                           .op = op,
                           .kind = shape % 2 ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE,
                           .shape = (data_shape)shape,
                           .n = sizes[s] < 100000 ? sizes[s] : 200003,
                           .seed = s};
            check_scan(d, &c);
            check_reduce(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
    for (int i = 0; i < 3; i++) {
        errors(d, types[i], SCANKIT_SUM);
        errors(d, types[i], SCANKIT_PROD);
        extremes(d, types[i], SCANKIT_MIN);
        extremes(d, types[i], SCANKIT_MAX);
    }
    deterministic(d);
}

int main(void)
{
    return device_each("scan of floats", test);
}
