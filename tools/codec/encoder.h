/* encoder.h - writing a compressed file, by all processors. */
#ifndef ENCODER_H
#define ENCODER_H

#include "codec.h"

struct encoder;

/* codec: not CODEC_NONE. From `common` come level and threads; the bytes written do not depend on the latter, but see
 * isal.c. write() may be called by another thread. */
struct encoder *encoder_open(enum codec codec, const struct common *common, write_function *write, void *sink);

/* The memory may be reused when it returns. */
void encoder_write(struct encoder *encoder, const void *memory, size_t bytes);

/* Returns when all that was written before has been passed to write(), and can be decompressed alone. */
void encoder_flush(struct encoder *encoder);

/* Passes compressed data to write() that can stand between such parts. Data of the same length take the same bytes. */
void encoder_store(enum codec codec, const void *memory, size_t bytes, write_function *write, void *sink);

/* Writes the rest, and frees the encoder. */
void encoder_close(struct encoder *encoder);

#endif
