/* count.c - counts equal numbers with the library: count <numbers.u64
 *
 * SPDX-License-Identifier: MIT
 *
 * Reads u64 from standard input, sorts them, encodes the runs, and prints a line "COUNT VALUE" for each, in the format
 * of uniq -c. It is `gpusort --type=u64 | gpurle --type=u64 --count` as one program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "scankit.h"

#define TRY(call)                \
    do {                         \
        error = (call);          \
        if (error != SCANKIT_OK) \
            goto done;           \
    } while (0)

/* Everything on standard input; *n elements. NULL without memory. */
static uint64_t *read_numbers(size_t *n)
{
    size_t room = 1 << 16;
    uint64_t *numbers = malloc(room * sizeof *numbers);
    *n = 0;
    while (numbers != NULL) {
        *n += fread(numbers + *n, sizeof *numbers, room - *n, stdin);
        if (*n < room)
            break;
        room *= 2;
        uint64_t *larger = realloc(numbers, room * sizeof *numbers);
        if (larger == NULL)
            free(numbers);
        numbers = larger;
    }
    return numbers;
}

/* Replaces the numbers by the distinct ones, in order. counts: how often each one was there. */
static scankit_error count_numbers(scankit_context *ctx, uint64_t *numbers, uint64_t *counts, size_t n, size_t *runs)
{
    scankit_error error;
    size_t bytes = n * sizeof *numbers;
    void *keys = NULL, *lengths = NULL;
    TRY(scankit_allocate(ctx, &keys, bytes));
    TRY(scankit_allocate(ctx, &lengths, bytes));
    TRY(scankit_upload(ctx, keys, numbers, bytes));
    TRY(scankit_sort(ctx, SCANKIT_U64, keys, keys, n, NULL));
    TRY(scankit_run_length_encode(ctx, sizeof *numbers, keys, keys, lengths, n, NULL, runs));
    TRY(scankit_download(ctx, numbers, keys, *runs * sizeof *numbers));
    TRY(scankit_download(ctx, counts, lengths, *runs * sizeof *counts));
done:
    scankit_free(ctx, lengths);
    scankit_free(ctx, keys);
    return error;
}

static int fail(const char *what)
{
    fprintf(stderr, "count: %s\n", what);
    return 2;
}

int main(void)
{
    scankit_context *ctx;
    size_t n, runs = 0;
    uint64_t *numbers = read_numbers(&n);
    uint64_t *counts = malloc((n + 1) * sizeof *counts);
    if (numbers == NULL || counts == NULL)
        return fail("out of memory");
    if (scankit_open(&ctx, "auto") != SCANKIT_OK)
        return fail("no device");
    if (count_numbers(ctx, numbers, counts, n, &runs) != SCANKIT_OK)
        return fail(scankit_error_detail(ctx));
    for (size_t i = 0; i < runs; i++)
        printf("%7" PRIu64 " %" PRIu64 "\n", counts[i], numbers[i]);
    scankit_close(ctx);
    free(counts);
    free(numbers);
    return fclose(stdout) != 0;
}
