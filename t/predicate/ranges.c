/* ranges.c - predicates that say if an element, or some of its bits, is in a few ranges. A GPU neither interprets nor
 * compiles them; it gives what a CPU gives, whose predicates are tested by themselves. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/device.h"
#include "support/oracle.h"
#include "support/tap.h"

enum { IN, MATCHING, OTHERS, POSITIONS };

/* Of every number, of integers, and of numbers with a sign. */
static const char *const any[] = {"x < 3",
                                  "x <= 3",
                                  "x > 100",
                                  "x >= 100",
                                  "x == 0",
                                  "x != 0",
                                  "x >= 10 && x < 90",
                                  "x < 10 || x > 90",
                                  "x < 1 || (x > 20 && x < 40) || x > 60",
                                  "x in {1, 3..9, 27, 81..100}",
                                  "!(x in {1, 30..90, 120})",
                                  "x < 0.5",
                                  "x >= 0.5 && x <= 20.25",
                                  "x < 10.5 || x > 90.75",
                                  "x in {1, 3..9, 20}",
                                  "!(x in {1, 3..9})"};
static const char *const integers[] = {"x & 8", "(x & 12) == 4", "!(x & 1)", "(x & 0xf0) > 0x30", "(x & 0x80) != 0"};
static const char *const with_sign[] = {"x < 0", "x >= -3 && x <= 3", "x < -100", "x == -1", "x > -0.5 && x <= 2.25"};

typedef struct answers {
    char *matching, *others;
    uint64_t *positions;
    size_t count;
} answers;

static answers answers_of(const scankit_predicate *predicate, const void *in, size_t n, size_t size, int invert)
{
    static scankit_context *cpu;
    const scankit_compact_options options = {.invert = invert, .first = 7};
    answers a = {data_allocate(n, size), data_allocate(n, size), data_allocate(n, 8), 0};
    if (cpu == NULL && scankit_open(&cpu, "cpu") != SCANKIT_OK)
        tap_bail_out("no CPU");
    if (scankit_split_predicate(cpu, predicate, in, a.matching, a.others, n, &options, &a.count) != SCANKIT_OK ||
        scankit_compact_positions(cpu, predicate, in, a.positions, n, &options, &a.count) != SCANKIT_OK)
        tap_fail("the CPU: %s", scankit_error_detail(cpu));
    return a;
}

static void check_text(device *d, scankit_type type, const char *text, const void *elements, size_t n, size_t lead,
                       int invert)
{
    const size_t size = scankit_type_size(type);
    const scankit_compact_options options = {.invert = invert, .first = 7};
    scankit_predicate *predicate = NULL;
    size_t where, count = 0;
    const char *reason;
    tap_case("%s: %s, %zu of them, lead %zu, invert %d", scankit_type_name(type), text, n, lead, invert);
    if (scankit_predicate_compile(&predicate, type, text, &where, &reason) != SCANKIT_OK) {
        tap_fail("%s at %zu", reason, where);
        return;
    }
    answers a = answers_of(predicate, elements, n, size, invert);
    const void *in = device_put(d, IN, elements, n * size, lead * size);
    void *matching = device_put(d, MATCHING, NULL, n * size, 0);
    void *others = device_put(d, OTHERS, NULL, n * size, lead * size);
    uint64_t *positions = device_put(d, POSITIONS, NULL, n * sizeof *positions, 0);
    if (DEVICE_DID(d, scankit_split_predicate(d->context, predicate, in, matching, others, n, &options, &count))) {
        TAP_CHECK(count == a.count);
        TAP_CHECK(strstr(scankit_last_algorithm(d->context), "interpreted") == NULL);
        device_expect_part(d, MATCHING, a.matching, a.count, size, "matching");
        device_expect_part(d, OTHERS, a.others, n - a.count, size, "others");
    }
    if (DEVICE_DID(d, scankit_compact(d->context, predicate, in, matching, n, &options, NULL)))
        device_expect_part(d, MATCHING, a.matching, a.count, size, "matching alone");
    if (DEVICE_DID(d, scankit_compact_positions(d->context, predicate, in, positions, n, &options, &count)))
        device_expect_part(d, POSITIONS, a.positions, a.count, sizeof *positions, "positions");
    if (DEVICE_DID(d, scankit_split_predicate(d->context, predicate, in, NULL, NULL, n, &options, &count)))
        TAP_CHECK(count == a.count);
    scankit_predicate_destroy(predicate);
    free(a.matching);
    free(a.others);
    free(a.positions);
}

static void store_small(scankit_type type, char *elements, size_t i, int64_t number)
{
    const bool is_float = oracle_kind(type) == ORACLE_FLOAT;
    oracle_store(type, elements, i, is_float ? oracle_float_bits(type, (double)number) : (uint64_t)number);
}

static void check_texts(device *d, scankit_type type, const char *const *texts, size_t count)
{
    static const size_t sizes[] = {1, 33, 3001, 40009};
    const size_t size = scankit_type_size(type);
    for (size_t t = 0; t < count; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const size_t n = sizes[s];
            if (!device_case_is_due())
                continue;
            char *elements = data_allocate(n, size);
            data_fill(elements, type, (s + t) % 2 == 0 ? DATA_SPECIAL : DATA_UNIFORM, n, s + t);
            for (size_t i = 0; i < n; i += 3)
                store_small(type, elements, i, (int64_t)(i % 131) - (i % 2 == 0 ? 20 : 0));
            check_text(d, type, texts[t], elements, n, (s + t) % 3, (int)(t / 2 % 2));
            free(elements);
        }
}

static void test(device *d)
{
    if (scankit_is_host(d->context))
        return;
    for (int type = 0; type < ORACLE_TYPES; type++) {
        const scankit_type of = (scankit_type)type;
        tap_begin("%s: %s in ranges", d->name, scankit_type_name(of));
        check_texts(d, of, any, sizeof any / sizeof *any);
        if (oracle_kind(of) != ORACLE_FLOAT)
            check_texts(d, of, integers, sizeof integers / sizeof *integers);
        if (oracle_kind(of) != ORACLE_UNSIGNED)
            check_texts(d, of, with_sign, sizeof with_sign / sizeof *with_sign);
        tap_end();
    }
}

int main(void)
{
    return device_each("predicates by ranges", test);
}
