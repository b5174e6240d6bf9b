/* backends.c - a CPU and a GPU give the same results: random calls of random primitives, up to millions of elements, on
 * the CPU and on every path of the GPU's kernels.
 *
 * The seed is printed; SCANKIT_SEED in the environment repeats it, and SCANKIT_CASES changes how many calls are made:
 * 10000 take some two minutes. */
#include <stdlib.h>
#include <time.h>

#include "support/draw-call.h"
#include "support/tap.h"

/* Most elements of a call, and of one call in eight. */
#define USUAL ((size_t)1 << 18)
#define MANY ((size_t)1 << 23)

/* Calls for each test line. */
#define LINE 250

enum { AUTO, TILES, RING, PATHS };
static const char *const engines[PATHS] = {NULL, "tiles", "ring"};

static uint64_t seed;
static unsigned long cases = 500;
static device cpu, gpu[PATHS];

static void open_all(void)
{
    static const char *const names[PATHS] = {"cuda", "cuda, tiles", "cuda, ring"};
    device_open(&cpu, "cpu:2", "cpu:2");
    for (int path = 0; path < PATHS; path++) {
        if (engines[path] != NULL)
            setenv("SCANKIT_CUDA_ENGINE", engines[path], 1);
        device_open(&gpu[path], "cuda", names[path]);
    }
}

static void close_all(void)
{
    device_close(&cpu);
    for (int path = 0; path < PATHS; path++)
        device_close(&gpu[path]);
}

static void call(random_state *random)
{
    device *on[] = {&cpu, &gpu[random_below(random, PATHS)]};
    const call_target to = {on, sizeof on / sizeof *on, random_below(random, 8) == 0 ? MANY : USUAL};
    scankit_set_deterministic(on[1]->context, random_below(random, 4) == 0);
    draw_call(&to, random);
}

int main(void)
{
    const char *wanted = getenv("SCANKIT_SEED"), *number = getenv("SCANKIT_CASES");
    seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    cases = number != NULL ? strtoul(number, NULL, 10) : cases;
    random_state random = random_seeded(seed);
    if (!device_wanted("cuda") || scankit_cuda_device_count() == 0) {
        tap_skip("no GPU, or another device is wanted", "the same on a CPU and on a GPU");
        return tap_finish();
    }
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    open_all();
    for (unsigned long done = 0; done < cases;) {
        unsigned long end = cases - done < LINE ? cases : done + LINE;
        tap_begin("random calls %lu to %lu, the same on a CPU and on a GPU", done, end - 1);
        for (; done < end; done++)
            call(&random);
        tap_end();
    }
    close_all();
    return tap_finish();
}
