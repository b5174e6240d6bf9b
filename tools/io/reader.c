/* reader.c - see reader.h. Threads claim blocks in order, together with the parts of the files that belong there, and
 * read them at the same time. A pipe, or compressed data, is read while the lock is held. */
#include "reader.h"

#include <pthread.h>
#include <stdlib.h>

#include "choose.h"
#include "common/device.h"
#include "common/progress.h"
#include "common/threads.h"

#define BLOCK_BYTES ((size_t)16 << 20)
#define PIECES                                                                                            \
    16 /* parts of files in a block that are left to be read after the lock; further ones are read before \
        */

struct reader {
    pthread_mutex_t lock, taking;
    struct input *inputs; /* not read yet */
    size_t count, block_bytes;
    fill_function *fill; /* in place of inputs, or NULL */
    void *state;
    bool ended, took_end; /* the end was published, and taken */
    struct block_queue *queue;
    struct block *taken; /* the block that the caller uses, or NULL */
    pthread_t threads[QUEUE_BLOCKS_MAX];
    unsigned thread_count;
};

size_t good_block_bytes(size_t element)
{
    return element >= BLOCK_BYTES ? element : BLOCK_BYTES / element * element;
}

/* ---- threads ---- */

struct pieces {
    size_t count;
    struct input_piece piece[PIECES];
};

/* Reserves the next parts of the inputs. Returns their bytes. */
static size_t reserve(struct reader *reader, char *block, struct pieces *pieces)
{
    size_t got = 0;
    while (reader->count > 0) {
        struct input_piece *piece = &pieces->piece[pieces->count];
        got += input_reserve(reader->inputs, block + got, reader->block_bytes - got, piece);
        if (pieces->count + 1 < PIECES)
            pieces->count += piece->bytes > 0;
        else
            piece_read(piece);
        if (got == reader->block_bytes)
            break;
        reader->inputs++;
        reader->count--;
    }
    return got;
}

/* Fills the next block. Returns false after the end. */
static bool read_block(struct reader *reader)
{
    struct pieces pieces = {.count = 0};
    pthread_mutex_lock(&reader->lock);
    if (reader->ended) {
        pthread_mutex_unlock(&reader->lock);
        return false;
    }
    struct block *block = queue_claim(reader->queue);
    size_t bytes =
        reader->fill != NULL ? reader->fill(reader->state, block->data) : reserve(reader, block->data, &pieces);
    reader->ended = bytes == 0;
    pthread_mutex_unlock(&reader->lock);
    for (size_t i = 0; i < pieces.count; i++)
        piece_read(&pieces.piece[i]);
    queue_publish(reader->queue, block, bytes);
    return bytes > 0;
}

static void *read_blocks(void *argument)
{
    while (read_block(argument))
        ;
    return NULL;
}

/* ---- the caller ---- */

/* If not all threads can be started, one is enough. */
static void start(struct reader *reader, unsigned threads)
{
    pthread_mutex_init(&reader->lock, NULL);
    pthread_mutex_init(&reader->taking, NULL);
    thread_start(&reader->threads[0], read_blocks, reader);
    for (reader->thread_count = 1; reader->thread_count < threads; reader->thread_count++)
        if (pthread_create(&reader->threads[reader->thread_count], NULL, read_blocks, reader) != 0)
            break;
}

/* A pipe is read by one thread at a time. */
static unsigned threads_for(const struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!input_is_plain(&inputs[i]))
            return 1;
    return count == 0 ? 1 : choose_readers(inputs[0].threads);
}

struct reader *reader_start(struct input *inputs, size_t count, size_t block_bytes, size_t before)
{
    struct reader *reader = get_memory(sizeof *reader);
    *reader = (struct reader){.inputs = inputs, .count = count, .block_bytes = block_bytes};
    unsigned threads = threads_for(inputs, count);
    unsigned blocks = choose_blocks(threads, count > 0 && inputs[0].bounded);
    reader->queue = queue_create(block_bytes, before, blocks);
    start(reader, threads < blocks ? threads : blocks - 1);
    return reader;
}

struct reader *reader_start_filling(fill_function *fill, void *state, size_t block_bytes)
{
    struct reader *reader = get_memory(sizeof *reader);
    *reader = (struct reader){.fill = fill, .state = state, .block_bytes = block_bytes};
    reader->queue = queue_create(block_bytes, 0, QUEUE_BLOCKS);
    start(reader, 1);
    return reader;
}

void reader_pin(struct reader *reader, scankit_context *context)
{
    queue_pin(reader->queue, context);
}

char *reader_next(struct reader *reader, size_t *bytes)
{
    if (reader->taken != NULL)
        queue_release(reader->queue, reader->taken);
    reader->taken = queue_take(reader->queue);
    *bytes = reader->taken->bytes;
    if (reader->fill == NULL)
        progress_add(*bytes);
    return *bytes == 0 ? NULL : reader->taken->data;
}

void read_to_device(struct input *inputs, size_t count, size_t element, scankit_context *context, char *to)
{
    struct reader *reader = reader_start(inputs, count, good_block_bytes(element), 0);
    size_t got;
    reader_pin(reader, context);
    for (const char *block; (block = reader_next(reader, &got)) != NULL; to += got)
        check_call(context, scankit_upload(context, to, block, got));
    reader_finish(reader);
}

bool reader_run(struct reader *reader, take_block_function *take, void *state)
{
    size_t bytes;
    for (char *block; (block = reader_next(reader, &bytes)) != NULL;)
        if (!take(state, block, bytes))
            return false;
    return true;
}

struct block *reader_take(struct reader *reader)
{
    struct block *block = NULL;
    pthread_mutex_lock(&reader->taking);
    if (!reader->took_end) {
        block = queue_take(reader->queue);
        reader->took_end = block->bytes == 0;
    }
    pthread_mutex_unlock(&reader->taking);
    return block == NULL || block->bytes == 0 ? NULL : block;
}

void reader_wait_turn(struct reader *reader, const struct block *block)
{
    queue_wait_turn(reader->queue, block);
    progress_add(block->bytes);
}

void reader_pass(struct reader *reader, struct block *block)
{
    queue_pass_turn(reader->queue);
    queue_release(reader->queue, block);
}

void reader_finish(struct reader *reader)
{
    for (unsigned i = 0; i < reader->thread_count; i++)
        pthread_join(reader->threads[i], NULL);
    pthread_mutex_destroy(&reader->lock);
    pthread_mutex_destroy(&reader->taking);
    queue_destroy(reader->queue);
    free(reader);
}
