/* content.h - the bytes of an input: as they lie in the file, and decompressed. Only the parts of input.h use it. */
#ifndef CONTENT_H
#define CONTENT_H

#include "input.h"

/* Opens the file, or standard input, and finds how it is compressed. */
void content_open(struct input *input, const char *path, const struct common *common, enum input_use use);

/* Reads decompressed bytes. The source is a struct input, as a read_function has it. The second also keeps them. */
size_t content_read(void *source, void *memory, size_t bytes);
size_t content_read_kept(void *source, void *memory, size_t bytes);

/* Keeps bytes from in front of the elements, if that is wanted. */
void content_keep(struct input *input, const void *memory, size_t bytes);

/* Has the bytes that content_read() gave last, up to 8, read again. */
void content_put_back(struct input *input, const unsigned char *bytes, size_t count);

/* Passes over bytes; false if there are fewer. */
bool content_skip(void *source, uint64_t bytes);

/* Passes over the bytes of --skip, and keeps them if that is wanted. */
void content_pass_over(struct input *input, size_t bytes);

/* Bytes that were not read, or SIZE_UNKNOWN. */
uint64_t content_left(const struct input *input);

/* Reads bytes of a regular file at an offset. Any thread may call it. */
void content_read_part(const struct input *input, void *memory, size_t bytes, uint64_t offset, unsigned threads);

#endif
