/* oracle-cpu.c - sorted positions from the library's CPU backend, instead of oracle-sort.c, for tests that sort
 * millions of elements thousands of times. Other tests compare the CPU with oracle-sort.c. */
#include "support/oracle.h"
#include "support/tap.h"

static scankit_context *cpu(void)
{
    static scankit_context *context;
    if (context == NULL && scankit_open(&context, "cpu:2") != SCANKIT_OK)
        tap_bail_out("no CPU");
    return context;
}

static void check(scankit_error error)
{
    if (error != SCANKIT_OK)
        tap_bail_out("the CPU: %s", scankit_error_detail(cpu()));
}

void oracle_argsort(scankit_type type, const scankit_sort_options *options, const void *in, uint64_t *positions,
                    size_t n)
{
    scankit_sort_options given = *options;
    given.algorithm = SCANKIT_AUTO;
    check(scankit_argsort(cpu(), type, in, positions, n, &given));
}

void oracle_argsort_records(const scankit_key *keys, size_t key_count, size_t record_size, const void *in,
                            uint64_t *positions, size_t n)
{
    check(scankit_argsort_records(cpu(), record_size, keys, key_count, in, positions, n, NULL));
}
