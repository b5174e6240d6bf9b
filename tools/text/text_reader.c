/* text_reader.c - see text_reader.h. A block of text is cut at line ends into pieces. Threads count the lines of each
 * piece, an exclusive scan of the counts gives the place of its first element, and threads read the pieces' lines to
 * their places. A piece's first line number follows from the same scan, so an error can name its line. */
#include "text_reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "complaint.h"
#include "feeds.h"
#include "line.h"
#include "scan.h"
#include "threads/crew.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define ELEMENT_BYTES ((size_t)4 << 20) /* of elements per thread: of long elements in short lines a part is read */
#define PIECES_EACH 2                   /* per thread: one may take longer than another */
#define PIECES_MOST 32
#define THREADED_MOST 4 /* readers at a time that have threads: a merge may have thousands of inputs */

static atomic_uint open_now;

struct text_reader {
    struct text_source source;
    const struct text_format *format;
    unsigned threads;
    bool ended; /* all text was read */
    char *text, *header;
    size_t room, begin, end; /* of the text that was read, and is not an element yet */
    uint64_t lines;          /* before it */
    char *elements;
    size_t element_room, done, bytes; /* bytes of them that were taken, and all */
    size_t count;                     /* pieces */
    size_t cuts[PIECES_MOST + 1], places[PIECES_MOST];
    struct line_error errors[PIECES_MOST];
    size_t error_lines[PIECES_MOST]; /* the lines of a piece before its error */
    uint64_t taken;                  /* of the host's memory */
};

/* ---- text ---- */

/* Room for a line feed behind the last line, and for what may be read past it. */
static void make_room(struct text_reader *reader, size_t room)
{
    char *grown = realloc(reader->text, room + 1 + LINE_AHEAD);
    if (grown == NULL)
        fail(reader->source.name, "out of memory");
    memset(grown + room, 0, 1 + LINE_AHEAD);
    reader->text = grown;
    reader->room = room;
}

/* The first block is small, for most files are. */
static size_t next_room(const struct text_reader *reader)
{
    size_t most = reader->source.block * reader->threads, least = LINE_MOST < most ? LINE_MOST : most;
    size_t more = reader->room == 0 ? least : 4 * reader->room;
    return more < most ? more : most;
}

/* Reads more text behind the text that is left. */
static void read_text(struct text_reader *reader)
{
    size_t left = reader->end - reader->begin, room = next_room(reader);
    if (left > 0)
        memmove(reader->text, reader->text + reader->begin, left);
    if (room > reader->room)
        make_room(reader, room);
    reader->begin = 0;
    size_t got = reader->source.read(reader->source.state, reader->text + left, reader->room - left);
    reader->end = left + got;
    reader->ended = reader->end < reader->room;
    if (reader->ended && reader->end > 0 && reader->text[reader->end - 1] != '\n')
        reader->text[reader->end++] = '\n';
}

/* The end of the whole lines. */
static size_t find_lines(const struct text_reader *reader)
{
    const char *text = reader->text + reader->begin, *last = memrchr(text, '\n', reader->end - reader->begin);
    if (last == NULL)
        fail(reader->source.name, "line %llu is longer than %zu bytes", (unsigned long long)reader->lines + 1,
             reader->end - reader->begin);
    return (size_t)(last + 1 - reader->text);
}

/* ---- pieces ---- */

/* Cuts the text up to `end` at line ends. */
static void cut(struct text_reader *reader, size_t end)
{
    size_t bytes = end - reader->begin, most = PIECES_EACH * reader->threads, wanted = bytes / LINE_MOST + 1;
    reader->count = wanted < most ? wanted : most;
    if (reader->count > PIECES_MOST)
        reader->count = PIECES_MOST;
    reader->cuts[0] = reader->begin;
    for (size_t i = 1; i < reader->count; i++) {
        size_t at = reader->begin + bytes / reader->count * i;
        at = at > reader->cuts[i - 1] ? at : reader->cuts[i - 1];
        const char *feed = memchr(reader->text + at, '\n', end - at);
        reader->cuts[i] = feed == NULL ? end : (size_t)(feed + 1 - reader->text);
    }
    reader->cuts[reader->count] = end;
}

static void count_lines(void *state, size_t piece, unsigned thread)
{
    struct text_reader *reader = state;
    (void)thread;
    reader->places[piece] = count_feeds(reader->text + reader->cuts[piece], reader->text + reader->cuts[piece + 1]);
}

static void read_lines(void *state, size_t piece, unsigned thread)
{
    struct text_reader *reader = state;
    const struct text_format *format = reader->format;
    const char *line = reader->text + reader->cuts[piece], *end = reader->text + reader->cuts[piece + 1];
    char *first = reader->elements + reader->places[piece] * format->size, *element = first;
    (void)thread;
    line = lines_read(format, line, end, &element, &reader->errors[piece]);
    reader->error_lines[piece] = line < end ? (size_t)(element - first) / format->size : SIZE_MAX;
}

static NO_RETURN void refuse(const struct text_reader *reader, size_t piece)
{
    uint64_t line = reader->lines + reader->places[piece] + reader->error_lines[piece] + 1;
    line_refuse(reader->source.name, line, reader->text + reader->cuts[piece], &reader->errors[piece]);
}

/* ---- elements ---- */

/* Keeps the first `most` lines of the first piece. */
static void shorten(struct text_reader *reader, size_t most)
{
    const char *at = reader->text + reader->begin;
    for (size_t i = 0; i < most; i++)
        at = (const char *)rawmemchr(at, '\n') + 1;
    reader->cuts[1] = (size_t)(at - reader->text);
    reader->places[0] = most;
}

/* If there are more lines than the elements that memory is meant for, takes only the first pieces. Returns how many. */
static size_t limit_pieces(struct text_reader *reader)
{
    size_t most = ELEMENT_BYTES * reader->threads / reader->format->size, lines = 0, count = 0;
    while (count < reader->count && lines + reader->places[count] <= most)
        lines += reader->places[count++];
    if (count > 0)
        return count;
    shorten(reader, most > 0 ? most : 1);
    return 1;
}

static void make_elements(struct text_reader *reader, size_t bytes)
{
    if (bytes > reader->element_room) {
        free(reader->elements);
        reader->elements = get_memory(reader->element_room = bytes);
    }
    reader->bytes = bytes;
    reader->done = 0;
}

static bool has_lines(const struct text_reader *reader)
{
    return reader->begin < reader->end &&
           memchr(reader->text + reader->begin, '\n', reader->end - reader->begin) != NULL;
}

/* Reads the next lines. Returns false at the end. */
static bool read_block(struct text_reader *reader)
{
    if (!reader->ended && !has_lines(reader))
        read_text(reader);
    if (reader->begin == reader->end)
        return false;
    cut(reader, find_lines(reader));
    crew_run(reader->threads, reader->count, count_lines, reader);
    reader->count = limit_pieces(reader);
    size_t lines = scan_sizes(reader->places, reader->count);
    make_elements(reader, lines * reader->format->size);
    crew_run(reader->threads, reader->count, read_lines, reader);
    for (size_t i = 0; i < reader->count; i++)
        if (reader->error_lines[i] != SIZE_MAX)
            refuse(reader, i);
    reader->lines += lines;
    reader->begin = reader->cuts[reader->count];
    return true;
}

size_t text_reader_read(struct text_reader *reader, void *memory, size_t bytes)
{
    size_t got = 0;
    while (got < bytes) {
        if (reader->done == reader->bytes && !read_block(reader))
            break;
        size_t left = reader->bytes - reader->done, part = bytes - got < left ? bytes - got : left;
        memcpy((char *)memory + got, reader->elements + reader->done, part);
        reader->done += part;
        got += part;
    }
    return got;
}

/* ---- the whole ---- */

static void read_header(struct text_reader *reader)
{
    const char *end;
    read_text(reader);
    if (reader->begin == reader->end)
        return;
    find_lines(reader);
    const char *line = reader->text, *feed = rawmemchr(line, '\n');
    const char *columns = line_columns(reader->format, line, &end);
    if (columns == NULL)
        fail(reader->source.name, "line 1 has fewer columns than are wanted");
    if (end == feed && end > columns && end[-1] == '\r')
        end--;
    if (memchr(columns, '\0', (size_t)(end - columns)) != NULL)
        fail(reader->source.name, "line 1 holds a NUL byte");
    reader->header = strndup(columns, (size_t)(end - columns));
    if (reader->header == NULL)
        fail(NULL, "out of memory");
    reader->begin = (size_t)(feed + 1 - reader->text);
    reader->lines = 1;
}

struct text_reader *text_reader_open(const struct text_source *source, const struct text_format *format, bool header)
{
    struct text_reader *reader = get_memory(sizeof *reader);
    bool has_threads = atomic_fetch_add(&open_now, 1) < THREADED_MOST;
    *reader = (struct text_reader){.source = *source, .format = format, .threads = has_threads ? source->threads : 1};
    if (reader->source.block == 0)
        reader->source.block = has_threads ? BLOCK_BYTES : LINE_MOST;
    reader->taken = has_threads ? reader->threads * TEXT_READER_BYTES : 5 * LINE_MOST;
    host_take(reader->taken);
    if (header)
        read_header(reader);
    return reader;
}

const char *text_reader_header(const struct text_reader *reader)
{
    return reader->header;
}

void text_reader_close(struct text_reader *reader)
{
    if (reader == NULL)
        return;
    atomic_fetch_sub(&open_now, 1);
    host_give_back(reader->taken);
    free(reader->text);
    free(reader->header);
    free(reader->elements);
    free(reader);
}
