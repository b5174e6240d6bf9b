/* predicate-random.c - random predicates on random elements match what an independent evaluator says: over every type
 * and shape of data, and over records of random layouts.
 *
 * The seed is printed; SCANKIT_SEED in the environment repeats it, and SCANKIT_CASES changes how many there are. */
#include <stdlib.h>
#include <time.h>

#include "check-predicate.h"
#include "support/oracle.h"
#include "support/tap.h"

#define DEEPEST 5
#define COMPILED_CASES 24 /* each takes a GPU's compiler a quarter of a second */

static uint64_t seed;
static unsigned long cases = 1500;

static bool check_one(device *d, const subject *s, const void *elements, size_t n, scankit_evaluation evaluation,
                      random_state *random)
{
    predicate_case c = {.subject = s, .elements = elements, .n = n, .evaluation = evaluation};
    if (random_below(random, 4) == 0)
        c.first = random_next(random) >> (2 + random_below(random, 60));
    expression *tree = draw_predicate(s, elements, n, c.first, (unsigned)random_below(random, DEEPEST + 1), random);
    c.tree = tree;
    bool there = check_predicate(d, &c, random);
    expression_free(tree);
    return there;
}

static void every_shape(device *d, scankit_type type, random_state *random)
{
    enum { N = 300, EACH = 4 };
    subject s = subject_of_type(type);
    char *elements = data_allocate(N, s.element_size);
    tap_begin("%s: %s of every shape, seed %llu", d->name, scankit_type_name(type), (unsigned long long)seed);
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (int k = 0; k < EACH; k++) {
            data_fill(elements, type, (data_shape)shape, N, random_next(random));
            if (device_case_is_due())
                check_one(d, &s, elements, N, SCANKIT_INTERPRET, random);
        }
    free(elements);
    tap_end();
}

static bool random_case(device *d, scankit_evaluation evaluation, random_state *random)
{
    bool records = random_below(random, 3) > 0;
    subject s = records ? subject_random(random) : subject_of_type((scankit_type)random_below(random, ORACLE_TYPES));
    size_t n = 1 + random_size(random, 3000);
    char *elements = data_allocate(n, s.element_size);
    subject_fill(&s, elements, n, random);
    bool there = check_one(d, &s, elements, n, evaluation, random);
    free(elements);
    subject_release(&s);
    return there;
}

static void random_cases(device *d, random_state *random)
{
    tap_begin("%s: %lu random predicates, seed %llu", d->name, cases, (unsigned long long)seed);
    for (unsigned long k = 0; k < cases; k++)
        if (device_case_is_due())
            random_case(d, SCANKIT_INTERPRET, random);
    tap_end();
}

static void compiled_cases(device *d, random_state *random)
{
    bool there = true;
    tap_begin("%s: random predicates, compiled, seed %llu", d->name, (unsigned long long)seed);
    for (int k = 0; k < COMPILED_CASES && there; k++)
        there = random_case(d, SCANKIT_COMPILE, random);
    if (there)
        tap_end();
    else
        tap_skip("no NVRTC", "%s: random predicates, compiled", d->name);
}

static void test(device *d)
{
    random_state random = random_seeded(seed);
    for (int type = 0; type < ORACLE_TYPES; type++)
        every_shape(d, (scankit_type)type, &random);
    random_cases(d, &random);
    if (!scankit_is_host(d->context))
        compiled_cases(d, &random);
}

int main(void)
{
    const char *wanted = getenv("SCANKIT_SEED"), *number = getenv("SCANKIT_CASES");
    seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    cases = number != NULL ? strtoul(number, NULL, 10) : cases;
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    return device_each("random predicates", test);
}
