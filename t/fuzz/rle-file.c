/* rle-file.c - see rle-file.h */
#include "rle-file.h"

#include <stdlib.h>
#include <string.h>

#include "support/tap.h"

const unsigned char rle_magic[8] = {0x89, 'R', 'L', 'E', '\r', '\n', 0x1a, '\n'};

/* ---- bytes ---- */

void bytes_add(byte_string *string, const void *bytes, size_t size)
{
    if (string->room - string->size < size) {
        string->room = 2 * (string->size + size) + 64;
        string->bytes = realloc(string->bytes, string->room);
        if (string->bytes == NULL)
            tap_bail_out("no memory for %zu bytes", string->room);
    }
    if (size > 0)
        memcpy(string->bytes + string->size, bytes, size);
    string->size += size;
}

void bytes_free(byte_string *string)
{
    free(string->bytes);
    *string = (byte_string){0};
}

uint64_t number_at(const unsigned char *bytes, size_t width)
{
    uint64_t number = 0;
    for (size_t k = width; k-- > 0;)
        number = number << 8 | bytes[k];
    return number;
}

void set_number(unsigned char *bytes, uint64_t number, size_t width)
{
    for (size_t k = 0; k < width; k++)
        bytes[k] = (unsigned char)(number >> (8 * k));
}

void bytes_add_number(byte_string *string, uint64_t number, size_t width)
{
    unsigned char bytes[8];
    set_number(bytes, number, width);
    bytes_add(string, bytes, width);
}

/* The CRC of gzip and PNG, bit by bit: polynomial 0xedb88320, reflected (RFC 1952, section 8). */
uint32_t rle_crc(const unsigned char *bytes, size_t size)
{
    static uint32_t table[256];
    uint32_t crc = ~0U;
    for (uint32_t k = 0; table[255] == 0 && k < 256; k++) {
        table[k] = k;
        for (int bit = 0; bit < 8; bit++)
            table[k] = table[k] >> 1 ^ (table[k] & 1 ? 0xedb88320U : 0);
    }
    for (size_t k = 0; k < size; k++)
        crc = crc >> 8 ^ table[(crc ^ bytes[k]) & 255];
    return ~crc;
}

/* ---- writing ---- */

static void add_crc(byte_string *file, size_t begin)
{
    bytes_add_number(file, rle_crc(file->bytes + begin, file->size - begin), 4);
}

void rle_add_header(byte_string *file, const char *schema, size_t element_size, const char *prefix)
{
    size_t begin = file->size;
    bytes_add(file, rle_magic, sizeof rle_magic);
    bytes_add_number(file, 1, 4); /* version 1, no flags */
    bytes_add_number(file, strlen(schema), 4);
    bytes_add_number(file, element_size, 8);
    bytes_add_number(file, strlen(prefix), 8);
    bytes_add(file, schema, strlen(schema));
    bytes_add(file, prefix, strlen(prefix));
    add_crc(file, begin);
}

static void add_block_header(byte_string *file, uint64_t kind, size_t width, uint64_t elements, uint64_t runs)
{
    bytes_add_number(file, kind | width << 8, 8);
    bytes_add_number(file, elements, 8);
    bytes_add_number(file, runs, 8);
}

void rle_add_runs(byte_string *file, size_t element_size, const void *values, const uint64_t *counts, size_t runs,
                  size_t width)
{
    size_t begin = file->size;
    uint64_t elements = 0;
    for (size_t r = 0; r < runs; r++)
        elements += counts[r];
    add_block_header(file, 1, width, elements, runs);
    bytes_add(file, values, runs * element_size);
    for (size_t r = 0; r < runs; r++)
        bytes_add_number(file, counts[r], width);
    add_crc(file, begin);
}

void rle_add_elements(byte_string *file, size_t element_size, const void *elements, size_t n, size_t runs)
{
    size_t begin = file->size;
    add_block_header(file, 2, 0, n, runs);
    bytes_add(file, elements, n * element_size);
    add_crc(file, begin);
}

void rle_add_end(byte_string *file, uint64_t elements, uint64_t runs, uint64_t blocks)
{
    size_t begin = file->size;
    bytes_add_number(file, 0, 8);
    bytes_add_number(file, elements, 8);
    bytes_add_number(file, runs, 8);
    bytes_add_number(file, blocks, 8);
    add_crc(file, begin);
}

/* ---- its parts ---- */

/* Bytes behind the numbers of a part; false where they are past 2^64. */
static bool rest_size(const rle_cursor *c, const rle_part *p, uint64_t *size)
{
    uint64_t of_a_run;
    if (p->is == RLE_HEADER)
        return rle_sum(p->schema_size, p->prefix_size, size);
    if (p->is == RLE_END)
        return rle_sum(0, 0, size);
    if (p->kind == 2)
        return rle_product(p->elements, c->element_size, size);
    return rle_sum(c->element_size, p->width, &of_a_run) && rle_product(p->runs, of_a_run, size);
}

bool rle_next_part(rle_cursor *c, rle_part *p)
{
    size_t left = c->file->size - c->at;
    if (left == 0)
        return false;
    const unsigned char *bytes = c->file->bytes + c->at;
    *p = (rle_part){.bytes = bytes};
    p->is = !c->inside ? RLE_HEADER : *bytes == 0 ? RLE_END : RLE_BLOCK;
    p->head = p->is == RLE_BLOCK ? RLE_BLOCK_BYTES : RLE_HEADER_BYTES;
    if (left < p->head)
        return false;
    p->element_size = number_at(bytes + 16, 8);
    p->schema_size = number_at(bytes + 12, 4);
    p->prefix_size = p->is == RLE_HEADER ? number_at(bytes + 24, 8) : 0;
    p->kind = bytes[0];
    p->width = bytes[1];
    p->elements = number_at(bytes + 8, 8);
    p->runs = number_at(bytes + 16, 8);
    p->blocks = p->is == RLE_END ? number_at(bytes + 24, 8) : 0;
    uint64_t rest = 0;
    if (!rest_size(c, p, &rest) || rest > left - p->head || left - p->head - rest < 4)
        return false;
    p->size = p->head + (size_t)rest;
    c->at += p->size + 4;
    c->inside = p->is != RLE_END;
    if (p->is == RLE_HEADER)
        c->element_size = p->element_size;
    return true;
}

size_t rle_walk(byte_string *file, bool crcs, bool totals, rle_field fields[RLE_FIELDS])
{
    static const unsigned char places[3][8] = {{8, 10, 12, 16, 24}, {0, 1, 2, 4, 8, 16}, {0, 8, 16, 24}};
    static const unsigned char widths[3][8] = {{2, 2, 4, 8, 8}, {1, 1, 2, 4, 8, 8}, {8, 8, 8, 8}};
    rle_cursor c = {.file = file};
    size_t found = 0;
    uint64_t elements = 0, runs = 0, blocks = 0;
    for (rle_part p; rle_next_part(&c, &p);) {
        size_t begin = (size_t)(p.bytes - file->bytes);
        unsigned char *bytes = file->bytes + begin;
        for (size_t k = 0; k < 8 && widths[p.is][k] > 0 && found < RLE_FIELDS; k++)
            fields[found++] = (rle_field){begin + places[p.is][k], widths[p.is][k]};
        if (p.is == RLE_END && totals) {
            set_number(bytes + 8, elements, 8);
            set_number(bytes + 16, runs, 8);
            set_number(bytes + 24, blocks, 8);
        }
        elements = p.is == RLE_BLOCK ? elements + p.elements : 0;
        runs = p.is == RLE_BLOCK ? runs + p.runs : 0;
        blocks = p.is == RLE_BLOCK ? blocks + 1 : 0;
        if (crcs)
            set_number(bytes + p.size, rle_crc(bytes, p.size), 4);
    }
    return found;
}
