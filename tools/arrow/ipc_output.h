/* ipc_output.h - an Arrow file or stream, message by message. */
#ifndef IPC_OUTPUT_H
#define IPC_OUTPUT_H

#include "arrow_table.h"

struct blocks;

struct ipc_output {
    struct arrow_target target;
    uint64_t offset;                       /* bytes written */
    struct blocks *dictionaries, *batches; /* where messages lie */
};

/* Writes the schema and the dictionaries of the table, as they were read. */
void ipc_begin(struct ipc_output *output, const struct arrow_target *target, const struct arrow_table *table);

/* Writes a record batch. The header has its prefix; lengths are multiples of 8. */
void ipc_batch(struct ipc_output *output, const void *header, size_t header_bytes, const void *body, size_t body_bytes);

/* Writes the end, of a file with its footer. */
void ipc_end(struct ipc_output *output, const struct arrow_table *table);

#endif
