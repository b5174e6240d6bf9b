/* number.h - numbers, and fields of elements, as text. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

#define NUMBER_BYTES ((size_t)32) /* most bytes of a number and its separator */

/* Each writes to `to`, with no terminator, and returns the end. For a number, up to NUMBER_BYTES are written. A float
 * is printed with the fewest digits that read back the same. Opaque bytes are printed without trailing zero bytes; \xHH
 * stands for unprintable ones. */
char *put_unsigned(char *to, uint64_t value);
char *put_field(char *to, const scankit_field *field, const char *from);

/* The same, but \xHH also stands for `escaped`, which opaque bytes may hold. */
char *put_field_escaping(char *to, const scankit_field *field, const char *from, const char *escaped);

/* A field without a name is not shown. */
bool is_shown(const scankit_field *field);

/* Most bytes of the fields that are shown, each with a separator. */
size_t longest_fields(const scankit_layout *layout);

#endif
