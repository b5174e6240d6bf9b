/* rle-file.h - the container of gpurle(5), written and read independently of the tool. */
#ifndef RLE_FILE_H
#define RLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/data.h"

#define RLE_HEADER_BYTES 32 /* before the schema; the end has as many */
#define RLE_BLOCK_BYTES 24
#define RLE_FIELDS 400

extern const unsigned char rle_magic[8];

/* False past 2^64. */
static inline bool rle_sum(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool rle_product(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* Bytes that grow. */
typedef struct byte_string {
    unsigned char *bytes;
    size_t size, room;
} byte_string;

void bytes_add(byte_string *string, const void *bytes, size_t size);
void bytes_add_number(byte_string *string, uint64_t number, size_t width); /* little endian */
void bytes_free(byte_string *string);

uint64_t number_at(const unsigned char *bytes, size_t width);
void set_number(unsigned char *bytes, uint64_t number, size_t width);

/* Writing: each ends with its CRC. */
void rle_add_header(byte_string *file, const char *schema, size_t element_size, const char *prefix);
void rle_add_runs(byte_string *file, size_t element_size, const void *values, const uint64_t *counts, size_t runs,
                  size_t width);
void rle_add_elements(byte_string *file, size_t element_size, const void *elements, size_t n, size_t runs);
void rle_add_end(byte_string *file, uint64_t elements, uint64_t runs, uint64_t blocks);

/* Adds a random container that is whole. */
void rle_draw(byte_string *file, random_state *random);

/* A file's parts, one after the other, as far as they are whole. */
typedef struct rle_part {
    enum { RLE_HEADER, RLE_BLOCK, RLE_END } is;
    const unsigned char *bytes;
    size_t size, head; /* without the CRC; of the numbers in it, the rest is text or payload */
    uint64_t element_size, schema_size, prefix_size;
    uint64_t kind, width, elements, runs, blocks;
} rle_part;

typedef struct rle_cursor {
    const byte_string *file;
    size_t at;
    bool inside; /* of a container */
    uint64_t element_size;
} rle_cursor;

bool rle_next_part(rle_cursor *c, rle_part *p); /* false where the file ends before the part does */
uint32_t rle_crc(const unsigned char *bytes, size_t size);

/* Where the numbers of headers, blocks and ends are, as far as the file can be followed. On the way, each CRC is made
 * right if crcs, and the totals of each end if totals. */
typedef struct rle_field {
    size_t at, width;
} rle_field;
size_t rle_walk(byte_string *file, bool crcs, bool totals, rle_field fields[RLE_FIELDS]);

/* Reading: whether a file is whole, or damaged, or one of which the format does not say. */
typedef enum rle_verdict { RLE_WHOLE, RLE_DAMAGED, RLE_EITHER } rle_verdict;

/* *content gets what a file decodes to, with its prefixes unless raw, up to `limit` bytes or a few more; *more is set
 * where there is more. */
rle_verdict rle_expand(const byte_string *file, bool raw, size_t limit, byte_string *content, bool *more);

#endif
