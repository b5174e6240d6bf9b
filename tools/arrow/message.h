/* message.h - the encapsulated messages of an Arrow IPC file or stream, one after the other. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <nanoarrow_ipc.h>

#include "arrow_reader.h"

struct messages {
    struct arrow_source source;
    struct ArrowIpcDecoder decoder;
    unsigned char *header;
    size_t room;
};

/* Opens them and reads the first message, the schema, which the caller releases. */
void messages_open(struct messages *messages, const struct arrow_source *source, struct ArrowSchema *schema);

/* Reads the header of the next record batch. Its body follows, which the caller reads or skips. Returns false at the
 * end, which it checks. */
bool messages_next(struct messages *messages);

/* Reads or skips bytes that must be there. */
void messages_read(struct messages *messages, void *memory, size_t bytes);
void messages_skip(struct messages *messages, uint64_t bytes);

NO_RETURN void messages_end_early(const struct messages *messages);

void messages_close(struct messages *messages);

#endif
