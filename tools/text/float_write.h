/* float_write.h - floats as decimal numbers. */
#ifndef FLOAT_WRITE_H
#define FLOAT_WRITE_H

#include <stddef.h>

#include "float_format.h"

/* Writes the fewest digits that read back the same, as %g does. Returns the end. Up to 32 bytes are written, of which a
 * number has up to 24. */
char *put_float(char *to, uint64_t bits, const struct float_format *format);

/* Writes n little-endian floats as lines. */
char *put_float_lines(char *to, const char *from, size_t n, const struct float_format *format);

#endif
