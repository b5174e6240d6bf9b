/* prefix_writer.h - writes the beginning of an array while the rest of it is still being sorted. */
#ifndef PREFIX_WRITER_H
#define PREFIX_WRITER_H

#include "io/output.h"

struct prefix_writer;

/* Starts to write the first `limit` elements of data as they become final: by one thread, or where the output's pages
 * can be mapped and there are many processors, by several. */
struct prefix_writer *prefix_start(struct output *output, const char *data, size_t element, size_t limit,
                                   const struct common *common);

/* Says that the first n elements are final: the `ready` function of a sort. */
void prefix_ready(void *writer, size_t n);

/* Waits until the first `limit` elements, which are final, are written. */
void prefix_finish(struct prefix_writer *writer);

#endif
