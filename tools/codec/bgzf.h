/* bgzf.h - writing gzip as BGZF: members of at most 64 KiB that hold their own length, so that parts can be read alone.
 * */
#ifndef BGZF_H
#define BGZF_H

#include <stddef.h>

struct bgzf;

typedef void write_function(void *sink, const void *memory, size_t bytes);

struct bgzf *bgzf_open(int level, write_function *write, void *sink);
void bgzf_write(struct bgzf *bgzf, const void *memory, size_t bytes);

/* Writes the member that is being filled. */
void bgzf_flush(struct bgzf *bgzf);

/* Writes uncompressed members. Data of the same length always take the same bytes. */
void bgzf_store(const void *memory, size_t bytes, write_function *write, void *sink);

/* Writes the rest and the empty member that marks the end. */
void bgzf_close(struct bgzf *bgzf);

#endif
