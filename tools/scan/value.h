/* value.h - the value of an element to be scanned: the element itself, or a field. */
#ifndef VALUE_H
#define VALUE_H

#include "common/schema.h"
#include "common/types.h"

struct value {
    scankit_type type;
    size_t offset, size, element; /* in bytes; element: size of a whole element */
    bool swapped;                 /* byte order is not the host's */
    bool whole;                   /* elements are values, and need no gathering */
};

/* Finds the field that --value names, or the only one if text is NULL. */
void value_choose(struct value *value, const struct schema *schema, const char *text, bool big_endian);

/* Copies the values of n elements to an array; or back, and changes nothing else in the elements. */
void value_gather(const struct value *value, const char *elements, size_t n, char *values);
void value_scatter(const struct value *value, const char *values, size_t n, char *elements);

#endif
