/* rank_stream.h - an output of rank_files that each rank writes in pieces of host memory, behind the bytes of the ranks
 * before: pieces as they come if this rank's bytes are known, else those that a struct hold has. */
#ifndef RANK_STREAM_H
#define RANK_STREAM_H

#include "io/hold.h"
#include "rank_files.h"

struct rank_stream {
    struct rank_files *files;
    size_t which;
    struct shared_stream *shared; /* NULL: a shard, or its bytes are held */
    struct hold *hold;            /* of text and compressed bytes; or NULL */
    struct encoder *encoder;      /* or NULL */
    struct text_writer *text;     /* or NULL */
};

/* This rank will write `bytes` bytes. Collective. */
void rank_stream_open(struct rank_stream *stream, struct rank_files *files, size_t which, uint64_t bytes);

/* This rank will write n elements of `size` bytes. Writes the .npy header, if there is one. As --to-text, --gzip or
 * --zstd says, the elements become text or are compressed: each rank makes lines, or a part that can be decompressed
 * alone, which wait until all of them are there. Collective. */
void rank_stream_open_elements(struct rank_stream *stream, struct rank_files *files, size_t which, size_t size,
                               uint64_t n);

/* The same for elements of this layout, or if it is NULL for bytes, whose number is not known. header: of text; or
 * NULL.
 */
void rank_stream_open_encoded(struct rank_stream *stream, struct rank_files *files, size_t which,
                              const scankit_layout *layout, const char *header);

/* It is a write_function. */
void rank_stream_put(void *stream, const void *memory, size_t bytes);

/* Collective. rank_files_place() follows. */
void rank_stream_close(struct rank_stream *stream);

/* True if --to-text, --gzip or --zstd is given. */
bool rank_output_encodes(const struct common *common);

/* A place for bytes whose number is not known yet; then writes and frees it, which is collective. */
struct hold *rank_hold_open(const struct rank_files *files);
void rank_hold_write(struct hold *hold, struct rank_files *files, size_t which);

#endif
