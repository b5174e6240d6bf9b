/* message.h - the encapsulated messages of an Arrow IPC file or stream, one after the other. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <nanoarrow_ipc.h>

#include "arrow_reader.h"

struct messages {
    struct arrow_source source;
    struct ArrowIpcDecoder decoder;
    unsigned char *header; /* of the current message, with its prefix */
    size_t bytes, room;
    unsigned char *schema; /* the header of the first message, as it was read, without its prefix */
    size_t schema_bytes;
    bool *encoded; /* for each column: it holds indices of a dictionary */

    /* Told of a dictionary batch. It reads or skips the body. NULL: dictionaries are skipped. */
    void (*dictionary)(void *state, struct messages *messages);
    void *state;
};

/* Opens them and reads the first message, the schema, which the caller releases. Dictionary-encoded columns have the
 * type of their indices. */
void messages_open(struct messages *messages, const struct arrow_source *source, struct ArrowSchema *schema);

/* Reads the header of the next record batch. Its body follows, which the caller reads or skips. Returns false at the
 * end, which it checks. Dictionaries on the way are passed on. */
bool messages_next(struct messages *messages);

/* The header of the current message, without its prefix. */
unsigned char *messages_header(const struct messages *messages, size_t *bytes);

/* Reads or skips bytes that must be there. */
void messages_read(struct messages *messages, void *memory, size_t bytes);
void messages_skip(struct messages *messages, uint64_t bytes);

NO_RETURN void messages_end_early(const struct messages *messages);

void messages_close(struct messages *messages);

#endif
