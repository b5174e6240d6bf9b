/* number.h - numbers, and fields of elements, as text. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

#define NUMBER_BYTES ((size_t)32) /* at most, of a number, and what separates it */

/* Each writes to `to`, without an end, and answers where it ends. Of a float the fewest digits that read back the same;
 * of opaque bytes, those up to the last that is not 0, as \xHH where they cannot be printed. */
char *put_unsigned(char *to, uint64_t value);
char *put_field(char *to, const scankit_field *field, const char *from);

#endif
