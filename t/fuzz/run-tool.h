/* run-tool.h - one run of a tool on bytes that may harm it, within limits. */
#ifndef RUN_TOOL_H
#define RUN_TOOL_H

#include <stdbool.h>

#include "rle-file.h"

#define TOOL_OUTPUT_LIMIT ((size_t)1 << 20) /* what is written past this fails */

typedef struct tool_run {
    int status, signal;
    char *output; /* valid until the next run */
    size_t output_size;
    char message[2000]; /* what it said on standard error, cut to this */
} tool_run;

/* Finds a tool of this build, in the folder that `builddir` in the environment names, or in this one. */
void tool_find(const char *name);

/* Runs it on input, as a pipe if piped (and if it fits there), else as a file. 400 MB of address space (of an
 * allocation, in a build with AddressSanitizer), 20 seconds of a processor and 60 in all are its limits; past the times
 * it ends by a signal. */
tool_run tool_try(char *const *arguments, const byte_string *input, bool piped);

#endif
