/* items.h - what the external sort moves: the elements, or with --argsort their keys and positions. */
#ifndef ITEMS_H
#define ITEMS_H

#include "common/schema.h"

/* Keys copied out of elements, one behind the other. */
struct packing {
    size_t from[KEYS_MAX]; /* offset of each key in the element */
    scankit_key keys[KEYS_MAX];
    size_t key_count, size; /* bytes of all keys */
};

void packing_define(struct packing *packing, const scankit_key *keys, size_t key_count);
void pack(const struct packing *packing, const char *element, char *packed);

struct items {
    size_t size;
    const scankit_key *keys;
    size_t key_count;
    bool positions;     /* an item is the element's packed keys, then its position */
    size_t result_size; /* bytes of what is written of an item */
    struct packing packing;
};

void items_define(struct items *items, const struct schema *schema, bool positions);

/* The type if items are numbers of this machine's byte order, and the only key. */
bool items_are_numbers(const struct items *items, scankit_type *type);

/* Negative, 0 or positive. */
int items_compare(const struct items *items, const void *a, const void *b);

/* Makes items of n elements, the first of which has this position. */
void items_tag(const struct items *items, const struct schema *schema, const char *elements, size_t n,
               uint64_t position, char *to);

/* Replaces n items by what is written of them. */
void items_to_results(const struct items *items, char *memory, size_t n);

#endif
