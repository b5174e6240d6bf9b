/* text-blocks.c - lines of text as elements, wherever blocks are cut, by any number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/text/text_reader.h"
#include "../../tools/text/text_writer.h"
#include "support/tap.h"

#define NUMBERS 400

static uint32_t numbers[NUMBERS];
static char text[NUMBERS * 16];
static size_t text_bytes;
static const struct common common = {.device = "cpu", .to_text = true};

struct memory {
    const char *from;
    size_t left;
};

static size_t read_memory(void *state, void *to, size_t bytes)
{
    struct memory *memory = state;
    bytes = bytes < memory->left ? bytes : memory->left;
    memcpy(to, memory->from, bytes);
    memory->from += bytes;
    memory->left -= bytes;
    return bytes;
}

static scankit_layout *layout_of(const char *format)
{
    scankit_layout *layout;
    if (scankit_layout_parse(&layout, format, 0, NULL) != SCANKIT_OK)
        tap_bail_out("no layout");
    return layout;
}

/* Numbers of any length, some lines with blanks and a carriage return. */
static void make_text(bool feed)
{
    char *to = text;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        numbers[i] = (i * 2654435761U) >> (i % 32);
        to += sprintf(to, i % 7 == 3 ? " %u \r\n" : "%u\n", numbers[i]);
    }
    text_bytes = (size_t)(to - text) - !feed;
}

/* Reads the text by blocks of this size, in steps of this many bytes. */
static bool reads(size_t block, unsigned threads, size_t step, bool header)
{
    uint32_t got[NUMBERS + 1] = {0};
    struct text_format format;
    scankit_layout *layout = layout_of("x:u32");
    struct memory memory = {text, text_bytes};
    const struct text_source source = {"text", read_memory, &memory, threads, block};
    text_format_open(&format, layout, &common);
    struct text_reader *reader = text_reader_open(&source, &format, header);
    size_t all = 0, part;
    do
        all += part = text_reader_read(reader, (char *)got + all, step < sizeof got - all ? step : sizeof got - all);
    while (part > 0 && all < sizeof got);
    text_reader_close(reader);
    text_format_close(&format);
    scankit_layout_destroy(layout);
    size_t first = header ? 1 : 0, bytes = sizeof numbers - first * sizeof numbers[0];
    return all == bytes && memcmp(got, numbers + first, bytes) == 0;
}

static void check_blocks(bool feed)
{
    make_text(feed);
    tap_begin("blocks of every size, %s a line feed at the end", feed ? "with" : "without");
    for (size_t block = 24; block < text_bytes + 20; block += block < 300 ? 1 : 61)
        for (unsigned threads = 1; threads <= 3; threads++) {
            tap_case("block %zu, threads %u", block, threads);
            TAP_CHECK(reads(block, threads, block % 97 + 1, block % 2));
        }
    tap_end();
}

/* ---- elements that are larger than their lines ---- */

static bool reads_long(void)
{
    enum { LINES = 3000, SIZE = 100000 };
    struct text_format format;
    scankit_layout *layout = layout_of("x:bytes100000");
    char *lines = malloc(2 * LINES), *element = malloc(SIZE);
    for (size_t i = 0; i < LINES; i++)
        memcpy(lines + 2 * i, (const char[2]){(char)('a' + i % 26), '\n'}, 2);
    struct memory memory = {lines, 2 * LINES};
    const struct text_source source = {"text", read_memory, &memory, 2, 0};
    text_format_open(&format, layout, &common);
    struct text_reader *reader = text_reader_open(&source, &format, false);
    bool good = true;
    for (size_t i = 0; i < LINES; i++) {
        good = good && text_reader_read(reader, element, SIZE) == SIZE && element[0] == (char)('a' + i % 26);
        for (size_t j = 1; good && j < SIZE; j += 97)
            good = element[j] == '\0';
    }
    good = good && text_reader_read(reader, element, SIZE) == 0;
    text_reader_close(reader);
    text_format_close(&format);
    scankit_layout_destroy(layout);
    free(lines);
    free(element);
    return good;
}

/* ---- printing ---- */

struct printed {
    char bytes[NUMBERS * 16];
    size_t used;
};

static void print_to(void *sink, const void *memory, size_t bytes)
{
    struct printed *printed = sink;
    memcpy(printed->bytes + printed->used, memory, bytes);
    printed->used += bytes;
}

static bool prints(size_t step, unsigned threads)
{
    static struct printed printed;
    char expected[NUMBERS * 16], *to = expected;
    scankit_layout *layout = layout_of("x:u32");
    printed.used = 0;
    to += sprintf(to, "x\n");
    for (size_t i = 0; i < NUMBERS; i++)
        to += sprintf(to, "%u\n", numbers[i]);
    struct text_writer *writer = text_writer_open(layout, &common, threads, "x", print_to, &printed);
    for (size_t done = 0, part; done < sizeof numbers; done += part) {
        part = sizeof numbers - done < step ? sizeof numbers - done : step;
        text_writer_write(writer, (const char *)numbers + done, part);
    }
    text_writer_close(writer);
    scankit_layout_destroy(layout);
    return printed.used == (size_t)(to - expected) && memcmp(printed.bytes, expected, printed.used) == 0;
}

int main(void)
{
    check_blocks(true);
    check_blocks(false);
    tap_ok(reads_long(), "elements of 100,000 bytes in lines of two");
    tap_begin("elements cut anywhere are printed");
    for (size_t step = 1; step < 50; step++)
        TAP_CHECK(prints(step, 1 + (unsigned)step % 3));
    TAP_CHECK(prints(sizeof numbers, 2));
    tap_end();
    return tap_finish();
}
