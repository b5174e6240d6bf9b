/* container.h - gpurle's container, see gpurle(5): writing its header, blocks and end, and reading them with every
 * check that the format allows. Numbers are little endian. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include "io/input.h"

/* As in PNG, these bytes reveal a transfer as text. */
#define CONTAINER_MAGIC "\x89RLE\r\n\x1a\n"
#define CONTAINER_MAGIC_BYTES 8
#define CONTAINER_VERSION 1

/* Bytes of a header before its texts, of a block before its payload, of an end, and of the CRC behind each. */
#define CONTAINER_HEAD_BYTES 32
#define CONTAINER_BLOCK_HEAD 24
#define CONTAINER_END_BYTES 32
#define CONTAINER_CRC_BYTES 4

/* The kind of a block. */
enum container_kind { CONTAINER_END, CONTAINER_RUNS, CONTAINER_PLAIN };

struct container_totals {
    uint64_t elements, runs, blocks;
};

/* Continues a CRC, 0 at first, with these bytes. */
uint32_t container_crc(uint32_t crc, const void *bytes, size_t count);

/* The bytes per count, 1, 2, 4 or 8, for counts whose bitwise or is `bits`. */
unsigned container_width(uint64_t bits);

/* n counts of this width, each 1. */
void container_ones(char *to, unsigned width, size_t n);

void container_narrow(char *to, unsigned width, const uint64_t *counts, size_t n);
void container_widen(uint64_t *counts, const char *from, unsigned width, size_t n);

/* ---- writing: a container is a sequence of parts, each followed by its CRC ---- */

/* Writes a part and its CRC. */
void container_put(write_function *write, void *sink, const void *part, size_t bytes);

/* Stores the CRC at the end of a part of `bytes` bytes, which has room for it there. It is a seal_function. */
void container_seal(char *part, size_t bytes);

/* The part in front of the blocks, get_memory()'d. */
char *container_header(size_t element, const char *schema, const void *prefix, size_t prefix_bytes, size_t *bytes);

/* Makes a block's head. The values and counts of its runs follow it, or with width 0 its elements. */
void container_block(char head[CONTAINER_BLOCK_HEAD], unsigned width, uint64_t elements, uint64_t runs);

/* The part behind them. */
void container_end(char part[CONTAINER_END_BYTES], const struct container_totals *totals);

/* ---- reading: fails on damage, saying where ---- */

/* Bytes that were read. Their memory is at most twice as large, or 64 KiB. */
struct container_bytes {
    char *data;
    size_t used, room;
};

struct container {
    struct input *input; /* opened as bytes */
    uint64_t begin;      /* offset of its first byte */
    uint64_t part;       /* offset of the current part */
    uint32_t crc;        /* of the current part */
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

/* Reads the next header. Returns false at the end of the input, which must hold at least one. */
bool container_next(struct container *container);

/* Reads the next block. Reuses the memory of the last one; all zeros at first. Returns false at the container's end. */
bool container_next_block(struct container *container, struct container_block *block);

/* The same without the block's payload, which is passed over: it was neither read nor checked. The input is a regular
 * file that is not compressed. */
bool container_pass_block(struct container *container, struct container_block *block);

void container_free_bytes(struct container_bytes *bytes);
void container_free(struct container *container);

#endif
