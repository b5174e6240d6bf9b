/* container.h - gpurle's container, gpurle(5): its header, blocks and end, written, and read with every check that the
 * format allows. All of its numbers are little endian. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include "io/input.h"

/* As PNG's first bytes do, these find out whether something took the file for a text. */
#define CONTAINER_MAGIC "\x89RLE\r\n\x1a\n"
#define CONTAINER_MAGIC_BYTES 8
#define CONTAINER_VERSION 1

/* Of a header, in front of its texts; of a block, in front of its payload; of an end; and of the CRC behind each. */
#define CONTAINER_HEAD_BYTES 32
#define CONTAINER_BLOCK_HEAD 24
#define CONTAINER_END_BYTES 32
#define CONTAINER_CRC_BYTES 4

/* What a block holds. */
enum container_kind { CONTAINER_END, CONTAINER_RUNS, CONTAINER_PLAIN };

struct container_totals {
    uint64_t elements, runs, blocks;
};

/* The CRC of what had `crc` so far, 0 at first, and these bytes. */
uint32_t container_crc(uint32_t crc, const void *bytes, size_t count);

/* The bytes of a count that all counts of these bits need: 1, 2, 4 or 8. */
unsigned container_width(uint64_t bits);

void container_narrow(char *to, unsigned width, const uint64_t *counts, size_t n);
void container_widen(uint64_t *counts, const char *from, unsigned width, size_t n);

/* ---- writing: a container is parts, each with its CRC behind it ---- */

/* Writes a part and its CRC; output: a struct output. It is a write_function. */
void container_put(void *output, const void *part, size_t bytes);

/* The part in front of the blocks, get_memory()'d. */
char *container_header(size_t element, const char *schema, const void *prefix, size_t prefix_bytes, size_t *bytes);

/* A block's first bytes; behind them are the values and counts of its runs, or its elements. Width 0: elements. */
void container_block(char head[CONTAINER_BLOCK_HEAD], unsigned width, uint64_t elements, uint64_t runs);

/* The part behind them. */
void container_end(char part[CONTAINER_END_BYTES], const struct container_totals *totals);

/* ---- reading: fails for whatever is wrong, saying where ---- */

/* Bytes that have come; its memory is at most twice as much, or 64 KiB. */
struct container_bytes {
    char *data;
    size_t used, room;
};

struct container {
    struct input *input; /* opened as bytes */
    uint64_t begin;      /* offset of its first byte */
    uint64_t part;       /* of the part that is being read */
    uint32_t crc;        /* of that */
    size_t element;      /* bytes of one */
    struct container_bytes schema, prefix;
    struct container_totals totals; /* so far */
};

struct container_block {
    enum container_kind kind;
    unsigned width; /* bytes of a count */
    uint64_t elements, runs;
    struct container_bytes payload;
};

/* Reads the next header of the input, or false where that ends and there was one. The text of the schema is one, and
 * ends with a zero byte. */
bool container_next(struct container *container);

/* Reads the next block into one that was read before, or all zeros: false at the container's end. */
bool container_next_block(struct container *container, struct container_block *block);

void container_free_bytes(struct container_bytes *bytes);
void container_free(struct container *container);

#endif
