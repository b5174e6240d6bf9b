/* gzip.h - reading gzip members one after the other as one stream, each checked. */
#ifndef GZIP_H
#define GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gzip;

/* Reads up to `bytes` into memory; less only at the end. */
typedef size_t read_function(void *source, void *memory, size_t bytes);

/* True where `bytes` bytes begin like a gzip member. */
#define GZIP_MAGIC_BYTES 4
bool gzip_magic(const unsigned char *head, size_t bytes);

/* A stream whose first bytes have been read already: `head`. name is for messages and lives as long. */
struct gzip *gzip_open(const char *name, read_function *read, void *source, const unsigned char *head, size_t bytes);

/* Up to `bytes` decompressed bytes; less only at the end of the last member. Fails on damage, saying where. */
size_t gzip_read(struct gzip *gzip, void *memory, size_t bytes);

void gzip_close(struct gzip *gzip);

#endif
