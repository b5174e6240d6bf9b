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

void bench_use_clock(bench_state *bench)
{
    bench->clock = bench->rivals != NULL ? bench->rivals->clock : NULL;
    void *stream = bench->clock != NULL ? bench->clock->stream() : NULL;
    if (stream != NULL)
        bench_try(bench, scankit_set_stream(bench->context, stream), "set_stream");
    else
        bench->clock = NULL;
}

void bench_allocate_arrays(bench_state *bench, size_t n)
{
    bench->room = n;
    bench_try(bench, scankit_allocate(bench->context, &bench->in, n * sizeof(uint64_t)), "allocate");
    bench_try(bench, scankit_allocate(bench->context, &bench->out, n * sizeof(uint64_t)), "allocate");
    bench_try(bench, scankit_allocate(bench->context, &bench->values_in, n * sizeof(uint32_t)), "allocate");
    bench_try(bench, scankit_allocate(bench->context, &bench->values_out, n * sizeof(uint32_t)), "allocate");
}

void bench_free_arrays(bench_state *bench)
{
    void *all[] = {bench->in, bench->out, bench->values_in, bench->values_out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        scankit_free(bench->context, all[i]);
    scankit_close(bench->context);
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
