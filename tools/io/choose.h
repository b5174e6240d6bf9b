/* choose.h - how files are read and written: pure functions of the target and the machine. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdbool.h>

/* How blocks get into an output. */
enum way {
    WAY_WRITE, /* write(), by one thread, in order */
    WAY_PAGES, /* several threads copy into mapped pages that the file system provided before */
};

struct target {
    bool tmpfs; /* a file of a tmpfs that can be written at any offset */
    bool compressed;
};

enum way choose_way(const struct target *target, unsigned processors);

/* Threads that read a file, each another block. */
unsigned choose_readers(unsigned processors);

/* Threads that take blocks to be written. sealed: each block takes work before it is written. */
unsigned choose_writers(enum way way, bool sealed, unsigned processors);

/* Blocks between the stage and these threads. If memory is bounded they are few, and so are the threads at work. */
unsigned choose_blocks(unsigned threads, bool bounded);

#endif
