/* text_writer.c - see text_writer.h. Elements are cut into pieces. Threads print each piece to a room of its own, an
 * exclusive scan of the pieces' lengths gives their places in the block that is written, and threads copy them there.
 */
#include "text_writer.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "float_write.h"
#include "number.h"
#include "scan.h"
#include "threads/crew.h"

#define PIECE_BYTES ((size_t)1 << 20) /* room for the longest lines; most lines take half of theirs */
#define PIECES_EACH 2
#define PIECES_MOST 32

struct text_writer {
    struct text_format format;
    write_function *write;
    void *sink;
    unsigned threads;
    char escaped[3];         /* bytes that opaque bytes must not show */
    size_t line, each, most; /* bytes of the longest line; elements in a piece; pieces */
    char *rooms, *block;
    size_t room, block_room; /* bytes of each room; of the block */
    char *part;              /* an element that is not whole yet */
    size_t part_bytes;
    const char *from; /* the elements that are printed */
    size_t elements, count;
    size_t lengths[PIECES_MOST], places[PIECES_MOST];
    uint64_t taken; /* of the host's memory */
};

/* ---- pieces ---- */

static char *put_line(const struct text_writer *writer, char *to, const char *element)
{
    const struct text_format *format = &writer->format;
    for (size_t i = 0; i < format->count; i++) {
        const scankit_field *field = &format->fields[i].field;
        if (i > 0)
            *to++ = format->delimiter;
        to = put_field_escaping(to, field, element + field->offset, writer->escaped);
    }
    *to++ = '\n';
    return to;
}

static void print_piece(void *state, size_t piece, unsigned thread)
{
    struct text_writer *writer = state;
    size_t first = piece * writer->each, end = first + writer->each;
    char *room = writer->rooms + piece * writer->room, *to = room;
    (void)thread;
    end = end < writer->elements ? end : writer->elements;
    if (writer->format.floats)
        to = put_float_lines(to, writer->from + first * writer->format.size, end - first,
                             float_format_of(writer->format.size));
    else
        for (size_t i = first; i < end; i++)
            to = put_line(writer, to, writer->from + i * writer->format.size);
    writer->lengths[piece] = writer->places[piece] = (size_t)(to - room);
}

static void copy_piece(void *state, size_t piece, unsigned thread)
{
    struct text_writer *writer = state;
    (void)thread;
    memcpy(writer->block + writer->places[piece], writer->rooms + piece * writer->room, writer->lengths[piece]);
}

static void make_block(struct text_writer *writer, size_t bytes)
{
    if (bytes <= writer->block_room)
        return;
    free(writer->block);
    writer->block = get_memory(writer->block_room = bytes);
}

/* Prints up to as many elements as the rooms hold. */
static void print_block(struct text_writer *writer, const char *from, size_t elements)
{
    writer->from = from;
    writer->elements = elements;
    writer->count = (elements + writer->each - 1) / writer->each;
    crew_run(writer->threads, writer->count, print_piece, writer);
    size_t bytes = scan_sizes(writer->places, writer->count);
    if (writer->count == 1) {
        writer->write(writer->sink, writer->rooms, bytes);
        return;
    }
    make_block(writer, bytes);
    crew_run(writer->threads, writer->count, copy_piece, writer);
    writer->write(writer->sink, writer->block, bytes);
}

static void print_elements(struct text_writer *writer, const char *from, size_t elements)
{
    for (size_t part; elements > 0; elements -= part, from += part * writer->format.size) {
        part = elements < writer->most * writer->each ? elements : writer->most * writer->each;
        print_block(writer, from, part);
    }
}

/* ---- the caller ---- */

struct text_writer *text_writer_open(const scankit_layout *layout, const struct common *common, unsigned threads,
                                     const char *header, write_function *write, void *sink)
{
    struct text_writer *writer = get_memory(sizeof *writer);
    *writer = (struct text_writer){.write = write, .sink = sink, .threads = threads};
    text_format_open(&writer->format, layout, common);
    memcpy(writer->escaped, (const char[3]){'"', writer->format.delimiter, '\0'}, 3);
    writer->line = longest_fields(layout);
    writer->each = writer->line < PIECE_BYTES ? PIECE_BYTES / writer->line : 1;
    writer->room = writer->each * writer->line;
    writer->most = PIECES_EACH * threads < PIECES_MOST ? PIECES_EACH * threads : PIECES_MOST;
    writer->taken = threads * TEXT_WRITER_BYTES;
    host_take(writer->taken);
    writer->rooms = get_memory(writer->most * writer->room);
    writer->part = get_memory(writer->format.size);
    if (header == NULL)
        return writer;
    write(sink, header, strlen(header));
    write(sink, "\n", 1);
    return writer;
}

void text_writer_write(struct text_writer *writer, const void *memory, size_t bytes)
{
    const char *from = memory;
    size_t size = writer->format.size;
    if (bytes == 0)
        return;
    if (writer->part_bytes > 0) {
        size_t lacking = size - writer->part_bytes, more = lacking < bytes ? lacking : bytes;
        memcpy(writer->part + writer->part_bytes, from, more);
        writer->part_bytes += more;
        from += more;
        bytes -= more;
        if (writer->part_bytes < size)
            return;
        print_elements(writer, writer->part, 1);
    }
    print_elements(writer, from, bytes / size);
    writer->part_bytes = bytes % size;
    memcpy(writer->part, from + bytes / size * size, writer->part_bytes);
}

void text_writer_close(struct text_writer *writer)
{
    text_format_close(&writer->format);
    host_give_back(writer->taken);
    free(writer->rooms);
    free(writer->block);
    free(writer->part);
    free(writer);
}
