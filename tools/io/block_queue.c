/* block_queue.c - see block_queue.h. */
#include "block_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "common/cli.h"

enum state { FREE, FILLING, FULL, EMPTYING };

struct block_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t claimed, taken, turn; /* blocks since the start */
    struct block block[QUEUE_BLOCKS_MAX];
    enum state state[QUEUE_BLOCKS_MAX];
    unsigned blocks;
    char *memory;
    size_t each;                /* bytes of a block with the room in front of it */
    char *spare_memory, *spare; /* NULL until the first exchange */
    scankit_context *pinned;    /* or NULL */
};

static size_t round_up(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}

static char *map(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text(bytes));
    return memory;
}

struct block_queue *queue_create(size_t block_bytes, size_t before, unsigned blocks)
{
    struct block_queue *queue = get_memory(sizeof *queue);
    size_t each = round_up(before) + round_up(block_bytes);
    *queue = (struct block_queue){.each = each, .blocks = blocks};
    queue->memory = map(each < block_bytes || each > SIZE_MAX / blocks ? SIZE_MAX : blocks * each);
    for (size_t i = 0; i < blocks; i++)
        queue->block[i].data = queue->memory + i * each + round_up(before);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    return queue;
}

void queue_pin(struct block_queue *queue, scankit_context *context)
{
    if (scankit_pin(context, queue->memory, queue->blocks * queue->each, false) == SCANKIT_OK)
        queue->pinned = context; /* if it is refused, transfers are slower */
}

void queue_destroy(struct block_queue *queue)
{
    if (queue->pinned != NULL)
        scankit_unpin(queue->pinned, queue->memory);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    munmap(queue->memory, queue->blocks * queue->each);
    if (queue->spare_memory != NULL)
        munmap(queue->spare_memory, queue->each);
    free(queue);
}

/* Waits until block number *next is in state `from`, and moves it to state `to`. */
static struct block *advance(struct block_queue *queue, uint64_t *next, enum state from, enum state to)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->state[*next % queue->blocks] != from)
        pthread_cond_wait(&queue->changed, &queue->lock);
    size_t place = *next % queue->blocks;
    queue->state[place] = to;
    queue->block[place].number = (*next)++;
    pthread_mutex_unlock(&queue->lock);
    return &queue->block[place];
}

static void set_state(struct block_queue *queue, const struct block *block, enum state state)
{
    pthread_mutex_lock(&queue->lock);
    queue->state[block - queue->block] = state;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

struct block *queue_claim(struct block_queue *queue)
{
    return advance(queue, &queue->claimed, FREE, FILLING);
}

void queue_publish(struct block_queue *queue, struct block *block, size_t bytes)
{
    block->bytes = bytes;
    set_state(queue, block, FULL);
}

void queue_exchange(struct block_queue *queue, struct block *block)
{
    char *old = block->data;
    if (queue->spare == NULL)
        queue->spare = queue->spare_memory = map(queue->each);
    block->data = queue->spare;
    queue->spare = old;
}

struct block *queue_take(struct block_queue *queue)
{
    return advance(queue, &queue->taken, FULL, EMPTYING);
}

void queue_release(struct block_queue *queue, struct block *block)
{
    set_state(queue, block, FREE);
}

void queue_wait_turn(struct block_queue *queue, const struct block *block)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->turn != block->number)
        pthread_cond_wait(&queue->changed, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
}

void queue_pass_turn(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->turn++;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}
