/* nozstd.c - zstd_codec.h in a build without libzstd. */
#include "zstd_codec.h"

static void *refuse(struct window *window, unsigned workers, bool guesses)
{
    (void)window, (void)workers, (void)guesses;
    return NULL;
}

static bool refuse_piece(void *state, struct piece *piece)
{
    (void)state;
    piece_fail(piece, "is compressed with zstd, which this build cannot read");
    return false;
}

static void no_work(void *state, struct piece *piece, unsigned worker)
{
    (void)state, (void)piece, (void)worker;
}

static void no_close(void *state)
{
    (void)state;
}

const struct format zstd_format = {refuse, refuse_piece, no_work, no_close};

struct zstd_writer *zstd_writer_open(int level, unsigned threads, write_function *write, void *sink)
{
    (void)level, (void)threads, (void)write, (void)sink;
    fail(NULL, "--zstd: this build cannot write zstd");
}

void zstd_writer_write(struct zstd_writer *writer, const void *memory, size_t bytes)
{
    (void)writer, (void)memory, (void)bytes;
}

void zstd_writer_flush(struct zstd_writer *writer)
{
    (void)writer;
}

void zstd_store(const void *memory, size_t bytes, write_function *write, void *sink)
{
    (void)memory, (void)bytes, (void)write, (void)sink;
}

void zstd_writer_close(struct zstd_writer *writer)
{
    (void)writer;
}

const char *zstd_unpack(const void *memory, size_t bytes, void *to, size_t size)
{
    (void)memory, (void)bytes, (void)to, (void)size;
    return "this build cannot read zstd";
}
