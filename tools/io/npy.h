/* npy.h - the headers of numpy's .npy files (format versions 1, 2 and 3). */
#ifndef NPY_H
#define NPY_H

#include "codec/codec.h"
#include "common/schema.h"

#define NPY_MAGIC "\x93NUMPY"
#define NPY_MAGIC_BYTES 6

/* Reads the header after its magic. Sets the schema, and *count from the shape. Fails unless it is a one-dimensional
 * array of numbers, bytes or records. */
void npy_read_header(const char *name, read_function *read, void *source, struct schema *schema, uint64_t *count);

/* The same for an array of any number of dimensions. */
#define NPY_EXTENTS 3
struct npy_shape {
    unsigned dimensions;
    uint64_t extents[NPY_EXTENTS]; /* of the first dimensions */
};
void npy_read_array_header(const char *name, read_function *read, void *source, struct schema *schema,
                           struct npy_shape *shape);

/* True if these bytes end with a whole header. */
bool npy_ends(const char *bytes, size_t count);

/* A header for count elements; *bytes long, a multiple of 64; get_memory()'d. */
char *npy_make_header(const char *descr, int version, uint64_t count, size_t *bytes);

/* The same for an array with this shape, a Python tuple. */
char *npy_make_array_header(const char *descr, int version, const char *shape, size_t *bytes);

/* Replaces the count of a whole, valid header by one that is not greater. The name is for messages. */
void npy_set_count(const char *name, char *header, size_t bytes, uint64_t count);

#endif
