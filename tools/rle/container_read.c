/* container_read.c - reading containers, and what is wrong with them; see container.h. */
#include "container.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)64 << 10)

static uint64_t get_number(const char *from, unsigned bytes)
{
    uint64_t little = 0;
    memcpy(&little, from, bytes);
    return le64toh(little);
}

/* ---- bytes ---- */

static NO_RETURN void damaged(const struct container *container, const char *what)
{
    fail(container->input->name, "damaged: %s, in the part of the container that begins at byte %llu", what,
         (unsigned long long)container->part);
}

static void begin_part(struct container *container)
{
    container->part = container->input->taken;
    container->crc = 0;
}

static size_t read_some(struct container *container, char *to, size_t bytes)
{
    size_t got = input_read(container->input, to, bytes);
    container->crc = container_crc(container->crc, to, got);
    return got;
}

static NO_RETURN void refuse_end(const struct container *container)
{
    fail(container->input->name, "ends too early, at byte %llu, in the part of the container that begins at byte %llu",
         (unsigned long long)container->input->taken, (unsigned long long)container->part);
}

static void read_all(struct container *container, char *to, size_t bytes)
{
    if (read_some(container, to, bytes) < bytes)
        refuse_end(container);
}

/* Memory grows with the bytes that arrive: a length may be damaged. */
static void read_bytes(struct container *container, struct container_bytes *to, uint64_t bytes)
{
    to->used = 0;
    while (bytes > 0) {
        size_t step = to->room - to->used;
        if (step == 0) {
            step = to->used > FIRST_BYTES ? to->used : FIRST_BYTES;
            char *grown = realloc(to->data, to->room + step);
            if (grown == NULL)
                fail(container->input->name, "out of memory: cannot allocate %s", bytes_text(to->room + step));
            to->data = grown;
            to->room += step;
        }
        if (step > bytes)
            step = (size_t)bytes;
        read_all(container, to->data + to->used, step);
        to->used += step;
        bytes -= step;
    }
}

static void read_crc(struct container *container)
{
    char stored[CONTAINER_CRC_BYTES];
    uint32_t crc = container->crc;
    read_all(container, stored, sizeof stored);
    if (get_number(stored, sizeof stored) != crc)
        damaged(container, "the CRC is wrong");
}

void container_free_bytes(struct container_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct container_bytes){0};
}

void container_free(struct container *container)
{
    container_free_bytes(&container->schema);
    container_free_bytes(&container->prefix);
}

/* ---- headers ---- */

static void check_magic(const struct container *container, const char *head, size_t got, bool first)
{
    const char *name = container->input->name;
    size_t bytes = got < CONTAINER_MAGIC_BYTES ? got : CONTAINER_MAGIC_BYTES;
    if (memcmp(head, CONTAINER_MAGIC, bytes) != 0 && !first)
        fail(name, "a container is followed by something else, at byte %llu", (unsigned long long)container->part);
    if (memcmp(head, CONTAINER_MAGIC, bytes < 4 ? bytes : 4) != 0 || got == 0)
        fail(name, "is not a container of gpurle: its first 8 bytes are wrong");
    if (memcmp(head, CONTAINER_MAGIC, bytes) != 0)
        fail(name, "the container at byte %llu is damaged: its line feeds were changed, as in a transfer as text",
             (unsigned long long)container->part);
}

static void check_version(const struct container *container, const char *head)
{
    unsigned version = (unsigned)get_number(head + 8, 2), flags = (unsigned)get_number(head + 10, 2);
    if (version != CONTAINER_VERSION)
        fail(container->input->name, "the container at byte %llu has the unknown version %u",
             (unsigned long long)container->begin, version);
    if (flags != 0)
        fail(container->input->name, "the container at byte %llu has the unknown flags %#x",
             (unsigned long long)container->begin, flags);
}

bool container_next(struct container *container)
{
    char head[CONTAINER_HEAD_BYTES];
    bool first = container->input->taken == 0;
    begin_part(container);
    container->begin = container->part;
    container->totals = (struct container_totals){0};
    size_t got = read_some(container, head, CONTAINER_MAGIC_BYTES);
    if (got == 0 && !first)
        return false;
    check_magic(container, head, got, first);
    if (got < CONTAINER_MAGIC_BYTES)
        read_all(container, head + got, CONTAINER_MAGIC_BYTES - got);
    read_all(container, head + CONTAINER_MAGIC_BYTES, CONTAINER_HEAD_BYTES - CONTAINER_MAGIC_BYTES);
    check_version(container, head);
    container->element = get_number(head + 16, 8);
    read_bytes(container, &container->schema, get_number(head + 12, 4));
    read_bytes(container, &container->prefix, get_number(head + 24, 8));
    read_crc(container);
    if (container->element == 0 ||
        schema_described_size(container->schema.data, container->schema.used) != container->element)
        damaged(container, "the elements' description does not fit their size");
    return true;
}

/* ---- blocks ---- */

static void read_end(struct container *container, char part[CONTAINER_END_BYTES])
{
    const struct container_totals *totals = &container->totals;
    read_all(container, part + 8, CONTAINER_END_BYTES - 8);
    read_crc(container);
    if (get_number(part, 8) != 0)
        damaged(container, "a reserved byte is not zero");
    if (get_number(part + 8, 8) != totals->elements || get_number(part + 16, 8) != totals->runs ||
        get_number(part + 24, 8) != totals->blocks)
        damaged(container, "the numbers in all do not agree with the blocks");
}

/* The bytes of the payload. The bytes of all elements so far must fit into 64 bits too. */
static uint64_t check_block(struct container *container, const struct container_block *block)
{
    struct container_totals *totals = &container->totals;
    uint64_t each = container->element, bytes;
    if (block->runs == 0 || block->runs > block->elements)
        damaged(container, "a block has more runs than elements, or none");
    if (__builtin_add_overflow(totals->elements, block->elements, &totals->elements) ||
        __builtin_mul_overflow(totals->elements, each, &bytes))
        damaged(container, "the bytes of all elements exceed 64 bits");
    if (block->kind == CONTAINER_PLAIN)
        return block->elements * each;
    if (__builtin_add_overflow(each, block->width, &each) || __builtin_mul_overflow(block->runs, each, &bytes))
        damaged(container, "the bytes of a block exceed 64 bits");
    return bytes;
}

static void check_head(const struct container *container, const char *head)
{
    unsigned kind = (unsigned)get_number(head, 1), width = (unsigned)get_number(head + 1, 1);
    bool known = width == 1 || width == 2 || width == 4 || width == 8;
    if (kind != CONTAINER_RUNS && kind != CONTAINER_PLAIN)
        damaged(container, "a block has an unknown kind");
    if (kind == CONTAINER_PLAIN ? width != 0 : !known)
        damaged(container, "counts have an impossible width");
    if (get_number(head + 2, 6) != 0)
        damaged(container, "a reserved byte is not zero");
}

static void check_counts(const struct container *container, const struct container_block *block)
{
    uint64_t counts[1024], sum = 0;
    const size_t most = sizeof counts / sizeof counts[0];
    const char *from = block->payload.data + block->runs * container->element;
    bool none = false, overflow = false;
    for (uint64_t left = block->runs; left > 0;) {
        size_t n = left < most ? (size_t)left : most;
        container_widen(counts, from, block->width, n);
        for (size_t i = 0; i < n; i++) {
            none |= counts[i] == 0;
            overflow |= __builtin_add_overflow(sum, counts[i], &sum);
        }
        from += n * block->width;
        left -= n;
    }
    if (none)
        damaged(container, "a count is 0");
    if (overflow || sum != block->elements)
        damaged(container, "the counts do not add up to the number of elements");
}

/* Returns false at the container's end. *payload: its bytes. */
static bool next_head(struct container *container, struct container_block *block, uint64_t *payload)
{
    char head[CONTAINER_END_BYTES];
    begin_part(container);
    read_all(container, head, 8);
    if (head[0] == CONTAINER_END) {
        read_end(container, head);
        return false;
    }
    check_head(container, head);
    read_all(container, head + 8, CONTAINER_BLOCK_HEAD - 8);
    block->kind = head[0] == CONTAINER_RUNS ? CONTAINER_RUNS : CONTAINER_PLAIN;
    block->width = (unsigned char)head[1];
    block->elements = get_number(head + 8, 8);
    block->runs = get_number(head + 16, 8);
    *payload = check_block(container, block);
    container->totals.runs += block->runs;
    container->totals.blocks++;
    return true;
}

bool container_next_block(struct container *container, struct container_block *block)
{
    uint64_t payload;
    if (!next_head(container, block, &payload))
        return false;
    read_bytes(container, &block->payload, payload);
    read_crc(container);
    if (block->kind == CONTAINER_RUNS)
        check_counts(container, block);
    return true;
}

bool container_pass_block(struct container *container, struct container_block *block)
{
    uint64_t bytes;
    if (!next_head(container, block, &bytes))
        return false;
    uint64_t left = container->input->size - container->input->taken;
    bool is_there = bytes <= left && CONTAINER_CRC_BYTES <= left - bytes;
    input_skip(container->input, is_there ? bytes + CONTAINER_CRC_BYTES : left);
    if (!is_there)
        refuse_end(container);
    return true;
}
