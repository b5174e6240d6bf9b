/* random.c - random calls of random primitives give the oracle's results.
 *
 * The seed is printed; SCANKIT_SEED in the environment repeats it, and SCANKIT_CASES changes how many calls are made.
 */
#include <stdlib.h>
#include <time.h>

#include "support/draw-call.h"
#include "support/tap.h"

#define MOST 200000

static uint64_t seed;
static unsigned long cases = 800;

static void test(device *d)
{
    const call_target to = {&d, 1, MOST};
    random_state random = random_seeded(seed);
    tap_begin("%s: %lu random calls, seed %llu", d->name, cases, (unsigned long long)seed);
    for (unsigned long i = 0; i < cases; i++)
        draw_call(&to, &random);
    tap_end();
}

int main(void)
{
    const char *wanted = getenv("SCANKIT_SEED"), *number = getenv("SCANKIT_CASES");
    seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    cases = number != NULL ? strtoul(number, NULL, 10) : cases;
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    return device_each("random calls", test);
}
