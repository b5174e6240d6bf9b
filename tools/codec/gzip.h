/* gzip.h - reading gzip members as one stream, with all checks. */
#ifndef GZIP_H
#define GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gzip;

/* Reads up to `bytes` bytes; fewer only at the end. */
typedef size_t read_function(void *source, void *memory, size_t bytes);

/* True if these bytes begin like a gzip member. */
#define GZIP_MAGIC_BYTES 4
bool gzip_magic(const unsigned char *head, size_t bytes);

/* Opens a stream whose first bytes, `head`, were read already. name is for messages and must outlive the stream. */
struct gzip *gzip_open(const char *name, read_function *read, void *source, const unsigned char *head, size_t bytes);

/* Reads up to `bytes` decompressed bytes; fewer only at the end. Fails on damage, saying where. */
size_t gzip_read(struct gzip *gzip, void *memory, size_t bytes);

void gzip_close(struct gzip *gzip);

#endif
