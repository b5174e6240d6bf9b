/* deflate.h - deflating a piece of memory, by ISA-L or zlib. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include <stddef.h>

struct deflater;

/* level: 1 to 9. ISA-L has levels 1 to 3, if it is part of this build; zlib has all. */
struct deflater *deflater_create(int level);

/* Makes a whole deflate stream (RFC 1951). Returns its size, or 0 if it exceeds `room`. The stream does not depend on
 * what was deflated before. */
size_t deflater_run(struct deflater *deflater, const void *from, size_t bytes, void *to, size_t room);
void deflater_destroy(struct deflater *deflater);

#endif
