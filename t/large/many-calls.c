/* many-calls.c - millions of calls of one context: what a GPU keeps from call to call, marked with the call's number,
 * is still told apart when the numbers begin anew. Not part of make check: make check-large runs it, a minute or so.
 *
 * The results of all calls are the same, so a few are looked at: those around each power of two. */
#include <string.h>

#include "support/data.h"
#include "support/device.h"
#include "support/tap.h"

#define N ((size_t)20000) /* several tiles */
#define LOG_CALLS 22      /* in all, a few more than 2 to that */
#define AROUND 20

enum { IN, VALUES, OUT, SUMS };

typedef struct work {
    const char *name;
    scankit_error (*run)(device *d);
} work;

static scankit_error scan(device *d)
{
    return scankit_scan(d->context, SCANKIT_U32, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, d->area[IN].data,
                        d->area[OUT].data, N);
}

static scankit_error reduce_by_key(device *d)
{
    return scankit_reduce_by_key(d->context, sizeof(uint32_t), d->area[IN].data, SCANKIT_U32, SCANKIT_SUM,
                                 d->area[VALUES].data, d->area[OUT].data, d->area[SUMS].data, N, NULL, NULL);
}

static const work works[] = {{"scan", scan}, {"reduce by key", reduce_by_key}};

/* Runs of two, and numbers. */
static void put_arrays(device *d)
{
    uint32_t keys[N], values[N], key = 0;
    random_state random = random_seeded(1);
    for (size_t i = 0; i < N; i++) {
        key = i % 2 == 0 ? (uint32_t)random_next(&random) : key;
        keys[i] = key;
        values[i] = (uint32_t)random_next(&random);
    }
    device_put(d, IN, keys, sizeof keys, 0);
    device_put(d, VALUES, values, sizeof values, 0);
    device_put(d, OUT, NULL, sizeof keys, 0);
    device_put(d, SUMS, NULL, sizeof values, 0);
}

static bool is_near_power(size_t call)
{
    for (size_t power = 1; power <= (size_t)1 << LOG_CALLS; power *= 2)
        if (call + AROUND >= power && call <= power + AROUND)
            return true;
    return false;
}

/* What the CPU has in its areas is expected. */
static void check(device *gpu, const device *cpu)
{
    device_expect(gpu, OUT, cpu->area[OUT].data, N, sizeof(uint32_t), "result");
    device_expect(gpu, SUMS, cpu->area[SUMS].data, N, sizeof(uint32_t), "sums");
}

static void test(device *gpu, device *cpu, const work *w)
{
    put_arrays(gpu);
    put_arrays(cpu);
    tap_begin("cuda: %s, 2^%d times and some more", w->name, LOG_CALLS);
    if (!DEVICE_DID(cpu, w->run(cpu)))
        return;
    for (size_t call = 0; call <= ((size_t)1 << LOG_CALLS) + AROUND; call++) {
        tap_case("call %zu", call);
        if (!DEVICE_DID(gpu, w->run(gpu)))
            break;
        if (is_near_power(call))
            check(gpu, cpu);
    }
    tap_end();
}

int main(void)
{
    device gpu, cpu;
    if (!device_has_free_gpu("millions of calls"))
        return tap_finish();
    if (device_open(&gpu, "cuda", "cuda") && device_open(&cpu, "cpu", "cpu")) {
        for (size_t i = 0; i < sizeof works / sizeof *works; i++)
            test(&gpu, &cpu, &works[i]);
        device_close(&gpu);
        device_close(&cpu);
    }
    return tap_finish();
}
