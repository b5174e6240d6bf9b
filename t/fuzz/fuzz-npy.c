/* fuzz-npy.c - headers of .npy files. A header that is taken is whole, and comes back the same from npy_make_header()
 * and npy_set_count(); its elements have a description of the same size.
 *
 * Input: a byte of choices, then the bytes behind the magic, or the text alone, in front of which the harness puts the
 * version and the right length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/npy.h"
#include "survive.h"

#define HEAD 12 /* magic, version and length */

/* ---- seeds ---- */

static size_t draw_descr(char *text, size_t room, random_state *random)
{
    static const char *const types[] = {"<u4", ">f8", "|u1", "=i2", "|S7", "|b1", "<i8", "|V3", "<f4"};
    size_t fields = random_below(random, 5), used;
    if (fields == 0)
        return (size_t)snprintf(text, room, "'%s'", types[random_below(random, 9)]);
    used = (size_t)snprintf(text, room, "[");
    for (size_t f = 0; f < fields; f++) {
        const char *type = types[random_below(random, 9)];
        bool titled = random_below(random, 8) == 0;
        used += (size_t)snprintf(text + used, room - used, titled ? "(('t', 'f%zu'), '%s'), " : "('f%zu', '%s'), ", f,
                                 type);
    }
    return used + (size_t)snprintf(text + used, room - used, "]");
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    char descr[300];
    size_t bytes;
    draw_descr(descr, sizeof descr, random);
    char *header = npy_make_header(descr, 1 + (int)random_below(random, 3), random_size(random, 1 << 20), &bytes);
    size_t from = header[NPY_MAGIC_BYTES] == 1 ? 10 : HEAD, length = bytes - from;
    data[0] = (uint8_t)(random_next(random) | 1);
    length = length < room - 1 ? length : room - 1;
    memcpy(data + 1, header + from, length);
    free(header);
    return 1 + length;
}

/* ---- facts ---- */

typedef struct header {
    fuzz_bytes rest; /* behind the magic */
    const char *bytes;
    size_t size;
} header;

static size_t read_rest(void *source, void *memory, size_t bytes)
{
    fuzz_bytes *rest = source;
    size_t got = bytes < rest->left ? bytes : rest->left;
    if (got > 0)
        memcpy(memory, rest->at, got);
    rest->at += got;
    rest->left -= got;
    return got;
}

static void read_header(const char *bytes, size_t size, struct schema *schema, uint64_t *count)
{
    fuzz_bytes rest = {(const uint8_t *)bytes + NPY_MAGIC_BYTES, size - NPY_MAGIC_BYTES};
    npy_read_header("header", read_rest, &rest, schema, count);
    FUZZ_CHECK(rest.left == 0);
}

static void check_description(const struct schema *schema)
{
    char *text = schema_description(schema);
    FUZZ_CHECK(schema_described_size(text, strlen(text)) == schema->size);
    free(text);
}

static void check_header(const char *bytes, size_t size, const struct schema *schema, uint64_t count)
{
    struct schema again;
    uint64_t counted;
    read_header(bytes, size, &again, &counted);
    FUZZ_CHECK(counted == count && schema_equal(&again, schema, true) && strcmp(again.descr, schema->descr) == 0);
    schema_free(&again);
}

/* What was taken must be taken again, with the same count, from a new header and from this one with the count set. */
static void try_header(void *state)
{
    header *h = state;
    struct schema schema;
    uint64_t count;
    npy_read_header("header", read_rest, &h->rest, &schema, &count);
    FUZZ_CHECK(npy_ends(h->bytes, h->size - h->rest.left));
    FUZZ_CHECK(schema.size == scankit_layout_size(schema.layout) && schema.size > 0);
    check_description(&schema);

    size_t size;
    char *made = npy_make_header(schema.descr, schema.npy_version, count, &size);
    check_header(made, size, &schema, count);
    npy_set_count("header", made, size, count / 2);
    check_header(made, size, &schema, count / 2);
    free(made);
    schema_free(&schema);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    unsigned choice = (unsigned)fuzz_number(&in, 1);
    bool text_only = choice & 1;
    size_t version = 1 + choice / 2 % 3, head = !text_only ? NPY_MAGIC_BYTES : version == 1 ? 10 : HEAD;
    uint8_t fields[6] = {(uint8_t)version, 0, (uint8_t)in.left, (uint8_t)(in.left >> 8), (uint8_t)(in.left >> 16), 0};
    header h = {.size = head + in.left};
    char *bytes = data_allocate(h.size, 1);
    memcpy(bytes, NPY_MAGIC, NPY_MAGIC_BYTES);
    memcpy(bytes + NPY_MAGIC_BYTES, fields, head - NPY_MAGIC_BYTES);
    if (in.left > 0)
        memcpy(bytes + head, in.at, in.left);
    h.bytes = bytes;
    h.rest = (fuzz_bytes){(const uint8_t *)bytes + NPY_MAGIC_BYTES, h.size - NPY_MAGIC_BYTES};
    survive(try_header, &h);
    npy_ends(bytes, h.size);
    schema_described_size((const char *)data, size);
    free(bytes);
    return 0;
}
