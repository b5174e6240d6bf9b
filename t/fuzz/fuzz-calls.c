/* fuzz-calls.c - sequences of calls of the library, each on one of two contexts: see calls.h.
 *
 * Input: for each call a byte that chooses it, then its arguments. */
#include <string.h>

#include "calls.h"

#define CALLS_MAX 6

static void (*const calls[])(caller *) = {
#define X(name) call_##name,
    CALLS(X)
#undef X
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

/* Any bytes are valid. */
size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    size_t size = 1 + random_size(random, room < 400 ? room : 400);
    data_fill_bytes(data, size, random_next(random));
    data[0] = (uint8_t)random_below(random, 2 * CALL_COUNT);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scankit_context *contexts[2];
    fuzz_bytes in = {data, size};
    FUZZ_CHECK(contexts[0] != NULL || scankit_open(&contexts[0], "cpu:1") == SCANKIT_OK);
    FUZZ_CHECK(contexts[1] != NULL || scankit_open(&contexts[1], "cpu:2") == SCANKIT_OK);
    for (int k = 0; k < CALLS_MAX && in.left > 0; k++) {
        size_t choice = fuzz_below(&in, 2 * CALL_COUNT);
        caller c = {&in, contexts[choice / CALL_COUNT]};
        calls[choice % CALL_COUNT](&c);
        calls_free();
    }
    return 0;
}
