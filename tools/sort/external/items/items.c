/* items.c - see items.h. */
#include "items.h"

#include <string.h>

static size_t key_bytes(const scankit_key *key)
{
    return key->type == SCANKIT_BYTES ? key->size : scankit_type_size(key->type);
}

void packing_define(struct packing *packing, const scankit_key *keys, size_t key_count)
{
    packing->size = 0;
    packing->key_count = key_count;
    for (size_t i = 0; i < key_count; i++) {
        packing->from[i] = keys[i].offset;
        packing->keys[i] = keys[i];
        packing->keys[i].offset = packing->size;
        packing->keys[i].size = key_bytes(&keys[i]);
        packing->size += packing->keys[i].size;
    }
}

void pack(const struct packing *packing, const char *element, char *packed)
{
    for (size_t i = 0; i < packing->key_count; i++)
        memcpy(packed + packing->keys[i].offset, element + packing->from[i], packing->keys[i].size);
}

void items_define(struct items *items, const struct schema *schema, bool positions)
{
    *items = (struct items){.size = schema->size,
                            .keys = schema->keys,
                            .key_count = schema->key_count,
                            .positions = positions,
                            .result_size = schema->size};
    packing_define(&items->packing, schema->keys, schema->key_count);
    if (positions) {
        items->size = items->packing.size + sizeof(uint64_t);
        items->keys = items->packing.keys;
        items->result_size = sizeof(uint64_t);
    }
}

bool items_are_numbers(const struct items *items, scankit_type *type)
{
    const scankit_key *key = &items->keys[0];
    *type = key->type;
    return items->key_count == 1 && key->type != SCANKIT_BYTES && key_bytes(key) == items->size && !key->big_endian;
}

int items_compare(const struct items *items, const void *a, const void *b)
{
    return scankit_compare(items->keys, items->key_count, a, b);
}

void items_tag(const struct items *items, const struct schema *schema, const char *elements, size_t n,
               uint64_t position, char *to)
{
    for (size_t i = 0; i < n; i++, position++) {
        pack(&items->packing, elements + i * schema->size, to);
        memcpy(to + items->packing.size, &position, sizeof position);
        to += items->size;
    }
}

void items_to_results(const struct items *items, char *memory, size_t n)
{
    if (!items->positions)
        return;
    for (size_t i = 0; i < n; i++)
        memmove(memory + i * sizeof(uint64_t), memory + i * items->size + items->packing.size, sizeof(uint64_t));
}
