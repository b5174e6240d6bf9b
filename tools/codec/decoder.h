/* decoder.h - reading a compressed file, ahead of the caller and by all processors. */
#ifndef DECODER_H
#define DECODER_H

#include "codec.h"

struct decoder;

/* Memory of a decoder, and of each of its threads, about. */
#define DECODER_BYTES ((uint64_t)1 << 20)
#define DECODER_THREAD_BYTES ((uint64_t)3 << 20)

/* Opens a file of a known format whose first bytes, `head`, were read already. name is for messages and must outlive
 * the decoder. read() may be called by another thread. seek: NULL if the file can be read only once. */
struct decoder *decoder_open(enum codec codec, const char *name, read_function *read, seek_function *seek, void *source,
                             const unsigned char *head, size_t bytes, unsigned threads);

/* Reads up to `bytes` decompressed bytes; fewer only at the end. Fails on damage, saying where. */
size_t decoder_read(struct decoder *decoder, void *memory, size_t bytes);

void decoder_close(struct decoder *decoder);

#endif
