/* mapping.h - parts of regular files as shared memory. If a file becomes shorter than its mapping, an access past its
 * end fails with a message and STATUS_TROUBLE. */
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

/* Maps `bytes` bytes of a file from an offset on, to be read, or to be read and written. name is for messages and must
 * outlive the mapping. Returns false if that is not possible. */
bool mapping_open(struct mapping *mapping, const char *name, int descriptor, uint64_t offset, uint64_t bytes,
                  bool writable);

/* Does nothing if it is not mapped. */
void mapping_close(struct mapping *mapping);

#endif
