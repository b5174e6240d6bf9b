/* decoder.c - see decoder.h. A thread fills pieces, in the order of the file; workers inflate pieces whose members hold
 * their length, or where it was guessed; the caller takes them in order. If a guess was wrong, the file is read again
 * from there. No thread but the caller's reports damage. */
#include "decoder.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "gzip.h"
#include "ring.h"
#include "zstd_codec.h"

#define ALONE_PIECES 4  /* that the caller fills itself: most files are small */
#define THREADED_MOST 4 /* decoders at a time that have threads: a merge may have thousands of inputs */

static atomic_uint threaded_now, open_now;

struct decoder {
    const char *name;
    unsigned threads;
    const struct format *format;
    void *state;
    struct window window;
    struct ring *ring;
    struct piece *pieces;
    size_t count, filled;
    struct piece *current; /* the piece that is being read, or NULL */
    size_t at;             /* bytes of it that were read */
    bool threaded, ended;
    pthread_t filler;
    uint64_t taken; /* of the host's memory */
};

void piece_fail(struct piece *piece, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(piece->error, sizeof piece->error, format, arguments);
    va_end(arguments);
}

static void work(void *state, size_t slot, unsigned worker)
{
    struct decoder *decoder = state;
    decoder->format->work(decoder->state, &decoder->pieces[slot], worker);
}

/* Later decoders hardly get threads. */
static void take_memory(struct decoder *decoder)
{
    bool has_threads = atomic_fetch_add(&open_now, 1) < THREADED_MOST && decoder->threads > 1;
    decoder->taken = DECODER_BYTES + (has_threads ? decoder->threads * DECODER_THREAD_BYTES : 0);
    host_take(decoder->taken);
}

struct decoder *decoder_open(enum codec codec, const char *name, read_function *read, seek_function *seek, void *source,
                             const unsigned char *head, size_t bytes, unsigned threads)
{
    struct decoder *decoder = get_memory(sizeof *decoder);
    decoder->name = name;
    decoder->threads = threads = threads < CODEC_THREADS_MOST ? threads : CODEC_THREADS_MOST;
    decoder->format = codec == CODEC_ZSTD ? &zstd_format : &gzip_format;
    window_open(&decoder->window, read, seek, source, head, bytes);
    decoder->state = decoder->format->open(&decoder->window, threads + 1, seek != NULL && threads > 1);
    decoder->count = 2 * (size_t)threads + 2;
    decoder->ring = ring_create(decoder->count, work, decoder);
    decoder->pieces = get_memory(decoder->count * sizeof *decoder->pieces);
    for (size_t i = 0; i < decoder->count; i++)
        decoder->pieces[i] = (struct piece){.packed = NULL};
    decoder->filled = decoder->at = 0;
    decoder->current = NULL;
    decoder->threaded = decoder->ended = false;
    take_memory(decoder);
    return decoder;
}

/* ---- filling ---- */

/* Returns false if no piece follows. */
static bool fill_piece(struct decoder *decoder)
{
    size_t slot = ring_claim(decoder->ring);
    if (slot == RING_STOPPED)
        return false;
    struct piece *piece = &decoder->pieces[slot];
    size_t most = decoder->threaded ? PIECE_BYTES : PIECE_SMALL;
    if (piece->most != most) {
        free(piece->out);
        piece->out = get_memory(most + PIECE_SLACK);
        piece->most = most;
    }
    piece->packed_bytes = piece->out_bytes = 0;
    piece->last = piece->guessed = false;
    piece->error[0] = '\0';
    bool needs_work = decoder->format->fill(decoder->state, piece);
    bool more = piece->error[0] == '\0' && !piece->last;
    ring_submit(decoder->ring, needs_work);
    return more;
}

static void *fill_pieces(void *argument)
{
    struct decoder *decoder = argument;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while (fill_piece(decoder))
        ;
    return NULL;
}

/* Starts the threads, after some pieces, if there are not many decoders that have threads. */
static void start(struct decoder *decoder)
{
    if (decoder->threads < 2 || decoder->filled++ != ALONE_PIECES)
        return;
    if (atomic_fetch_add(&threaded_now, 1) >= THREADED_MOST) {
        atomic_fetch_sub(&threaded_now, 1);
        return;
    }
    ring_start(decoder->ring, decoder->threads);
    decoder->threaded = true;
    if (pthread_create(&decoder->filler, NULL, fill_pieces, decoder) != 0) {
        decoder->threaded = false;
        atomic_fetch_sub(&threaded_now, 1);
    }
}

/* The filling thread may wait for bytes that never come. It can be cancelled only there: see window_more(). */
static void stop(struct decoder *decoder)
{
    ring_stop(decoder->ring);
    if (decoder->threaded) {
        pthread_cancel(decoder->filler);
        pthread_join(decoder->filler, NULL);
        atomic_fetch_sub(&threaded_now, 1);
    }
    decoder->threaded = false;
    ring_destroy(decoder->ring);
    decoder->ring = NULL;
}

/* ---- reading ---- */

static void fail_decoder(struct decoder *decoder)
{
    char error[sizeof decoder->current->error];
    memcpy(error, decoder->current->error, sizeof error);
    if (!decoder->threaded)
        decoder->format->close(decoder->state);
    fail(decoder->name, "%s", error);
}

static void free_piece(struct piece *piece)
{
    free(piece->packed);
    free(piece->out);
    *piece = (struct piece){.packed = NULL};
}

/* Leaves the current piece, which has been read. Returns false at the end of the file. Without threads one piece at a
 * time takes memory: a merge may have thousands of inputs. */
static bool leave_piece(struct decoder *decoder)
{
    if (decoder->current->error[0] != '\0')
        fail_decoder(decoder);
    decoder->ended = decoder->current->last;
    if (!decoder->threaded)
        free_piece(decoder->current);
    decoder->current = NULL;
    if (decoder->ended)
        stop(decoder);
    else
        ring_release(decoder->ring);
    return !decoder->ended;
}

/* Goes on without guesses, and without threads, from an offset where a member or frame begins. */
static void read_again(struct decoder *decoder, uint64_t offset)
{
    stop(decoder);
    decoder->format->close(decoder->state);
    window_seek(&decoder->window, offset);
    decoder->threads = 1;
    decoder->state = decoder->format->open(&decoder->window, 1, false);
    decoder->ring = ring_create(decoder->count, work, decoder);
}

/* Has a current piece with bytes that were not read yet. Returns false at the end of the file. */
static bool next_piece(struct decoder *decoder)
{
    while (!decoder->ended) {
        if (decoder->current != NULL && decoder->at < decoder->current->out_bytes)
            return true;
        if (decoder->current != NULL && !leave_piece(decoder))
            break;
        if (!decoder->threaded)
            start(decoder);
        if (!decoder->threaded)
            fill_piece(decoder);
        struct piece *piece = &decoder->pieces[ring_take(decoder->ring)];
        if (piece->guessed && piece->error[0] != '\0') {
            read_again(decoder, piece->offset);
            continue;
        }
        decoder->current = piece;
        decoder->at = 0;
    }
    return false;
}

size_t decoder_read(struct decoder *decoder, void *memory, size_t bytes)
{
    size_t done = 0;
    while (done < bytes && next_piece(decoder)) {
        size_t left = decoder->current->out_bytes - decoder->at;
        size_t part = bytes - done < left ? bytes - done : left;
        memcpy((char *)memory + done, decoder->current->out + decoder->at, part);
        decoder->at += part;
        done += part;
    }
    return done;
}

void decoder_close(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->ring != NULL)
        stop(decoder);
    decoder->format->close(decoder->state);
    for (size_t i = 0; i < decoder->count; i++)
        free_piece(&decoder->pieces[i]);
    atomic_fetch_sub(&open_now, 1);
    host_give_back(decoder->taken);
    free(decoder->pieces);
    free(decoder);
}
