/* zstd_read.c - reading zstd: frames, and skippable frames, one after the other. */
#include <stdlib.h>
#include <zstd.h>

#include "zstd_codec.h"

struct zstd_reader {
    struct window *window;
    ZSTD_DCtx *context;
    bool in_frame;
};

static void *zstd_open(struct window *window, unsigned workers, bool guesses)
{
    (void)workers, (void)guesses;
    struct zstd_reader *reader = get_memory(sizeof *reader);
    *reader = (struct zstd_reader){.window = window, .context = ZSTD_createDCtx()};
    if (reader->context == NULL)
        fail(NULL, "out of memory");
    return reader;
}

static void zstd_close(void *state)
{
    struct zstd_reader *reader = state;
    ZSTD_freeDCtx(reader->context);
    free(reader);
}

/* Behind a frame follows another one, or nothing. */
static void next_frame(struct zstd_reader *reader, struct piece *piece)
{
    struct window *window = reader->window;
    reader->in_frame = window_has(window, CODEC_HEAD_BYTES) &&
                       codec_of_head(window->data + window->begin, CODEC_HEAD_BYTES) == CODEC_ZSTD;
    if (!reader->in_frame && window->begin < window->end)
        piece_fail(piece, "garbage behind the zstd data, at byte %llu", (unsigned long long)window_offset(window));
    piece->last = !reader->in_frame;
}

static void decompress(struct zstd_reader *reader, struct piece *piece)
{
    struct window *window = reader->window;
    ZSTD_inBuffer in = {window->data, window->end, window->begin};
    ZSTD_outBuffer out = {piece->out, piece->most, piece->out_bytes};
    size_t result = ZSTD_decompressStream(reader->context, &out, &in);
    bool stuck = in.pos == window->begin && out.pos == piece->out_bytes;
    window->begin = in.pos;
    piece->out_bytes = out.pos;
    if (ZSTD_isError(result))
        piece_fail(piece, "damaged zstd data before byte %llu: %s", (unsigned long long)window_offset(window),
                   ZSTD_getErrorName(result));
    else if (result == 0)
        reader->in_frame = false;
    else if (stuck && !window_more(window))
        piece_fail(piece, "the zstd data ends too early, at byte %llu", (unsigned long long)window_offset(window));
}

static bool zstd_fill(void *state, struct piece *piece)
{
    struct zstd_reader *reader = state;
    while (piece->out_bytes < piece->most && piece->error[0] == '\0' && !piece->last)
        if (reader->in_frame)
            decompress(reader, piece);
        else
            next_frame(reader, piece);
    return false;
}

static void no_work(void *state, struct piece *piece, unsigned worker)
{
    (void)state, (void)piece, (void)worker;
}

const struct format zstd_format = {zstd_open, zstd_fill, no_work, zstd_close};

const char *zstd_unpack(const void *memory, size_t bytes, void *to, size_t size)
{
    size_t result = ZSTD_decompress(to, size, memory, bytes);
    if (ZSTD_isError(result))
        return ZSTD_getErrorName(result);
    return result == size ? NULL : "fewer bytes than it claims";
}
