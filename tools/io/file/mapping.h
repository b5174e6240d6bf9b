/* mapping.h - parts of regular files as shared memory that is written. A mapping may be longer than its file. An access
 * past the end of the file fails with a message and STATUS_TROUBLE. */
#ifndef MAPPING_H
#define MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
    char *data; /* the mapped bytes, at any alignment; NULL: not mapped */
    size_t bytes;
    int region; /* of the handler's table */
};

/* Maps `bytes` bytes of a file from an offset on. name is for messages and must outlive the mapping. Returns false if
 * that is not possible. */
bool mapping_open(struct mapping *mapping, const char *name, int descriptor, uint64_t offset, uint64_t bytes);

/* Does nothing if it is not mapped. */
void mapping_close(struct mapping *mapping);

#endif
