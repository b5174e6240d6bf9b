/* codec.h - the formats of compressed files. */
#ifndef CODEC_H
#define CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "common/options.h"

enum codec { CODEC_NONE, CODEC_GZIP, CODEC_ZSTD };

#define CODEC_THREADS_MOST 64 /* more would wait for the thread that hands out the work */

/* Reads up to `bytes` bytes; fewer only at the end. */
typedef size_t read_function(void *source, void *memory, size_t bytes);

/* Goes back to an offset from the file's first byte. */
typedef void seek_function(void *source, uint64_t offset);

typedef void write_function(void *sink, const void *memory, size_t bytes);

/* The format of a file that begins with these bytes. CODEC_HEAD_BYTES are enough. */
#define CODEC_HEAD_BYTES 4
enum codec codec_of_head(const unsigned char *head, size_t bytes);

/* The format of the output: what --gzip or --zstd asks for, or else `otherwise`. */
enum codec codec_wanted(const struct common *common, enum codec otherwise);

#endif
