/* calls.c - see calls.h */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"

#define ARRAYS 64
#define ARRAY_BYTES ((size_t)64 << 10)

static void *arrays[ARRAYS];
static size_t array_count;

scankit_type draw_type(caller *c)
{
    return (scankit_type)fuzz_below(c->in, ORACLE_TYPES + 2); /* SCANKIT_BYTES, and one past it */
}

scankit_operator draw_operator(caller *c)
{
    return (scankit_operator)fuzz_below(c->in, ORACLE_OPERATORS + 1);
}

scankit_sort_options draw_sort_options(caller *c)
{
    scankit_sort_options options = {.algorithm = (scankit_algorithm)fuzz_below(c->in, ORACLE_ALGORITHMS + 1)};
    unsigned choice = (unsigned)fuzz_number(c->in, 1);
    options.descending = choice & 1;
    options.overwrite_input = choice >> 1 & 1;
    if (choice & 4) {
        options.begin_bit = (unsigned)fuzz_below(c->in, 70);
        options.end_bit = (unsigned)fuzz_below(c->in, 70);
    }
    return options;
}

/* Mostly up to 40 elements; one in eight is up to the limit of an array. */
size_t draw_count(caller *c, size_t element_size)
{
    size_t most = element_size > 0 && element_size < ARRAY_BYTES ? ARRAY_BYTES / element_size : 1;
    size_t n = fuzz_chance(c->in, 8) ? fuzz_below(c->in, 65536) : fuzz_below(c->in, 40);
    return n <= most ? n : n % (most + 1);
}

size_t draw_size(caller *c)
{
    static const size_t special[] = {0, 1, 2, 4, 8, 16, 512, 4096, 16384, 32768, 40000};
    if (fuzz_chance(c->in, 2))
        return special[fuzz_below(c->in, sizeof special / sizeof *special)];
    return 1 + fuzz_below(c->in, 600);
}

/* Each byte value is one of a few, so that equals are frequent; one choice spreads them. */
void *draw_array(caller *c, size_t n, size_t size)
{
    static const uint8_t masks[] = {0, 1, 3, 0x80, 0x0f, 0xff, 0xff, 0xff};
    size_t bytes = n * size, kind = fuzz_below(c->in, 8);
    FUZZ_CHECK(array_count < ARRAYS);
    if (bytes == 0 && kind < 4)
        return NULL;
    uint8_t *array = malloc(bytes);
    FUZZ_CHECK(array != NULL || bytes == 0);
    arrays[array_count++] = array;
    if (bytes > 0)
        data_fill_bytes(array, bytes, kind);
    for (size_t k = 0; k < bytes; k++)
        array[k] &= masks[kind];
    size_t given = c->in->left < bytes ? c->in->left : bytes;
    if (kind == 7 && given > 0)
        memcpy(array, c->in->at, given);
    return array;
}

void *draw_output(caller *c, void *in, size_t n, size_t size)
{
    return fuzz_chance(c->in, 2) ? in : draw_array(c, n, size);
}

void calls_free(void)
{
    while (array_count > 0)
        free(arrays[--array_count]);
}

bool call_did(scankit_error error)
{
    FUZZ_CHECK(error == SCANKIT_OK || error == SCANKIT_E_ARGUMENT || error == SCANKIT_E_SYNTAX ||
               error == SCANKIT_E_MEMORY);
    return error == SCANKIT_OK;
}
