/* value.h - the value of an element to be scanned: the element itself, or a field. */
#ifndef VALUE_H
#define VALUE_H

#include "common/schema.h"
#include "common/types.h"

struct value {
    scankit_type type, stored;    /* what is scanned, and what elements hold: they differ for sums of halves */
    size_t offset, size, element; /* in bytes; size: of a scanned value; element: of a whole element */
    bool swapped;                 /* byte order is not the host's */
    bool whole;                   /* elements are values, and need no gathering */
};

/* Finds the field that --value names, or the only one if text is NULL. */
void value_choose(struct value *value, const struct schema *schema, const char *text, bool big_endian);

/* Sums and products of halves are scanned as f32: so what goes from block to block is not rounded. */
void value_widen(struct value *value, scankit_operator op);

/* A scanned value as elements hold it; returns its field. */
scankit_field value_store(const struct value *value, const char *scanned, char *stored);

/* Copies the values of n elements to an array; or back, and changes nothing else in the elements. */
void value_gather(const struct value *value, const char *elements, size_t n, char *values);
void value_scatter(const struct value *value, const char *values, size_t n, char *elements);

#endif
