/* bins.c - whether this processor sorts even keys faster by bins, or as it sorts others. That depends on what stores to
 * many places cost: 8192 u32 take a Zen 4 1.5 ns a key by bins and 1.8 otherwise, and a Xeon (Sapphire Rapids) 3.9 and
 * 2.5. So both are measured: once in a process for each size of keys, when enough have been sorted that the third of a
 * millisecond is not noticed. SCANKIT_CPU_BINS=always or never decides it instead. */
#include "cpu/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define MEASURED 8192            /* keys that are sorted to measure it */
#define ATTEMPTS 3               /* of which the fastest counts */
#define FEWEST ((size_t)1 << 9)  /* keys of a sort that is counted */
#define ENOUGH ((size_t)1 << 20) /* keys that have been sorted */

typedef struct trial {
    uint64_t keys[MEASURED], sorted[MEASURED], scratch[SK_LOCAL_ROOM(MEASURED)];
} trial;

static atomic_size_t counted[2]; /* keys of 4 bytes, and of 8 */
static atomic_flag measured[2] = {ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of one sort. */
static double measure(const sk_kernels *kernels, unsigned key_size, trial *t)
{
    double least = 1;
    for (int i = 0; i < ATTEMPTS; i++) {
        const double begin = now();
        kernels->local_values[__builtin_ctz(key_size)](NULL, NULL, t->keys, t->sorted, t->scratch, MEASURED);
        const double seconds = now() - begin;
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void choose(const sk_kernels *kernels, unsigned key_size)
{
    static trial trials[2]; /* each is used once */
    trial *t = &trials[key_size / 8];
    uint64_t random = 1;
    for (size_t i = 0; i < MEASURED; i++)
        t->keys[i] = random = sk_next_random(random);
    kernels->use_bins(key_size, false);
    const double others = measure(kernels, key_size, t);
    kernels->use_bins(key_size, true);
    kernels->use_bins(key_size, measure(kernels, key_size, t) < others);
}

void sk_count_for_bins(const sk_device *device, unsigned key_size, size_t n)
{
    const sk_kernels *kernels = sk_kernels_of(device);
    const unsigned width = key_size / 8;
    if (n < FEWEST || (key_size != 4 && key_size != 8) || kernels->use_bins == NULL || sk_rehearses(device))
        return;
    if (atomic_load_explicit(&counted[width], memory_order_relaxed) < ENOUGH &&
        atomic_fetch_add_explicit(&counted[width], n, memory_order_relaxed) + n >= ENOUGH &&
        !atomic_flag_test_and_set(&measured[width]))
        choose(kernels, key_size);
}

void sk_open_bins(const sk_kernels *kernels)
{
    const char *wanted = getenv("SCANKIT_CPU_BINS");
    const bool always = wanted != NULL && strcmp(wanted, "always") == 0;
    if (kernels->use_bins == NULL || (!always && (wanted == NULL || strcmp(wanted, "never") != 0)))
        return;
    for (unsigned size = 4; size <= 8; size *= 2) {
        atomic_store(&counted[size / 8], ENOUGH);
        kernels->use_bins(size, always);
    }
}
