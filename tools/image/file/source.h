/* source.h - the bytes of a picture's file, decompressed, in order. */
#ifndef SOURCE_H
#define SOURCE_H

#include "io/input.h"
#include "picture.h"

#define SOURCE_BYTES ((size_t)64 << 10)

struct source {
    const char *name; /* for messages */
    struct input *input;
    size_t at, used; /* of the bytes that were read ahead */
    unsigned char bytes[SOURCE_BYTES];
};

void source_open(struct source *source, struct input *input);

/* The next bytes, which stay; *count of them, which is less than it was only at the end. At most SOURCE_BYTES. */
const unsigned char *source_peek(struct source *source, size_t *count);

/* The next byte, or -1 at the end. */
int source_byte(struct source *source);

/* source: a struct source. Returns less than `bytes` only at the end. It is a read_function. */
size_t source_read(void *source, void *memory, size_t bytes);

/* The same, but the file must have these bytes. */
void source_get(struct source *source, void *memory, size_t bytes);

/* Reads all pixels of a begun picture, as they lie in the file. Memory grows as they arrive. */
void source_pixels(struct source *source, struct picture *picture);

/* Fails because the file ends before its picture. */
NO_RETURN void source_short(const struct source *source);

/* Fails if bytes are left. */
void source_end(struct source *source);

#endif
