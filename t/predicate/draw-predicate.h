/* draw-predicate.h - random predicates, and random elements for them: of one type, or records of a random layout. */
#ifndef DRAW_PREDICATE_H
#define DRAW_PREDICATE_H

#include "oracle-predicate.h"
#include "scankit.h"
#include "support/data.h"

/* The fields of an element: x alone, or a layout's. */
typedef struct subject {
    scankit_layout *layout; /* NULL: x */
    scankit_field x;
    size_t element_size;
} subject;

subject subject_of_type(scankit_type type);
subject subject_of_layout(scankit_layout *layout); /* and owns it */
subject subject_random(random_state *random);      /* of a layout of up to 8 fields */
void subject_release(subject *s);

size_t subject_count(const subject *s);
const scankit_field *subject_field(const subject *s, size_t index);

/* "u32", "a:u8,b:bytes3,c:i32 big" */
void subject_describe(const subject *s, char *text, size_t room);

/* n random elements: each field has a shape of its own. */
void subject_fill(const subject *s, void *out, size_t n, random_state *random);

scankit_error subject_compile(const subject *s, const char *text, scankit_predicate **predicate, size_t *where,
                              const char **reason);

/* A random predicate whose tree has up to `depth` levels. Its numbers often occur in the n samples, or are values that
 * its parts have for a sample at its position, counted from `first`. So it matches some elements and not others. */
expression *draw_predicate(const subject *s, const void *samples, size_t n, uint64_t first, unsigned depth,
                           random_state *random);

#endif
