/* output.h - where the result goes: a file that is replaced only when complete, or standard output. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdint.h>

#include "bgzf.h"
#include "options.h"

struct output {
    const char *name; /* for messages */
    int descriptor;
    char *target; /* the file to be replaced, NULL where it is written to directly */
    struct bgzf *bgzf;
    uint64_t bytes; /* written to the file */
};

/* path: NULL for standard output, which must not be a terminal; "-" the same without that. The new file keeps the mode
 * and, where that is allowed, the owner of the old one. Until output_finish() it is a temporary in the same folder,
 * which fail() and signals remove. One output at a time. */
void output_open(struct output *output, const char *path, bool gzip, int level);

void output_write(struct output *output, const void *memory, size_t bytes);

/* Makes sure that everything has arrived, and puts the file in its place. */
void output_finish(struct output *output);

#endif
