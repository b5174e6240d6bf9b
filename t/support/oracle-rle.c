/* oracle-rle.c - where runs begin: see oracle.h */
#include <string.h>

#include "oracle.h"

static bool are_equal(const char *a, const char *b, size_t size, const scankit_key *keys, size_t key_count)
{
    if (key_count == 0)
        return memcmp(a, b, size) == 0;
    for (size_t k = 0; k < key_count; k++) {
        size_t width = keys[k].type == SCANKIT_BYTES ? keys[k].size : oracle_size(keys[k].type);
        if (memcmp(a + keys[k].offset, b + keys[k].offset, width) != 0)
            return false;
    }
    return true;
}

size_t oracle_runs(size_t element_size, const void *in, size_t n, const scankit_key *keys, size_t key_count,
                   uint64_t *begins)
{
    const char *elements = in;
    size_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        const char *element = elements + i * element_size;
        if (i == 0 || !are_equal(element - element_size, element, element_size, keys, key_count))
            begins[runs++] = i;
    }
    begins[runs] = n;
    return runs;
}
