/* container.c - see container.h. */
#include "container.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "codec/isal.h"

static void put_number(char *to, uint64_t value, unsigned bytes)
{
    uint64_t little = htole64(value);
    memcpy(to, &little, bytes);
}

uint32_t container_crc(uint32_t crc, const void *bytes, size_t count)
{
    return gzip_crc(crc, bytes, count);
}

/* ---- counts ---- */

unsigned container_width(uint64_t bits)
{
    return bits <= UINT8_MAX ? 1 : bits <= UINT16_MAX ? 2 : bits <= UINT32_MAX ? 4 : 8;
}

void container_ones(char *to, unsigned width, size_t n)
{
    memset(to, width == 1, n * width);
    if (width > 1)
        for (size_t i = 0; i < n; i++)
            to[i * width] = 1;
}

/* X(bits): one loop per width, so that each is vectorised. */
#define WIDTHS(X) X(8) X(16) X(32) X(64)
#define htole8(value) (value)
#define le8toh(value) (value)

void container_narrow(char *to, unsigned width, const uint64_t *counts, size_t n)
{
    switch (8 * width) {
#define X(bits)                                                  \
    case bits:                                                   \
        for (size_t i = 0; i < n; i++) {                         \
            uint##bits##_t count = (uint##bits##_t)counts[i];    \
            count = htole##bits(count);                          \
            memcpy(to + i * sizeof count, &count, sizeof count); \
        }                                                        \
        break;
        WIDTHS(X)
#undef X
    default: break;
    }
}

void container_widen(uint64_t *counts, const char *from, unsigned width, size_t n)
{
    switch (8 * width) {
#define X(bits)                                                    \
    case bits:                                                     \
        for (size_t i = 0; i < n; i++) {                           \
            uint##bits##_t count;                                  \
            memcpy(&count, from + i * sizeof count, sizeof count); \
            counts[i] = le##bits##toh(count);                      \
        }                                                          \
        break;
        WIDTHS(X)
#undef X
    default: break;
    }
}

/* ---- writing ---- */

void container_put(write_function *write, void *sink, const void *part, size_t bytes)
{
    char crc[CONTAINER_CRC_BYTES];
    put_number(crc, container_crc(0, part, bytes), sizeof crc);
    write(sink, part, bytes);
    write(sink, crc, sizeof crc);
}

void container_seal(char *part, size_t bytes)
{
    size_t content = bytes - CONTAINER_CRC_BYTES;
    put_number(part + content, container_crc(0, part, content), CONTAINER_CRC_BYTES);
}

char *container_header(size_t element, const char *schema, const void *prefix, size_t prefix_bytes, size_t *bytes)
{
    size_t schema_bytes = strlen(schema);
    *bytes = CONTAINER_HEAD_BYTES + schema_bytes + prefix_bytes;
    char *part = get_memory(*bytes);
    memcpy(part, CONTAINER_MAGIC, CONTAINER_MAGIC_BYTES);
    put_number(part + 8, CONTAINER_VERSION, 2);
    put_number(part + 10, 0, 2);
    put_number(part + 12, schema_bytes, 4);
    put_number(part + 16, element, 8);
    put_number(part + 24, prefix_bytes, 8);
    memcpy(part + CONTAINER_HEAD_BYTES, schema, schema_bytes);
    if (prefix_bytes > 0)
        memcpy(part + CONTAINER_HEAD_BYTES + schema_bytes, prefix, prefix_bytes);
    return part;
}

void container_block(char head[CONTAINER_BLOCK_HEAD], unsigned width, uint64_t elements, uint64_t runs)
{
    put_number(head, width > 0 ? CONTAINER_RUNS : CONTAINER_PLAIN, 1);
    put_number(head + 1, width, 1);
    put_number(head + 2, 0, 6);
    put_number(head + 8, elements, 8);
    put_number(head + 16, runs, 8);
}

void container_end(char part[CONTAINER_END_BYTES], const struct container_totals *totals)
{
    put_number(part, CONTAINER_END, 8);
    put_number(part + 8, totals->elements, 8);
    put_number(part + 16, totals->runs, 8);
    put_number(part + 24, totals->blocks, 8);
}
