/* fuzz-gzip.c - gzip, BGZF and zstd streams, read as the tools read an input. Whole members come back as the bytes that
 * they were made from; damage ends in a message.
 *
 * Input: a byte that says what the rest is: a file; the deflate stream of a member, around which the harness puts the
 * header and the right trailer; or content, which is written as BGZF and as members of other kinds. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "codec/bgzf.h"
#include "codec/zstd_codec.h"
#include "fuzz.h"
#include "io/input.h"
#include "rle-file.h"
#include "survive.h"

#define CONTENT_LIMIT ((size_t)1 << 20)
#define RAW_DEFLATE (-15)
#define MEMBERS 4

enum { WHOLE_FILE, DEFLATE_STREAM, CONTENT, KINDS };

static void add_member(byte_string *file, const void *deflated, size_t size, const byte_string *content, unsigned flags)
{
    const uint8_t head[10] = {0x1f, 0x8b, 8, (uint8_t)flags, 0, 0, 0, 0, 0, 255};
    bytes_add(file, head, sizeof head);
    if (flags & 4)
        bytes_add(file, "\3\0abc", 5); /* extra field: its length, then that many bytes */
    if (flags & 8)
        bytes_add(file, "name", 5);
    if (flags & 16)
        bytes_add(file, "", 1); /* comment */
    if (flags & 2)
        bytes_add_number(file, rle_crc(file->bytes, file->size) & 0xffff, 2);
    bytes_add(file, deflated, size);
    bytes_add_number(file, rle_crc(content->bytes, content->size), 4);
    bytes_add_number(file, content->size, 4);
}

/* ---- seeds ---- */

static void add_bytes(void *sink, const void *memory, size_t bytes)
{
    bytes_add(sink, memory, bytes);
}

static size_t deflated(const uint8_t *content, size_t size, uint8_t *to, size_t room, int level)
{
    z_stream stream = {.next_in = (uint8_t *)content, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};
    FUZZ_CHECK(deflateInit2(&stream, level, Z_DEFLATED, RAW_DEFLATE, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    uint8_t content[200], stream[300];
    byte_string file = {0}, whole = {.bytes = content, .size = random_below(random, sizeof content)};
    for (size_t k = 0; k < whole.size; k++)
        content[k] = (uint8_t)random_size(random, 20);
    size_t size = deflated(content, whole.size, stream, sizeof stream, (int)random_below(random, 10));
    data[0] = (uint8_t)random_below(random, KINDS);
    if (data[0] == WHOLE_FILE && random_below(random, 3) == 0)
        zstd_store(content, whole.size, add_bytes, &file);
    else if (data[0] == WHOLE_FILE)
        add_member(&file, stream, size, &whole, (unsigned)random_below(random, 16) << 2);
    else
        bytes_add(&file, data[0] == CONTENT ? content : stream, data[0] == CONTENT ? whole.size : size);
    size = file.size < room - 1 ? file.size : room - 1;
    if (size > 0)
        memcpy(data + 1, file.bytes, size);
    bytes_free(&file);
    return 1 + size;
}

/* ---- reading ---- */

/* A file, and what it must hold, if that is known. */
typedef struct expectation {
    byte_string content;
    size_t step;
    bool known;
} expectation;

static void read_input(void *state)
{
    static char name[] = "-";
    static char memory[CONTENT_LIMIT];
    char *paths[] = {name};
    const struct common common = COMMON_DEFAULTS;
    expectation *e = state;
    struct common one = common;
    one.parallel = 1;
    struct input *input = inputs_open_bytes(paths, 1, &one);
    size_t done = 0, got;
    do {
        got = input_read(input, memory, e->step);
        FUZZ_CHECK(got <= e->step && (!e->known || got <= e->content.size - done));
        FUZZ_CHECK(!e->known || got == 0 || memcmp(memory, e->content.bytes + done, got) == 0);
        done += got;
    } while (got == e->step && done < 8 * CONTENT_LIMIT);
    FUZZ_CHECK(!e->known || done == e->content.size);
    inputs_close(input, 1);
}

/* ---- kinds of inputs ---- */

/* What a deflate stream expands to; false if it is damaged, does not end where the bytes end, or is very large. */
static bool inflated(const uint8_t *from, size_t size, byte_string *content)
{
    static uint8_t memory[CONTENT_LIMIT];
    z_stream stream = {
        .next_in = (uint8_t *)from, .avail_in = (uInt)size, .next_out = memory, .avail_out = sizeof memory};
    FUZZ_CHECK(inflateInit2(&stream, RAW_DEFLATE) == Z_OK);
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    bytes_add(content, memory, sizeof memory - stream.avail_out);
    return result == Z_STREAM_END && stream.avail_in == 0;
}

static void write_bgzf(byte_string *file, const fuzz_bytes *content, unsigned choice)
{
    struct bgzf *bgzf = bgzf_open((int)(choice % 10), 1, add_bytes, file);
    size_t half = content->left / 2;
    bgzf_write(bgzf, content->at, half);
    if (choice & 16)
        bgzf_flush(bgzf);
    if (choice & 32)
        bgzf_store(content->at + half, content->left - half, add_bytes, file);
    else
        bgzf_write(bgzf, content->at + half, content->left - half);
    bgzf_close(bgzf);
}

/* The content, in BGZF and then in a few members of other kinds, with zeros behind. */
static void write_members(byte_string *file, const fuzz_bytes *content, unsigned choice, byte_string *expected)
{
    static uint8_t stream[CONTENT_LIMIT];
    byte_string whole = {.bytes = (uint8_t *)content->at, .size = content->left};
    if ((choice & 48) != 32 || content->left < 2) { /* else what was stored stands before what was written */
        write_bgzf(file, content, choice);
        bytes_add(expected, content->at, content->left);
    }
    for (unsigned k = 0; k < choice % MEMBERS; k++) {
        size_t size = deflated(content->at, content->left, stream, sizeof stream, (int)k);
        byte_string member = {0};
        add_member(&member, stream, size, &whole, k << 2 | (choice & 2));
        bytes_add(file, member.bytes, member.size);
        bytes_add(expected, content->at, content->left);
        bytes_free(&member);
    }
    if (file->size > 0 && choice & 64)
        bytes_add_number(file, 0, 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    byte_string file = {0};
    unsigned kind = (unsigned)fuzz_below(&in, KINDS), choice;
    choice = kind == WHOLE_FILE ? (unsigned)size : (unsigned)fuzz_number(&in, 1);
    expectation e = {.step = 1 + (size_t)choice * choice * 16};
    if (kind == WHOLE_FILE) {
        e.step = 1 + e.step % CONTENT_LIMIT;
        bytes_add(&file, in.at, in.left);
    } else if (kind == DEFLATE_STREAM) {
        e.known = inflated(in.at, in.left, &e.content);
        add_member(&file, in.at, in.left, &e.content, choice & 30);
    } else {
        write_members(&file, &in, choice, &e.content);
        e.known = file.size > 0;
    }
    survive_input(file.bytes, file.size);
    FUZZ_CHECK(survive(read_input, &e) || !e.known);
    bytes_free(&file);
    bytes_free(&e.content);
    return 0;
}
