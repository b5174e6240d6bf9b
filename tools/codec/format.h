/* format.h - how the decoder reads a format of compressed files. */
#ifndef FORMAT_H
#define FORMAT_H

#include "window.h"

#define PIECE_BYTES ((size_t)1 << 20)    /* most content of a piece */
#define PIECE_SMALL ((size_t)128 << 10)  /* the same without threads */
#define PIECE_SLACK ((size_t)64 << 10)   /* room behind it */
#define PIECE_PACKED ((size_t)256 << 10) /* most bytes of a file that a worker gets */

/* A part of the content, and the part of the file from which a worker makes it. */
struct piece {
    unsigned char *packed; /* room for PIECE_PACKED, once it is needed */
    size_t packed_bytes;
    uint64_t offset; /* of these in the file */
    bool guessed;    /* their ends were: an error may be a wrong guess */
    unsigned char *out;
    size_t out_bytes, most; /* `most` is wanted; there is room for PIECE_SLACK more */
    bool last;
    char error[160]; /* what is wrong behind the content; empty if nothing is */
};

void piece_fail(struct piece *piece, const char *format, ...) PRINTF_LIKE(2, 3);

/* An empty piece is filled by one thread, in the order of the file. If fill() returns true, work() makes its content,
 * on any thread. worker: below the count that open() was told. guesses: fill() may guess where the packed bytes of a
 * piece end. */
struct format {
    void *(*open)(struct window *window, unsigned workers, bool guesses);
    bool (*fill)(void *state, struct piece *piece);
    void (*work)(void *state, struct piece *piece, unsigned worker);
    void (*close)(void *state);
};

#endif
