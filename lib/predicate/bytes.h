/* bytes.h - opaque bytes: comparisons of two values of kind SK_OPAQUE, and fields of bytes as numbers. */
#ifndef SK_PREDICATE_BYTES_H
#define SK_PREDICATE_BYTES_H

#include "value.h"

/* SK_OP_LT to SK_OP_NE, as a B8 node. The shorter operand is extended with zeros. */
unsigned sk_compare_bytes(sk_graph *g, sk_operation op, const sk_value *a, const sk_value *b);

/* The field as one big-endian number. Returns false if it is not a field of 1, 2, 4 or 8 bytes. */
bool sk_bytes_word(sk_graph *g, const sk_value *field, sk_value *word);

/* The text as such a number. Returns false if it is longer than `size` bytes. */
bool sk_text_word(const sk_value *text, size_t size, uint64_t *word);

#endif
