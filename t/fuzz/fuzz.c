/* fuzz.c - see fuzz.h */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRESH_SEED 32 /* of this many mutations, one starts from a new seed */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    random_state random = random_seeded(seed);
    if (size <= 1 || random_below(&random, FRESH_SEED) == 0)
        return fuzz_seed(data, room, &random);
    return LLVMFuzzerMutate(data, size, room);
}

uint64_t fuzz_number(fuzz_bytes *in, size_t width)
{
    uint64_t number = 0;
    size_t got = width < in->left ? width : in->left;
    for (size_t k = 0; k < got; k++)
        number |= (uint64_t)in->at[k] << (8 * k);
    in->at += got;
    in->left -= got;
    return number;
}

size_t fuzz_below(fuzz_bytes *in, size_t limit)
{
    return limit < 2 ? 0 : (size_t)(fuzz_number(in, limit <= 256 ? 1 : limit <= 65536 ? 2 : 8) % limit);
}

bool fuzz_chance(fuzz_bytes *in, unsigned one_in)
{
    return fuzz_below(in, one_in) == one_in - 1;
}

static char *take_text(fuzz_bytes *in, size_t length)
{
    char *text = data_allocate(length + 1, 1);
    if (length > 0)
        memcpy(text, in->at, length);
    text[length] = '\0';
    in->at += length;
    in->left -= length;
    return text;
}

char *fuzz_text(fuzz_bytes *in)
{
    return take_text(in, in->left);
}

char *fuzz_line(fuzz_bytes *in)
{
    const uint8_t *end = in->left > 0 ? memchr(in->at, '\n', in->left) : NULL;
    char *text = take_text(in, end != NULL ? (size_t)(end - in->at) : in->left);
    fuzz_number(in, 1);
    return text;
}

void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: wrong: %s\n", file, line, condition);
    abort();
}
