/* predicate-texts.c - no text harms the compiler of predicates: random bytes, random tokens, and expressions with
 * pieces lost, doubled and exchanged, for random layouts. What compiles is run; what is whole must be right; what does
 * not compile says where and why.
 *
 * Runs a few thousand texts; SCANKIT_FUZZ_SECONDS=N in the environment runs for so long instead. The seed is printed,
 * and SCANKIT_SEED repeats it. Best in a build with sanitizers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predicate/check-predicate.h"
#include "support/oracle.h"
#include "support/tap.h"

#define ELEMENTS 21
#define TEXTS_OF_A_SUBJECT 50
#define TEXTS 60000
#define ROOM 70000
#define NOTHING_IS_SLOW 2.0 /* of a processor's seconds, for any text of 64 KiB */

static device *dev;
static unsigned long compiled, refused;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* Other programs do not count. */
static double processor_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- texts ---- */

/* Any bytes, or those that predicates are made of. */
static void random_bytes(char *text, random_state *random)
{
    static const char usual[] = "xix  ()+-*/%&|^~!<>=?:,..{}`\"0123456789abefulinmaxs_\n";
    bool any = random_below(random, 4) == 0;
    size_t length = random_size(random, random_below(random, 50) == 0 ? ROOM - 1 : 200);
    for (size_t k = 0; k < length; k++)
        text[k] = any ? (char)(1 + random_below(random, 255)) : usual[random_below(random, sizeof usual - 1)];
    text[length] = '\0';
}

/* What random texts are made of. */
static const char *const tokens[] = {
#define X(name, token, level) token,
    BINARY_OPERATORS(X)
#undef X
#define X(name, token) token,
        UNARY_OPERATORS(X) FUNCTIONS(X)
#undef X
    /* clang-format off */
    "(", ")", "(", ")", "{", "}", ",", "..", "?", ":", "in", "in {", "x", "i", "0", "1", "7", "255", "0xff",
    "0b11", "1.5", "1e300", "0.1f", "18446744073709551615", "9223372036854775808", "1e999", "\"AB\"", "\"\"",
    "`x-1`", "`", "\"", "010", "5u", "4294967296", "{1,2}", "{1 .. 3}", "in{", "\"\\n\"", "isnan(1.0)", "..",
    "-1", "1e-400", "0x1p3",
    /* clang-format on */
};

static void random_tokens(const subject *s, char *text, random_state *random)
{
    size_t count = 1 + random_size(random, random_below(random, 40) == 0 ? 8000 : 40), used = 0;
    *text = '\0';
    for (size_t k = 0; k < count && used < ROOM - 100; k++) {
        const scankit_field *field = subject_field(s, random_below(random, subject_count(s)));
        const char *token = tokens[random_below(random, sizeof tokens / sizeof *tokens)];
        if (random_below(random, 5) == 0)
            token = field->name;
        used += (size_t)sprintf(text + used, "%s%s", random_below(random, 3) ? " " : "", token);
    }
}

/* A few pieces lost, doubled, exchanged, with a bit turned, or with another byte. */
static void mutate(char *text, random_state *random)
{
    size_t changes = 1 + random_size(random, 8);
    for (size_t k = 0; k < changes; k++) {
        size_t length = strlen(text), at = random_below(random, length), of = random_size(random, 12);
        if (length == 0 || length > ROOM / 2)
            return;
        of = of < length - at ? of : length - at;
        char *piece = text + at;
        switch (random_below(random, 5)) {
        case 0: memmove(piece, piece + of, length - at - of + 1); break;
        case 1: memmove(piece + of, piece, length - at + 1); break;
        case 2:
            for (size_t b = 0; b < of / 2; b++) {
                char kept = piece[b];
                piece[b] = piece[of - 1 - b];
                piece[of - 1 - b] = kept;
            }
            break;
        case 3: *piece = (char)(*piece ^ 1 << random_below(random, 8)); break;
        default: *piece = " ()+-.,0x{}\"`"[random_below(random, 13)];
        }
    }
}

/* ---- asking ---- */

static void run(const scankit_predicate *predicate, const subject *s, const void *elements)
{
    size_t count = ~(size_t)0, others = ~(size_t)0;
    scankit_compact_options options = {.first = 12345};
    uint64_t *positions = device_put(dev, 1, NULL, ELEMENTS * sizeof *positions, 0);
    const void *in = device_put(dev, 0, elements, ELEMENTS * s->element_size, 0);
    scankit_context *ctx = dev->context;
    if (!DEVICE_DID(dev, scankit_compact_positions(ctx, predicate, in, positions, ELEMENTS, &options, &count)))
        return;
    options.invert = 1;
    DEVICE_DID(dev, scankit_split_predicate(ctx, predicate, in, NULL, NULL, ELEMENTS, &options, &others));
    if (count > ELEMENTS || count + others != ELEMENTS)
        tap_fail("%zu match, and %zu do not", count, others);
    for (size_t k = 0; k < count; k++)
        if (positions[k] - 12345 >= ELEMENTS || (k > 0 && positions[k] <= positions[k - 1]))
            tap_fail("position %zu is %llu", k, (unsigned long long)positions[k]);
}

static void try(const subject *s, const void *elements, const char *text)
{
    scankit_predicate *predicate = NULL;
    size_t where = ~(size_t)0, length = strlen(text);
    const char *reason = NULL;
    char line[300];
    double begin = processor_seconds();
    tap_case("%s", predicate_one_line(text, line, sizeof line));
    scankit_error error = subject_compile(s, text, &predicate, &where, &reason);
    if (error == SCANKIT_OK) {
        compiled++;
        run(predicate, s, elements);
        scankit_predicate_destroy(predicate);
    } else {
        refused++;
        if (error != SCANKIT_E_SYNTAX)
            tap_fail("%s", scankit_error_string(error));
        if (where > length || reason == NULL || *reason == '\0')
            tap_fail("where %zu of %zu, reason %s", where, length, reason != NULL ? reason : "none");
    }
    double taken = processor_seconds() - begin;
    if (taken > NOTHING_IS_SLOW)
        tap_fail("%.1f s for %zu bytes", taken, length);
}

static void try_expression(const subject *s, const void *elements, char *text, random_state *random)
{
    unsigned depth = (unsigned)random_below(random, random_below(random, 10) == 0 ? 9 : 5);
    expression *tree = draw_predicate(s, elements, ELEMENTS, 0, depth, random);
    if (random_below(random, 4) == 0) {
        predicate_case c = {.subject = s, .elements = elements, .n = ELEMENTS, .tree = tree};
        check_predicate(dev, &c, random);
    } else {
        char *whole = expression_print(tree, random_next(random) & 1, random);
        if (strlen(whole) < ROOM / 2) {
            strcpy(text, whole);
            mutate(text, random);
            try(s, elements, text);
        }
        free(whole);
    }
    expression_free(tree);
}

static void try_many(const subject *s, char *text, random_state *random)
{
    char *elements = data_allocate(ELEMENTS, s->element_size);
    subject_fill(s, elements, ELEMENTS, random);
    for (int k = 0; k < TEXTS_OF_A_SUBJECT; k++)
        switch (random_below(random, 4)) {
        case 0:
            random_bytes(text, random);
            try(s, elements, text);
            break;
        case 1:
            random_tokens(s, text, random);
            try(s, elements, text);
            break;
        default: try_expression(s, elements, text, random);
        }
    free(elements);
}

int main(void)
{
    device d = {.name = "cpu:1"};
    const char *wanted = getenv("SCANKIT_SEED"), *duration = getenv("SCANKIT_FUZZ_SECONDS");
    uint64_t seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    random_state random = random_seeded(seed);
    char *text = data_allocate(ROOM, 1);
    double end = seconds() + (duration != NULL ? strtod(duration, NULL) : 0);
    dev = &d;
    if (scankit_open(&d.context, d.name) != SCANKIT_OK)
        tap_bail_out("no CPU");
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    tap_begin("texts of predicates: bytes, tokens, expressions and what is left of them");
    for (unsigned long tried = 0; duration != NULL ? seconds() < end : tried < TEXTS; tried += TEXTS_OF_A_SUBJECT) {
        bool records = random_below(&random, 3) > 0;
        subject s =
            records ? subject_random(&random) : subject_of_type((scankit_type)random_below(&random, ORACLE_TYPES));
        try_many(&s, text, &random);
        subject_release(&s);
    }
    tap_diag("%lu texts compile, %lu do not", compiled, refused);
    tap_end();
    for (unsigned k = 0; k < DEVICE_AREAS; k++)
        free(d.area[k].memory);
    scankit_close(d.context);
    free(text);
    return tap_finish();
}
