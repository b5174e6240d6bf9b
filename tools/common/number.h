/* number.h - numbers, and fields of elements, as text. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

#define NUMBER_BYTES ((size_t)32) /* most bytes of a number and its separator */

/* Each writes to `to`, with no terminator, and returns the end. A float is printed with the fewest digits that read
 * back the same. Opaque bytes are printed without trailing zero bytes; \xHH stands for unprintable ones. */
char *put_unsigned(char *to, uint64_t value);
char *put_field(char *to, const scankit_field *field, const char *from);

#endif
