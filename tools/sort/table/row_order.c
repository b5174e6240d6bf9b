/* row_order.c - see row_order.h. */
#include "row_order.h"

#include <string.h>

#include "positions.h"

uint64_t *rows_sorted(scankit_context *context, const struct key_parts *parts)
{
    scankit_column columns[KEYS_MAX];
    uint64_t *positions = get_memory(parts->n * sizeof *positions);
    for (size_t i = 0; i < parts->count; i++)
        columns[i] = parts->part[i].column;
    sort_positions(context, columns, parts->count, parts->n, positions);
    return positions;
}

static const char *value_of(const struct key_part *part, uint64_t row)
{
    return (const char *)part->column.data + row * part->size;
}

bool rows_equal(const struct key_parts *parts, uint64_t a, uint64_t b)
{
    for (size_t i = 0; i < parts->count; i++)
        if (memcmp(value_of(&parts->part[i], a), value_of(&parts->part[i], b), parts->part[i].size) != 0)
            return false;
    return true;
}

size_t rows_unique(const struct key_parts *parts, uint64_t *positions, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !rows_equal(parts, positions[kept - 1], positions[i]))
            positions[kept++] = positions[i];
    return kept;
}

static int compare(const struct key_parts *parts, uint64_t a, uint64_t b)
{
    int result = 0;
    for (size_t i = 0; i < parts->count && result == 0; i++) {
        const struct key_part *part = &parts->part[i];
        const scankit_key key = {.type = part->column.type, .size = part->size, .descending = part->column.descending};
        result = scankit_compare(&key, 1, value_of(part, a), value_of(part, b));
    }
    return result;
}

uint64_t rows_first_disorder(const struct key_parts *parts, bool unique)
{
    for (uint64_t i = 1; i < parts->n; i++)
        if (compare(parts, i - 1, i) >= !unique)
            return i;
    return parts->n;
}
