/* bgzf.h - writing gzip as BGZF: members of at most 64 KiB that hold their own length, so that parts can be read alone.
 * All processors deflate. */
#ifndef BGZF_H
#define BGZF_H

#include "codec.h"

#define BGZF_HEADER_BYTES 18
#define BGZF_MEMBER_BYTES ((size_t)1 << 16)

struct bgzf;

/* level: 0 (stored) to 9. The members' bounds do not depend on the number of threads, nor do the bytes, but see isal.c.
 */
struct bgzf *bgzf_open(int level, unsigned threads, write_function *write, void *sink);

/* The memory may be reused when it returns. write() may be called later, by another thread. */
void bgzf_write(struct bgzf *bgzf, const void *memory, size_t bytes);

/* Ends the member that is being filled. Returns when all members have been written. */
void bgzf_flush(struct bgzf *bgzf);

/* Writes uncompressed members. Data of the same length always take the same bytes. */
void bgzf_store(const void *memory, size_t bytes, write_function *write, void *sink);

/* Writes the rest and the empty member that marks the end. */
void bgzf_close(struct bgzf *bgzf);

/* The length of a member that has a header as bgzf_write() makes it, or 0. */
size_t bgzf_length(const unsigned char header[BGZF_HEADER_BYTES]);

#endif
