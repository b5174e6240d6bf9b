/* value.h - the number in each element that is scanned: the element itself, or a field of it. */
#ifndef VALUE_H
#define VALUE_H

#include "common/schema.h"
#include "common/types.h"

struct value {
    scankit_type type;
    size_t offset, size, element; /* bytes; of an element, the last */
    bool swapped;                 /* in the other byte order */
    bool whole;                   /* elements can be taken for values as they lie */
};

/* The field that --value's text names, or where it is NULL the only one. */
void value_choose(struct value *value, const struct schema *schema, const char *text, bool big_endian);

/* The values of n elements, to an array of them; and back, where nothing else of the elements changes. */
void value_gather(const struct value *value, const char *elements, size_t n, char *values);
void value_scatter(const struct value *value, const char *values, size_t n, char *elements);

#endif
