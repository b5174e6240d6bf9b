/* state.c - see state.h. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

void bench_fail(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(2);
}

void bench_try(const bench_state *bench, scankit_error error, const char *what)
{
    if (error == SCANKIT_OK)
        return;
    const char *detail = bench->context != NULL ? scankit_error_detail(bench->context) : "";
    bench_fail(what, *detail != '\0' ? detail : scankit_error_string(error));
}

unsigned bench_threads(const bench_state *bench)
{
    return (unsigned)strtoul(scankit_device_name(bench->context) + strlen("cpu:"), NULL, 10);
}

void *bench_allocate(size_t bytes)
{
    void *block = malloc(bytes);
    if (block == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(2);
    }
    return block;
}
