/* window.h - the part of a compressed file that is looked at: bytes `begin` to `end` of `data`. */
#ifndef WINDOW_H
#define WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "codec.h"

#define WINDOW_BYTES ((size_t)256 << 10)
#define WINDOW_HISTORY 8 /* bytes before `begin` stay readable, once that many were read */

struct window {
    read_function *read;
    seek_function *seek; /* NULL: the file cannot be read again */
    void *source;
    size_t begin, end;
    uint64_t start; /* file offset of data[0] */
    bool ended;     /* the file has no more bytes */
    unsigned char data[WINDOW_BYTES];
};

/* head: the first bytes of the file, which were read already. seek may be NULL. */
void window_open(struct window *window, read_function *read, seek_function *seek, void *source,
                 const unsigned char *head, size_t bytes);

/* Begins anew at an offset. There has to be a seek function. */
void window_seek(struct window *window, uint64_t offset);

/* Reads more behind the bytes that are left, which are less than half of WINDOW_BYTES. Returns false at the end of the
 * file. */
bool window_more(struct window *window);

/* Reads until there are at least `bytes`, at most half of WINDOW_BYTES. Returns false if the file ends before. */
bool window_has(struct window *window, size_t bytes);

/* The next byte, or -1 at the end. */
int window_byte(struct window *window);

/* File offset of the next byte. */
uint64_t window_offset(const struct window *window);

#endif
