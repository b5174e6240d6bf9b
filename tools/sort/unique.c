/* unique.c - see unique.h. */
#include "unique.h"

static bool equal(const struct schema *schema, const char *a, const char *b)
{
    return scankit_compare(schema->keys, schema->key_count, a, b) == 0;
}

size_t unique_positions(const struct schema *schema, const char *data, uint64_t *positions, size_t n)
{
    size_t size = schema->size, kept = n > 0;
    for (size_t i = 1; i < n; i++)
        if (!equal(schema, data + positions[kept - 1] * size, data + positions[i] * size))
            positions[kept++] = positions[i];
    return kept;
}
