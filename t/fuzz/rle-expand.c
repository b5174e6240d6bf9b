/* rle-expand.c - what a container decodes to, or whether it is damaged: see rle-file.h */
#include <stdio.h>
#include <string.h>

#include "rle-file.h"
#include "scankit.h"

typedef struct reader {
    bool raw, more, unsure;
    size_t limit;
    byte_string *content;
    uint64_t element_size, elements, runs, blocks;
} reader;

static void give(reader *r, const void *bytes, size_t size)
{
    if (r->content->size < r->limit)
        bytes_add(r->content, bytes, size);
    else
        r->more |= size > 0;
}

/* The schemas that are certainly right: one type, or opaque bytes of that size. Of others, a reader may say anything.
 */
static bool schema_is_known(const rle_part *p)
{
    char text[64] = "", bytes[64];
    if (p->schema_size >= sizeof text)
        return false;
    memcpy(text, p->bytes + RLE_HEADER_BYTES, (size_t)p->schema_size);
    snprintf(bytes, sizeof bytes, "a:bytes%llu", (unsigned long long)p->element_size);
    scankit_type type;
    if (strlen(text) != p->schema_size)
        return false;
    return strcmp(text, bytes) == 0 ||
           (scankit_type_from_name(&type, text) == SCANKIT_OK && scankit_type_size(type) == p->element_size);
}

static bool read_header(reader *r, const rle_part *p)
{
    const char *prefix = (const char *)p->bytes + RLE_HEADER_BYTES + p->schema_size;
    if (memcmp(p->bytes, rle_magic, sizeof rle_magic) != 0 || number_at(p->bytes + 8, 4) != 1 || p->element_size == 0)
        return false;
    r->unsure |= !schema_is_known(p);
    r->unsure |= p->prefix_size >= 6 && memcmp(prefix, "\x93NUMPY", 6) == 0;
    if (!r->raw)
        give(r, prefix, (size_t)p->prefix_size);
    r->element_size = p->element_size;
    r->elements = r->runs = r->blocks = 0;
    return true;
}

static bool read_runs(reader *r, const rle_part *p)
{
    const unsigned char *values = p->bytes + p->head, *counts = values + p->runs * r->element_size;
    uint64_t elements = 0;
    if (p->width != 1 && p->width != 2 && p->width != 4 && p->width != 8)
        return false;
    for (uint64_t k = 0; k < p->runs; k++) {
        uint64_t count = number_at(counts + k * p->width, p->width);
        if (count == 0 || !rle_sum(elements, count, &elements))
            return false;
        for (; count > 0 && r->content->size < r->limit; count--)
            give(r, values + k * r->element_size, (size_t)r->element_size);
        r->more |= count > 0;
    }
    return elements == p->elements;
}

/* How many runs elements as they are have is not sure to be looked at. */
static bool read_elements(reader *r, const rle_part *p)
{
    const unsigned char *elements = p->bytes + p->head;
    size_t size = (size_t)r->element_size;
    uint64_t runs = p->elements > 0;
    if (p->width != 0)
        return false;
    for (uint64_t k = 0; k < p->elements; k++) {
        runs += k > 0 && memcmp(elements + k * size, elements + (k - 1) * size, size) != 0;
        give(r, elements + k * size, size);
    }
    r->unsure |= runs != p->runs;
    return true;
}

static bool read_block(reader *r, const rle_part *p)
{
    uint64_t bytes;
    if (number_at(p->bytes + 2, 6) != 0 || p->runs < 1 || p->runs > p->elements)
        return false;
    if (!rle_sum(r->elements, p->elements, &r->elements) || !rle_product(r->elements, r->element_size, &bytes))
        return false;
    r->runs += p->runs;
    r->blocks++;
    return p->kind == 1 ? read_runs(r, p) : p->kind == 2 && read_elements(r, p);
}

static bool read_end(const reader *r, const rle_part *p)
{
    return number_at(p->bytes, 8) == 0 && p->elements == r->elements && p->runs == r->runs && p->blocks == r->blocks;
}

static bool read_part(reader *r, const rle_part *p)
{
    if (number_at(p->bytes + p->size, 4) != rle_crc(p->bytes, p->size))
        return false;
    switch (p->is) {
    case RLE_HEADER: return read_header(r, p);
    case RLE_BLOCK: return read_block(r, p);
    default: return read_end(r, p);
    }
}

rle_verdict rle_expand(const byte_string *file, bool raw, size_t limit, byte_string *content, bool *more)
{
    rle_cursor c = {.file = file};
    reader r = {.raw = raw, .limit = limit, .content = content};
    bool good = file->size > 0;
    for (rle_part p; good && rle_next_part(&c, &p);)
        good = read_part(&r, &p);
    *more = r.more;
    if (!good || c.inside || c.at != file->size)
        return RLE_DAMAGED;
    return r.unsure ? RLE_EITHER : RLE_WHOLE;
}
