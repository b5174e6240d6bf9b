/* gzip.h - reading gzip members as one stream, with all checks. */
#ifndef GZIP_H
#define GZIP_H

#include "format.h"

/* True if these bytes begin like a gzip member. */
bool gzip_magic(const unsigned char *head, size_t bytes);

extern const struct format gzip_format;

#endif
