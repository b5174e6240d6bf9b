/* writer.c - see writer.h. Several threads take blocks in order. They seal them at the same time, and either write them
 * in turn, or copy them into mapped pages at the same time. */
#include "writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "block_queue.h"
#include "common/device.h"
#include "common/threads.h"
#include "pages.h"

struct writer {
    write_function *write;
    void *sink;
    struct pages *pages; /* in place of write(), or NULL */
    seal_function *seal; /* or NULL */
    struct block_queue *queue;
    struct block *claimed; /* the block that the caller fills, or NULL */
    uint64_t offset;       /* of the next block */
    pthread_t threads[QUEUE_BLOCKS_MAX];
    unsigned thread_count;
};

/* ---- threads ---- */

static void write_block(struct writer *writer, const struct block *block)
{
    if (writer->seal != NULL)
        writer->seal(block->data, block->bytes);
    if (writer->pages != NULL) {
        pages_put(writer->pages, block->data, block->bytes, block->offset);
        return;
    }
    queue_wait_turn(writer->queue, block);
    writer->write(writer->sink, block->data, block->bytes);
    queue_pass_turn(writer->queue);
}

static void *write_blocks(void *argument)
{
    struct writer *writer = argument;
    for (struct block *block; (block = queue_take(writer->queue))->bytes > 0; queue_release(writer->queue, block))
        write_block(writer, block);
    return NULL;
}

/* If not all threads can be started, one is enough. */
static void start(struct writer *writer, unsigned threads)
{
    thread_start(&writer->threads[0], write_blocks, writer);
    for (writer->thread_count = 1; writer->thread_count < threads; writer->thread_count++)
        if (pthread_create(&writer->threads[writer->thread_count], NULL, write_blocks, writer) != 0)
            break;
}

/* ---- the caller ---- */

struct writer *writer_start(write_function *write, void *sink, size_t block_bytes)
{
    struct writer *writer = get_memory(sizeof *writer);
    *writer = (struct writer){.write = write, .sink = sink, .queue = queue_create(block_bytes, 0, QUEUE_BLOCKS)};
    start(writer, 1);
    return writer;
}

struct writer *writer_start_output(struct output *output, size_t block_bytes, seal_function *seal,
                                   const struct common *common)
{
    unsigned processors = (unsigned)device_processors(common);
    struct writer *writer = get_memory(sizeof *writer);
    *writer = (struct writer){.write = output_write, .sink = output, .seal = seal};
    enum way way = output_way(output, processors);
    if (way == WAY_PAGES)
        writer->pages = pages_open(output);
    unsigned threads = choose_writers(way, seal != NULL, processors);
    unsigned blocks = choose_blocks(threads, common->buffer_size > 0);
    writer->queue = queue_create(block_bytes, 0, blocks);
    start(writer, threads < blocks ? threads : blocks - 1);
    return writer;
}

void writer_pin(struct writer *writer, scankit_context *context)
{
    queue_pin(writer->queue, context);
}

void writer_expect(struct writer *writer, uint64_t bytes)
{
    if (writer->pages != NULL)
        pages_expect(writer->pages, bytes);
}

char *writer_claim(struct writer *writer)
{
    if (writer->claimed == NULL)
        writer->claimed = queue_claim(writer->queue);
    return writer->claimed->data;
}

void writer_publish(struct writer *writer, size_t bytes)
{
    if (bytes == 0)
        return;
    writer->claimed->offset = writer->offset;
    writer->offset += bytes;
    queue_publish(writer->queue, writer->claimed, bytes);
    writer->claimed = NULL;
}

char *writer_exchange(struct writer *writer)
{
    queue_exchange(writer->queue, writer->claimed);
    return writer->claimed->data;
}

/* Each thread takes one block of 0 bytes, which is its end, and does not release it. There are fewer threads than
 * blocks. */
void writer_finish(struct writer *writer)
{
    for (unsigned i = 0; i < writer->thread_count; i++) {
        writer_claim(writer);
        queue_publish(writer->queue, writer->claimed, 0);
        writer->claimed = NULL;
    }
    for (unsigned i = 0; i < writer->thread_count; i++)
        pthread_join(writer->threads[i], NULL);
    if (writer->pages != NULL)
        pages_close(writer->pages, writer->offset);
    queue_destroy(writer->queue);
    free(writer);
}
