/* zstd_codec.h - reading and writing zstd (RFC 8878): zstd_read.c and zstd_write.c, or nozstd.c in a build without
 * libzstd. */
#ifndef ZSTD_CODEC_H
#define ZSTD_CODEC_H

#include "format.h"

extern const struct format zstd_format;

struct zstd_writer;

/* Frames carry checksums. The bytes that are written do not depend on the number of threads. */
struct zstd_writer *zstd_writer_open(int level, unsigned threads, write_function *write, void *sink);
void zstd_writer_write(struct zstd_writer *writer, const void *memory, size_t bytes);

/* Ends the frame that is being written, if there is one. */
void zstd_writer_flush(struct zstd_writer *writer);

/* Writes the bytes as frames. Data of the same length always take the same bytes. */
void zstd_store(const void *memory, size_t bytes, write_function *write, void *sink);

/* Writes the rest; at least an empty frame. */
void zstd_writer_close(struct zstd_writer *writer);

/* Decompresses frames that are in memory and hold exactly `size` bytes. Returns NULL, or what is wrong. Any thread may
 * call it. */
const char *zstd_unpack(const void *memory, size_t bytes, void *to, size_t size);

#endif
