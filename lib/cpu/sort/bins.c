/* bins.c - whether this processor sorts even keys faster by bins, or as it sorts others. That depends on what stores to
 * many places cost: 16384 u32 take a Zen 4 1.5 ns a key by bins and 1.9 otherwise, and a Xeon (Sapphire Rapids) 4.5 and
 * 2.8. So both are measured: once in a process for each size of keys, when enough have been sorted that a third of a
 * millisecond is not noticed. SCANKIT_CPU_BINS=always or never decides it instead. */
#include "cpu/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define MEASURED 16384           /* keys that are sorted to measure it */
#define ATTEMPTS 4               /* of which the fastest counts */
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

static double measure(const sk_kernels *kernels, unsigned key_size, trial *t)
{
    const double begin = now();
    kernels->local_values[__builtin_ctz(key_size)](NULL, NULL, t->keys, t->sorted, t->scratch, MEASURED);
    return now() - begin;
}

/* By turns, as a processor may be slower for a while. A gain that is small may be chance. */
static void choose(const sk_kernels *kernels, unsigned key_size)
{
    static trial trials[2]; /* each is used once */
    trial *t = &trials[key_size / 8];
    uint64_t random = 1;
    double least[2] = {1, 1}; /* seconds, of others and of bins */
    for (size_t i = 0; i < MEASURED; i++)
        t->keys[i] = random = sk_next_random(random);
    for (int i = 0; i < 2 * ATTEMPTS; i++) {
        kernels->use_bins(key_size, i % 2 != 0);
        const double seconds = measure(kernels, key_size, t);
        least[i % 2] = seconds < least[i % 2] ? seconds : least[i % 2];
    }
    kernels->use_bins(key_size, least[1] < 0.95 * least[0]);
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
