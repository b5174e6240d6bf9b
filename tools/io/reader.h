/* reader.h - a source: threads that read blocks ahead. */
#ifndef READER_H
#define READER_H

#include "block_queue.h"
#include "input.h"
#include "scankit.h"

struct reader;

/* Starts to read inputs, in order, in blocks of block_bytes, a multiple of the element. Each has `before` bytes of room
 * in front. All but the last are full, even across the end of an input. */
struct reader *reader_start(struct input *inputs, size_t count, size_t block_bytes, size_t before);

/* Starts one thread that makes blocks of another kind. fill() returns the bytes of the next one, or 0 at the end. The
 * room is zero at first, and then holds an earlier block. */
typedef size_t fill_function(void *state, char *block);
struct reader *reader_start_filling(fill_function *fill, void *state, size_t block_bytes);

/* Makes uploads of blocks fast. */
void reader_pin(struct reader *reader, scankit_context *context);

/* Returns the next block, of whole elements, or NULL at the end. The previous block is no longer valid. */
char *reader_next(struct reader *reader, size_t *bytes);

/* Reads inputs, in order, to the memory of a device. Reading and uploads overlap. */
void read_to_device(struct input *inputs, size_t count, size_t element, scankit_context *context, char *to);

/* Passes the blocks to take(), in order, until it returns false. Returns false if it did, or true at the end. */
typedef bool take_block_function(void *state, char *block, size_t bytes);
bool reader_run(struct reader *reader, take_block_function *take, void *state);

/* For several threads, each with a block of its own: takes the next one, or returns NULL at the end; waits until those
 * before it have passed; lets the next one pass, and gives it back. */
struct block *reader_take(struct reader *reader);
void reader_wait_turn(struct reader *reader, const struct block *block);
void reader_pass(struct reader *reader, struct block *block);

/* After the end. */
void reader_finish(struct reader *reader);

/* A good block size for elements of this size. */
size_t good_block_bytes(size_t element);

#endif
