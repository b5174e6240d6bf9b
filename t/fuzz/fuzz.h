/* fuzz.h - what the libFuzzer harnesses share. A harness defines LLVMFuzzerTestOneInput(), which aborts on a wrong
 * answer, and fuzz_seed(), which makes valid inputs, so that no corpus has to be kept. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/data.h"

/* ---- defined by each harness ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes a valid input of up to `room` bytes; returns its length. */
size_t fuzz_seed(uint8_t *data, size_t room, random_state *random);

/* ---- the input as a sequence of decisions ---- */

typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

/* The next 1 to 8 bytes as a little-endian number. Past the end, bytes are 0. */
uint64_t fuzz_number(fuzz_bytes *in, size_t width);

/* From 0 to limit - 1. */
size_t fuzz_below(fuzz_bytes *in, size_t limit);

bool fuzz_chance(fuzz_bytes *in, unsigned one_in);

/* The rest as a string, or up to the first line feed, which is skipped. To be freed. */
char *fuzz_text(fuzz_bytes *in);
char *fuzz_line(fuzz_bytes *in);

/* ---- failures ---- */

#define FUZZ_CHECK(condition)                          \
    do {                                               \
        if (!(condition))                              \
            fuzz_fail(__FILE__, __LINE__, #condition); \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

#endif
