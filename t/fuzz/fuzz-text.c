/* fuzz-text.c - lines of text as elements. Wherever blocks are cut, the elements, or the complaint, are the same; and
 * what is printed of them is read back, and printed again, the same.
 *
 * Input: bytes of choices, then the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "survive.h"
#include "text/text_reader.h"
#include "text/text_writer.h"

#define CHOICES 4

static const char *const layouts[] = {"x:u32",         "x:i8",  "x:f64",    "x:f32",       "x:f16",
                                      "x:u64",         "x:i64", "x:bytes5", "a:u16,b:f64", "a:bytes3,b:i32,c:bytes2",
                                      "a:f32,b:bytes1"};
#define LAYOUTS (sizeof layouts / sizeof layouts[0])
static const char delimiters[] = {'\0', ',', ' ', ';', '|'};

/* ---- seeds ---- */

static size_t draw_value(char *to, size_t room, random_state *random)
{
    static const char *const odd[] = {"inf", "-nan", "0x1.8p4", "\"7\"", " 12 ", "1e999", "\"a\"\"b\"", "", "\\x41b"};
    uint64_t bits = random_next(random);
    switch (random_below(random, 5)) {
    case 0: return (size_t)snprintf(to, room, "%s", odd[random_below(random, sizeof odd / sizeof odd[0])]);
    case 1: return (size_t)snprintf(to, room, "%.*g", (int)random_below(random, 20), (double)bits / 1e12);
    case 2: return (size_t)snprintf(to, room, "-%llu", (unsigned long long)(bits >> random_below(random, 64)));
    default: return (size_t)snprintf(to, room, "%llu", (unsigned long long)(bits >> random_below(random, 64)));
    }
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    size_t used = CHOICES, lines = random_below(random, 20);
    for (size_t i = 0; i < CHOICES; i++)
        data[i] = (uint8_t)random_next(random);
    char delimiter = delimiters[data[1] % sizeof delimiters];
    for (size_t i = 0; i < lines && used + 200 < room; i++) {
        for (size_t columns = 1 + random_below(random, 3); columns > 0; columns--) {
            used += draw_value((char *)data + used, 64, random);
            data[used++] = columns > 1 ? (uint8_t)(delimiter == '\0' ? '\t' : delimiter) : '\n';
        }
    }
    return used;
}

/* ---- facts ---- */

struct text {
    const char *bytes;
    size_t size;
    const scankit_layout *layout;
    struct common common;
    size_t block;
    char *elements; /* that were read */
    size_t used;
};

static size_t read_text(void *state, void *memory, size_t bytes)
{
    struct text *text = state;
    bytes = bytes < text->size ? bytes : text->size;
    if (bytes > 0)
        memcpy(memory, text->bytes, bytes);
    text->bytes += bytes;
    text->size -= bytes;
    return bytes;
}

static void read_elements(void *state)
{
    struct text *text = state, rest = *text;
    const struct text_source source = {"text", read_text, &rest, 1, text->block};
    struct text_format format;
    text_format_open(&format, text->layout, &text->common);
    struct text_reader *reader = text_reader_open(&source, &format, text->common.header != HEADER_NONE);
    text->used = 0;
    for (size_t got = 1; got > 0; text->used += got)
        got = text_reader_read(reader, text->elements + text->used, 1 + text->used % 7);
    text_reader_close(reader);
    text_format_close(&format);
}

struct sink {
    char *bytes;
    size_t used;
};

static void add(void *state, const void *memory, size_t bytes)
{
    struct sink *sink = state;
    memcpy(sink->bytes + sink->used, memory, bytes);
    sink->used += bytes;
}

static void print(const struct text *text, struct sink *sink)
{
    struct text_writer *writer = text_writer_open(text->layout, &text->common, 1, NULL, add, sink);
    text_writer_write(writer, text->elements, text->used);
    text_writer_close(writer);
}

/* An element has at most this many bytes, and its line as text this many. */
#define ELEMENT_MOST 16
#define LINE_ROOM 128

static void check_again(const struct text *first, size_t lines)
{
    struct sink printed = {data_allocate(lines * LINE_ROOM + 1, 1), 0}, again = {NULL, 0};
    struct text text = *first;
    print(first, &printed);
    text.bytes = printed.bytes;
    text.size = printed.used;
    text.common.column = 0;
    text.common.header = HEADER_NONE;
    text.elements = data_allocate(lines * ELEMENT_MOST + ELEMENT_MOST, 1);
    FUZZ_CHECK(survive(read_elements, &text) && text.used == first->used);
    again.bytes = data_allocate(lines * LINE_ROOM + 1, 1);
    print(&text, &again);
    FUZZ_CHECK(again.used == printed.used && memcmp(again.bytes, printed.bytes, printed.used) == 0);
    free(printed.bytes);
    free(again.bytes);
    free(text.elements);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    size_t lines = size + 1;
    scankit_layout *layout;
    char complaint[1024] = "";
    struct text text = {.block = 5000, .elements = data_allocate(2 * lines * ELEMENT_MOST, 1)};
    FUZZ_CHECK(scankit_layout_parse(&layout, layouts[fuzz_number(&in, 1) % LAYOUTS], 0, NULL) == SCANKIT_OK);
    text.layout = layout;
    text.common = (struct common){.device = "cpu", .delimiter = delimiters[fuzz_number(&in, 1) % sizeof delimiters]};
    unsigned choice = (unsigned)fuzz_number(&in, 1);
    text.common.column = choice % 4;
    text.common.header = choice / 4 % 4 == 0 ? HEADER_SKIP : HEADER_NONE;
    size_t block = 1 + (size_t)fuzz_number(&in, 1);
    text.bytes = data_allocate(in.left + 1, 1);
    memcpy((char *)text.bytes, in.at, in.left);
    text.size = in.left;

    bool good = survive(read_elements, &text);
    size_t used = text.used;
    char *elements = data_allocate(used + 1, 1);
    memcpy(elements, text.elements, used);
    if (!good)
        snprintf(complaint, sizeof complaint, "%s", survive_message());
    else
        check_again(&text, lines);
    text.block = block;
    if (survive(read_elements, &text))
        FUZZ_CHECK(good && text.used == used && memcmp(text.elements, elements, used) == 0);
    else if (strstr(survive_message(), "is longer than") == NULL)
        FUZZ_CHECK(!good && strcmp(complaint, survive_message()) == 0);
    scankit_layout_destroy(layout);
    free((char *)text.bytes);
    free(text.elements);
    free(elements);
    return 0;
}
